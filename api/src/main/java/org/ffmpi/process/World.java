// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.ffmpi.Errhandler;
import org.ffmpi.Mpi;
import org.ffmpi.Session;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.PredefinedTable;
import org.ffmpi.base.Settings;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.reduce.UserCalls;
import org.ffmpi.spi.CallName;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.ProgramFacts;
import org.ffmpi.spi.RunSettings;

/**
 * The world model of a rank, or one of its sessions, with its settings and its state. All objects of one {@link Mpi} or
 * {@link Session} share it, and must not be mixed with those of another. Any thread may use it.
 */
public final class World {
  private final Membership membership;
  private final Engine engine;
  private final Settings settings;
  private final boolean ofSession;
  private volatile ThreadLevel threadLevel;
  private volatile String memoryKinds = MemoryKinds.DEFAULT;
  private final Thread initThread;
  private final Errhandler<Object> errhandler;
  private volatile UnaryOperator<MpiException> raiser;
  private final boolean checking;
  private final boolean choosing;
  private final PredefinedTable<Datatype<?>> predefinedTypes = new PredefinedTable<>();
  private final Set<WorldPart> parts = ConcurrentHashMap.newKeySet();
  private final Map<Class<?>, Object> companions = new ConcurrentHashMap<>();
  private volatile boolean open = true;
  private volatile int program;
  /** Null unless everything is checked. */
  private final Lifetimes lifetimes;

  /** Begins the world model, or a session, in the calling thread. */
  public World(Membership membership, Settings settings, boolean ofSession) {
    this.membership = membership;
    this.engine = membership.engine();
    this.settings = settings;
    this.ofSession = ofSession;
    this.threadLevel = ThreadSettings.THREAD_LEVEL.get(settings);
    this.initThread = Thread.currentThread();
    this.errhandler = ErrhandlerImpl.initial(RunSettings.ERRORS.get(settings));
    this.checking = RunSettings.CHECK.get(settings).isFull();
    this.choosing = engine.choices() != null;
    this.program = ProgramFacts.PROGRAM.get(settings);
    this.lifetimes = ofSession ? null : engine.lifetimes();
    membership.begin(this);
    if (lifetimes != null) {
      lifetimes.begin();
    }
  }

  public Membership membership() {
    return membership;
  }

  public boolean isOfSession() {
    return ofSession;
  }

  public Engine engine() {
    return engine;
  }

  public Settings settings() {
    return settings;
  }

  public ThreadLevel threadLevel() {
    return threadLevel;
  }

  public void setThreadLevel(ThreadLevel level) {
    threadLevel = level;
  }

  /** Returns the kinds of memory that buffers may lie in, as the value of {@link MemoryKinds#KEY}. */
  public String memoryKinds() {
    return memoryKinds;
  }

  public void setMemoryKinds(String kinds) {
    memoryKinds = kinds;
  }

  public Thread initThread() {
    return initThread;
  }

  /** Returns the handler that the predefined communicators begin with. */
  public Errhandler<Object> errhandler() {
    return errhandler;
  }

  /** Returns whether everything is checked, so that messages carry their signatures. */
  public boolean isChecking() {
    return checking;
  }

  /** Returns whether an observer of the engine chooses among right outcomes, see {@link Engine#choices}. */
  public boolean isChoosing() {
    return choosing;
  }

  /**
   * Returns the companion of a class, of which each world has one, or null before the first {@link #companion(Class,
   * Object)}.
   */
  public <T> T companion(Class<T> kind) {
    return kind.cast(companions.get(kind));
  }

  /** Adds an object to this world as the companion of its class unless there is one; returns the companion. */
  public <T> T companion(Class<T> kind, T made) {
    Object known = companions.putIfAbsent(kind, made);
    return known == null ? made : kind.cast(known);
  }

  /** Returns the names and attributes that this world has set on the predefined datatypes. */
  public PredefinedTable<Datatype<?>> predefinedTypes() {
    return predefinedTypes;
  }

  public int rank() {
    return engine.self();
  }

  /** Returns the number of this rank's program among those of its job; negative when it is not known. */
  public int program() {
    return program;
  }

  public void setProgram(int number) {
    program = number;
  }

  /** Registers a part that has to be released at the latest when this rank leaves. */
  public void add(WorldPart part) {
    parts.add(part);
  }

  public void remove(WorldPart part) {
    parts.remove(part);
  }

  /** Waits for the messages of buffered mode; those that could not be delivered are reported here only. */
  public RuntimeException flushParts() {
    RuntimeException lost = null;
    for (WorldPart part : parts) {
      if (hasFailed() || hasEnded()) {
        return lost;
      }
      try {
        if (!LastWait.await(engine, part::flush)) {
          markFailed();
          return lost;
        }
      } catch (RuntimeException e) {
        markFailed();
        lost = lost == null ? raise(Failures.translate(e)) : lost;
      }
    }
    return lost;
  }

