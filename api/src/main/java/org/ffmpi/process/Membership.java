// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.RunSettings;

/**
 * The membership of a process, or of a rank thread, in its job. It has one engine, which the world model and any number
 * of sessions use, each with a {@link World} of its own. Any thread may use it.
 *
 * <p>The job is joined when the first of them begins. Another session may begin at any time, also after all others and
 * the world model have ended. So the job is left, and peers see that this process has finalized, when the process or
 * the body of the rank thread ends, or at once after a failure.
 */
public final class Membership {
  /** How long an exception may take to be printed before the job is ended under it. */
  private static final Duration TIME_TO_SURFACE = Duration.ofMillis(300);

  /** Depth to which causes of an exception are searched. */
  private static final int CAUSES = 16;

  /** The membership of this process, as opposed to those of rank threads; null before it has begun. */
  private static Membership ofProcess;

  /** Actions to run when this process joins its job; usually null. */
  private static List<Consumer<Membership>> awaiting;

  private final Engine engine;
  private final ClassLoader loader;
  private final boolean ownsProcess;

  /** Receives the reason why this rank ends its world, before any other rank can see that it has ended. */
  private final Consumer<Throwable> failureListener;

  /** The worlds that have begun and not ended; guarded by this, as are the fields below. */
  private final Set<World> open = ConcurrentHashMap.newKeySet();

  /** Worlds that have ended while operations held memory, which is released when the job is left. */
  private final Set<World> lingering = ConcurrentHashMap.newKeySet();

  /** The world model; null before it has begun. */
  private volatile World worldModel;

  private boolean leavesAtExit;
  private boolean left;
  private final ErrorCodes errorCodes;
  private volatile Collectives collectives;
  private volatile boolean failed;
  private volatile Thread.UncaughtExceptionHandler uncaught;

  /** The thread that has closed the last world; null while one is open. */
  private volatile Thread closer;

  private Membership(
      Engine engine, ClassLoader loader, boolean ownsProcess, Consumer<Throwable> failureListener) {
    this.engine = engine;
    this.loader = loader;
    this.ownsProcess = ownsProcess;
    this.errorCodes = ownsProcess ? ErrorCodes.ofProcess() : new ErrorCodes();
    this.failureListener = failureListener;
  }

  /** Returns the membership of this process, which joins its job if it has not yet. Its failures are printed. */
  public static Membership ofProcess(Settings settings) {
    synchronized (Membership.class) {
      if (ofProcess == null) {
        ClassLoader loader = Providers.loader();
        Engine engine = Providers.layered(Providers.withEngine(loader, settings, provider -> provider.join(settings)));
        if (RunSettings.REPORT.get(settings)) {
          System.err.print(RankReport.of(engine) + "\n"); // in one piece
          System.err.flush();
        }
        String prefix = "ffmpi: rank " + engine.self() + ": ";
        ofProcess = new Membership(engine, loader, true, failure -> {
          if (engine.isNews(failure)) {
            print(prefix, failure, engine, loader);
          }
          engine.markFailurePrinted();
        });
        if (awaiting != null) {
          List<Consumer<Membership>> all = awaiting;
          awaiting = null;
          all.forEach(one -> one.accept(ofProcess));
        }
      }
      return ofProcess;
    }
  }

  /** Runs an action when this process joins its job, at once if it has; for tools, which may come before or after. */
  public static void whenJoined(Consumer<Membership> action) {
    synchronized (Membership.class) {
      if (ofProcess == null) {
        awaiting = awaiting == null ? new ArrayList<>() : awaiting;
        awaiting.add(action);
        return;
      }
    }
    action.accept(ofProcess);
  }

  /** Returns the membership of this process; null before it has joined. */
  public static Membership present() {
    synchronized (Membership.class) {
      return ofProcess;
    }
  }

  /**
   * Creates the membership of the rank that is the calling thread. Its failures are reported to the thread that started
   * it.
   */
  public static Membership ofThread(Engine engine, ClassLoader loader, Consumer<Throwable> failureListener) {
    return new Membership(engine, loader, false, failureListener);
  }

  public Engine engine() {
    return engine;
  }

  /** Returns the error classes and codes that the process has added. */
  public ErrorCodes errorCodes() {
    return errorCodes;
  }

  /** Finds the collectives when the first one is called: many programs and tests need none. */
  public Collectives collectives(Settings settings) {
    Collectives found = collectives;
    if (found == null) {
      found = Providers.collectives(loader, settings, engine);
      collectives = found;
    }
    return found;
  }

  // ---- beginning and ending

  /** Adds the world model or a session that has begun. */
  public synchronized void begin(World world) {
    if (left) {
      throw new MpiException(
          ErrorClass.ERR_OTHER,
          failed ? "this process has left its job after a failure" : "this process has left its job at its end");
    }
    if (ownsProcess) {
      endByUncaughtExceptions();
    }
    if (closer != null) {
      closer = null;
      engine.done(false);
    }
    if (!world.isOfSession()) {
      worldModel = world;
    }
    open.add(world);
  }

  /** Returns the world model, which may have ended; null before it has begun. */
  public World worldModel() {
    return worldModel;
  }

