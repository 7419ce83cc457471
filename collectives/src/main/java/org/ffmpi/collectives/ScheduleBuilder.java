// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Turns an algorithm, written down as if each step were complete before the next, into a {@link Schedule} that overlaps
 * what may overlap: a step depends on exactly those sends and receives in flight that touch the same units, at least
 * one of the two writing. Zero-length parts are left out, at both ends of a message alike.
 */
final class ScheduleBuilder {
  /** What {@link #send} and {@link #receive} return when nothing was to be done. */
  static final int NO_STEP = -1;

  /** Local steps are cut to this size, so that one call for progress stays short (10 µs of copying). */
  static final long LOCAL_BYTES = 256 << 10;

  /** Parts of scratch begin at multiples of a cache line, as far as whole units allow. */
  private static final long LINE = 64;

  private static final Slice[] NO_SLICES = {};
  private static final int[] NO_STEPS = {};

  private final Shape shape;
  private final long segmentUnits;
  private final List<Step> steps = new ArrayList<>();
  /** Sends and receives that no later step has waited for. */
  private final List<Integer> inFlight = new ArrayList<>();
  private final List<Integer> explicit = new ArrayList<>();
  private final Slice sendStage;
  private final Slice receiveStage;
  private long scratchUnits;
  private boolean cutsSend;
  private boolean cutsReceive;

  private ScheduleBuilder(Shape shape, long segmentBytes, boolean stageSend, boolean stageReceive) {
    this.shape = shape;
    this.segmentUnits = Math.max(1, segmentBytes / Math.max(1, shape.unitBytes()));
    this.sendStage = stageSend ? scratch(shape.sendUnits()) : null;
    this.receiveStage = stageReceive ? scratch(shape.receiveUnits()) : null;
    if (stageSend) {
      copy(new Slice(Slot.SEND, 0, shape.sendUnits()), sendStage);
    }
    if (stageReceive && shape.inPlace()) {
      copy(new Slice(Slot.RECEIVE, 0, shape.receiveUnits()), receiveStage);
    }
  }

  /**
   * Builds the schedule of a call.
   *
   * @param algorithm one that accepts the shape
   * @param shape the call
   * @param segmentBytes bytes of the pieces that large messages are cut into where the algorithm overlaps them
   */
  static Schedule build(Algorithm algorithm, Shape shape, long segmentBytes) {
    ScheduleBuilder builder = new ScheduleBuilder(shape, segmentBytes, false, false);
    algorithm.build(shape, builder);
    if (builder.cutsSend || builder.cutsReceive) {
      // Memory with gaps cannot be cut inside an element: go through a contiguous copy. What peers see does not change.
      builder = new ScheduleBuilder(shape, segmentBytes, builder.cutsSend, builder.cutsReceive);
      algorithm.build(shape, builder);
    }
    return builder.finish(algorithm.name());
  }

  /** Returns a part of this rank's contribution in the send buffer. */
  Slice sendBuffer(long from, long units) {
    if (sendStage != null) {
      return sendStage.part(from, units);
    }
    check(Slot.SEND, from, units, shape.sendUnits());
    cutsSend |= isCut(from, units, shape.sendGrain());
    return new Slice(Slot.SEND, from, units);
  }

  /** Returns a part of the receive buffer. */
  Slice receiveBuffer(long from, long units) {
    if (receiveStage != null) {
      return receiveStage.part(from, units);
    }
    check(Slot.RECEIVE, from, units, shape.receiveUnits());
    cutsReceive |= isCut(from, units, shape.receiveGrain());
    return new Slice(Slot.RECEIVE, from, units);
  }

  /** Returns a part of this rank's contribution to a reduction or broadcast, wherever it lies. */
  Slice contribution(long from, long units) {
    return shape.inPlace() ? receiveBuffer(from, units) : sendBuffer(from, units);
  }

  /** Tells whether a slice belongs to the receive buffer, or to what stands in for it. */
  boolean isReceiveBuffer(Slice slice) {
    return receiveStage == null ? slice.slot() == Slot.RECEIVE : slice.overlaps(receiveStage);
  }

  /** Returns new scratch memory. */
  Slice scratch(long units) {
    long line = Math.max(1, LINE / Math.max(1, shape.unitBytes()));
    long from = (scratchUnits + line - 1) / line * line;
    scratchUnits = from + units;
    return new Slice(Slot.SCRATCH, from, units);
  }

