// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.schedule;

import java.util.function.Consumer;

/**
 * The builder that turns an algorithm, written as if each step were complete before the next, into a {@link Schedule}
 * that overlaps what may overlap. A step depends on exactly those sends and receives in flight that touch the same
 * units, at least one of the two writing. Zero-length parts are left out, at both ends of a message alike.
 *
 * <p>An algorithm can also be written among some of a call's ranks, as one of its levels: {@link #among} returns what
 * it writes to then.
 */
public final class ScheduleBuilder {
  /** Result of {@link #send} and {@link #receive} when they add no step. */
  public static final int NO_STEP = -1;

  /** Local steps are cut to this size, so that one call for progress stays short (10 µs of copying). */
  static final long LOCAL_BYTES = 256 << 10;

  /** One message is cut into so many pieces at most. */
  private static final int MOST_SEGMENTS = 64;

  /** Parts of scratch begin at multiples of a cache line, as far as whole units allow. */
  private static final long LINE = 64;

  private static final Slice[] NOTHING = {};

  private final CallShape shape;
  private final StepList steps;

  /** The builder of the whole call; among some ranks, this one hands it everything. */
  private final ScheduleBuilder whole;

  /** The ranks that take part, where these are not all. */
  private final int[] ranks;

  /** Slices that stand for the buffers; null for the buffers themselves. */
  private final Slice send;

  private final Slice receive;
  private final long segmentUnits;
  private long scratchUnits;
  private boolean cutsSend;
  private boolean cutsReceive;

  private ScheduleBuilder(CallShape shape, long segmentBytes, boolean stageSend, boolean stageReceive) {
    this.shape = shape;
    this.steps = new StepList();
    this.whole = this;
    this.ranks = null;
    this.segmentUnits = Math.max(1, segmentBytes / Math.max(1, shape.unitBytes()));
    this.send = stageSend ? scratch(shape.sendUnits()) : null;
    this.receive = stageReceive ? scratch(shape.receiveUnits()) : null;
    if (stageSend) {
      copy(new Slice(SymbolicBuffer.SEND, 0, shape.sendUnits()), send);
    }
    if (stageReceive && shape.inPlace()) {
      copy(new Slice(SymbolicBuffer.RECEIVE, 0, shape.receiveUnits()), receive);
    }
  }

  private ScheduleBuilder(CallShape shape, ScheduleBuilder whole, int[] ranks, Slice send, Slice receive) {
    this.shape = shape;
    this.steps = whole.steps;
    this.whole = whole;
    this.ranks = ranks;
    this.segmentUnits = whole.segmentUnits;
    this.send = send;
    this.receive = receive;
  }

  /**
   * Builds the schedule of a call.
   *
   * @param shape the call
   * @param segmentBytes bytes of the pieces that large messages are cut into where the algorithm overlaps them
   * @param algorithm the algorithm's name
   * @param publishedBytes bytes that a rank publishes in a region slot at most
   * @param writer the algorithm, which writes the steps; once, or twice
   */
  public static Schedule build(
      CallShape shape, long segmentBytes, String algorithm, long publishedBytes, Consumer<ScheduleBuilder> writer) {
    ScheduleBuilder builder = new ScheduleBuilder(shape, segmentBytes, false, false);
    writer.accept(builder);
    if (builder.cutsSend || builder.cutsReceive) {
      // Memory with gaps cannot be cut inside an element: go through a contiguous copy. What peers see does not change.
      builder = new ScheduleBuilder(shape, segmentBytes, builder.cutsSend, builder.cutsReceive);
      writer.accept(builder);
    }
    return builder.finish(algorithm, publishedBytes);
  }

  private Schedule finish(String algorithm, long publishedBytes) {
    if (receive != null) {
      copy(receive, new Slice(SymbolicBuffer.RECEIVE, 0, shape.receiveUnits()));
    }
    return steps.finish(shape, algorithm, publishedBytes, scratchUnits);
  }

