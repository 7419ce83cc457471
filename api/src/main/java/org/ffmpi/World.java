// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.PredefinedTable;
import org.ffmpi.base.Settings;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.RunSettings;

/**
 * One rank's world: the engine, what the run was set up with, and whether MPI is still usable. Shared by everything
 * that belongs to one {@link Mpi}; any thread may use it.
 */
final class World {
  /** How long an exception may take to be printed before the job is ended under it. */
  private static final Duration TIME_TO_SURFACE = Duration.ofMillis(300);

  private final Engine engine;
  private final Settings settings;
  private final boolean ownsProcess;
  /** Told why this rank ends its world, before anybody else can notice that it has ended. */
  private final Consumer<Throwable> failureListener;
  private final ThreadLevel threadLevel;
  private final Thread initThread;
  private final Errhandler<Object> errhandler;
  private final boolean checking;
  private final ClassLoader loader;
  private final Request sent;
  private final Set<AttachedBuffer> buffers = ConcurrentHashMap.newKeySet();
  private final BufferPlace processBuffer = new BufferPlace(this);
  private final PredefinedTable<Datatype<?>> predefinedTypes = new PredefinedTable<>();
  /** Operations that hold memory whose users are counted. */
  private final Set<HeldOperation> holding = ConcurrentHashMap.newKeySet();
  private final ErrorCodes errorCodes;
  private volatile UnaryOperator<MpiException> raiser;
  private volatile Collectives collectives;
  private volatile boolean open = true;
  private volatile boolean failed;
  private volatile Thread.UncaughtExceptionHandler uncaught;

  /** Creates the world of a rank that is this whole process, initialized by this thread. Its failures are printed. */
  static World ofProcess(Engine engine, Settings settings, ClassLoader loader) {
    return new World(engine, settings, loader, true, failure -> print(engine.self(), failure));
  }

  /** Creates the world of a rank that is the calling thread. Its failures are told to who started it. */
  static World ofThread(Engine engine, Settings settings, ClassLoader loader, Consumer<Throwable> failureListener) {
    return new World(engine, settings, loader, false, failureListener);
  }

  private World(
      Engine engine, Settings settings, ClassLoader loader, boolean ownsProcess, Consumer<Throwable> failureListener) {
    this.engine = engine;
    this.settings = settings;
    this.ownsProcess = ownsProcess;
    this.failureListener = failureListener;
    this.threadLevel = RunSettings.THREAD_LEVEL.get(settings);
    this.initThread = Thread.currentThread();
    this.errhandler = Errhandler.initial(RunSettings.ERRORS.get(settings));
    this.errorCodes = ErrorCodes.of(engine);
    this.checking = RunSettings.CHECK.get(settings) == RunSettings.Check.FULL;
    this.loader = loader;
    this.sent = Request.sent(this, engine.completed());
  }

  Engine engine() {
    return engine;
  }

  Settings settings() {
    return settings;
  }

  ThreadLevel threadLevel() {
    return threadLevel;
  }

  Thread initThread() {
    return initThread;
  }

  /** Returns the handler that the predefined communicators begin with. */
  Errhandler<Object> errhandler() {
    return errhandler;
  }

  /** Tells whether everything is checked, so that messages carry their signatures. */
  boolean isChecking() {
    return checking;
  }

  /** Returns the one request of all sends that were over when they started. */
  Request sent() {
    return sent;
  }

  /** Returns where the buffer of the whole process is attached for buffered mode. */
  BufferPlace processBuffer() {
    return processBuffer;
  }

  /** Returns all buffers that are attached anywhere. */
  Set<AttachedBuffer> buffers() {
    return buffers;
  }

  /** Returns what this world has changed about the predefined datatypes. */
  PredefinedTable<Datatype<?>> predefinedTypes() {
    return predefinedTypes;
  }

  int rank() {
    return engine.self();
  }

  /** Remembers an operation whose memory has to be given back at the latest when this rank leaves. */
  void hold(HeldOperation operation) {
    holding.add(operation);
  }

  void release(HeldOperation operation) {
    holding.remove(operation);
  }

  /** Gives back what is held by operations that will not end any more. Called once the engine has been left. */
  void releaseHeld() {
    holding.forEach(HeldOperation::giveUp);
    buffers.forEach(AttachedBuffer::release);
  }

  /** Finds the collectives when the first one is called: many programs and tests need none. */
  Collectives collectives() {
    Collectives found = collectives;
    if (found == null) {
      found = Providers.collectives(loader, settings);
      collectives = found;
    }
    return found;
  }

