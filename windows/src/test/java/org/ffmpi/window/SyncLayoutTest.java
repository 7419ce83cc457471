// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;
import org.ffmpi.base.raw.Raw;
import org.junit.jupiter.api.Test;

/** The words of a synchronization block are where its diagram shows them, and none overlaps another one. */
class SyncLayoutTest {
  private static final int RANKS = 5;

  @Test
  void wordsAreWhereTheDiagramShowsThem() {
    assertEquals(0, SyncLayout.lock(0));
    assertEquals(128, SyncLayout.stripe(0, 0));
    assertEquals(128 + 64, SyncLayout.stripe(0, 1));
    assertEquals(16, SyncLayout.scratch(0));
    assertEquals(48, SyncLayout.SCRATCH_BYTES);
    assertEquals(Set.of(64L), written(block -> SyncLayout.addComplete(block)));
    assertEquals(Set.of(72L, 80L, 88L), written(block -> {
      SyncLayout.beginAttaching(block);
      SyncLayout.endAttaching(block, 1, 1);
    }));
    long posts = 128 + 64L * Stripes.COUNT;
    for (int by = 0; by < RANKS; by++) {
      int rank = by;
      assertEquals(Set.of(posts + 8L * by), written(block -> SyncLayout.addPost(block, rank)));
    }
    assertEquals(SyncLayout.bytes(RANKS), SyncLayout.log(0, RANKS));
    assertTrue(posts + 8L * RANKS <= SyncLayout.bytes(RANKS));
  }

  @Test
  void wordsOfDifferentRanksLieInDifferentLines() {
    Set<Long> lines = new HashSet<>(Set.of(SyncLayout.lock(0) / 64, 1L));
    for (int stripe = 0; stripe < Stripes.COUNT; stripe++) {
      assertTrue(lines.add(SyncLayout.stripe(0, stripe) / 64), "stripe " + stripe + " shares a line");
    }
    assertEquals(0, SyncLayout.bytes(RANKS) % 64, "blocks begin with a line");
    assertNotEquals(SyncLayout.bytes(1), SyncLayout.bytes(64), "posts grow with the ranks");
  }

  @Test
  void whatIsWrittenIsRead() {
    try (Arena arena = Arena.ofConfined()) {
      long block = Raw.address(arena.allocate(SyncLayout.bytes(RANKS), 64));
      SyncLayout.addComplete(block);
      SyncLayout.addPost(block, 3);
      SyncLayout.beginAttaching(block);
      assertEquals(1, SyncLayout.attachVersion(block), "odd while it changes");
      SyncLayout.endAttaching(block, 4096, 7);
      assertEquals(1, SyncLayout.completes(block));
      assertEquals(1, SyncLayout.posts(block, 3));
      assertEquals(0, SyncLayout.posts(block, 2));
      assertEquals(4096, SyncLayout.attachTable(block));
      assertEquals(7, SyncLayout.attachCount(block));
      assertTrue(SyncLayout.isAttachVersion(block, 2));
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
