// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.spi.SharedMemory;

/**
 * Copies and reductions between bound slots, whatever memory they lie in. Native memory is worked on in place by
 * absolute address; a left operand or the source of a copy that has no address goes through a small native tile, which
 * stays in the first-level cache. One thread at a time; allocates its tile once.
 */
final class LocalSteps {
  /** Half of a first-level data cache: the other half is left to what the tile is combined with. */
  private static final long TILE_BYTES = 16 << 10;

  private MemorySegment tile;
  private long tileAddress;
  private long tileBytes;

  /** Copies {@code units} units. */
  void copy(Place from, long fromUnit, Place to, long toUnit, long units) {
    if (units == 0) {
      return;
    }
    long count = from.count(units);
    long bytes = count * from.plan.size();
    try {
      if (from.plan.isContiguous() && to.plan.isContiguous()) {
        copyRun(from, start(from, fromUnit), to, start(to, toUnit), bytes);
      } else if (from.hasAddress()) {
        to.plan.transfer(
            from.address(fromUnit), from.plan, count, to.kind, to.owner, to.at(toUnit), to.count(units), 0, bytes);
      } else {
        copyStream(from, fromUnit, to, toUnit, units, bytes);
      }
    } finally {
      Reference.reachabilityFence(from.owner);
      Reference.reachabilityFence(to.owner);
      Reference.reachabilityFence(this);
    }
  }

  private static long start(Place place, long unit) {
    return place.at(unit) + place.plan.trueLowerBound();
  }

  private void copyRun(Place from, long source, Place to, long target, long bytes) {
    if (from.kind == Memory.NATIVE) {
      Memory.write(to.kind, to.owner, target, source, bytes);
    } else if (to.kind == Memory.NATIVE) {
      Memory.read(from.kind, from.owner, source, target, bytes);
    } else if (from.kind == to.kind && from.kind >= Memory.BYTES && isAligned(from.kind, source | target | bytes)) {
      int size = Memory.elementSize(from.kind);
      System.arraycopy(from.owner, (int) (source / size), to.owner, (int) (target / size), (int) (bytes / size));
    } else {
      long stage = tile(Math.min(bytes, TILE_BYTES));
      for (long done = 0; done < bytes; done += tileBytes) {
        long n = Math.min(tileBytes, bytes - done);
        Memory.read(from.kind, from.owner, source + done, stage, n);
        Memory.write(to.kind, to.owner, target + done, stage, n);
      }
    }
  }

  private static boolean isAligned(int kind, long bits) {
    return (bits & (Memory.elementSize(kind) - 1)) == 0;
  }

  private void copyStream(Place from, long fromUnit, Place to, long toUnit, long units, long bytes) {
    long stage = tile(Math.min(bytes, TILE_BYTES));
    for (long done = 0; done < bytes; done += tileBytes) {
      long n = Math.min(tileBytes, bytes - done);
      from.plan.pack(from.kind, from.owner, from.at(fromUnit), from.count(units), done, n, stage);
      to.plan.unpack(stage, to.kind, to.owner, to.at(toUnit), to.count(units), done, n);
    }
  }

  /**
   * Copies from a peer's private memory; false when that cannot be read.
   *
   * @param source address there of bytes without gaps
   */
  boolean read(SharedMemory memory, int peer, long source, Place to, long toUnit, long bytes) {
    try {
      if (to.hasAddress() && to.plan.isContiguous()) {
        return memory.read(peer, source, to.address(toUnit) + to.plan.trueLowerBound(), bytes);
      }
      long stage = tile(Math.min(bytes, TILE_BYTES));
      long count = to.count(bytes);
      for (long done = 0; done < bytes; done += tileBytes) {
        long n = Math.min(tileBytes, bytes - done);
        if (!memory.read(peer, source + done, stage, n)) {
          return false;
        }
        to.plan.unpack(stage, to.kind, to.owner, to.at(toUnit), count, done, n);
      }
      return true;
    } finally {
      Reference.reachabilityFence(to.owner);
      Reference.reachabilityFence(this);
    }
  }

  /** Computes {@code right = left op right} on {@code units} elements. */
  void reduce(ReduceKernel kernel, Place left, long leftUnit, Place right, long rightUnit, long units) {
    if (units == 0) {
      return;
    }
    try {
      if (left.hasAddress()) {
        reduceFrom(kernel, left.address(leftUnit), right, rightUnit, units);
      } else {
        reduceTiled(kernel, left, leftUnit, right, rightUnit, units);
      }
    } finally {
      Reference.reachabilityFence(left.owner);
      Reference.reachabilityFence(right.owner);
      Reference.reachabilityFence(this);
    }
  }

  private static void reduceFrom(ReduceKernel kernel, long left, Place right, long rightUnit, long units) {
    if (right.hasAddress()) {
      kernel.reduce(left, right.address(rightUnit), units);
    } else {
      kernel.reduce(left, right.owner, right.kind, right.at(rightUnit), units);
    }
  }

  private void reduceTiled(ReduceKernel kernel, Place left, long leftUnit, Place right, long rightUnit, long units) {
    Plan plan = left.plan;
    long chunk = Math.max(1, Math.min(units, TILE_BYTES / Math.max(1, Math.abs(plan.extent()))));
    // The kernel takes elements as they lie in a buffer, gaps included: the tile is such a buffer.
    long lowest = Place.firstByte(plan, chunk);
    long base = tile(Place.endByte(plan, chunk) - lowest) - lowest;
    for (long done = 0; done < units; done += chunk) {
      long n = Math.min(chunk, units - done);
      if (plan.isContiguous()) {
        Memory.read(left.kind, left.owner, start(left, leftUnit + done), base + lowest, n * plan.size());
      } else {
        spread(left, leftUnit + done, n, base);
      }
      reduceFrom(kernel, base, right, rightUnit + done, n);
    }
  }

  /** Copies elements with gaps from memory without an address to the tile, each where its gaps are kept. */
  private static void spread(Place from, long fromUnit, long units, long base) {
    Plan plan = from.plan;
    long span = plan.trueExtent();
    for (long i = 0; i < units; i++) {
      // Whole elements, gaps and all: kernels ignore what is in gaps.
      long element = i * plan.extent() + plan.trueLowerBound();
      Memory.read(from.kind, from.owner, from.at(fromUnit) + element, base + element, span);
    }
  }

  private long tile(long bytes) {
    if (tileBytes < bytes) {
      // No arena of its own to close: the segment goes when the execution does.
      tile = Arena.ofAuto().allocate(bytes, 64);
      tileAddress = Raw.address(tile);
      tileBytes = bytes;
    }
    return tileAddress;
  }
}
