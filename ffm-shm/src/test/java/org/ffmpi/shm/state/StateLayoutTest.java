// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.LayoutChecks;
import org.ffmpi.shm.segment.JobLayout;
import org.ffmpi.shm.state.RankState.Communicator;
import org.ffmpi.shm.state.RankState.Kind;
import org.ffmpi.shm.state.RankState.Message;
import org.ffmpi.shm.state.RankState.Queues;
import org.ffmpi.shm.state.RankState.Traffic;
import org.ffmpi.shm.state.RankState.Wait;
import org.junit.jupiter.api.Test;

/** A rank's account lies where its layouts say, and is read whole. */
class StateLayoutTest {
  @Test
  void offsetsAreThoseOfTheLayouts() {
    LayoutChecks.assertAgree(
        StateLayout.class, Set.of(), StateLayout.Shape.HEAD, StateLayout.Shape.WAIT, StateLayout.Shape.MESSAGE,
        StateLayout.Shape.COMMUNICATOR);
    assertEquals(StateLayout.WAIT_TABLE, StateLayout.Shape.HEAD.byteSize());
    assertEquals(StateLayout.WAIT_BYTES, StateLayout.Shape.WAIT.byteSize());
    assertEquals(StateLayout.MESSAGE_BYTES, StateLayout.Shape.MESSAGE.byteSize());
    assertEquals(StateLayout.COMMUNICATOR_BYTES, StateLayout.Shape.COMMUNICATOR.byteSize());
    assertEquals(3200, StateBlock.BYTES);
    assertTrue(StateBlock.BYTES <= JobLayout.PAGE, "the segment has a page for it");
  }

  /** An account all of whose numbers follow from one. */
  private static RankState state(int seed, int messages) {
    List<Message> list = IntStream.range(0, messages).mapToObj(i -> new Message(seed, i, seed, seed + i)).toList();
    Wait wait = new Wait("MPI_Send" + seed, Kind.SEND, seed, seed + 1, -seed, seed, seed % 16, seed, seed * 7L);
    return new RankState(
        Collections.nCopies(3, wait), new Traffic(seed, seed, seed, seed, seed), new Queues(seed, seed, seed, seed),
        list, list, list, List.of(new Communicator(seed, seed, seed, seed, "grün " + seed)));
  }

  @Test
  void whatIsWrittenIsRead() {
    try (Arena arena = Arena.ofConfined()) {
      long block = Raw.address(arena.allocate(StateBlock.BYTES, 8));
      assertEquals(RankState.NONE, StateBlock.read(block), "zeros are a rank that has said nothing");
      StateBlock.write(block, state(5, 16));
      assertEquals(state(5, 16), StateBlock.read(block));
      StateBlock.write(block, state(6, 40));
      assertEquals(state(6, 16), StateBlock.read(block), "what has no room is left out");
      String name = "ü".repeat(40);
      StateBlock.write(
          block,
          new RankState(
              List.of(), RankState.NONE.traffic(), RankState.NONE.queues(), List.of(), List.of(), List.of(),
              List.of(new Communicator(0, 1, 0, 2, "a" + name))));
      assertEquals("a" + name.substring(0, 21), StateBlock.read(block).communicators().getFirst().name());
    }
  }

  @Test
  void aWriterThatDiedIsNoticedAndNothingIsTrusted() {
    try (Arena arena = Arena.ofConfined()) {
      long block = Raw.address(arena.allocate(StateBlock.BYTES, 8));
      Raw.putInt(block, 7);
      assertNull(StateBlock.read(block));
      StateBlock.write(block, RankState.NONE);
      assertEquals(RankState.NONE, StateBlock.read(block));
      Raw.fill(block, StateBlock.BYTES, (byte) 0x7e);
      RankState wild = StateBlock.read(block);
      assertNotNull(wild);
      assertEquals(StateBlock.MOST_WAITS, wild.waits().size());
    }
  }

  @Test
  void readersSeeWholeAccounts() throws InterruptedException {
    try (Arena arena = Arena.ofShared()) {
      long block = Raw.address(arena.allocate(StateBlock.BYTES, 8));
      AtomicBoolean end = new AtomicBoolean();
      Thread writer = Thread.ofPlatform().start(() -> {
        for (int seed = 1; !end.get(); seed++) {
          StateBlock.write(block, state(seed & 0xFFFF, 16));
        }
      });
      int whole = 0;
      for (int i = 0; i < 20_000 || whole == 0; i++) {
        RankState read = StateBlock.read(block);
        if (read != null && !read.waits().isEmpty()) {
          assertEquals(state(read.waits().getFirst().peer(), 16), read);
          whole++;
        }
      }
      end.set(true);
      writer.join();
    }
  }
}