  /**
   * Returns how many units a piece of {@code units} that is to be overlapped has. The same on all ranks for the same
   * length; long messages have longer pieces, so that schedules stay short.
   */
  long segment(long units) {
    return Math.max(segmentUnits, (units + Algorithm.MOST_SEGMENTS - 1) / Algorithm.MOST_SEGMENTS);
  }

  /** Makes the next step wait for a step that it has no units in common with. */
  void after(int step) {
    if (step != NO_STEP && inFlight.contains(step)) {
      explicit.add(step);
    }
  }

  /** Adds a message to a rank and returns the step's number. */
  int send(int rank, Slice what) {
    if (what.units() == 0 && what != Slice.NOTHING) {
      return NO_STEP;
    }
    return inFlight(new Step.Send(rank, what, dependencies(new Slice[] {what}, NO_SLICES)));
  }

  /** Adds the receipt of a message and returns the step's number. */
  int receive(int rank, Slice into) {
    if (into.units() == 0 && into != Slice.NOTHING) {
      return NO_STEP;
    }
    return inFlight(new Step.Receive(rank, into, dependencies(NO_SLICES, new Slice[] {into}), false));
  }

  /** Adds the exchange of a slice with a rank that does the same, and returns the step's number. */
  int swap(int rank, Slice what) {
    if (what.units() == 0) {
      return NO_STEP;
    }
    Slice[] both = {what};
    return inFlight(new Step.Swap(rank, what, dependencies(both, both)));
  }

  /** Adds a copy. */
  void copy(Slice from, Slice to) {
    if (from.isSame(to)) {
      return;
    }
    long piece = localUnits();
    for (long done = 0; done < from.units(); done += piece) {
      long n = Math.min(piece, from.units() - done);
      Slice a = from.part(done, n);
      Slice b = to.part(done, n);
      steps.add(new Step.Copy(a, b, dependencies(new Slice[] {a}, new Slice[] {b})));
    }
  }

  /** Adds {@code right = left op right}. */
  void reduce(Slice left, Slice right) {
    long piece = localUnits();
    for (long done = 0; done < left.units(); done += piece) {
      long n = Math.min(piece, left.units() - done);
      Slice a = left.part(done, n);
      Slice b = right.part(done, n);
      steps.add(new Step.Reduce(a, b, dependencies(new Slice[] {a}, new Slice[] {b})));
    }
  }

  /** Adds the showing of a slice to one rank, or to all when {@code reader} is -1. */
  void post(Slice what, int reader) {
    steps.add(new Step.Post(what, reader, dependencies(new Slice[] {what}, NO_SLICES)));
  }

  /** Adds a copy of a part of what a rank shows; of no units where nothing but its coming matters. */
  void fetch(int rank, long from, Slice into) {
    steps.add(new Step.Fetch(rank, from, into, dependencies(NO_SLICES, new Slice[] {into})));
  }

  /** Adds {@code right = left op right}, {@code left} being a part of what a rank shows. */
  void combine(int rank, long from, Slice right) {
    Slice[] both = {right};
    steps.add(new Step.Combine(rank, from, right, dependencies(both, both)));
  }

  /** Adds the vote that tells whether a rank, or all ranks, can offer what they are to. */
  void vote(int rank) {
    steps.add(new Step.Vote(rank, NO_STEPS));
  }

  /** Adds the offer of what {@link Step.Offer} says. */
  void offer(Slice contribution, Slice contributionStage, Slice result, Slice resultStage, long resultFrom) {
    steps.add(new Step.Offer(contribution, contributionStage, result, resultStage, resultFrom, NO_STEPS));
  }

  /** Adds a copy of a part of what is offered to where it is offered. */
  void stage(boolean ofResult, Slice from, Slice to) {
    steps.add(new Step.Stage(ofResult, from, to, dependencies(new Slice[] {from}, new Slice[] {to})));
  }

  /** Adds a copy of a part of another rank's contribution or result. */
  void pull(int rank, boolean ofResult, long from, Slice into) {
    steps.add(new Step.Pull(rank, ofResult, from, into, dependencies(NO_SLICES, new Slice[] {into})));
  }

  /** Adds {@code right = left op right}, {@code left} being a part of another rank's contribution. */
  void pullReduce(int rank, long from, Slice right) {
    Slice[] both = {right};
    steps.add(new Step.PullReduce(rank, from, right, dependencies(both, both)));
  }

