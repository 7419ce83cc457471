// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The steps of a schedule under construction, with their dependencies: those sends and receives in flight that touch
 * the same units, one of the two writing.
 */
final class StepList {
  private static final int[] NO_STEPS = {};

  private final List<Step> steps = new ArrayList<>();
  private final List<int[]> after = new ArrayList<>();
  /** Sends and receives that no later step has waited for. */
  private final List<Integer> inFlight = new ArrayList<>();
  private final List<Integer> explicit = new ArrayList<>();

  /** Makes the next step wait for another one, unless that has been waited for. */
  void after(int step) {
    if (inFlight.contains(step)) {
      explicit.add(step);
    }
  }

  /** Makes the next step wait for all messages that are on their way here. */
  void afterReceives() {
    for (int step : inFlight) {
      if (steps.get(step) instanceof Step.Receive) {
        explicit.add(step);
      }
    }
  }

  /** Adds a step that touches no units of this rank. */
  void add(Step step) {
    steps.add(step);
    after.add(NO_STEPS);
  }

  /** Adds a step that is complete at once. */
  void add(Step step, Slice[] reads, Slice[] writes) {
    after.add(dependencies(reads, writes));
    steps.add(step);
  }

  /** Adds a step that may complete after later ones have started; returns its number. */
  int start(Step step, Slice[] reads, Slice[] writes) {
    add(step, reads, writes);
    inFlight.add(steps.size() - 1);
    return steps.size() - 1;
  }

  /**
   * Finds the steps in flight over units that are now read or written, and removes them from the list: the schedule
   * waits for each of them once.
   */
  private int[] dependencies(Slice[] reads, Slice[] writes) {
    int[] found = new int[inFlight.size()];
    int count = 0;
    for (int i = 0; i < inFlight.size(); i++) {
      int number = inFlight.get(i);
      if (explicit.contains(number) || conflicts(steps.get(number), reads, writes)) {
        found[count++] = number;
      }
    }
    explicit.clear();
    for (int i = 0; i < count; i++) {
      inFlight.remove((Integer) found[i]);
    }
    return count == 0 ? NO_STEPS : Arrays.copyOf(found, count);
  }

  private static boolean conflicts(Step inFlight, Slice[] reads, Slice[] writes) {
    return switch (inFlight) {
      case Step.Send send -> anyOverlaps(send.what(), writes);
      case Step.Deliver deliver -> anyOverlaps(deliver.what(), writes);
      case Step.Receive receive -> anyOverlaps(receive.into(), reads) || anyOverlaps(receive.into(), writes);
      case Step.Consume consume -> anyOverlaps(consume.into(), reads) || anyOverlaps(consume.into(), writes);
      case Step.Swap swap -> anyOverlaps(swap.what(), reads) || anyOverlaps(swap.what(), writes);
      default -> throw new AssertionError(inFlight + " is never in flight");
    };
  }

  private static boolean anyOverlaps(Slice slice, Slice[] others) {
    for (Slice other : others) {
      if (slice.overlaps(other)) {
        return true;
      }
    }
    return false;
  }

  /** Makes the schedule of a call. */
  Schedule finish(CallShape shape, String algorithm, long publishedBytes, long scratchUnits) {
    Step[] list = steps.toArray(new Step[0]);
    int[][] awaited = after.toArray(new int[0][]);
    for (int i = 0; i < list.length; i++) {
      list[i] = switch (list[i]) {
        case Step.Receive receive -> new Step.Receive(receive.rank(), receive.into(), isNeededAtOnce(awaited, i));
        case Step.PublishBlocks publish ->
            new Step.PublishBlocks(publish.blocks(), publish.readers(), idleAfter(list, i, false));
        case Step.Acknowledge acknowledge -> new Step.Acknowledge(idleAfter(list, i, true));
        default -> list[i];
      };
    }
    return new Schedule(shape, algorithm, publishedBytes, list, awaited, scratchUnits);
  }

  /** Counts the steps after one that have nothing to do unless a block is sent, or lent. */
  private static int idleAfter(Step[] list, int step, boolean afterwards) {
    int end = step + 1;
    while (end < list.length && (list[end] instanceof Step.Deliver deliver && deliver.afterwards() == afterwards
        || afterwards && list[end] instanceof Step.Consume)) {
      end++;
    }
    return end - step - 1;
  }

  private static boolean isNeededAtOnce(int[][] awaited, int receive) {
    if (receive == awaited.length - 1) {
      return true;
    }
    for (int number : awaited[receive + 1]) {
      if (number == receive) {
        return true;
      }
    }
    return false;
  }
}
