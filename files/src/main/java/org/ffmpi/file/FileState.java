// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.ffmpi.Errhandler;
import org.ffmpi.MpiFile;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.communicator.Exchange;
import org.ffmpi.file.access.OpenFile;
import org.ffmpi.file.access.RankAccess;
import org.ffmpi.file.phase.TwoPhases;
import org.ffmpi.file.pointer.SharedWords;
import org.ffmpi.process.ErrhandlerImpl;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;

/** The state that all topics of one file share at one rank. Any thread. */
final class FileState {
  final World world;
  final Channel channel;
  final Path path;
  final int amode;
  final OpenFile file;
  final SharedWords words;
  final RankAccess access;
  final TwoPhases phases;
  final FileHints hints;
  final FileWorker worker;
  /** This rank's file pointer, in etypes. */
  final AtomicLong pointer = new AtomicLong();
  /** The split collective call that is under way, or null. */
  SplitCall split;

  private MpiFile shown;
  private volatile FileView view = FileView.ofBytes();
  private volatile boolean atomic;
  private volatile Errhandler<? super MpiFile> errhandler;
  private volatile boolean closed;

  FileState(
      World world, Channel channel, Path path, int amode, OpenFile file, SharedWords words, RankAccess access,
      TwoPhases phases, FileHints hints) {
    this.world = world;
    this.channel = channel;
    this.path = path;
    this.amode = amode;
    this.file = file;
    this.words = words;
    this.access = access;
    this.phases = phases;
    this.hints = hints;
    this.worker = new FileWorker(world, path);
    this.errhandler = FileDefaults.of(world).errhandler();
  }

  /** Sets the file that error handlers receive. */
  void setFile(MpiFile file) {
    shown = file;
  }

  // ---- errors

  Errhandler<? super MpiFile> errhandler() {
    return ErrhandlerImpl.of(errhandler).reference();
  }

  void setErrhandler(Errhandler<? super MpiFile> handler) {
    errhandler = handler;
  }

  /** Calls the file's error handler and returns the error to throw. */
  MpiException raise(MpiException error) {
    return ErrhandlerImpl.of(errhandler).handle(world, shown, error);
  }

  /** Calls the file's error handler for an exception of a call and returns the error to throw. */
  MpiException failed(RuntimeException thrown) {
    return raise(Failures.translate(thrown));
  }

  // ---- open or closed

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
  }

  /** Throws when the file or the world is closed. */
  void checkOpen() {
    world.checkOpen();
    if (closed) {
      throw raise(new MpiException(ErrorClass.ERR_FILE, "file: " + path + " has been closed"));
    }
  }

  /** Throws when the file is closed, or this thread may not call MPI now. */
  void checkUsable() {
    if (!closed && world.isUsable()) {
      return;
    }
    checkOpen();
    MpiException refused = world.communicationError();
    if (refused != null) {
      throw raise(refused);
    }
  }

  boolean isOpenAs(int mode) {
    return (amode & mode) != 0;
  }

  /** Returns why a call with offsets is refused, or null. */
  MpiException sequential(String call) {
    return !isOpenAs(Constants.MODE_SEQUENTIAL) ? null : new MpiException(
        ErrorClass.ERR_UNSUPPORTED_OPERATION, call + ": " + path + " is open as SEQUENTIAL: allowed are calls with"
            + " the shared file pointer");
  }

  /** Returns why a call is refused while a split collective one is under way, or null. */
  MpiException splitRefusal() {
    SplitCall begun = split;
    return begun == null ? null : new MpiException(
        ErrorClass.ERR_IO, "on " + path + " a call of " + begun.name() + " has not been ended");
  }

  // ---- view and mode

  FileView view() {
    return view;
  }

  void setView(FileView next) {
    view = next;
  }

  boolean isAtomic() {
    return atomic;
  }

  void setAtomic(boolean given) {
    atomic = given;
  }

  // ---- the ranks together

  /** Waits for all ranks. */
  void meet() {
    Exchange.allgather(channel, world, 0);
  }

  /**
   * Waits for all ranks and throws when one has an error, or when they differ.
   *
   * @param failure this rank's error, or null
   * @param argument the name of what has to be the same
   * @param values what it is at this rank
   */
  void agree(MpiException failure, String argument, long... values) {
    agree(channel, world, path, failure, argument, values);
  }

  /** Does the same over a channel, for a file that is not open yet. */
  static void agree(
      Channel channel, World world, Path path, MpiException failure, String argument, long... values) {
    int words = values.length + 1;
    long[] own = new long[words];
    own[0] = failure == null ? 0 : failure.errorClass().code();
    System.arraycopy(values, 0, own, 1, values.length);
    long[] all = Exchange.allgather(channel, world, own);
    if (failure != null) {
      throw failure;
    }
    for (int r = 0; r < channel.size(); r++) {
      if (all[r * words] != 0) {
        throw new MpiException(
            ErrorClass.ofCode((int) all[r * words]).orElse(ErrorClass.ERR_OTHER),
            "rank " + r + " could not do its part of this call on " + path);
      }
    }
    for (int r = 1; r < channel.size(); r++) {
      if (!Arrays.equals(all, 1, words, all, r * words + 1, (r + 1) * words)) {
        throw new MpiException(ErrorClass.ERR_NOT_SAME, argument + " = " + shown(all, r * words + 1, words - 1)
            + " at rank " + r + " and " + shown(all, 1, words - 1) + " at rank 0: allowed is the same at all ranks");
      }
    }
  }

  private static String shown(long[] all, int from, int n) {
    return n == 1 ? Long.toString(all[from]) : Arrays.toString(Arrays.copyOfRange(all, from, from + n));
  }
}
