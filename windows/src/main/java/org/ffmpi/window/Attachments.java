// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.SharedMemory;

/**
 * What this rank has attached to a dynamic window, and how it publishes that: as a sorted table in shared memory, of
 * address, bytes, and offset in shared memory or {@link SharedMemory#NOT_SHARED}. A version that is odd while the table
 * changes lets readers do without a lock. Any thread; one at a time changes it.
 */
final class Attachments implements OwnPart {
  private static final int ENTRY = 24;
  private static final int FIRST_CAPACITY = 16;

  private final WindowState state;
  private final SharedMemory shared;
  private final long block;
  private final TreeMap<Long, MemorySegment> attached = new TreeMap<>();
  private MemorySegment table;
  private long capacity;

  /**
   * Begins with nothing.
   *
   * @param shared null where nothing is published
   * @param block address of this rank's synchronization block
   */
  Attachments(WindowState state, SharedMemory shared, long block) {
    this.state = state;
    this.shared = shared;
    this.block = block;
  }

  // ---- this rank's

  synchronized void attach(MemorySegment memory) {
    checkMemory(memory);
    long address = Raw.address(memory);
    Map.Entry<Long, MemorySegment> below = attached.floorEntry(address + memory.byteSize() - 1);
    if (below != null && below.getKey() + below.getValue().byteSize() > address) {
      throw new MpiException(
          ErrorClass.ERR_RMA_ATTACH, "memory: " + memory + " overlaps " + below.getValue() + ", which is attached");
    }
    attached.put(address, memory);
    publish();
  }

  private static void checkMemory(MemorySegment memory) {
    if (memory == null || !memory.isNative() || memory.isReadOnly() || memory.byteSize() == 0
        || !Memory.isAlive(memory)) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "memory", memory, "off-heap segments of at least a byte that can be written");
    }
  }

  synchronized void detach(MemorySegment memory) {
    MemorySegment there = memory == null || !memory.isNative() ? null : attached.get(Raw.address(memory));
    if (there == null || there.byteSize() != memory.byteSize()) {
      throw MpiException.argument(ErrorClass.ERR_RMA_ATTACH, "memory", memory, "segments that are attached");
    }
    attached.remove(Raw.address(memory));
    publish();
  }

  private void publish() {
    if (shared == null) {
      return;
    }
    MemorySegment before = table; // stays until this method is over, for readers of it
    if (attached.size() > capacity) {
      capacity = Math.max(FIRST_CAPACITY, 2 * capacity);
      Engine engine = state.engine;
      table = engine.allocateCollecting(capacity * ENTRY, Long.BYTES, null);
    }
    SyncLayout.beginAttaching(block);
    long at = table == null ? 0 : Raw.address(table);
    for (Map.Entry<Long, MemorySegment> entry : attached.entrySet()) {
      long bytes = entry.getValue().byteSize();
      boolean free = Memory.kindOf(entry.getValue()) == Memory.NATIVE;
      Raw.putLong(at, entry.getKey());
      Raw.putLong(at + 8, bytes);
      Raw.putLong(at + 16, free ? shared.offset(entry.getKey(), bytes) : SharedMemory.NOT_SHARED);
      at += ENTRY;
    }
    SyncLayout.endAttaching(
        block, table == null ? 0 : shared.offset(Raw.address(table), capacity * ENTRY), attached.size());
    Reference.reachabilityFence(before);
  }

  @Override
  public synchronized Place locate(long position, long count, Plan plan) {
    long low = position + plan.trueLowerBound();
    NavigableMap<Long, MemorySegment> below = attached.headMap(low, true);
    if (count == 0 || plan.size() == 0) {
      return new Place(Memory.NATIVE, null, position);
    }
    if (below.isEmpty()) {
      throw notAttached(position);
    }
    MemorySegment segment = below.lastEntry().getValue();
    long start = position - below.lastKey();
    try {
      Memory.checkBounds("attached memory", segment.byteSize(), start, count, plan.extent(), plan.trueLowerBound(),
          plan.trueExtent());
    } catch (MpiException e) {
      throw notAttached(position);
    }
    return new Place(Memory.kindOf(segment), Memory.ownerOf(segment), Memory.offsetOf(segment) + start);
  }

  private static MpiException notAttached(long position) {
    return new MpiException(
        ErrorClass.ERR_RMA_RANGE, "disp = " + position + ": these bytes are not attached in one piece at the target");
  }

  // ---- of any rank

  /** Returns whether one attachment has all bytes between two addresses of its owner. */
  static boolean covers(SharedMemory shared, long block, long first, long end) {
    return find(shared, block, first, end) != null;
  }

  /** Returns where in this process a byte of an attachment lies; 0 when it is not shared. */
  static long address(SharedMemory shared, long block, long position, long low) {
    long[] found = find(shared, block, position + low, position + low);
    return found == null || found[2] == SharedMemory.NOT_SHARED
        ? 0
        : shared.address(found[2], found[1]) + (position - found[0]);
  }

  /** Returns the attachment that has all bytes between two addresses, or null. */
  private static long[] find(SharedMemory shared, long block, long first, long end) {
    while (true) {
      long version = SyncLayout.attachVersion(block);
      if ((version & 1) == 0) {
        long[] found = find(shared, SyncLayout.attachTable(block), SyncLayout.attachCount(block), first, end, block,
            version);
        if (SyncLayout.isAttachVersion(block, version)) {
          return found;
        }
      }
      Thread.onSpinWait();
    }
  }

  private static long[] find(
      SharedMemory shared, long table, long count, long first, long end, long block, long version) {
    if (count == 0 || !SyncLayout.isAttachVersion(block, version)) {
      return null;
    }
    long entries = shared.address(table, count * ENTRY);
    long low = 0;
    long high = count;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (Raw.getLong(entries + middle * ENTRY) <= first) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0) {
      return null;
    }
    long entry = entries + (low - 1) * ENTRY;
    long[] found = {Raw.getLong(entry), Raw.getLong(entry + 8), Raw.getLong(entry + 16)};
    return end <= found[0] + found[1] ? found : null;
  }
}
