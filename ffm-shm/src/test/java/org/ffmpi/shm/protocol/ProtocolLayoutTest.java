// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.util.List;
import java.util.Set;
import org.ffmpi.shm.LayoutChecks;
import org.ffmpi.shm.ring.RingLayout;
import org.junit.jupiter.api.Test;

/** The offsets of envelopes, completion words and pipes are those of their layouts. */
class ProtocolLayoutTest {
  @Test
  void envelope() {
    StructLayout whole = EnvelopeLayout.Shape.LAYOUT;
    assertTrue(whole.byteSize() <= RingLayout.SLOT_BYTES, "an envelope fits into a slot");
    List<MemoryLayout> members = whole.memberLayouts();
    assertEquals("head", members.get(0).name().orElseThrow());
    assertEquals(RingLayout.BODY_OFFSET, members.get(0).byteSize());
    // The ring's own word has its constant in the ring; as padding it keeps the others' places.
    MemoryLayout[] own = members.toArray(MemoryLayout[]::new);
    own[0] = MemoryLayout.paddingLayout(8);
    LayoutChecks.assertAgree(EnvelopeLayout.class, Set.of("PAYLOAD_OFFSET"), MemoryLayout.structLayout(own));
    assertEquals(
        EnvelopeLayout.PAYLOAD_OFFSET, whole.byteOffset(MemoryLayout.PathElement.groupElement("total")));
    assertEquals(RingLayout.SLOT_BYTES - EnvelopeLayout.PAYLOAD_OFFSET, EnvelopeLayout.INLINE_BYTES);
  }

  @Test
  void infoKeepsItsParts() {
    for (int tag : new int[] {0, 1, 0xffff, 1 << 16, Integer.MAX_VALUE}) {
      for (int length = 0; length <= EnvelopeLayout.INLINE_BYTES; length++) {
        long info = EnvelopeLayout.inlineInfo(length, tag);
        assertEquals(0, info >>> Long.SIZE - 16, "48 bits");
        assertEquals(EnvelopeLayout.INLINE, EnvelopeLayout.kind(EnvelopeLayout.form(info)));
        assertEquals(length, EnvelopeLayout.inlineLength(info));
        assertEquals(tag, EnvelopeLayout.tag(info));
      }
      int flags = EnvelopeLayout.SYNCHRONOUS | EnvelopeLayout.CANCELLABLE | EnvelopeLayout.STRIDED
          | EnvelopeLayout.READABLE | EnvelopeLayout.SIGNED | EnvelopeLayout.READY;
      for (int kind = EnvelopeLayout.EAGER; kind <= EnvelopeLayout.FAILED; kind++) {
        assertEquals(0, kind & flags);
        long info = EnvelopeLayout.info(kind | flags, tag);
        assertEquals(kind, EnvelopeLayout.kind(EnvelopeLayout.form(info)));
        assertEquals(kind | flags, EnvelopeLayout.form(info));
        assertEquals(-1, EnvelopeLayout.inlineLength(info));
        assertEquals(tag, EnvelopeLayout.tag(info));
      }
    }
  }

  @Test
  void completionWord() {
    LayoutChecks.assertAgree(CompletionWordLayout.class, Set.of(), CompletionWordLayout.Shape.LAYOUT);
    assertEquals(CompletionWordLayout.BYTES, CompletionWordLayout.Shape.LAYOUT.byteSize());
  }

  @Test
  void packet() {
    LayoutChecks.assertAgree(PacketLayout.class, Set.of(), PacketLayout.Shape.LAYOUT);
    assertEquals(PacketLayout.BYTES, PacketLayout.Shape.LAYOUT.byteSize());
  }

  @Test
  void pipe() {
    LayoutChecks.assertAgree(PipeLayout.class, Set.of("DATA_OFFSET"), PipeLayout.Shape.LAYOUT);
    assertEquals(PipeLayout.DATA_OFFSET, PipeLayout.Shape.LAYOUT.byteSize());
    LayoutChecks.assertApart(
        PipeLayout.Shape.LAYOUT, List.of(List.of("tail"), List.of("head"), List.of("capacity")));
    assertEquals(PipeLayout.DATA_OFFSET + 4096, PipeLayout.bytes(4096));
  }

  @Test
  void pipeCapacities() {
    assertTrue(PipeLayout.isCapacity(PipeLayout.MIN_CAPACITY));
    assertTrue(PipeLayout.isCapacity(PipeLayout.MAX_CAPACITY));
    for (long bad : new long[] {Long.MIN_VALUE, -256, 0, 128, 257, 2L * PipeLayout.MAX_CAPACITY}) {
      assertFalse(PipeLayout.isCapacity(bad), bad + " bytes");
    }
    assertEquals(0, PipeLayout.padded(0));
    assertEquals(64, PipeLayout.padded(1));
    assertEquals(64, PipeLayout.padded(64));
    assertEquals(128, PipeLayout.padded(65));
  }
}
