// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Turns an algorithm, written down as if each step were complete before the next, into a {@link Schedule} that overlaps
 * what may overlap: a step depends on exactly those sends and receives in flight that touch the same units, at least
 * one of the two writing. Zero-length parts are left out, at both ends of a message alike.
 */
public final class ScheduleBuilder {
  /** What {@link #send} and {@link #receive} return when nothing was to be done. */
  public static final int NO_STEP = -1;

  /** Local steps are cut to this size, so that one call for progress stays short (10 µs of copying). */
  static final long LOCAL_BYTES = 256 << 10;

  /** One message is cut into so many pieces at most. */
  private static final int MOST_SEGMENTS = 64;

  /** Parts of scratch begin at multiples of a cache line, as far as whole units allow. */
  private static final long LINE = 64;

  private static final Slice[] NOTHING = {};
  private static final int[] NO_STEPS = {};

  private final CallShape shape;
  private final long segmentUnits;
  private final List<Step> steps = new ArrayList<>();
  private final List<int[]> after = new ArrayList<>();
  /** Sends and receives that no later step has waited for. */
  private final List<Integer> inFlight = new ArrayList<>();
  private final List<Integer> explicit = new ArrayList<>();
  private final Slice sendStage;
  private final Slice receiveStage;
  private long scratchUnits;
  private boolean cutsSend;
  private boolean cutsReceive;

  private ScheduleBuilder(CallShape shape, long segmentBytes, boolean stageSend, boolean stageReceive) {
    this.shape = shape;
    this.segmentUnits = Math.max(1, segmentBytes / Math.max(1, shape.unitBytes()));
    this.sendStage = stageSend ? scratch(shape.sendUnits()) : null;
    this.receiveStage = stageReceive ? scratch(shape.receiveUnits()) : null;
    if (stageSend) {
      copy(new Slice(SymbolicBuffer.SEND, 0, shape.sendUnits()), sendStage);
    }
    if (stageReceive && shape.inPlace()) {
      copy(new Slice(SymbolicBuffer.RECEIVE, 0, shape.receiveUnits()), receiveStage);
    }
  }

  /**
   * Builds the schedule of a call.
   *
   * @param shape the call
   * @param segmentBytes bytes of the pieces that large messages are cut into where the algorithm overlaps them
   * @param algorithm the algorithm's name
   * @param shownBytes bytes that a rank publishes in a region slot at most
   * @param writer the algorithm, which writes the steps; once, or twice
   */
  public static Schedule build(
      CallShape shape, long segmentBytes, String algorithm, long shownBytes, Consumer<ScheduleBuilder> writer) {
    ScheduleBuilder builder = new ScheduleBuilder(shape, segmentBytes, false, false);
    writer.accept(builder);
    if (builder.cutsSend || builder.cutsReceive) {
      // Memory with gaps cannot be cut inside an element: go through a contiguous copy. What peers see does not change.
      builder = new ScheduleBuilder(shape, segmentBytes, builder.cutsSend, builder.cutsReceive);
      writer.accept(builder);
    }
    return builder.finish(algorithm, shownBytes);
  }

  /** Returns a part of this rank's contribution in the send buffer. */
  public Slice sendBuffer(long from, long units) {
    if (sendStage != null) {
      return sendStage.part(from, units);
    }
    check(SymbolicBuffer.SEND, from, units, shape.sendUnits());
    cutsSend |= isCut(from, units, shape.sendGrain());
    return new Slice(SymbolicBuffer.SEND, from, units);
  }

  /** Returns a part of the receive buffer. */
  public Slice receiveBuffer(long from, long units) {
    if (receiveStage != null) {
      return receiveStage.part(from, units);
    }
    check(SymbolicBuffer.RECEIVE, from, units, shape.receiveUnits());
    cutsReceive |= isCut(from, units, shape.receiveGrain());
    return new Slice(SymbolicBuffer.RECEIVE, from, units);
  }

  /** Returns a part of this rank's contribution to a reduction or broadcast, wherever it lies. */
  public Slice contribution(long from, long units) {
    return shape.inPlace() ? receiveBuffer(from, units) : sendBuffer(from, units);
  }

  /** Tells whether a slice belongs to the receive buffer, or to what stands in for it. */
  public boolean isReceiveBuffer(Slice slice) {
    return receiveStage == null ? slice.buffer() == SymbolicBuffer.RECEIVE : slice.overlaps(receiveStage);
  }

  private static boolean isCut(long from, long units, long grain) {
    return grain != 1 && (from % grain != 0 || units % grain != 0);
  }

  private static void check(SymbolicBuffer slot, long from, long units, long available) {
    if (from < 0 || units < 0 || from > available - units) {
      throw new IndexOutOfBoundsException(slot + " " + from + "+" + units + " of " + available);
    }
  }

  /** Returns new scratch memory. */
  public Slice scratch(long units) {
    long line = Math.max(1, LINE / Math.max(1, shape.unitBytes()));
    long from = (scratchUnits + line - 1) / line * line;
    scratchUnits = from + units;
    return new Slice(SymbolicBuffer.SCRATCH, from, units);
  }

  /**
   * Returns how many units a piece of {@code units} that is to be overlapped has. The same on all ranks for the same
   * length; long messages have longer pieces, so that schedules stay short.
   */
  public long segment(long units) {
    return Math.max(segmentUnits, (units + MOST_SEGMENTS - 1) / MOST_SEGMENTS);
  }

  /** Makes the next step wait for a step that it has no units in common with. */
  public void after(int step) {
    if (step != NO_STEP && inFlight.contains(step)) {
      explicit.add(step);
    }
  }

  // ---- messages

