// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.engine;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.mpi.binding.MpiConstants;
import org.ffmpi.mpi.binding.MpiLibrary;
import org.ffmpi.mpi.binding.NativeEnvironment;
import org.ffmpi.mpi.binding.NativeErrors;
import org.ffmpi.shm.progress.RankRuntime;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;

/**
 * A rank in a process that an MPI's launcher has started. The library's abort ends the job on all nodes, also for a
 * rank that ends without finalizing. The launcher binds the rank to cores.
 */
final class MpiRank implements RankRuntime {
  private static final int KILLED = 137;
  private static final int EXIT_STATUS = 0xFF;

  /** Time for the launcher to read a rank's output before the job ends. */
  private static final long READING_NANOS = 100_000_000;

  /** Time of the program to print an exception when a connected job has ended this one. */
  private static final long NOTICE_NANOS = 250_000_000;

  /** Time for another rank of this node to end the job after it has published that. */
  private static final long ENDING_NANOS = 2_000_000_000L;

  /**
   * Time for the library to end once all ranks have finished. MPICH over UCX and TCP may hang there, in C as well: a
   * rank waits for another one, which has stopped polling, to accept the end of a connection.
   */
  private static final long FINALIZE_MILLIS = 10_000;

  private static final long WATCH_NANOS = 200_000_000;
  private static final long NAP_NANOS = 50_000;
  private static final int BUSY_ROUNDS = 1_000;

  /** Room for threads that start while they are enumerated. */
  private static final int SPARE = 64;

  private final JobSegment segment;
  private final int rank;
  private final NativeWire wire;
  private volatile boolean left;
  private volatile boolean reasonPrinted;

  /** Null until the JDK's logging is loaded, or without it. */
  private volatile ExitStatus exitStatus;

  /**
   * Creates the environment of a rank.
   *
   * @param segment the memory of its node
   * @param rank the rank
   * @param wire the way to all ranks
   * @param watches whether another rank has created the segment
   */
  MpiRank(JobSegment segment, int rank, NativeWire wire, boolean watches) {
    this.segment = segment;
    this.rank = rank;
    this.wire = wire;
    WholeLines.ofProcess();
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("ffmpi-mpi-exit").unstarted(this::atExit));
    Thread.ofPlatform().daemon().name("ffmpi-mpi-exit-status").start(this::listenToExit);
    if (watches) {
      Thread.ofPlatform().daemon().name("ffmpi-node-watch").start(this::watchNode);
    }
  }

  private void listenToExit() {
    try {
      exitStatus = ExitStatus.listen();
    } catch (NoClassDefFoundError e) {
      // a runtime image without java.logging: the status stays unknown
    }
  }

  /** Ends the job when the first rank of the node dies, which holds a lock while it lives. */
  private void watchNode() {
    while (!left) {
      if (segment.isCreatorDead() && !left && segment.state(rank) < RankLayout.LEAVING) {
        String reason = "the first rank of this node, process " + segment.process(firstOfNode()) + ", has died";
        end(segment.requestAbort(rank, KILLED, reason), KILLED, reason);
      }
      LockSupport.parkNanos(WATCH_NANOS);
    }
  }

  private int firstOfNode() {
    int first = 0;
    while (!segment.nodes().isLocal(first)) {
      first++;
    }
    return first;
  }

  /**
   * Aborts if the program has not closed MPI: peers could wait for this rank for ever. The job's exit code is that of
   * the program, unless that is 0. A signal that ends the process comes from the launcher, which ends the others too.
   */
  private void atExit() {
    if (!left && segment.state(rank) < RankLayout.LEAVING && !isBySignal()) {
      String reason = "rank " + rank + " has ended without closing MPI";
      ExitStatus asked = exitStatus;
      int status = asked == null ? 0 : asked.get() & EXIT_STATUS;
      int code = status == 0 ? 1 : status;
      if (segment.requestAbort(rank, code, reason)) {
        print(reason);
        abort(code);
      }
    }
  }

  /** Returns whether a signal ends the JVM, which then waits in a thread that is named after the signal. */
  private static boolean isBySignal() {
    Thread[] all = new Thread[Thread.activeCount() + SPARE];
    ThreadGroup top = Thread.currentThread().getThreadGroup();
    while (top.getParent() != null) {
      top = top.getParent();
    }
    int n = top.enumerate(all, true);
    return Arrays.stream(all, 0, n).anyMatch(t -> t.getName().matches("SIG[A-Z]+ handler"));
  }

  @Override
  public boolean inThreads() {
    return false;
  }

  @Override
  public void bind() {}

  @Override
  public int[] boundTo() {
    return new int[0];
  }

  @Override
  public String describe() {
    return ", over " + MpiLibrary.current().title();
  }

  @Override
  public void markFailurePrinted() {
    reasonPrinted = true;
  }

  @Override
  public void onAborted(boolean first, int code, String reason) {
    end(first, code, reason);
  }

  /** Ends the job after a moment in which the program may end by itself. */
  @Override
  public void onEndedFromOutside(int code, String reason) {
    Thread.ofPlatform().daemon().name("ffmpi-mpi-end").start(() -> {
      LockSupport.parkNanos(NOTICE_NANOS);
      end(true, code, reason);
    });
  }

  private void end(boolean first, int code, String reason) {
    System.out.flush();
    if (first) {
      if (!reasonPrinted) {
        print(reason);
      }
      abort(code & EXIT_STATUS);
    } else {
      LockSupport.parkNanos(ENDING_NANOS);
    }
    Runtime.getRuntime().halt(first ? code : segment.abortCode());
  }

  /**
   * Ends all ranks by the launcher, after time for it to read this rank's output: Hydra drops output that it has not
   * read. The wire's lock is not acquired, since its holder may never release it.
   */
  private static void abort(int code) {
    LockSupport.parkNanos(READING_NANOS);
    NativeEnvironment.abort(MpiConstants.COMM_WORLD, code);
  }

  private static void print(String reason) {
    System.err.println("ffmpi: " + reason);
    System.err.flush();
  }

  /**
   * Answers peers until all of them have come here, since they may still need this rank's data. Then consumes the last
   * packets, so that the library ends without a packet on its way.
   */
  @Override
  public void awaitPeers(Runnable progress) {
    int barrier = wire.startBarrier();
    for (int round = 0; !wire.isDone(barrier); round++) {
      progress.run();
      if (round < BUSY_ROUNDS) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(NAP_NANOS);
      }
    }
    int expected = wire.stopSending();
    while (wire.received() != expected) {
      progress.run();
    }
  }

  @Override
  public void onLeft() {
    if (segment.state(rank) == RankLayout.DEAD) {
      String reason = "rank " + rank + " has left because of an error";
      left = true;
      end(segment.requestAbort(rank, 1, reason), 1, reason);
    }
    left = true;
    wire.close();
    Thread finalizing = Thread.ofPlatform().daemon().name("ffmpi-mpi-finalize").start(
        () -> NativeErrors.check(NativeEnvironment.finalizeLibrary(), "MPI_Finalize"));
    if (!isOver(finalizing)) {
      if (rank == 0) {
        print("MPI_Finalize of " + MpiLibrary.current().title() + " does not return; all ranks have finished before, so"
            + " their processes end without it");
      }
      System.out.flush();
      Runtime.getRuntime().halt(0);
    }
  }

  private static boolean isOver(Thread thread) {
    try {
      return thread.join(Duration.ofMillis(FINALIZE_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
