// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.SharedMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The numbers on a board: no slot is written before all have read it, whatever the order in which calls end. */
@Timeout(120)
class BoardTest {
  private static final int SIGNATURE = 0xCAFE_0001;
  private static final long CAPACITY = 128;

  private static final class Rank extends StubEngine {
    Rank(int self, int size) {
      super(self, size, Settings.of(Map.of()));
    }
  }

  /** Plain memory; a wait looks again and again. */
  private static final class Memory implements SharedMemory {
    volatile int gone = -1;
    final AtomicInteger[] wakes = Stream.generate(AtomicInteger::new).limit(8).toArray(AtomicInteger[]::new);

    @Override
    public long offset(long address, long bytes) {
      return address;
    }

    @Override
    public long address(long offset, long bytes) {
      return offset;
    }

    @Override
    public MemorySegment view(long offset, long bytes) {
      throw new AssertionError("not asked for");
    }

    @Override
    public void wake(int peer) {
      wakes[peer].getAndIncrement();
    }

    @Override
    public boolean mayBeAsleep() {
      return true;
    }

    @Override
    public void await(BooleanSupplier condition) {
      while (!condition.getAsBoolean()) {
        Thread.yield();
      }
    }

    @Override
    public boolean isGone(int peer) {
      return peer == gone;
    }

    @Override
    public MpiException goneError(int peer) {
      return new MpiException(ErrorClass.ERR_PROC_ABORTED, "rank " + peer + " has gone");
    }
  }

  private final Memory memory = new Memory();

  private Board[] boards(int ranks) {
    MemorySegment segment = Arena.ofAuto().allocate(Board.bytes(ranks, Board.SLOTS, CAPACITY), 128);
    Board[] boards = new Board[ranks];
    for (int r = 0; r < ranks; r++) {
      Channel channel = new Channel(new Rank(r, ranks), 8);
      boards[r] = new Board(memory, segment, Raw.address(segment), channel, Board.SLOTS, CAPACITY);
    }
    return boards;
  }

  private static long value(int rank, long number) {
    return number * 1000 + rank;
  }

  private void post(Board board, int rank, long number) {
    memory.await(() -> board.isFree(number));
    Raw.putLong(board.payload(rank, number), value(rank, number));
    board.post(number, SIGNATURE, Step.ALL);
  }

  private void read(Board board, int ofRank, long number) {
    memory.await(() -> board.isPosted(ofRank, number));
    board.check(ofRank, number, SIGNATURE, Collective.ALLREDUCE);
    assertEquals(value(ofRank, number), Raw.getLong(board.payload(ofRank, number)));
    Thread.yield();
    assertEquals(value(ofRank, number), Raw.getLong(board.payload(ofRank, number)), "written before it was read");
  }

  private static void pause(Random random) {
    for (int i = random.nextInt(50); i > 40; i--) {
      Thread.yield();
    }
  }

  private interface Body {
    void run(int rank, Random random) throws Exception;
  }

