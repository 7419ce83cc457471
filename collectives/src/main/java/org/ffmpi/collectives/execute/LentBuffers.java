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
 * The places, published in a region, where ranks of one collective can read each other's contributions and results.
 *
 * <p>Each rank decides for itself: if its buffers are not shared, it offers shared scratch memory, and copies there
 * what the others read. A rank refuses when it gets no shared scratch memory, or where messages are faster. Belongs to
 * one {@link Execution}.
 */
public final class LentBuffers {
  private boolean stagesContribution;
  private boolean stagesResult;

  /** Publishes the places where this rank's data can be read. */
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

  /** Returns whether this rank's contribution, or its result, has to be copied to where it is offered. */
  boolean isStaged(boolean ofResult) {
    return ofResult ? stagesResult : stagesContribution;
  }

  /** Binds a place to a part of what a rank offers. */
  void bind(
      Place shown, Region region, long number, int rank, boolean ofResult, long from, long units, Plan elements,
      long unitBytes) {
    long words = region.payload(rank, number);
    long offset =
        ofResult ? LentBuffersLayout.getPlainResult(words) : LentBuffersLayout.getPlainContribution(words);
    long address =
        SharedValues.address(region.memory(), rank, offset + from * unitBytes, units * unitBytes);
    shown.bind(region.segment(), address - (elements == null ? 0 : elements.trueLowerBound()), elements);
  }
}
