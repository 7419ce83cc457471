// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.Buf;
import org.ffmpi.Errhandler;
import org.ffmpi.Win;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.process.ErrhandlerImpl;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;

/**
 * The state that all topics of one window share: its world, the channel of its own over which its ranks meet, its error
 * handler, and whether it is still open. Any thread may use it.
 */
final class WindowState {
  final World world;
  final Channel channel;
  final Engine engine;
  final int size;

  private Win win;
  private volatile Errhandler<? super Win> errhandler;
  private volatile boolean closed;

  WindowState(World world, Channel channel) {
    this.world = world;
    this.channel = channel;
    this.engine = channel.engine();
    this.size = channel.size();
    this.errhandler = world.errhandler();
  }

  /** Says which window this is the state of; error handlers are given it. */
  void belongsTo(Win window) {
    win = window;
  }

  Win win() {
    return win;
  }

  // ---- errors

  Errhandler<? super Win> errhandler() {
    return ErrhandlerImpl.of(errhandler).reference();
  }

  void setErrhandler(Errhandler<? super Win> handler) {
    errhandler = handler;
  }

  /** Puts an error through the window's handler and returns what is to be thrown. */
  MpiException raise(MpiException error) {
    return ErrhandlerImpl.of(errhandler).handle(world, win, error);
  }

  /** Puts what a call has thrown through the window's handler and returns what is to be thrown. */
  MpiException failed(RuntimeException thrown) {
    return raise(Failures.translate(thrown));
  }

  /** Returns the error of a call that does not fit those before it. */
  MpiException outOfStep(String what) {
    return raise(new MpiException(ErrorClass.ERR_RMA_SYNC, what));
  }

  // ---- open or closed

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
  }

  /** Throws when no call on this window is allowed any more. */
  void checkOpen() {
    world.checkOpen();
    if (closed) {
      throw world.raise(new MpiException(ErrorClass.ERR_WIN, "window: " + win + " has been closed"));
    }
  }

  /** Throws when no communication is allowed, or not in the calling thread at the moment. */
  void checkCommunication() {
    checkOpen();
    MpiException refused = world.communicationError();
    if (refused != null) {
      throw raise(refused);
    }
  }

  // ---- arguments

  /** Throws for a rank that the window has not. */
  void checkRank(String argument, int rank) {
    if (rank < 0 || rank >= size) {
      throw raise(MpiException.argument(ErrorClass.ERR_RANK, argument, rank, ranks()));
    }
  }

  /** Checks a target, throws when there is none such, and returns whether there is nothing to do. */
  boolean isNobody(int target) {
    if (target != Constants.PROC_NULL && (target < 0 || target >= size)) {
      throw raise(MpiException.argument(ErrorClass.ERR_RANK, "target", target, ranks() + " or PROC_NULL"));
    }
    return target == Constants.PROC_NULL;
  }

  /** Throws when elements cannot be read from a buffer, or not be written into it. */
  void checkMemory(String argument, Buf<?> buf, boolean written) {
    MpiException wrong = buf == null
        ? MpiException.argument(ErrorClass.ERR_BUFFER, argument, null, "a Buf")
        : BufImpl.of(buf).unusable(argument, written);
    if (wrong != null) {
      throw raise(wrong);
    }
  }

  private String ranks() {
    return size == 1 ? "0" : "0.." + (size - 1);
  }
}