  /** Says that this rank has come so far. */
  void reach(int stage) {
    steps.add(new Step.Reach(stage, NO_STEPS));
  }

  /** Waits until a rank has come so far. */
  void until(int rank, int stage) {
    steps.add(new Step.Until(rank, stage, NO_STEPS));
  }

  /** Adds the showing of blocks, each to one rank or to all. */
  void show(Slice[] blocks, int[] readers) {
    steps.add(new Step.Show(blocks, readers, dependencies(blocks, NO_SLICES), 0));
  }

  /** Adds what a shown block still needs, before or after this rank takes what others show. */
  void give(int rank, int entry, Slice what, boolean afterwards) {
    inFlight(new Step.Give(rank, entry, what, afterwards, dependencies(new Slice[] {what}, NO_SLICES)));
  }

  /** Adds the taking of a block that a rank shows: its {@code entry}, or if that is -1, its n-th to this rank. */
  void take(int rank, int entry, int ordinal, Slice into, boolean afterwards) {
    inFlight(new Step.Take(
        rank, entry, ordinal, into, afterwards, dependencies(NO_SLICES, afterwards ? NO_SLICES : new Slice[] {into})));
  }

  /** Says that this rank has taken all that others show it. */
  void taken() {
    steps.add(new Step.Taken(NO_STEPS, 0));
  }

  private long localUnits() {
    long units = Math.max(1, LOCAL_BYTES / Math.max(1, shape.unitBytes()));
    // Cut copies where the memory of either buffer can be cut.
    long grain = Math.max(shape.sendGrain(), shape.receiveGrain());
    return grain == 1 ? units : Long.MAX_VALUE >> 1;
  }

  private int inFlight(Step step) {
    steps.add(step);
    inFlight.add(steps.size() - 1);
    return steps.size() - 1;
  }

  /**
   * Finds what is in flight over units that are now read or written, and takes it from the list: it is waited for once.
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
    return Arrays.copyOf(found, count);
  }

  private static boolean conflicts(Step inFlight, Slice[] reads, Slice[] writes) {
    return switch (inFlight) {
      case Step.Send send -> anyOverlaps(send.what, writes);
      case Step.Give give -> anyOverlaps(give.what, writes);
      case Step.Receive receive -> anyOverlaps(receive.into, reads) || anyOverlaps(receive.into, writes);
      case Step.Take take -> anyOverlaps(take.into, reads) || anyOverlaps(take.into, writes);
      case Step.Swap swap -> anyOverlaps(swap.what, reads) || anyOverlaps(swap.what, writes);
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

  private static boolean isCut(long from, long units, long grain) {
    return grain != 1 && (from % grain != 0 || units % grain != 0);
  }

  private static void check(Slot slot, long from, long units, long available) {
    if (from < 0 || units < 0 || from > available - units) {
      throw new IndexOutOfBoundsException(slot + " " + from + "+" + units + " of " + available);
    }
  }

  private Schedule finish(String algorithm) {
    if (receiveStage != null) {
      copy(receiveStage, new Slice(Slot.RECEIVE, 0, shape.receiveUnits()));
    }
    Step[] list = steps.toArray(new Step[0]);
    for (int i = 0; i < list.length; i++) {
      if (list[i] instanceof Step.Receive r && neededAtOnce(list, i)) {
        list[i] = new Step.Receive(r.rank, r.into, r.after, true);
      } else if (list[i] instanceof Step.Show show) {
        list[i] = new Step.Show(show.blocks, show.readers, show.after, idleAfter(list, i, false));
      } else if (list[i] instanceof Step.Taken taken) {
        list[i] = new Step.Taken(taken.after, idleAfter(list, i, true));
      }
    }
    return new Schedule(shape, algorithm, list, scratchUnits);
  }

  /** Counts the steps after one that only give, or only look what is left of giving and taking. */
  private static int idleAfter(Step[] list, int step, boolean afterwards) {
    int end = step + 1;
    while (end < list.length && (list[end] instanceof Step.Give give && give.afterwards == afterwards
        || afterwards && list[end] instanceof Step.Take)) {
      end++;
    }
    return end - step - 1;
  }

  private static boolean neededAtOnce(Step[] list, int receive) {
    if (receive == list.length - 1) {
      return true;
    }
    for (int awaited : list[receive + 1].after) {
      if (awaited == receive) {
        return true;
      }
    }
    return false;
  }
}
