// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.account;

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
import org.ffmpi.shm.account.RankAccount.Communicator;
import org.ffmpi.shm.account.RankAccount.Epoch;
import org.ffmpi.shm.account.RankAccount.Kind;
import org.ffmpi.shm.account.RankAccount.Message;
import org.ffmpi.shm.account.RankAccount.Place;
import org.ffmpi.shm.account.RankAccount.Queues;
import org.ffmpi.shm.account.RankAccount.Traffic;
import org.ffmpi.shm.account.RankAccount.Wait;
import org.ffmpi.shm.segment.JobLayout;
import org.ffmpi.spi.EpochSource;
import org.junit.jupiter.api.Test;

/** The layout of a rank's account, and consistent reads of it. */
class AccountLayoutTest {
  @Test
  void offsetsAreThoseOfTheLayouts() {
    LayoutChecks.assertAgree(
        AccountLayout.class, Set.of(), AccountLayout.Shape.HEAD, AccountLayout.Shape.WAIT, AccountLayout.Shape.MESSAGE,
        AccountLayout.Shape.COMMUNICATOR, AccountLayout.Shape.EPOCH);
    assertEquals(AccountLayout.WAIT_TABLE, AccountLayout.Shape.HEAD.byteSize());
    assertEquals(AccountLayout.WAIT_BYTES, AccountLayout.Shape.WAIT.byteSize());
    assertEquals(AccountLayout.MESSAGE_BYTES, AccountLayout.Shape.MESSAGE.byteSize());
    assertEquals(AccountLayout.COMMUNICATOR_BYTES, AccountLayout.Shape.COMMUNICATOR.byteSize());
    assertEquals(AccountLayout.EPOCH_BYTES, AccountLayout.Shape.EPOCH.byteSize());
    assertEquals(3840, AccountBlock.BYTES);
    assertTrue(AccountBlock.BYTES <= JobLayout.PAGE, "the segment has a page for it");
  }

  /** An account all of whose numbers follow from one. */
  private static RankAccount state(int seed, int messages) {
    List<Message> list = IntStream.range(0, messages).mapToObj(i -> new Message(seed, i, seed, seed + i)).toList();
    Wait wait = new Wait(
        "MPI_Send" + seed, "Main.java:" + seed, Kind.SEND, seed, seed + 1, -seed, seed, seed % 16, seed, seed * 7L);
    return new RankAccount(
        Collections.nCopies(3, wait), new Traffic(seed, seed, seed, seed, seed), new Queues(seed, seed, seed, seed),
        list, list, list, List.of(new Communicator(seed, seed, seed, seed, "grün " + seed)),
        list.stream().map(m -> new Epoch(seed, m.tag(), EpochSource.Kind.START)).toList(),
        new Place("thread " + seed, true, seed));
  }

  @Test
  void whatIsWrittenIsRead() {
    try (Arena arena = Arena.ofConfined()) {
      long block = Raw.address(arena.allocate(AccountBlock.BYTES, 8));
      assertEquals(RankAccount.NONE, AccountBlock.read(block), "zeros are a rank that has said nothing");
      AccountBlock.write(block, state(5, 16));
      assertEquals(state(5, 16), AccountBlock.read(block));
      AccountBlock.write(block, state(6, 40));
      assertEquals(state(6, 16), AccountBlock.read(block), "what has no room is left out");
      String name = "ü".repeat(40);
      AccountBlock.write(
          block,
          new RankAccount(
              List.of(), RankAccount.NONE.traffic(), RankAccount.NONE.queues(), List.of(), List.of(), List.of(),
              List.of(new Communicator(0, 1, 0, 2, "a" + name)), List.of(), RankAccount.Place.UNKNOWN));
      assertEquals("a" + name.substring(0, 33), AccountBlock.read(block).communicators().getFirst().name());
    }
  }

  @Test
  void aWriterThatDiedIsNoticedAndNothingIsTrusted() {
    try (Arena arena = Arena.ofConfined()) {
      long block = Raw.address(arena.allocate(AccountBlock.BYTES, 8));
      Raw.putInt(block, 7);
      assertNull(AccountBlock.read(block));
      AccountBlock.write(block, RankAccount.NONE);
      assertEquals(RankAccount.NONE, AccountBlock.read(block));
      Raw.fill(block, AccountBlock.BYTES, (byte) 0x7e);
      RankAccount wild = AccountBlock.read(block);
      assertNotNull(wild);
      assertEquals(AccountBlock.MOST_WAITS, wild.waits().size());
    }
  }

  @Test
  void readersSeeWholeAccounts() throws InterruptedException {
    try (Arena arena = Arena.ofShared()) {
      long block = Raw.address(arena.allocate(AccountBlock.BYTES, 8));
      AtomicBoolean end = new AtomicBoolean();
      Thread writer = Thread.ofPlatform().start(() -> {
        for (int seed = 1; !end.get(); seed++) {
          AccountBlock.write(block, state(seed & 0xFFFF, 16));
        }
      });
      int whole = 0;
      for (int i = 0; i < 20_000 || whole == 0; i++) {
        RankAccount read = AccountBlock.read(block);
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