  /** Leaves in good order when the process ends; returns false when it is ending already. */
  private boolean leaveAtExit() {
    try {
      Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("ffmpi-exit").unstarted(() -> {
        synchronized (this) {
          if (open.isEmpty() && !left) {
            left = true;
            engine.leave(failed);
          }
        }
      }));
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /**
   * Ends the world model or a session. The last one first completes the sends to peers. As long as another one is open,
   * its calls complete them: a wait here could be for an act of a peer that depends on a message of the others. The job
   * is left only after a failure, or when the process is ending, since a session may follow at any time.
   */
  public void end(World world) {
    Connections.leaveAll(world);
    boolean leaving;
    boolean stays;
    boolean alone;
    synchronized (this) {
      open.remove(world);
      alone = open.isEmpty();
      lingering.add(world);
      if (alone && ownsProcess) {
        leavesAtExit = leavesAtExit || leaveAtExit();
      }
      leaving = !left && (failed || alone && ownsProcess && !leavesAtExit);
      stays = !left && !leaving;
      left |= leaving;
    }
    if (leaving) {
      leave();
    } else if (stays) {
      if (alone) {
        flush(world);
        lingering.forEach(World::cancelParts);
      }
      lingering.removeIf(ended -> !ended.isHolding());
      synchronized (this) {
        if (open.isEmpty() && !left) {
          closer = Thread.currentThread();
          engine.done(true);
        }
      }
    }
  }

  /**
   * Waits for the peers. When the wait ends because of an exception that unwinds the stack, the rank counts as failed.
   */
  private void flush(World world) {
    try {
      if (!LastWait.await(engine, engine::flush)) {
        failed = true;
      }
    } catch (MpiException e) {
      failed = true;
      throw world.raise(e);
    }
  }

  /** Ends all worlds that a rank thread has left open, and leaves. */
  public void endAll() {
    open.forEach(World::close);
    open.forEach(Connections::leaveAll);
    synchronized (this) {
      lingering.addAll(open);
      open.clear();
      if (left) {
        return;
      }
      left = true;
    }
    leave();
  }

  private void leave() {
    try {
      engine.leave(failed);
    } catch (RuntimeException e) {
      if (!failed) {
        failed = true;
        throw Failures.translate(e);
      }
    } finally {
      lingering.forEach(World::releaseParts);
      lingering.clear();
    }
  }

  /**
   * Ends the job when a thread of this process dies of an exception while a world is open, since peers could wait for
   * it for ever. A handler that the program has set takes precedence.
   */
  private void endByUncaughtExceptions() {
    if (uncaught == null && Thread.getDefaultUncaughtExceptionHandler() == null) {
      uncaught = this::uncaught;
      Thread.setDefaultUncaughtExceptionHandler(uncaught);
    }
  }

  /**
   * After the last close, the exception may have been unwinding this thread already. Peers that are not done could wait
   * for the rest of its body.
   */
  private void uncaught(Thread thread, Throwable failure) {
    if (closer == null || thread == closer && (engine.hasActivePeers() || hasEnded())) {
      endByBody(failure);
    } else {
      print("Exception in thread \"" + thread.getName() + "\" ", failure, engine, loader);
    }
  }

  // ---- failing

  public boolean hasEnded() {
    return engine.endReason().isPresent() || open.stream().anyMatch(Connections::haveEnded);
  }

  public boolean hasFailed() {
    return failed;
  }

  /** Marks that this rank leaves because of an error. */
  public void markFailed() {
    failed = true;
  }

  /** Prints the error and ends the job because of it. */
  public void end(int code, Throwable error, String reason) {
    failed = true;
    failureListener.accept(error);
    engine.abort(code, reason);
  }

  /**
   * Ends the job because of an exception of the body or a thread. In a world that has ended already, mere consequences
   * are not reported again by every rank; a process has to end all the same.
   */
  public void endByBody(Throwable failure) {
    String reason = "rank " + engine.self() + ": " + failure;
    boolean consequence = hasEnded() && comesOfTheEnd(failure);
    failed = true;
    if (!consequence || ownsProcess && RunSettings.SURVIVORS.get(engine.settings())) {
      failureListener.accept(failure);
    }
    if (engine.survival() != null && !hasEnded()) {
      engine.die(1, reason);
    } else if (ownsProcess || !hasEnded()) {
      engine.abort(1, reason);
    }
  }

  /** Returns whether the end of the job has caused an exception; programs wrap those of MPI in their own. */
  private static boolean comesOfTheEnd(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < CAUSES; depth++) {
      if (cause instanceof MpiException e && e.errorClass() == ErrorClass.ERR_PROC_ABORTED) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /** Ends the job because the program wants it: in a process there is no error to print then. */
  public void abort(int code, Throwable aborted, String reason) {
    failed = true;
    if (!ownsProcess) {
      failureListener.accept(aborted);
    }
    engine.abort(code, reason);
  }

  /**
   * Ends the membership, but lets the exception that unwinds the caller be printed first: another thread ends this
   * process a moment later, unless it has ended by itself. Calls made in between fail.
   */
  public void endSoon(int code, Throwable error, String reason) {
    failed = true;
    open.forEach(World::close);
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
  private static void print(String prefix, Throwable error, Engine engine, ClassLoader loader) {
    boolean whole = RunSettings.STACKS.get(engine.settings()) == RunSettings.Stacks.WHOLE;
    boolean repeated = !whole && engine.isRepeated(FailureText.hashOf(error));
    System.err.print(
        prefix
            + (repeated
                ? error + " (with the stack of another rank, which has printed it)\n"
                : FailureText.of(error, whole, loader, engine)));
    System.err.flush();
  }
}
