// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.Settings;
import org.ffmpi.datatype.plan.CompilerThreads;
import org.ffmpi.shm.posix.Posix;
import org.ffmpi.shm.progress.RankRuntime;
import org.ffmpi.shm.progress.WaitOptions;
import org.ffmpi.shm.segment.JobSegment;

/**
 * A rank that is a process of its own. An abort ends the process, and so does the death of the launcher; the thread
 * that called init is bound to a core once libc is linked.
 *
 * <p>The mapping stays until the process ends: a daemon thread watches the segment's file, and memory of the shared
 * heap may be in use after finalizing.
 */
final class ProcessRank implements RankRuntime {
  private static final int KILLED = 137;

  /** Time of the program to end by itself when a connected job has ended this one: enough to print an exception. */
  private static final long NOTICE_NANOS = 250_000_000;

  /**
   * Time between two checks for the launcher. The thread does not block until the launcher's lock is free, because a
   * JVM that ends waits 300 ms for each thread that is blocked in a system call.
   */
  private static final long WATCH_NANOS = 200_000_000;

  private final JobSegment segment;
  private final int rank;
  private final Settings settings;
  private final boolean launched;
  private final int initThread;
  private final Thread thread = Thread.currentThread();

  /** Null before the rank has joined. */
  private volatile Program program;

  private volatile boolean left;
  private volatile boolean reasonPrinted;

  ProcessRank(JobSegment segment, int rank, Settings settings, boolean launched) {
    this.segment = segment;
    this.rank = rank;
    this.settings = settings;
    this.launched = launched;
    this.initThread = threadId();
    if (launched) {
      Thread.ofPlatform().daemon().name("ffmpi-launcher-watch").start(this::watchLauncher);
    }
  }

  /** Returns the kernel's id of the calling thread, read from /proc since no downcall may be made yet; 0: unknown. */
  private static int threadId() {
    try {
      return Integer.parseInt(Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString());
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }

  private void watchLauncher() {
    while (!left) {
      if (segment.isCreatorDead()) {
        segment.requestAbort(-1, KILLED, "the launcher has died");
        Runtime.getRuntime().halt(KILLED);
      }
      Program joined = program;
      if (joined != null) {
        joined.updatePlace();
      }
      LockSupport.parkNanos(WATCH_NANOS);
    }
  }

  @Override
  public boolean inThreads() {
    return false;
  }

  @Override
  public boolean isLaunched() {
    return launched;
  }

  @Override
  public void bind() {
    int[] bound = boundTo();
    if (bound.length > 0) {
      Posix.bind(initThread, bound);
      int[] cores = WaitOptions.cores(settings);
      CompilerThreads.begin(() -> Posix.bind(0, cores));
    }
  }

  @Override
  public int[] boundTo() {
    int[] cores = WaitOptions.cores(settings);
    boolean binds = launched && initThread != 0 && segment.ranks() <= cores.length && 2 * segment.ranks() > cores.length
        && RankSettings.BIND.get(settings).equals("thread");
    return binds ? new int[] {cores[rank]} : new int[0];
  }

  @Override
  public void onJoined(Program joined) {
    joined.setThread(thread);
    program = joined;
  }

  @Override
  public void markFailurePrinted() {
    reasonPrinted = true;
  }

  @Override
  public void onAborted(boolean first, int code, String reason) {
    if (first && !launched && !reasonPrinted) {
      System.err.println("ffmpi: " + reason);
    }
    System.out.flush();
    System.err.flush();
    Runtime.getRuntime().halt(first ? code : segment.abortCode());
  }

  /** Without a launcher, nobody else ends a process whose program makes no call. */
  @Override
  public void onEndedFromOutside(int code, String reason) {
    if (!launched) {
      Thread.ofPlatform().daemon().name("ffmpi-end").start(() -> {
        long deadline = System.nanoTime() + NOTICE_NANOS;
        while (System.nanoTime() - deadline < 0) {
          LockSupport.parkNanos(deadline - System.nanoTime());
        }
        onAborted(true, code, reason);
      });
    }
  }

  @Override
  public void onLeft() {
    if (!launched) {
      left = true;
      segment.release();
    }
  }
}
