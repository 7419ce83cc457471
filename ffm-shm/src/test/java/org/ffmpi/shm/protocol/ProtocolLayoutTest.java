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
    assertEquals(List.of("sequence", "info"), members.subList(0, 2).stream().map(m -> m.name().orElseThrow()).toList());
    assertEquals(RingLayout.BODY_OFFSET, members.get(0).byteSize() + members.get(1).byteSize());
    // The ring's own words have their constants in the ring; as padding they keep the others' places.
    MemoryLayout[] own = members.toArray(MemoryLayout[]::new);
    own[0] = MemoryLayout.paddingLayout(4);
    own[1] = MemoryLayout.paddingLayout(4);
    LayoutChecks.assertAgree(EnvelopeLayout.class, Set.of("PAYLOAD_OFFSET"), MemoryLayout.structLayout(own));
    assertEquals(
        EnvelopeLayout.PAYLOAD_OFFSET, whole.byteOffset(MemoryLayout.PathElement.groupElement("total")));
    assertEquals(RingLayout.SLOT_BYTES - EnvelopeLayout.PAYLOAD_OFFSET, EnvelopeLayout.INLINE_BYTES);
  }

  @Test
  void infoWordKeepsItsParts() {
    int flags = EnvelopeLayout.SYNCHRONOUS | EnvelopeLayout.CANCELLABLE | EnvelopeLayout.STRIDED
        | EnvelopeLayout.READABLE | EnvelopeLayout.SIGNED;
    for (int length = 0; length <= EnvelopeLayout.INLINE_BYTES; length++) {
      int info = EnvelopeLayout.inlineInfo(length);
      assertEquals(EnvelopeLayout.INLINE, EnvelopeLayout.kind(info));
      assertEquals(length, EnvelopeLayout.inlineLength(info));
      assertEquals(0, info & flags);
      assertEquals(EnvelopeLayout.INLINE, EnvelopeLayout.kind(info | flags));
      assertEquals(length, EnvelopeLayout.inlineLength(info | flags));
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