  private static void inThreads(int ranks, Body body) throws Exception {
    long seed = System.nanoTime();
    try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
      List<Future<?>> all = new ArrayList<>();
      for (int r = 0; r < ranks; r++) {
        int rank = r;
        all.add(threads.submit(() -> {
          body.run(rank, new Random(seed + rank));
          return null;
        }));
      }
      for (Future<?> one : all) {
        one.get(100, TimeUnit.SECONDS);
      }
    } catch (Exception e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  @Test
  void blockingCallsAtRandomSpeed() throws Exception {
    for (int ranks : new int[] {2, 3, 5}) {
      Board[] boards = boards(ranks);
      inThreads(ranks, (rank, random) -> {
        Board board = boards[rank];
        for (int i = 0; i < 5_000; i++) {
          long number = board.begin();
          int root = i % 7 < 3 ? -1 : i % ranks; // all show something, or one alone
          if (root < 0 || root == rank) {
            post(board, rank, number);
          }
          pause(random);
          for (int r = 0; r < ranks; r++) {
            if (r != rank && (root < 0 || root == r)) {
              read(board, r, number);
            }
          }
          board.finish(number);
        }
      });
    }
  }

  /** Each rank ends what is in flight in an order of its own, by two threads. */
  @Test
  void callsEndInAnyOrder() throws Exception {
    int ranks = 3;
    Board[] boards = boards(ranks);
    inThreads(ranks, (rank, random) -> {
      Board board = boards[rank];
      try (ExecutorService other = Executors.newSingleThreadExecutor()) {
        for (int batch = 0; batch < 500; batch++) {
          int calls = 1 + new Random(batch).nextInt(Board.SLOTS);
          List<Long> numbers = new ArrayList<>();
          for (int i = 0; i < calls; i++) {
            long number = board.begin();
            board.detach();
            post(board, rank, number);
            numbers.add(number);
          }
          Collections.shuffle(numbers, random);
          List<Future<?>> ends = new ArrayList<>();
          for (long number : numbers) {
            Runnable end = () -> {
              for (int r = 0; r < ranks; r++) {
                read(board, r, number);
              }
              board.finishDetached(number);
            };
            if (random.nextBoolean()) {
              ends.add(other.submit(end));
            } else {
              end.run();
            }
          }
          for (Future<?> end : ends) {
            end.get(60, TimeUnit.SECONDS);
          }
        }
      }
    });
  }

  @Test
  void callsThatEndBeforeOlderOnesOfTheSameSlotAreRemembered() {
    Board[] boards = boards(2);
    int calls = 3 * Board.SLOTS;
    for (int i = 1; i <= calls; i++) {
      boards[0].begin();
      boards[0].detach();
    }
    for (int number = calls; number > 0; number--) {
      boards[0].finishDetached(number);
    }
    for (int number = 1; number <= calls; number++) {
      boards[1].finish(boards[1].begin());
    }
    assertTrue(boards[1].isFree(calls + Board.SLOTS), "rank 0 is through with all");
    assertFalse(boards[1].isFree(calls + Board.SLOTS + 1));
  }

  @Test
  void aRankIsAheadByAsManyCallsAsThereAreSlots() {
    Board[] boards = boards(2);
    for (int i = 1; i <= Board.SLOTS; i++) {
      long number = boards[0].begin();
      assertTrue(boards[0].isFree(number));
      boards[0].post(number, SIGNATURE, 1);
      boards[0].finish(number);
    }
    long next = boards[0].begin();
    assertFalse(boards[0].isFree(next), "rank 1 has not read the first");
    boards[1].finish(boards[1].begin());
    assertTrue(boards[0].isFree(next));
  }

  @Test
  void onlyThoseAreWokenWhoWaitForASlot() {
    Board[] boards = boards(4);
    for (int i = 1; i <= Board.SLOTS; i++) {
      for (Board board : boards) {
        board.begin();
      }
      boards[3].finish(i);
    }
    boards[0].finish(1);
    assertEquals(List.of(0, 0, 0, 0), wakes(), "nobody has asked");
    assertFalse(boards[0].isFree(Board.SLOTS + 1));
    assertFalse(boards[0].isFree(Board.SLOTS + 1), "asking twice does not make two");
    boards[1].finish(1);
    assertEquals(List.of(1, 0, 0, 0), wakes());
    boards[1].finish(2);
    assertEquals(List.of(1, 0, 0, 0), wakes(), "once");
    assertFalse(boards[0].isFree(Board.SLOTS + 1));
    assertFalse(boards[1].isFree(Board.SLOTS + 1));
    boards[2].finish(1);
    assertEquals(List.of(2, 1, 1, 1), wakes(), "all when several wait: other threads of this rank, too");
    assertTrue(boards[0].isFree(Board.SLOTS + 1));
  }

  private List<Integer> wakes() {
    return Stream.of(memory.wakes).limit(4).map(AtomicInteger::get).toList();
  }

  @Test
  void otherCallsAreRefusedByName() {
    Board[] boards = boards(2);
    boards[0].post(boards[0].begin(), SIGNATURE, Step.ALL);
    MpiException e = assertThrows(MpiException.class,
        () -> boards[1].check(0, boards[1].begin(), SIGNATURE + 1, Collective.BCAST));
    assertEquals(ErrorClass.ERR_COUNT, e.errorClass());
    assertTrue(e.getMessage().contains("rank 0"), e.getMessage());
  }

  /** Also while its slot still holds what others have not read. */
  @Test
  void failuresAreSeenByThoseWhoWait() {
    Board[] boards = boards(2);
    for (int i = 1; i <= Board.SLOTS; i++) {
      post(boards[0], 0, boards[0].begin());
      boards[0].finish(i);
    }
    long failed = boards[0].begin();
    assertFalse(boards[0].isFree(failed));
    boards[0].fail(failed, false);
    for (int i = 1; i <= Board.SLOTS; i++) {
      long number = boards[1].begin();
      boards[1].checkPresent(0, number, Collective.BCAST);
      read(boards[1], 0, number);
      boards[1].finish(number);
    }
    MpiException e = assertThrows(MpiException.class,
        () -> boards[1].checkPresent(0, boards[1].begin(), Collective.BCAST));
    assertTrue(e.getMessage().contains("rank 0 has failed"), e.getMessage());
    boards[1].finish(failed);
    long after = boards[0].begin();
    post(boards[0], 0, after);
    assertEquals(after, boards[1].begin());
    read(boards[1], 0, after);
  }

  /** Freed or used again, it would be read by others as what it no longer is. */
  @Test
  void memoryThatOthersMayReadOutlivesAFailure() throws InterruptedException {
    Board[] boards = boards(2);
    long failed = boards[0].begin();
    WeakReference<Object> lent = lend(boards[0], failed);
    boards[0].fail(failed, false);
    System.gc();
    assertFalse(lent.refersTo(null));
    boards[0].keep(boards[0].begin(), "another");
    System.gc();
    assertFalse(lent.refersTo(null), "rank 1 is not through");
    boards[1].finish(boards[1].begin());
    boards[0].keep(boards[0].begin(), "one more");
    for (int i = 0; i < 100 && !lent.refersTo(null); i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertTrue(lent.refersTo(null));
  }

  private static WeakReference<Object> lend(Board board, long number) {
    Object memory = new Object();
    board.keep(number, memory);
    return new WeakReference<>(memory);
  }

  @Test
  void ranksThatHaveGoneAreMissedOnlyWhereTheyAreDue() {
    Board[] boards = boards(3);
    long number = boards[1].begin();
    post(boards[1], 1, number);
    boards[1].finish(number);
    memory.gone = 1;
    boards[0].checkPresent(1, number, Collective.GATHER);
    assertEquals(ErrorClass.ERR_PROC_ABORTED,
        assertThrows(MpiException.class, () -> boards[0].checkPresent(1, number + 1, Collective.GATHER)).errorClass());
    boards[0].checkAllPresent(number + Board.SLOTS); // rank 2 is late, but there
    assertThrows(MpiException.class, () -> boards[0].checkAllPresent(number + Board.SLOTS + 1));
  }

  /** Closed with calls in flight, a board is left when the last one ends. */
  @Test
  void memoryIsLeftAfterTheLastCall() {
    MemorySegment segment = Arena.ofAuto().allocate(Board.bytes(1, Board.SLOTS, CAPACITY), 128);
    long address = Raw.address(segment);
    Board board = new Board(memory, segment, address, new Channel(new Rank(0, 1), 8), Board.SLOTS, CAPACITY);
    long first = board.begin();
    board.detach();
    long second = board.begin();
    board.detach();
    board.close();
    board.finishDetached(second);
    assertEquals(0, BoardLayout.getAcquireLeft(address));
    board.finishDetached(first);
    assertEquals(1, BoardLayout.getAcquireLeft(address));
    board.close();
    assertEquals(1, BoardLayout.getAcquireLeft(address), "once only");
  }
}
