// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;

/** The early end of the job, and the end of this rank. Any thread. */
public final class JobAbort {
  /** The bits of an exit code that a parent process sees. */
  private static final int EXIT_STATUS = 0xFF;

  /** Failed attempts to lock before a thread waits for the holder, which holds the lock for microseconds. */
  private static final int MISSES = 1_000;

  private final JobSegment segment;
  private final int self;
  private final RankLock lock;
  private final Wakeups wakeups;
  private final RankRuntime runtime;

  /** The reason of the job's end, saved when this rank leaves; the segment may be unmapped afterwards. */
  private volatile String reasonAtLeaving;

  /** Failed attempts to lock in a row, approximately. */
  private int misses;

  /** Gets the end that this rank makes; null for a rank that has met nobody. */
  private volatile EndListener listener;

  /** Set once this rank leaves: threads that still wait get an error. */
  private volatile boolean closing;

  /**
   * Creates the view that one rank has of the job's end.
   *
   * @param segment the job's segment
   * @param self the rank
   * @param lock the rank's lock
   * @param wakeups the rank's wake-ups
   * @param runtime the rank's runtime
   */
  public JobAbort(JobSegment segment, int self, RankLock lock, Wakeups wakeups, RankRuntime runtime) {
    this.segment = segment;
    this.self = self;
    this.lock = lock;
    this.wakeups = wakeups;
    this.runtime = runtime;
  }

  /**
   * Fails when the job has ended or this rank leaves. Reads the segment only under the lock, because another thread may
   * unmap it; a thread that finds the lock held leaves the check to the holder.
   *
   * @throws MpiException ERR_PROC_ABORTED when the job has ended, ERR_OTHER when this rank has finalized, ERR_INTERN
   *     when a thread has left the engine with the lock held
   */
  public void check() {
    if (closing || lock.isClosed()) {
      throw lock.finalizedError();
    }
    if (!lock.tryLock()) {
      if (++misses > MISSES) {
        misses = 0;
        awaitHolder();
      }
      return;
    }
    misses = 0;
    try {
      checkLocked();
    } finally {
      lock.unlock(false);
    }
  }

  /** Waits for the holder, which fails if it never releases: waiting threads otherwise only try to acquire the lock. */
  private void awaitHolder() {
    if (lock.lock()) {
      lock.unlock(false);
    }
  }

  /**
   * Fails when the job has ended. Called with the rank's lock held.
   *
   * @throws MpiException ERR_PROC_ABORTED when the job has ended
   */
  void checkLocked() {
    if (segment.isEnded()) {
      throw new MpiException(ErrorClass.ERR_PROC_ABORTED, "the job has ended: " + segment.abortReason());
    }
  }

  /** Returns whether this rank's progress is over, because it leaves or the job has ended. */
  boolean isOver() {
    return closing || lock.isClosed() || segment.isEnded();
  }

  /**
   * Ends the job.
   *
   * @param code exit code; 0 counts as 1
   * @param reason one line
   */
  public void abort(int code, String reason) {
    if (!segment.tryRetain()) {
      return; // all ranks have left
    }
    try {
      int nonZero = (code & EXIT_STATUS) == 0 ? 1 : code;
      boolean first = publish(nonZero, reason);
      EndListener connected = listener;
      if (connected != null) {
        connected.onEnd(nonZero, reason);
      }
      runtime.onAborted(first, nonZero, reason);
    } finally {
      segment.release();
    }
  }

  /** Passes the end of a job on to the processes that the rank has met. */
  @FunctionalInterface
  public interface EndListener {
    /**
     * Called when this rank ends the job, before it ends itself.
     *
     * @param code exit code, not 0
     * @param reason one line
     */
    void onEnd(int code, String reason);
  }

  /**
   * Ends the job because of another one, with which this rank is connected.
   *
   * @param code exit code, not 0
   * @param reason one line
   */
  public void endFromOutside(int code, String reason) {
    if (!segment.tryRetain()) {
      return; // all ranks have left
    }
    try {
      if (segment.requestAbort(-1, code, reason)) {
        wakeups.wakeAll();
        runtime.onEndedFromOutside(code, reason);
      }
    } finally {
      segment.release();
    }
  }

  /**
   * Sets who passes the end on.
   *
   * @param passesOn the listener
   */
  public void setListener(EndListener passesOn) {
    listener = passesOn;
  }

  /**
   * Publishes the end in a thread of its own: a stack overflow halfway would leave a job that has ended without a
   * reason.
   *
   * @return whether this call has ended the job
   */
  private boolean publish(int code, String reason) {
    AtomicBoolean first = new AtomicBoolean();
    Runnable publishing =
        () -> {
          if (segment.tryRetain()) { // the thread that waits for this one may have ended
            try {
              first.set(segment.requestAbort(self, code, reason));
              wakeups.wakeAll();
            } finally {
              segment.release();
            }
          }
        };
    Thread thread;
    try {
      thread = Thread.ofPlatform().daemon().name("ffmpi-abort").start(publishing);
    } catch (OutOfMemoryError e) { // no room for a thread
      publishing.run();
      return first.get();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return first.get();
  }

  /**
   * Returns the reason why the job ended early.
   *
   * @return the reason, empty while it runs
   */
  public Optional<String> reason() {
    if (!segment.tryRetain()) {
      return Optional.ofNullable(reasonAtLeaving);
    }
    try {
      return Optional.ofNullable(segment.abortReason());
    } finally {
      segment.release();
    }
  }

  /**
   * Returns whether other ranks take part or may still join.
   *
   * @return false when all others leave or have departed
   */
  public boolean hasActivePeers() {
    if (!segment.tryRetain()) {
      return false; // all ranks have left
    }
    try {
      for (int peer = 0; peer < segment.ranks(); peer++) {
        if (peer != self && segment.state(peer) < RankLayout.LEAVING) {
          return true;
        }
      }
      return false;
    } finally {
      segment.release();
    }
  }

  /** Marks that this rank leaves: threads that wait get an error from here on. */
  public void beginLeaving() {
    closing = true;
  }

  /** Saves the reason of the job's end for calls after the segment is unmapped. */
  public void saveReason() {
    reasonAtLeaving = segment.abortReason();
  }
}