  /** Returns whether operations that may not have ended hold memory of the program. */
  public boolean isHolding() {
    return !parts.isEmpty();
  }

  /** Releases the memory of receives without a message, and empty buffers. Called when all sends have left. */
  public void cancelParts() {
    parts.forEach(WorldPart::withdraw);
  }

  /** Releases the memory of operations that will never end. Called once the engine has been left. */
  public void releaseParts() {
    parts.forEach(WorldPart::release);
  }

  public Collectives collectives() {
    return membership.collectives(settings);
  }

  public boolean isOpen() {
    return open;
  }

  /** Returns whether the calling thread may communicate; {@link #checkCommunication} throws the reason. */
  public boolean isUsable() {
    return open && !UserCalls.isInside();
  }

  /**
   * Reports, where everything is checked, what the program has left behind. Called when this rank has left the world in
   * good order.
   *
   * @param failed whether the world is left because of an error, which is enough to report
   * @return the error of what the standard calls one, or null
   */
  public RuntimeException reportLeft(boolean failed) {
    if (lifetimes == null) {
      return null;
    }
    try {
      return failed || hasFailed() || hasEnded() || !LastWait.await(engine, lifetimes::exchange)
          ? null : lifetimes.report();
    } finally {
      lifetimes.end();
    }
  }

  /** Refuses all further calls. */
  public void close() {
    open = false;
  }

  /** Returns the error of a call made after finalize or after the world was given up, or null. */
  public MpiException closedError() {
    if (membership.hasFailed()) {
      return refused(ErrorClass.ERR_OTHER, "this rank had failed and given up its world");
    }
    if (open) {
      return null;
    }
    return ofSession
        ? refused(ErrorClass.ERR_SESSION, "the session had been finalized")
        : refused(ErrorClass.ERR_OTHER, "MPI had been finalized");
  }

  private static MpiException refused(ErrorClass errorClass, String what) {
    String call = CallName.ofThisThread();
    return new MpiException(errorClass, (call.isEmpty() ? "called after " : call + " was called after ") + what);
  }

  /** Returns why an operation will never complete after the end of the world. */
  public MpiException endedError() {
    String reason = engine.endReason().orElse(null);
    return reason != null
        ? new MpiException(ErrorClass.ERR_PROC_ABORTED, "the job has ended: " + reason)
        : new MpiException(ErrorClass.ERR_OTHER, "MPI was finalized before the operation was complete");
  }

  /** Throws when MPI may no longer be called. There is no job to end for that: the error is only thrown. */
  public void checkOpen() {
    if (!open) {
      throw closedError();
    }
  }

  /** Throws when the calling thread may not communicate: MPI is closed, or an operation's function runs in it. */
  public void checkCommunication() {
    checkOpen();
    checkNotInside();
  }

  /** Throws when the function of a user-defined operation runs in the calling thread. */
  public void checkNotInside() {
    MpiException refused = communicationError();
    if (refused != null) {
      throw raise(refused);
    }
  }

  /** Returns the error of communication inside the function of a user-defined operation, or null outside of any. */
  public MpiException communicationError() {
    return UserCalls.isInside()
        ? new MpiException(
            ErrorClass.ERR_OTHER, "called inside the function of a user-defined operation, which must not communicate")
        : null;
  }

  /** Returns the error classes and codes that this process has added. */
  public ErrorCodes errorCodes() {
    return membership.errorCodes();
  }

  /** Sets the receiver of errors of calls without a communicator. */
  public void raiseOn(UnaryOperator<MpiException> object) {
    raiser = object;
  }

  /** Passes an error of a call without a communicator to the handler that stands for the process. */
  public MpiException raise(MpiException error) {
    UnaryOperator<MpiException> known = raiser;
    return known == null ? ErrhandlerImpl.of(errhandler).handle(this, this, error) : known.apply(error);
  }

  public boolean hasEnded() {
    return membership.hasEnded();
  }

  public boolean hasFailed() {
    return membership.hasFailed();
  }

  /** Marks that this rank leaves because of an error. */
  public void markFailed() {
    membership.markFailed();
  }

  /** Prints the error and ends the job because of it. */
  public void end(int code, Throwable error, String reason) {
    membership.end(code, error, reason);
  }

  /** Ends the job at the program's request. */
  public void abort(int code, Throwable aborted, String reason) {
    membership.abort(code, aborted, reason);
  }

  /** Ends the membership, but lets the exception that unwinds the caller be printed first. */
  public void endSoon(int code, Throwable error, String reason) {
    membership.endSoon(code, error, reason);
  }
}