  /** Adds a message to a rank and returns the step's number. */
  public int send(int rank, Slice what) {
    if (what.units() == 0 && what != Slice.NOTHING) {
      return NO_STEP;
    }
    return start(new Step.Send(rank, what), slices(what), NOTHING);
  }

  /** Adds the receipt of a message and returns the step's number. */
  public int receive(int rank, Slice into) {
    if (into.units() == 0 && into != Slice.NOTHING) {
      return NO_STEP;
    }
    return start(new Step.Receive(rank, into, false), NOTHING, slices(into));
  }

  /** Adds the exchange of a slice with a rank that does the same, and returns the step's number. */
  public int swap(int rank, Slice what) {
    if (what.units() == 0) {
      return NO_STEP;
    }
    return start(new Step.Swap(rank, what), slices(what), slices(what));
  }

  // ---- local steps

  /** Adds a copy. */
  public void copy(Slice from, Slice to) {
    if (from.isSame(to)) {
      return;
    }
    long piece = localUnits();
    for (long done = 0; done < from.units(); done += piece) {
      long n = Math.min(piece, from.units() - done);
      Slice a = from.part(done, n);
      Slice b = to.part(done, n);
      add(new Step.Copy(a, b), slices(a), slices(b));
    }
  }

  /** Adds {@code right = left op right}. */
  public void reduce(Slice left, Slice right) {
    long piece = localUnits();
    for (long done = 0; done < left.units(); done += piece) {
      long n = Math.min(piece, left.units() - done);
      Slice a = left.part(done, n);
      Slice b = right.part(done, n);
      add(new Step.Reduce(a, b), slices(a), slices(b));
    }
  }

  private long localUnits() {
    long units = Math.max(1, LOCAL_BYTES / Math.max(1, shape.unitBytes()));
    // Cut copies where the memory of either buffer can be cut.
    long grain = Math.max(shape.sendGrain(), shape.receiveGrain());
    return grain == 1 ? units : Long.MAX_VALUE >> 1;
  }

  // ---- contributions in region slots

  /** Adds a {@link Step.Publish}. */
  public void publish(Slice what, int reader) {
    add(new Step.Publish(what, reader), slices(what), NOTHING);
  }

  /** Adds a {@link Step.Fetch}; of no units where it only matters that the rank has published. */
  public void fetch(int rank, long from, Slice into) {
    add(new Step.Fetch(rank, from, into), NOTHING, slices(into));
  }

  /** Adds a {@link Step.Combine}. */
  public void combine(int rank, long from, Slice right) {
    add(new Step.Combine(rank, from, right), slices(right), slices(right));
  }

  // ---- buffers that are lent

  /** Adds a {@link Step.Lend}. */
  public void lend(Slice contribution, Slice contributionStage, Slice result, Slice resultStage, long resultFrom) {
    add(new Step.Lend(contribution, contributionStage, result, resultStage, resultFrom));
  }

  /** Adds a {@link Step.Stage}. */
  public void stage(boolean ofResult, Slice from, Slice to) {
    add(new Step.Stage(ofResult, from, to), slices(from), slices(to));
  }

  /** Adds a {@link Step.Vote} about what a rank, or {@link Step#ALL}, lends. */
  public void vote(int rank) {
    add(new Step.Vote(rank));
  }

  /** Adds a {@link Step.Pull}. */
  public void pull(int rank, boolean ofResult, long from, Slice into) {
    add(new Step.Pull(rank, ofResult, from, into), NOTHING, slices(into));
  }

  /** Adds a {@link Step.PullReduce}. */
  public void pullReduce(int rank, long from, Slice right) {
    add(new Step.PullReduce(rank, from, right), slices(right), slices(right));
  }

  /** Adds a {@link Step.Reach}. */
  public void reach(int milestone) {
    add(new Step.Reach(milestone));
  }

  /** Adds a {@link Step.Until}. */
  public void until(int rank, int milestone) {
    add(new Step.Until(rank, milestone));
  }

  // ---- blocks of any lengths

  /** Adds a {@link Step.PublishBlocks}. */
  public void publishBlocks(Slice[] blocks, int[] readers) {
    add(new Step.PublishBlocks(blocks, readers, 0), blocks, NOTHING);
  }

  /** Adds a {@link Step.Deliver}. */
  public void deliver(int rank, int entry, Slice what, boolean afterwards) {
    start(new Step.Deliver(rank, entry, what, afterwards), slices(what), NOTHING);
  }

  /** Adds a {@link Step.Consume}. */
  public void consume(int rank, int entry, int ordinal, Slice into, boolean afterwards) {
    start(new Step.Consume(rank, entry, ordinal, into, afterwards), NOTHING, afterwards ? NOTHING : slices(into));
  }

  /** Adds a {@link Step.Acknowledge}. */
  public void acknowledge() {
    add(new Step.Acknowledge(0));
  }

  // ---- dependencies

  private static Slice[] slices(Slice one) {
    return new Slice[] {one};
  }

  /** Adds a step that touches no units of this rank. */
  private void add(Step step) {
    steps.add(step);
    after.add(NO_STEPS);
  }

  private void add(Step step, Slice[] reads, Slice[] writes) {
    after.add(dependencies(reads, writes));
    steps.add(step);
  }

  /** Adds a step that may complete after later ones have started; returns its number. */
  private int start(Step step, Slice[] reads, Slice[] writes) {
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

  // ---- the finished schedule

  private Schedule finish(String algorithm, long shownBytes) {
    if (receiveStage != null) {
      copy(receiveStage, new Slice(SymbolicBuffer.RECEIVE, 0, shape.receiveUnits()));
    }
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
    return new Schedule(shape, algorithm, shownBytes, list, awaited, scratchUnits);
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