  /**
   * Returns a builder that adds to the same schedule the steps of a call among some of its ranks.
   *
   * @param part that call, with its own numbers of ranks
   * @param members the ranks that take part, in the order of those numbers
   * @param sends what stands for the send buffer
   * @param receives what stands for the receive buffer
   */
  public ScheduleBuilder among(CallShape part, int[] members, Slice sends, Slice receives) {
    return new ScheduleBuilder(part, whole, members, sends, receives);
  }

  /** Returns a part of this rank's contribution in the send buffer. */
  public Slice sendBuffer(long from, long units) {
    if (send != null) {
      return whole.checkCut(send.part(from, units));
    }
    check(SymbolicBuffer.SEND, from, units, shape.sendUnits());
    return checkCut(new Slice(SymbolicBuffer.SEND, from, units));
  }

  /** Returns a part of the receive buffer. */
  public Slice receiveBuffer(long from, long units) {
    if (receive != null) {
      return whole.checkCut(receive.part(from, units));
    }
    check(SymbolicBuffer.RECEIVE, from, units, shape.receiveUnits());
    return checkCut(new Slice(SymbolicBuffer.RECEIVE, from, units));
  }

  /** Records whether memory with gaps would be cut. */
  private Slice checkCut(Slice slice) {
    cutsSend |= slice.buffer() == SymbolicBuffer.SEND && isCut(slice, shape.sendGrain());
    cutsReceive |= slice.buffer() == SymbolicBuffer.RECEIVE && isCut(slice, shape.receiveGrain());
    return slice;
  }

  /** Returns a part of this rank's contribution to a reduction or broadcast, wherever it lies. */
  public Slice contribution(long from, long units) {
    return shape.inPlace() ? receiveBuffer(from, units) : sendBuffer(from, units);
  }

  /** Returns whether a slice belongs to the receive buffer, or to what stands in for it. */
  public boolean isReceiveBuffer(Slice slice) {
    return receive == null ? slice.buffer() == SymbolicBuffer.RECEIVE : slice.overlaps(receive);
  }

  private static boolean isCut(Slice slice, long grain) {
    return grain != 1 && (slice.from() % grain != 0 || slice.units() % grain != 0);
  }

  private static void check(SymbolicBuffer slot, long from, long units, long available) {
    if (from < 0 || units < 0 || from > available - units) {
      throw new IndexOutOfBoundsException(slot + " " + from + "+" + units + " of " + available);
    }
  }

  /** Returns new scratch memory. */
  public Slice scratch(long units) {
    long line = Math.max(1, LINE / Math.max(1, shape.unitBytes()));
    long from = (whole.scratchUnits + line - 1) / line * line;
    whole.scratchUnits = from + units;
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
    if (step != NO_STEP) {
      steps.after(step);
    }
  }

  /** Makes the next step wait for all messages that this rank is receiving. */
  public void afterReceives() {
    steps.afterReceives();
  }

  private int rank(int number) {
    return ranks == null ? number : ranks[number];
  }

  // ---- messages

  /** Adds a message to a rank and returns the step's number. */
  public int send(int rank, Slice what) {
    if (what.units() == 0 && what != Slice.NOTHING) {
      return NO_STEP;
    }
    return steps.start(new Step.Send(rank(rank), what), slices(what), NOTHING);
  }

  /** Adds the receipt of a message and returns the step's number. */
  public int receive(int rank, Slice into) {
    if (into.units() == 0 && into != Slice.NOTHING) {
      return NO_STEP;
    }
    return steps.start(new Step.Receive(rank(rank), into, false), NOTHING, slices(into));
  }

