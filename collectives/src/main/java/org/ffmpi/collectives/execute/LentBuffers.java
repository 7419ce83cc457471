// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import org.ffmpi.base.raw.Memory;
import org.ffmpi.collectives.region.LentBuffersLayout;
import org.ffmpi.collectives.region.Region;
import org.ffmpi.collectives.region.SharedValues;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.SharedMemory;

/**
 * What the ranks of one collective tell each other in a region of where their contributions and results can be read.
 *
 * <p>Whether a rank's buffers are shared is its own affair: where they are not, it offers scratch memory that is, and
 * copies what the others are to read. A rank refuses when it gets no shared scratch memory, or where messages are
 * faster. Belongs to one {@link Execution}.
 */
public final class LentBuffers {
  private boolean stagesContribution;
  private boolean stagesResult;

  /** Writes down where this rank's data can be read. */
  void make(Region region, long number, Step.Lend offer, BoundBuffers slots, CallShape shape) {
    SharedMemory memory = region.memory();
    long words = region.payload(region.rank(), number);
    stagesContribution = offset(memory, slots, offer.contribution()) < 0;
    long contribution = offset(memory, slots, stagesContribution ? offer.contributionStage() : offer.contribution());
    boolean refused = contribution < 0;
    LentBuffersLayout.setPlainContribution(words, contribution);
    stagesResult = offer.result() != null && offset(memory, slots, offer.result()) < 0;
    if (offer.result() != null) {
      Slice result = stagesResult ? offer.resultStage() : offer.result();
      long offset = offset(memory, slots, result);
      refused |= offset < 0;
      LentBuffersLayout.setPlainResult(
          words, offset - offer.resultFrom() * slots.of(result.buffer()).plan.size());
    }
    refused |= (stagesContribution || stagesResult) && !isWorthStaging(shape);
    LentBuffersLayout.setPlainRefusal(words, refused ? LentBuffersLayout.REFUSED : LentBuffersLayout.LENT);
  }

  /** Of two ranks, the other one reads private memory through the kernel sooner than a copy of it. */
  private static boolean isWorthStaging(CallShape shape) {
    return shape.size() > 2 || shape.collective() == Collective.SCAN;
  }

  /** Returns where the peers find a slice, or a negative number if they cannot read it. */
  private static long offset(SharedMemory memory, BoundBuffers slots, Slice slice) {
    Place place = slots.of(slice.buffer());
    if (place.kind != Memory.NATIVE || !place.plan.isContiguous()) {
      return SharedMemory.NOT_SHARED;
    }
    long bytes = slice.units() * place.plan.size();
    return memory.offset(place.at(slice.from()) + place.plan.trueLowerBound(), bytes);
  }

  boolean isRefused(Region region, long number, int rank) {
    long word = LentBuffersLayout.getPlainRefusal(region.payload(rank, number));
    if (word != LentBuffersLayout.LENT && word != LentBuffersLayout.REFUSED) {
      throw SharedValues.corrupt(rank, "lends with the word " + word);
    }
    return word == LentBuffersLayout.REFUSED;
  }

  /** Tells whether this rank's contribution, or its result, is to be copied to where it is offered. */
  boolean isStaged(boolean ofResult) {
    return ofResult ? stagesResult : stagesContribution;
  }

  /** Finds a part of what a rank offers. */
  void bind(
      Place shown, Region region, long number, int rank, boolean ofResult, long from, long units, Plan elements,
      long unitBytes) {
    long words = region.payload(rank, number);
    long offset =
        ofResult ? LentBuffersLayout.getPlainResult(words) : LentBuffersLayout.getPlainContribution(words);
    long address =
        SharedValues.address(region.memory(), rank, offset + from * unitBytes, units * unitBytes);
    shown.bind(region.keeper(), address - (elements == null ? 0 : elements.trueLowerBound()), elements);
  }
}