  boolean isOpen() {
    return open;
  }

  void close() {
    open = false;
    if (uncaught != null && Thread.getDefaultUncaughtExceptionHandler() == uncaught) {
      Thread.setDefaultUncaughtExceptionHandler(null);
    }
  }

  /**
   * Has the job end when a thread of this process dies of an exception: peers could wait for ever for what it would
   * have done. A handler that the program has set goes before.
   */
  void endByUncaughtExceptions() {
    if (Thread.getDefaultUncaughtExceptionHandler() == null) {
      uncaught = (thread, failure) -> endByBody(failure);
      Thread.setDefaultUncaughtExceptionHandler(uncaught);
    }
  }

  /** Returns the error of a call made after finalize or after the world was given up, or null. */
  MpiException closedError() {
    if (failed) {
      return new MpiException(ErrorClass.ERR_OTHER, "called after this rank had failed and given up its world");
    }
    return open ? null : new MpiException(ErrorClass.ERR_OTHER, "called after MPI had been finalized");
  }

  /** Returns why an operation will never complete now that nothing moves any more. */
  MpiException endedError() {
    String reason = engine.endedBecause().orElse(null);
    return reason != null
        ? new MpiException(ErrorClass.ERR_PROC_ABORTED, "the job has ended: " + reason)
        : new MpiException(ErrorClass.ERR_OTHER, "MPI was finalized before the operation was complete");
  }

  /** Throws when MPI may no longer be called. There is no job to end for that: the error is only thrown. */
  void checkOpen() {
    if (!open) {
      throw closedError();
    }
  }

  /** Returns the error classes and codes that this process has added. */
  ErrorCodes errorCodes() {
    return errorCodes;
  }

  /** Says where errors of calls without a communicator go, once that is there. */
  void raiseOn(UnaryOperator<MpiException> object) {
    raiser = object;
  }

  /** Puts an error of a call without a communicator through the handler of whatever stands for the process. */
  MpiException raise(MpiException error) {
    UnaryOperator<MpiException> known = raiser;
    return known == null ? errhandler.handle(this, this, error) : known.apply(error);
  }

  boolean hasEnded() {
    return engine.endedBecause().isPresent();
  }

  boolean hasFailed() {
    return failed;
  }

  /** Remembers that this rank leaves because of an error. */
  void markFailed() {
    failed = true;
  }

  /** Tells the error and ends the job, because of that error. */
  void end(int code, Throwable error, String reason) {
    failed = true;
    failureListener.accept(error);
    engine.abort(code, reason);
  }

  /**
   * Ends the job because of what left the body or a thread. In a world that has ended already, what merely follows from
   * that is not told again by every rank; a process has to end all the same.
   */
  void endByBody(Throwable failure) {
    String reason = "rank " + rank() + ": " + failure;
    boolean consequence =
        hasEnded() && failure instanceof MpiException e && e.errorClass() == ErrorClass.ERR_PROC_ABORTED;
    failed = true;
    if (!consequence) {
      failureListener.accept(failure);
    }
    if (ownsProcess || !hasEnded()) {
      engine.abort(1, reason);
    }
  }

  /** Ends the job because the program wants it: in a process there is no error to print then. */
  void abort(int code, Throwable aborted, String reason) {
    failed = true;
    if (!ownsProcess) {
      failureListener.accept(aborted);
    }
    engine.abort(code, reason);
  }

  /**
   * Gives the world up, but lets the exception on its way through the caller be printed first: this process is ended
   * from another thread a moment later, unless it has ended by itself. Calls made in between fail.
   */
  void endSoon(int code, Throwable error, String reason) {
    failed = true;
    open = false;
    if (!ownsProcess) {
      failureListener.accept(error);
      engine.abort(code, reason);
      return;
    }
    Thread.ofPlatform().daemon().name("ffmpi-abort").start(() -> {
      try {
        Thread.sleep(TIME_TO_SURFACE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // then end it now
      }
      engine.abort(code, reason);
    });
  }

  /** Prints in one piece, so that several ranks' stack traces do not mix. */
  private static void print(int rank, Throwable error) {
    StringWriter text = new StringWriter();
    text.append("ffmpi: rank ").append(Integer.toString(rank)).append(": ");
    error.printStackTrace(new PrintWriter(text, true));
    System.err.print(text);
    System.err.flush();
  }
}
