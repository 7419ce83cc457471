// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.util.Arrays;
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
import org.ffmpi.spi.Health;

/**
 * The state that all topics of one window share: its world, its own channel, its error handler, and whether it is open.
 * Any thread.
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

  /** Sets the window that error handlers receive. */
  void setWindow(Win window) {
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

  /** Calls the window's error handler and returns the error to throw. */
  MpiException raise(MpiException error) {
    return ErrhandlerImpl.of(errhandler).handle(world, win, error);
  }

  /** Calls the window's error handler for an exception of a call and returns the error to throw. */
  MpiException failed(RuntimeException thrown) {
    return raise(translate(thrown));
  }

  /** Returns the error that some work has thrown, or null. Does not call the error handler. */
  MpiException failureOf(Runnable work) {
    try {
      work.run();
      return null;
    } catch (RuntimeException e) {
      return translate(e);
    }
  }

  /** Translates an exception. Errors of messages that a death has ended do not name the window. */
  MpiException translate(RuntimeException thrown) {
    MpiException error = Failures.translate(thrown);
    MpiException failure = error.errorClass() == ErrorClass.ERR_PROC_FAILED ? memberFailure(channel) : null;
    return failure == null ? error : failure;
  }

  /**
   * Returns the error of a wait in a window of which a rank has died, whichever rank is waited for: that one may have
   * given up. Null while all live, and in a job that ends with its first dead rank. One load while nothing fails.
   */
  static MpiException memberFailure(Channel channel) {
    Health health = channel.health();
    if (health == null || health.collectiveError() == null) {
      return null;
    }
    return new MpiException(ErrorClass.ERR_PROC_FAILED, "of the ranks of this window "
        + Arrays.stream(health.failed()).map(channel::rankOf).boxed().toList()
        + " have failed: the others cannot wait for one another");
  }

  /** Returns the error of a synchronization call in the wrong place. */
  MpiException syncError(String what) {
    return raise(new MpiException(ErrorClass.ERR_RMA_SYNC, what));
  }

  // ---- open or closed

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
  }

  /** Throws when the window or the world is closed. */
  void checkOpen() {
    world.checkOpen();
    if (closed) {
      throw world.raise(new MpiException(ErrorClass.ERR_WIN, "window: " + win + " has been closed"));
    }
  }

  /** Throws when the window is closed, or this thread may not communicate now. */
  void checkCommunication() {
    if (!closed && world.isUsable()) {
      return;
    }
    checkOpen();
    MpiException refused = world.communicationError();
    if (refused != null) {
      throw raise(refused);
    }
  }

  // ---- arguments

  /** Throws for a number that is no rank of the window. */
  void checkRank(String argument, int rank) {
    if (rank < 0 || rank >= size) {
      throw raise(MpiException.argument(ErrorClass.ERR_RANK, argument, rank, ranks()));
    }
  }

  /** Returns whether a target is PROC_NULL. Throws when it is no rank of the window either. */
  boolean isProcNull(int target) {
    if (target != Constants.PROC_NULL && (target < 0 || target >= size)) {
      throw raise(MpiException.argument(ErrorClass.ERR_RANK, "target", target, ranks() + " or PROC_NULL"));
    }
    return target == Constants.PROC_NULL;
  }

  /** Throws when elements cannot be read from a buffer, or cannot be written into it. */
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
