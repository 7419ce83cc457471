// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Sends that cannot all wait for their receives. In a run with buffering, the match of a message depends on sends that
 * the program had completed before. If those of some sends depend on each other in a circle, these sends wait for ever
 * when they are not buffered, even where all others are. Used by the thread of the exploration.
 */
final class SendCycles {
  /** How often the same sends are tried, in different orders. */
  private static final int MOST_TRIES = 20;

  private final Map<Set<SendPlace>, Integer> tries = new HashMap<>();

  private final Deque<RunPlan> open = new ArrayDeque<>();

  /** Returns the plan of the next run in which only some sends wait; null when all have been made. */
  RunPlan next() {
    return open.poll();
  }

  /** Looks for circles in a run with buffering. */
  void add(Run run) {
    Set<Set<SendPlace>> seen = new HashSet<>();
    List<ExploredMessage> sends = new ArrayList<>();
    for (ExploredRank rank : run.scheduler().ranks) {
      for (ExploredMessage message : rank.messages) {
        if (message.sendPlace() != null && message.completedAt > 0 && message.matched != null) {
          sends.add(message);
        }
      }
    }
    for (int i = 0; i < sends.size(); i++) {
      Set<SendPlace> circle = through(sends, i);
      if (circle != null && seen.add(circle) && tries.merge(circle, 1, Integer::sum) <= MOST_TRIES) {
        open.add(new RunPlan(true, circle, run.again(), null, false));
      }
    }
  }

  /** Returns whether the match of a message depends on the completion of a send. */
  private static boolean dependsOn(ExploredMessage message, ExploredMessage sent) {
    return message.matched.sends(sent.from) >= sent.completedAt;
  }

  /** Returns the shortest circle through a send, or null. */
  private static Set<SendPlace> through(List<ExploredMessage> sends, int start) {
    int[] from = new int[sends.size()];
    Arrays.fill(from, -1);
    Deque<Integer> open = new ArrayDeque<>(List.of(start));
    while (!open.isEmpty()) {
      int at = open.poll();
      for (int next = 0; next < sends.size(); next++) {
        if (!dependsOn(sends.get(next), sends.get(at))) {
          continue;
        }
        if (next == start) {
          Set<SendPlace> circle = new TreeSet<>();
          for (int i = at; i != start; i = from[i]) {
            circle.add(sends.get(i).sendPlace());
          }
          circle.add(sends.get(start).sendPlace());
          return circle;
        }
        if (from[next] < 0) {
          from[next] = at;
          open.add(next);
        }
      }
    }
    return null;
  }
}
