// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.region;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.SharedMemory;
import org.ffmpi.spi.Survival;

/**
 * The memory of regions that one rank has allocated for itself and others. The last rank to leave a region cannot
 * release memory that is not its own: the owner looks for regions that all have left when it makes the next one.
 */
public final class OwnedRegions {
  /** Stands for an offset when there is no memory for a region; ranks broadcast it. */
  public static final long NONE = -1;

  private static final long ALIGNMENT = 128;

  /** Peers by rank in a job that outlives its dead, otherwise null. */
  private record Owned(Arena arena, long address, int ranks, int[] peers, int slots, long capacity) {
    /** Returns whether all ranks have left, those that have failed aside. */
    boolean isLeft(Engine engine) {
      if (RegionLayout.getAcquireLeft(address) == ranks || peers == null) {
        return RegionLayout.getAcquireLeft(address) == ranks;
      }
      for (int rank = 0; rank < ranks; rank++) {
        long part = RegionLayout.part(address, rank, slots, capacity);
        if (RegionLayout.getAcquirePartGone(part) == 0 && !hasFailed(engine.survival(), peers[rank])) {
          return false;
        }
      }
      return true;
    }

    private static boolean hasFailed(Survival survival, int peer) {
      int failed;
      for (int index = 0; (failed = survival.failed(index)) != Survival.NOBODY; index++) {
        if (failed == peer) {
          return true;
        }
      }
      return false;
    }
  }

  private final List<Owned> owned = new ArrayList<>();

  /** Regions that the rank takes part in, those of other ranks too. */
  private final AtomicInteger used = new AtomicInteger();

  /** Allocates a region; returns its offset, or {@link #NONE} when there is no memory. */
  public synchronized long allocate(Channel channel, int slots, long capacity) {
    Engine engine = channel.engine();
    int ranks = channel.size();
    for (Iterator<Owned> all = owned.iterator(); all.hasNext();) {
      Owned one = all.next();
      if (one.isLeft(engine)) {
        all.remove();
        one.arena.close();
      }
    }
    Arena arena = Arena.ofShared();
    try {
      long bytes = Region.bytes(ranks, slots, capacity);
      MemorySegment segment = engine.allocateShared(bytes, ALIGNMENT, arena);
      long address = Raw.address(segment);
      owned.add(new Owned(
          arena, address, ranks, engine.survival() == null ? null : channel.local().toArray(), slots, capacity));
      return engine.sharedMemory().offset(address, bytes);
    } catch (MpiException full) {
      arena.close();
      return NONE;
    }
  }

  /** Releases all regions when the rank uses its engine no more; a mapping ends when it is no longer used. */
  public synchronized void close() {
    owned.forEach(one -> one.arena.close());
    owned.clear();
  }

  /** Takes part in the region that a rank has allocated. */
  public Region open(Channel channel, long offset, int slots, long capacity) {
    SharedMemory memory = channel.engine().sharedMemory();
    MemorySegment segment = memory.view(offset, Region.bytes(channel.size(), slots, capacity));
    return new Region(memory, segment, Raw.address(segment), channel, slots, capacity, used);
  }

  /** Returns the number of regions that the rank takes part in. */
  public int used() {
    return used.get();
  }
}