  /** Adds the exchange of a slice with a rank that does the same, and returns the step's number. */
  public int swap(int rank, Slice what) {
    if (what.units() == 0) {
      return NO_STEP;
    }
    return steps.start(new Step.Swap(rank(rank), what), slices(what), slices(what));
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
      steps.add(new Step.Copy(a, b), slices(a), slices(b));
    }
  }

  /** Adds {@code right = left op right}. */
  public void reduce(Slice left, Slice right) {
    long piece = localUnits();
    for (long done = 0; done < left.units(); done += piece) {
      long n = Math.min(piece, left.units() - done);
      Slice a = left.part(done, n);
      Slice b = right.part(done, n);
      steps.add(new Step.Reduce(a, b), slices(a), slices(b));
    }
  }

  private long localUnits() {
    long units = Math.max(1, LOCAL_BYTES / Math.max(1, shape.unitBytes()));
    // Cut copies where the memory of either buffer can be cut.
    long grain = Math.max(whole.shape.sendGrain(), whole.shape.receiveGrain());
    return grain == 1 ? units : Long.MAX_VALUE >> 1;
  }

  // ---- contributions in region slots

  /** Adds a {@link Step.Publish}. */
  public void publish(Slice what, int reader) {
    steps.add(new Step.Publish(what, reader), slices(what), NOTHING);
  }

  /** Adds a {@link Step.Fetch}; of no units to wait only until the rank has published. */
  public void fetch(int rank, long from, Slice into) {
    steps.add(new Step.Fetch(rank, from, into), NOTHING, slices(into));
  }

  /** Adds a {@link Step.Combine}. */
  public void combine(int rank, long from, Slice right) {
    steps.add(new Step.Combine(rank, from, right), slices(right), slices(right));
  }

  // ---- buffers that are lent

  /** Adds a {@link Step.Lend}. */
  public void lend(Slice contribution, Slice contributionStage, Slice result, Slice resultStage, long resultFrom) {
    steps.add(new Step.Lend(contribution, contributionStage, result, resultStage, resultFrom));
  }

  /** Adds a {@link Step.Stage}. */
  public void stage(boolean ofResult, Slice from, Slice to) {
    steps.add(new Step.Stage(ofResult, from, to), slices(from), slices(to));
  }

  /** Adds a {@link Step.Vote} about what a rank, or {@link Step#ALL}, lends. */
  public void vote(int rank) {
    steps.add(new Step.Vote(rank));
  }

  /** Adds a {@link Step.Pull}. */
  public void pull(int rank, boolean ofResult, long from, Slice into) {
    steps.add(new Step.Pull(rank, ofResult, from, into), NOTHING, slices(into));
  }

  /** Adds a {@link Step.PullReduce}. */
  public void pullReduce(int rank, long from, Slice right) {
    steps.add(new Step.PullReduce(rank, from, right), slices(right), slices(right));
  }

  /** Adds a {@link Step.Reach}. */
  public void reach(int milestone) {
    steps.add(new Step.Reach(milestone));
  }

  /** Adds a {@link Step.Until}. */
  public void until(int rank, int milestone) {
    steps.add(new Step.Until(rank, milestone));
  }

  // ---- blocks of any lengths

  /** Adds a {@link Step.PublishBlocks}. */
  public void publishBlocks(Slice[] blocks, int[] readers) {
    steps.add(new Step.PublishBlocks(blocks, readers, 0), blocks, NOTHING);
  }

  /** Adds a {@link Step.Deliver}. */
  public void deliver(int rank, int entry, Slice what, boolean afterwards) {
    steps.start(new Step.Deliver(rank, entry, what, afterwards), slices(what), NOTHING);
  }

  /** Adds a {@link Step.Consume}. */
  public void consume(int rank, int entry, int ordinal, Slice into, boolean afterwards) {
    steps.start(new Step.Consume(rank, entry, ordinal, into, afterwards), NOTHING, afterwards ? NOTHING : slices(into));
  }

  /** Adds a {@link Step.Acknowledge}. */
  public void acknowledge() {
    steps.add(new Step.Acknowledge(0));
  }

  private static Slice[] slices(Slice one) {
    return new Slice[] {one};
  }
}
