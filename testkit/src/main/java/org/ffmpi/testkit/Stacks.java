// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Describes where the threads of a world are. */
final class Stacks {
  private static final String LIBRARY = "org.ffmpi.";
  private static final String ASSERTIONS = "org.junit.jupiter.api.Assert";
  private static final List<String> CALLERS =
      List.of("java.lang.reflect.", "jdk.internal.reflect.", "org.junit.platform.commons.");

  private Stacks() {}

  /**
   * Describes all ranks, then the threads that ranks have started, as far as they can be identified: those that are in
   * MPI calls or in the test class. Virtual threads are left out: a dump that holds them has crashed JVMs of release
   * 25.
   *
   * @param ranks the ranks' threads; null where a rank has not started
   * @param testClass class of the test
   * @param except a rank to leave out, since it is the one that asks, or -1
   */
  static String of(AtomicReferenceArray<Thread> ranks, Class<?> testClass, int except) {
    StringBuilder text = new StringBuilder();
    Set<Thread> told = new HashSet<>();
    told.add(Thread.currentThread());
    for (int rank = 0; rank < ranks.length(); rank++) {
      Thread thread = ranks.get(rank);
      if (rank == except) {
        continue;
      }
      if (thread == null) {
        text.append("rank ").append(rank).append(": has not begun\n");
      } else if (!thread.isAlive()) {
        text.append("rank ").append(rank).append(": has ended\n");
      } else {
        append(text, "rank " + rank, thread, thread.getStackTrace());
      }
      told.add(thread);
    }
    for (Map.Entry<Thread, StackTraceElement[]> other : Thread.getAllStackTraces().entrySet()) {
      Thread thread = other.getKey();
      boolean concerned = Arrays.stream(other.getValue())
          .anyMatch(f -> f.getClassName().startsWith(LIBRARY) || f.getClassName().startsWith(testClass.getName()));
      boolean waitsForRanks = endOfRank(other.getValue()) < other.getValue().length;
      if (concerned && !waitsForRanks && !told.contains(thread)) {
        append(text, "thread " + thread.getName(), thread, other.getValue());
      }
    }
    return text.toString();
  }

  /** Returns the frames of the test: without those of its callers, and of the assertion that has failed. */
  static StackTraceElement[] ofTest(StackTraceElement[] frames) {
    int end = endOfInterest(frames);
    int from = 0;
    while (from < end && frames[from].getClassName().startsWith(ASSERTIONS)) {
      from++;
    }
    return from == end ? frames : Arrays.copyOfRange(frames, from, end);
  }

  private static void append(StringBuilder text, String who, Thread thread, StackTraceElement[] frames) {
    text.append(who).append(": ").append(thread.getState()).append('\n');
    int end = endOfInterest(frames);
    for (int i = 0; i < end; i++) {
      text.append("    at ").append(frames[i]).append('\n');
    }
  }

  /** The frames below the test method are the same for all ranks and are left out. */
  private static int endOfInterest(StackTraceElement[] frames) {
    int end = endOfRank(frames);
    if (end == frames.length) {
      return end;
    }
    while (end > 0 && CALLERS.stream().anyMatch(frames[end - 1].getClassName()::startsWith)) {
      end--;
    }
    return end;
  }

  /** Index of the frame of {@link ThreadRun}, which both ranks and the thread that waits for them have. */
  private static int endOfRank(StackTraceElement[] frames) {
    int end = 0;
    while (end < frames.length && !frames[end].getClassName().equals(ThreadRun.class.getName())) {
      end++;
    }
    return end;
  }
}
