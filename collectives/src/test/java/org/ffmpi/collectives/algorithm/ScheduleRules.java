// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.collectives.schedule.Schedule;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.collectives.schedule.SymbolicBuffer;

/** Checks one schedule against what an execution relies on, without running it and without trusting the builder. */
final class ScheduleRules {
  private ScheduleRules() {}

  static void check(Schedule schedule) {
    Step[] steps = schedule.steps;
    boolean[] awaited = new boolean[steps.length];
    List<Integer> inFlight = new ArrayList<>();
    for (int i = 0; i < steps.length; i++) {
      for (int earlier : schedule.after[i]) {
        verify(earlier < i, schedule, i, "waits for a later step");
        verify(mayLast(steps[earlier]), schedule, i,
            "waits for a step that is complete at once");
        verify(!awaited[earlier], schedule, i, "waits for a step that has been waited for");
        awaited[earlier] = true;
        inFlight.remove((Integer) earlier);
      }
      for (int other : inFlight) {
        for (Slice written : writes(steps[i])) {
          for (Slice touched : touches(steps[other])) {
            verify(!written.overlaps(touched), schedule, i, "writes what step " + other + " in flight touches");
          }
        }
        for (Slice written : writes(steps[other])) {
          for (Slice touched : touches(steps[i])) {
            verify(!written.overlaps(touched), schedule, i, "touches what step " + other + " in flight writes");
          }
        }
      }
      for (Slice slice : touches(steps[i])) {
        verify(slice.from() >= 0 && slice.units() >= 0 && slice.from() + slice.units() <= available(schedule, slice),
            schedule, i, "leaves its slot");
      }
      for (Slice slice : writes(steps[i])) {
        verify(slice.buffer() != SymbolicBuffer.SEND, schedule, i, "writes to the send buffer");
      }
      if (steps[i] instanceof Step.Send send) {
        verify(send.rank() != schedule.shape.rank(), schedule, i, "sends to itself");
        inFlight.add(i);
      } else if (steps[i] instanceof Step.Receive receive) {
        verify(receive.rank() != schedule.shape.rank(), schedule, i, "receives from itself");
        boolean atOnce = i == steps.length - 1 || contains(schedule.after[i + 1], i);
        verify(receive.neededAtOnce() == atOnce, schedule, i, "is marked wrongly");
        inFlight.add(i);
      } else if (steps[i] instanceof Step.Swap swap) {
        verify(swap.rank() != schedule.shape.rank(), schedule, i, "swaps with itself");
        inFlight.add(i);
      } else if (steps[i] instanceof Step.Deliver || steps[i] instanceof Step.Consume take && !take.afterwards()) {
        inFlight.add(i);
      }
    }
  }

  private static boolean mayLast(Step step) {
    return switch (step) {
      case Step.Send send -> true;
      case Step.Receive receive -> true;
      case Step.Swap swap -> true;
      case Step.Deliver give -> true;
      case Step.Consume take -> true;
      default -> false;
    };
  }

  private static boolean contains(int[] array, int value) {
    for (int element : array) {
      if (element == value) {
        return true;
      }
    }
    return false;
  }

  private static long available(Schedule schedule, Slice slice) {
    return switch (slice.buffer()) {
      case SEND -> schedule.shape.inPlace() && !schedule.shape.collective().label().startsWith("scatter")
          ? 0
          : schedule.shape.sendUnits();
      case RECEIVE -> schedule.shape.receiveUnits();
      case SCRATCH -> schedule.scratchUnits;
    };
  }

  private static Slice[] writes(Step step) {
    return switch (step) {
      case Step.Send send -> new Slice[0];
      case Step.Receive receive -> new Slice[] {receive.into()};
      case Step.Swap swap -> new Slice[] {swap.what()};
      case Step.Copy copy -> new Slice[] {copy.to()};
      case Step.Reduce reduce -> new Slice[] {reduce.right()};
      case Step.Pull pull -> new Slice[] {pull.into()};
      case Step.PullReduce pull -> new Slice[] {pull.right()};
      case Step.Stage stage -> new Slice[] {stage.to()};
      case Step.Publish post -> new Slice[0];
      case Step.Lend offer -> new Slice[0];
      case Step.Vote vote -> new Slice[0];
      case Step.Reach reach -> new Slice[0];
      case Step.Until until -> new Slice[0];
      case Step.PublishBlocks show -> new Slice[0];
      case Step.Deliver give -> new Slice[0];
      case Step.Consume take -> take.afterwards() ? new Slice[0] : new Slice[] {take.into()};
      case Step.Acknowledge taken -> new Slice[0];
      case Step.Fetch fetch -> new Slice[] {fetch.into()};
      case Step.Combine combine -> new Slice[] {combine.right()};
    };
  }

  private static Slice[] touches(Step step) {
    return switch (step) {
      case Step.Send send -> new Slice[] {send.what()};
      case Step.Receive receive -> new Slice[] {receive.into()};
      case Step.Swap swap -> new Slice[] {swap.what()};
      case Step.Copy copy -> new Slice[] {copy.from(), copy.to()};
      case Step.Reduce reduce -> new Slice[] {reduce.left(), reduce.right()};
      case Step.Publish post -> new Slice[] {post.what()};
      case Step.Pull pull -> new Slice[] {pull.into()};
      case Step.Stage stage -> new Slice[] {stage.from(), stage.to()};
      case Step.PullReduce pull -> new Slice[] {pull.right()};
      case Step.Lend offer -> new Slice[0];
      case Step.Vote vote -> new Slice[0];
      case Step.Reach reach -> new Slice[0];
      case Step.Until until -> new Slice[0];
      case Step.PublishBlocks show -> show.blocks();
      case Step.Deliver give -> new Slice[] {give.what()};
      case Step.Consume take -> take.afterwards() ? new Slice[0] : new Slice[] {take.into()};
      case Step.Acknowledge taken -> new Slice[0];
      case Step.Fetch fetch -> new Slice[] {fetch.into()};
      case Step.Combine combine -> new Slice[] {combine.right()};
    };
  }

  private static void verify(boolean condition, Schedule schedule, int step, String what) {
    if (!condition) {
      throw new AssertionError("step " + step + " " + what + "\n" + schedule);
    }
  }
}
