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

  /** How often the lock is found taken before a thread waits for its holder, which has it for microseconds. */
  private static final int MISSES = 1_000;

  private final JobSegment segment;
  private final int self;
  private final RankLock lock;
  private final Wakeups wakeups;
  private final RankRuntime runtime;

  /** Why the job had ended when this rank left; the segment may be unmapped afterwards. */
  private volatile String reasonAtLeaving;

  /** How often the lock was found taken in a row, approximately. */
  private int misses;

  /** This rank leaves: threads that still wait get an error. */
  private volatile boolean closing;

  /**
   * Creates the view that one rank has of the job's end.
   *
   * @param segment the job's segment
   * @param self the rank
   * @param lock the rank's lock
   * @param wakeups the rank's wake-ups
   * @param runtime what the rank runs in
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
   * unmap it; a thread that finds the lock taken leaves the check to the holder.
   *
   * @throws MpiException ERR_PROC_ABORTED when the job has ended, ERR_OTHER when this rank has finalized, ERR_INTERN
   *     when a thread has left the lock taken
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
      lock.unlockQuietly();
    }
  }

  /** Fails when the holder has left the lock taken for ever: threads that wait only ever try to acquire it. */
  private void awaitHolder() {
    if (lock.lock()) {
      lock.unlockQuietly();
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

  /** Returns whether this rank's progress is over: it leaves, or the job has ended. */
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
      runtime.aborted(publish(nonZero, reason), nonZero, reason);
    } finally {
      segment.release();
    }
  }

  /**
   * Publishes the end in a thread of its own: one whose stack overflows halfway would leave a job that has ended and
   * cannot say why.
   *
   * @return whether this has ended the job
   */
  private boolean publish(int code, String reason) {
    AtomicBoolean first = new AtomicBoolean();
    Runnable publishing =
        () -> {
          if (segment.tryRetain()) { // the thread that waits for this one may be gone
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
   * Returns why the job ended early.
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
   * Returns whether other ranks take part, or may come to.
   *
   * @return false when all others have closed what they had begun or have ended
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

  /** Notes that this rank leaves: threads that wait get an error from here on. */
  public void beginLeaving() {
    closing = true;
  }

  /** Keeps the reason of the job's end for calls after the segment is unmapped. */
  public void keepReason() {
    reasonAtLeaving = segment.abortReason();
  }
}
