// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.schedule;

/**
 * One action of a rank in a {@link Schedule}. Names symbolic buffers and ranks, never addresses, peers or tags.
 *
 * <p>A new kind of step is a record here, a line in {@link ScheduleBuilder} for what it reads and writes, and a
 * branch in {@code Execution}, or in {@code RegionSteps} for an {@link OnRegion} step. Arrays in steps are not changed.
 */
public sealed interface Step {
  /** Stands for every rank, where a step names a rank that reads or writes. */
  int ALL = -1;

  /** Stands for no rank. */
  int NOBODY = -2;

  /** Starts a message to a rank; complete when the slice may be overwritten. */
  record Send(int rank, Slice what) implements Step {}

  /**
   * Starts the receipt of the next message of a rank; complete when the slice holds it.
   *
   * @param neededAtOnce the very next step, or the end of the schedule, needs the message: a blocking caller receives
   *     it without starting a receive first
   */
  record Receive(int rank, Slice into, boolean neededAtOnce) implements Step {}

  /** Sends what a slice holds to a rank and receives into it what that rank sends; complete when both are. */
  record Swap(int rank, Slice what) implements Step {}

  /** Copies between symbolic buffers; complete at once. */
  record Copy(Slice from, Slice to) implements Step {}

  /** Replaces {@code right} by {@code left op right}, unit by unit; complete at once. */
  record Reduce(Slice left, Slice right) implements Step {}

  /** A step in the communicator's shared region. It waits for what it needs, and is then complete at once. */
  sealed interface OnRegion extends Step {}

  // ---- contributions in region slots

  /**
   * Publishes a slice in this rank's region slot. A schedule has one such step at most.
   *
   * @param reader the only rank that reads it, or {@link #ALL}
   */
  record Publish(Slice what, int reader) implements OnRegion {}

  /**
   * Copies a part of what a rank has published.
   *
   * @param from first unit, counted from the beginning of what the rank has published
   */
  record Fetch(int rank, long from, Slice into) implements OnRegion {}

  /**
   * Replaces {@code right} by {@code left op right}, where {@code left} is a part of what a rank has published.
   *
   * @param from first unit, counted from the beginning of what the rank has published
   */
  record Combine(int rank, long from, Slice right) implements OnRegion {}

  // ---- buffers that are lent

  /**
   * Publishes where the other ranks can read this rank's contribution and its part of the result: in the buffers
   * themselves if these are shared, otherwise in scratch memory, to which {@link Stage} copies.
   *
   * @param contribution the contribution in its buffer, all of it
   * @param contributionStage as long, in scratch
   * @param result the part of the result in its buffer; null when no other rank reads it
   * @param resultStage as long, in scratch
   * @param resultFrom where in the whole result that part begins
   */
  record Lend(Slice contribution, Slice contributionStage, Slice result, Slice resultStage, long resultFrom)
      implements OnRegion {}

  /** Copies a part of what is lent to scratch memory, if its own buffer is not shared. */
  record Stage(boolean ofResult, Slice from, Slice to) implements OnRegion {}

  /**
   * Waits for what ranks lend. Where one of them cannot lend, the execution begins anew with the schedule's fallback:
   * on all ranks, since all see the same words.
   *
   * @param rank the only rank that lends something, or {@link #ALL}
   */
  record Vote(int rank) implements OnRegion {
    public boolean asks(int other) {
      return rank == ALL || rank == other;
    }
  }

  /**
   * Copies a part of what another rank lends.
   *
   * @param from first unit, counted as in a whole contribution or result
   */
  record Pull(int rank, boolean ofResult, long from, Slice into) implements OnRegion {}

  /**
   * Replaces {@code right} by {@code left op right}, where {@code left} is a part of another rank's contribution.
   *
   * @param from first unit of the left operands
   */
  record PullReduce(int rank, long from, Slice right) implements OnRegion {}

  /** Publishes that this rank has reached a milestone of the call. */
  record Reach(int milestone) implements OnRegion {}

  /** Waits until a rank has reached a milestone. */
  record Until(int rank, int milestone) implements OnRegion {}

  // ---- blocks of any lengths

  /**
   * Publishes blocks in a block table: short ones are copied there, of others the table has the place, or
   * that they come as messages. A schedule has one such step at most.
   *
   * @param readers for each block the rank that consumes it, {@link #ALL} or {@link #NOBODY}
   * @param deliveries how many of the next steps have nothing to do where no block is sent
   */
  record PublishBlocks(Slice[] blocks, int[] readers, int deliveries) implements OnRegion {}

  /**
   * Does what a published block still needs for one reader. Before this rank consumes its own blocks: sends the block
   * if the table has it as a message. Afterwards: waits until a block that is lent has been acknowledged.
   *
   * @param entry index of the block in this rank's table
   * @param afterwards whether this rank has consumed all that it consumes
   */
  record Deliver(int rank, int entry, Slice what, boolean afterwards) implements OnRegion {}

  /**
   * Reads a block that a rank has published, wherever it lies.
   *
   * @param entry index of the block in that rank's table, or -1 where only {@code ordinal} is known
   * @param ordinal index among the blocks in that table that are for this rank
   * @param afterwards whether only what the kernel has not let this rank read is received
   */
  record Consume(int rank, int entry, int ordinal, Slice into, boolean afterwards) implements OnRegion {}

  /**
   * Publishes to the lenders that this rank has consumed all that it consumes.
   *
   * @param checks how many of the next steps have nothing to do where no block is lent
   */
  record Acknowledge(int checks) implements OnRegion {}
}
