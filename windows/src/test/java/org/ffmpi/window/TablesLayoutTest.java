// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.Map;
import org.ffmpi.base.raw.Raw;
import org.junit.jupiter.api.Test;

/** The words of stripes, access logs and attachment tables are where their diagrams show them. */
class TablesLayoutTest {
  @Test
  void stripes() throws IllegalAccessException {
    Offsets.assertAgree(StripeLayout.class, Map.of(), StripeLayout.Shape.LAYOUT);
    assertEquals(StripeLayout.BYTES, StripeLayout.Shape.LAYOUT.byteSize());
    assertEquals(64, StripeLayout.BYTES, "a cache line");
    assertEquals(48, StripeLayout.SCRATCH_BYTES);
    assertEquals(0, StripeLayout.SCRATCH_OFFSET % 16, "scratch memory is aligned for every element");
    assertEquals(StripeLayout.SCRATCH_OFFSET, StripeLayout.scratchAddress(0));
    try (Arena arena = Arena.ofConfined()) {
      long stripe = Raw.address(arena.allocate(StripeLayout.BYTES, 64));
      assertTrue(StripeLayout.casHolder(stripe, 0, 3));
      assertEquals(3, StripeLayout.getOpaqueHolder(stripe));
      assertEquals(3, Raw.getLong(stripe));
      StripeLayout.setReleaseFree(stripe);
      assertEquals(0, StripeLayout.getOpaqueHolder(stripe));
    }
  }

  @Test
  void accessLog() throws IllegalAccessException {
    Offsets.assertAgree(AccessLogLayout.class, Map.of("ENTRIES_OFFSET", AccessLogLayout.Shape.HEAD.byteSize()),
        AccessLogLayout.Shape.HEAD, AccessLogLayout.Shape.ENTRY);
    assertEquals(AccessLogLayout.ENTRY_BYTES, AccessLogLayout.Shape.ENTRY.byteSize());
    assertEquals(StripeLayout.HOLDER_OFFSET, AccessLogLayout.HOLDER_OFFSET, "Stripes acquires the lock of a log");
    assertEquals(AccessLogLayout.BYTES, AccessLogLayout.entryAddress(0, AccessLogLayout.CAPACITY));
    try (Arena arena = Arena.ofConfined()) {
      long log = Raw.address(arena.allocate(AccessLogLayout.BYTES, 64));
      AccessLogLayout.setPlainLength(log, 2);
      assertEquals(2, AccessLogLayout.getPlainLength(log));
      long entry = AccessLogLayout.entryAddress(log, 1);
      AccessLogLayout.setPlainEntry(entry, 1, 2, 3, 6, 4, 5);
      assertEquals(1, AccessLogLayout.getPlainRank(entry));
      assertEquals(2, AccessLogLayout.getPlainKind(entry));
      assertEquals(3, AccessLogLayout.getPlainEpoch(entry));
      assertEquals(6, AccessLogLayout.getPlainSerial(entry));
      assertEquals(4, AccessLogLayout.getPlainFirst(entry));
      assertEquals(5, AccessLogLayout.getPlainEnd(entry));
    }
  }

  @Test
  void attachmentTable() throws IllegalAccessException {
    Offsets.assertAgree(AttachmentTableLayout.class, Map.of(), AttachmentTableLayout.Shape.ENTRY);
    assertEquals(AttachmentTableLayout.ENTRY_BYTES, AttachmentTableLayout.Shape.ENTRY.byteSize());
    assertEquals(AttachmentTableLayout.bytes(3), AttachmentTableLayout.entryAddress(0, 3));
    try (Arena arena = Arena.ofConfined()) {
      long entry = Raw.address(arena.allocate(AttachmentTableLayout.ENTRY_BYTES, 8));
      AttachmentTableLayout.setPlainEntry(entry, 1, 2, 3);
      assertEquals(1, AttachmentTableLayout.getPlainAddress(entry));
      assertEquals(2, AttachmentTableLayout.getPlainBytes(entry));
      assertEquals(3, AttachmentTableLayout.getPlainOffset(entry));
    }
  }
}
