// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import java.util.Arrays;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.RunVisitor;
import org.ffmpi.datatype.reduce.PredefinedOp;

/**
 * Combines elements with gaps between or inside them in a part that this rank reaches. Their runs of bytes are gathered
 * into a tile, combined there and scattered back, tile after tile; each tile is under the locks of its own elements.
 * Time and memory depend on the data, not on the gaps. Long runs are combined in place.
 */
final class ScatteredElements implements RunVisitor {
  /** Gives elements to combine with, in packed form. */
  interface Source {
    /** Writes bytes {@code from} to {@code from + bytes} of the packed elements to an address. */
    void pack(long from, long bytes, long to);
  }

  /** Receives the elements as they were before, in packed form. */
  interface Sink {
    /** Stores bytes {@code from} to {@code from + bytes} of the packed elements. */
    void unpack(long at, long from, long bytes);
  }

  /** Most packed bytes of a tile; many runs of these are in the first-level cache. */
  private static final long TILE = 8192;

  /** Bytes of a run from which a call of the kernel costs less than two copies. */
  private static final long LONG_RUN = 512;

  private static final int FIRST_RUNS = 64;

  private final Stripes stripes;
  private final long block;
  private final long position;
  private final long place;
  private final Combination how;
  private final Source from;
  private final Sink into;
  /** Packed bytes of a tile: whole units. */
  private final long most;
  private final PackedUnits units;
  private final long mine;
  private final long theirs;

  private long[] displacements = new long[FIRST_RUNS];
  private long[] lengths = new long[FIRST_RUNS];
  private int runs;
  /** Packed bytes of the tiles before this one. */
  private long done;
  /** Packed bytes of the runs of this tile. */
  private long filled;
  /** Stripes of the runs of this tile. */
  private long set;

  private ScatteredElements(
      Stripes stripes, long block, long position, long place, long bytes, Combination how, Source from, Sink into,
      Arena arena) {
    this.stripes = stripes;
    this.block = block;
    this.position = position;
    this.place = place;
    this.how = how;
    this.from = from;
    this.into = into;
    this.most = Math.min(bytes, PackedUnits.fitting(how, TILE));
    this.units = new PackedUnits(how, most, arena);
    this.mine = Raw.address(arena.allocate(most, 64));
    this.theirs = Raw.address(arena.allocate(most, 64));
  }

  /**
   * Combines elements.
   *
   * @param block address of the part's synchronization block
   * @param position position of the first element in the part
   * @param place its address
   * @param from elements to combine with; null for NO_OP
   * @param into receives the elements as they were before; may be null
   */
  static void combine(
      Stripes stripes, long block, long position, long place, long count, Plan plan, Combination how, Source from,
      Sink into) {
    try (Arena arena = Arena.ofConfined()) {
      ScatteredElements elements = new ScatteredElements(
          stripes, block, position, place, plan.packedBytes(count), how, from, into, arena);
      plan.forEachRun(count, elements);
      elements.combine();
    }
  }

  @Override
  public void run(long displacement, long bytes) {
    for (long cut = 0; cut < bytes;) {
      long n = Math.min(bytes - cut, most - filled);
      add(displacement + cut, n);
      cut += n;
      if (filled == most) {
        combine();
      }
    }
  }

  private void add(long displacement, long bytes) {
    if (runs == displacements.length) {
      displacements = Arrays.copyOf(displacements, 2 * runs);
      lengths = Arrays.copyOf(lengths, 2 * runs);
    }
    displacements[runs] = displacement;
    lengths[runs] = bytes;
    runs++;
    filled += bytes;
    set |= Stripes.set(position + displacement, position + displacement + bytes);
  }

  /** Combines the runs of a tile, and begins the next one. */
  private void combine() {
    if (filled == 0) {
      return;
    }
    if (from != null) {
      from.pack(done, filled, theirs);
    }
    stripes.lockAll(block, set);
    try {
      if (into == null && how.unit().isDense() && filled >= LONG_RUN * runs) {
        combineInPlace();
      } else {
        combineGathered();
      }
    } finally {
      Stripes.unlockAll(block, set);
    }
    done += filled;
    filled = 0;
    runs = 0;
    set = 0;
  }

  private void combineInPlace() {
    long at = theirs;
    for (int i = 0; i < runs; i++) {
      how.apply(at, place + displacements[i], lengths[i]);
      at += lengths[i];
    }
  }

  private void combineGathered() {
    long at = mine;
    for (int i = 0; i < runs; i++) {
      Raw.copy(place + displacements[i], at, lengths[i]);
      at += lengths[i];
    }
    if (into != null) {
      into.unpack(mine, done, filled);
    }
    if (how.op() == PredefinedOp.NO_OP) {
      return;
    }
    units.combine(theirs, mine, filled);
    at = mine;
    for (int i = 0; i < runs; i++) {
      Raw.copy(at, place + displacements[i], lengths[i]);
      at += lengths[i];
    }
  }
}
