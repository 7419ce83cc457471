// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.SharedMemory;
import org.ffmpi.spi.WindowWatch;

/**
 * The memory that this rank has attached to a dynamic window, and its publication in shared memory: a sorted table
 * ({@link AttachmentTableLayout}) under a version that is odd while the table changes, so that readers need no lock.
 * Any thread; one at a time changes it.
 */
final class Attachments implements LocalPart {
  private static final int FIRST_CAPACITY = 16;

  private final WindowState state;
  private final SharedMemory shared;
  private final long block;
  private final TreeMap<Long, MemorySegment> attached = new TreeMap<>();
  /** Addresses of attached memory of no bytes, which overlaps nothing and is not published. */
  private final List<Long> empty = new ArrayList<>();
  private MemorySegment table;
  /** Null unless races are looked for. */
  private WindowWatch watch;
  private long capacity;

  /**
   * Creates an empty set of attachments.
   *
   * @param shared null without shared memory, where nothing is published
   * @param block address of this rank's synchronization block
   */
  Attachments(WindowState state, SharedMemory shared, long block) {
    this.state = state;
    this.shared = shared;
    this.block = block;
  }

  /** Sets the watch of the window, before the program uses it. */
  void setWatch(WindowWatch found) {
    watch = found;
  }

  // ---- this rank's attachments

  synchronized void attach(MemorySegment memory) {
    checkMemory(memory);
    long address = Raw.address(memory);
    if (memory.byteSize() == 0) {
      empty.add(address);
      return;
    }
    Map.Entry<Long, MemorySegment> below = attached.floorEntry(address + memory.byteSize() - 1);
    if (below != null && below.getKey() + below.getValue().byteSize() > address) {
      throw new MpiException(
          ErrorClass.ERR_RMA_ATTACH, "memory: " + memory + " overlaps " + below.getValue() + ", which is attached");
    }
    attached.put(address, memory);
    publish();
    if (watch != null) {
      watch.attached(memory);
    }
  }

  private static void checkMemory(MemorySegment memory) {
    if (memory == null || !memory.isNative() || memory.isReadOnly() || !Memory.isAlive(memory)) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "memory", memory, "off-heap segments that can be written");
    }
  }

  synchronized void detach(MemorySegment memory) {
    if (memory != null && memory.isNative() && memory.byteSize() == 0 && empty.remove((Long) Raw.address(memory))) {
      return;
    }
    MemorySegment there = memory == null || !memory.isNative() ? null : attached.get(Raw.address(memory));
    if (there == null || there.byteSize() != memory.byteSize()) {
      throw MpiException.argument(ErrorClass.ERR_RMA_ATTACH, "memory", memory, "segments that are attached");
    }
    attached.remove(Raw.address(memory));
    publish();
    if (watch != null) {
      watch.detached(memory);
    }
  }

  private void publish() {
    if (shared == null) {
      return;
    }
    MemorySegment before = table; // readers may use it until this method returns
    if (attached.size() > capacity) {
      capacity = Math.max(FIRST_CAPACITY, 2 * capacity);
      table = state.engine.allocateCollecting(AttachmentTableLayout.bytes(capacity), Long.BYTES, null);
    }
    beginChange(block);
    long entry = table == null ? 0 : Raw.address(table);
    for (Map.Entry<Long, MemorySegment> attachment : attached.entrySet()) {
      long bytes = attachment.getValue().byteSize();
      boolean closable = Memory.kindOf(attachment.getValue()) != Memory.NATIVE;
      AttachmentTableLayout.setPlainEntry(entry, attachment.getKey(), bytes,
          closable ? SharedMemory.NOT_SHARED : shared.offset(attachment.getKey(), bytes));
      entry += AttachmentTableLayout.ENTRY_BYTES;
    }
    endChange(
        block, table == null ? 0 : shared.offset(Raw.address(table), AttachmentTableLayout.bytes(capacity)),
        attached.size());
    Reference.reachabilityFence(before);
  }

  /** Makes the version odd before anything else changes. */
  static void beginChange(long block) {
    SyncLayout.setOpaqueAttachVersion(block, SyncLayout.getOpaqueAttachVersion(block) + 1);
    VarHandle.storeStoreFence();
  }

  /** Publishes the table with the next even version. */
  static void endChange(long block, long table, long entries) {
    SyncLayout.setOpaqueAttachTable(block, table);
    SyncLayout.setOpaqueAttachCount(block, entries);
    SyncLayout.setReleaseAttachVersion(block, SyncLayout.getOpaqueAttachVersion(block) + 1);
  }

  /** Returns whether all that was read since a version was read is of that version. */
  static boolean isUnchanged(long block, long version) {
    VarHandle.loadLoadFence();
    return SyncLayout.getOpaqueAttachVersion(block) == version;
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

  // ---- any rank's attachments

  /** Returns whether one attachment contains all bytes between two addresses of its owner. */
  static boolean covers(SharedMemory shared, long block, long first, long end) {
    return find(shared, block, first, end) != null;
  }

  /** Returns the address in this process of a position in an attachment; 0 when the attachment is not shared. */
  static long address(SharedMemory shared, long block, long position, long low) {
    Attachment found = find(shared, block, position + low, position + low);
    return found == null || found.offset == SharedMemory.NOT_SHARED
        ? 0
        : shared.address(found.offset, found.bytes) + (position - found.address);
  }

  /** An entry of the table. */
  private record Attachment(long address, long bytes, long offset) {}

  /** Returns the attachment that contains all bytes between two addresses, or null. */
  private static Attachment find(SharedMemory shared, long block, long first, long end) {
    while (true) {
      long version = SyncLayout.getAcquireAttachVersion(block);
      if ((version & 1) == 0) {
        Attachment found = find(shared, block, version, first, end);
        if (isUnchanged(block, version)) {
          return found;
        }
      }
      Thread.onSpinWait();
    }
  }

  private static Attachment find(SharedMemory shared, long block, long version, long first, long end) {
    long table = SyncLayout.getOpaqueAttachTable(block);
    long count = SyncLayout.getOpaqueAttachCount(block);
    if (count == 0 || !isUnchanged(block, version)) {
      return null; // a count and a table of two versions must not be used together
    }
    long entries = shared.address(table, AttachmentTableLayout.bytes(count));
    long low = 0;
    long high = count;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (AttachmentTableLayout.getPlainAddress(AttachmentTableLayout.entryAddress(entries, middle)) <= first) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0) {
      return null;
    }
    long entry = AttachmentTableLayout.entryAddress(entries, low - 1);
    Attachment found = new Attachment(AttachmentTableLayout.getPlainAddress(entry),
        AttachmentTableLayout.getPlainBytes(entry), AttachmentTableLayout.getPlainOffset(entry));
    return end <= found.address + found.bytes ? found : null;
  }
}
