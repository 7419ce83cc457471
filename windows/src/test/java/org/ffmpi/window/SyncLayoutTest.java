// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.ffmpi.base.raw.Raw;
import org.junit.jupiter.api.Test;

/** The words of a synchronization block are where its diagram shows them, and none overlaps another one. */
class SyncLayoutTest {
  private static final int RANKS = 5;

  @Test
  void wordsAreWhereTheDiagramShowsThem() throws IllegalAccessException {
    Offsets.assertAgree(SyncLayout.class,
        Map.of("STRIPES_OFFSET", SyncLayout.Shape.WORDS.byteSize(), "POSTS_OFFSET", 128 + 64L * Stripes.COUNT),
        SyncLayout.Shape.WORDS);
    assertEquals(0, SyncLayout.lockAddress(0));
    assertEquals(128, SyncLayout.stripeAddress(0, 0));
    assertEquals(128 + 64, SyncLayout.stripeAddress(0, 1));
    assertEquals(Set.of(64L, 72L, 80L), written(block -> {
      Attachments.beginChange(block);
      Attachments.endChange(block, 1, 1);
    }));
    long posts = 128 + 64L * Stripes.COUNT;
    for (int by = 0; by < RANKS; by++) {
      int rank = by;
      assertEquals(Set.of(posts + 16L * by), written(block -> SyncLayout.incrementPosts(block, rank)));
      assertEquals(Set.of(posts + 16L * by + 8), written(block -> SyncLayout.incrementCompletes(block, rank)));
    }
    assertEquals(SyncLayout.bytes(RANKS), SyncLayout.logAddress(0, RANKS));
    assertTrue(posts + 16L * RANKS <= SyncLayout.bytes(RANKS));
  }

  @Test
  void wordsOfDifferentRanksLieInDifferentLines() {
    Set<Long> lines = new HashSet<>(Set.of(SyncLayout.lockAddress(0) / 64, 1L));
    for (int stripe = 0; stripe < Stripes.COUNT; stripe++) {
      assertTrue(lines.add(SyncLayout.stripeAddress(0, stripe) / 64), "stripe " + stripe + " shares a line");
    }
    assertEquals(0, SyncLayout.bytes(RANKS) % 64, "blocks begin with a line");
    assertNotEquals(SyncLayout.bytes(1), SyncLayout.bytes(64), "posts grow with the ranks");
  }

  @Test
  void whatIsWrittenIsRead() {
    try (Arena arena = Arena.ofConfined()) {
      long block = Raw.address(arena.allocate(SyncLayout.bytes(RANKS), 64));
      SyncLayout.incrementCompletes(block, 1);
      SyncLayout.incrementPosts(block, 3);
      Attachments.beginChange(block);
      assertEquals(1, SyncLayout.getAcquireAttachVersion(block), "odd while it changes");
      Attachments.endChange(block, 4096, 7);
      assertEquals(1, SyncLayout.getAcquireCompletes(block, 1));
      assertEquals(0, SyncLayout.getAcquireCompletes(block, 3));
      assertEquals(1, SyncLayout.getAcquirePosts(block, 3));
      assertEquals(0, SyncLayout.getAcquirePosts(block, 2));
      assertEquals(4096, SyncLayout.getOpaqueAttachTable(block));
      assertEquals(7, SyncLayout.getOpaqueAttachCount(block));
      assertTrue(Attachments.isUnchanged(block, 2));
    }
  }

  /** Returns the offsets of the words that an action changes in a zeroed block. */
  private static Set<Long> written(LongConsumer action) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(SyncLayout.bytes(RANKS), 64);
      action.accept(Raw.address(block));
      Set<Long> offsets = new HashSet<>();
      for (long at = 0; at < block.byteSize(); at += Long.BYTES) {
        if (Raw.getLong(Raw.address(block) + at) != 0) {
          offsets.add(at);
        }
      }
      return offsets;
    }
  }
}
