// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.region;

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
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.SharedMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The numbers in a region: no slot is written before all have read it, whatever the order in which calls end. */
@Timeout(120)
class RegionTest {
  private static final int SIGNATURE = 0xCAFE_0001;
  private static final CallShape BCAST =
      new CallShape(Collective.BCAST, 0, 3, 0, 100, 1, false, false, true, 1, 1);
  private static final CallShape SHAPE =
      new CallShape(Collective.ALLREDUCE, 0, 3, 0, 100, 8, false, false, true, 1, 1);
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
    public MpiException departureError(int peer) {
      return new MpiException(ErrorClass.ERR_PROC_ABORTED, "rank " + peer + " has gone");
    }
  }

  private final Memory memory = new Memory();

  private Region[] regions(int ranks) {
    MemorySegment segment = Arena.ofAuto().allocate(Region.bytes(ranks, Region.SLOTS, CAPACITY), 128);
    Region[] regions = new Region[ranks];
    for (int r = 0; r < ranks; r++) {
      Channel channel = new Channel(new Rank(r, ranks), 8);
      regions[r] = new Region(
          memory, segment, Raw.address(segment), channel, Region.SLOTS, CAPACITY, new AtomicInteger());
    }
    return regions;
  }

  private static long value(int rank, long number) {
    return number * 1000 + rank;
  }

  private void post(Region region, int rank, long number) {
    memory.await(() -> region.isFree(number));
    Raw.putLong(region.payload(rank, number), value(rank, number));
    region.publish(number, SIGNATURE, Step.ALL);
  }

  private void read(Region region, int ofRank, long number) {
    memory.await(() -> region.isPublished(ofRank, number));
    region.check(ofRank, number, SIGNATURE, SHAPE);
    assertEquals(value(ofRank, number), Raw.getLong(region.payload(ofRank, number)));
    Thread.yield();
    assertEquals(value(ofRank, number), Raw.getLong(region.payload(ofRank, number)), "written before it was read");
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
      Region[] regions = regions(ranks);
      inThreads(ranks, (rank, random) -> {
        Region region = regions[rank];
        for (int i = 0; i < 5_000; i++) {
          long number = region.begin(SHAPE.callSignature());
          int root = i % 7 < 3 ? -1 : i % ranks; // all show something, or one alone
          if (root < 0 || root == rank) {
            post(region, rank, number);
          }
          pause(random);
          for (int r = 0; r < ranks; r++) {
            if (r != rank && (root < 0 || root == r)) {
              read(region, r, number);
            }
          }
          region.finish(number);
        }
      });
    }
  }

  /** Each rank ends what is in flight in an order of its own, by two threads. */
  @Test
  void callsEndInAnyOrder() throws Exception {
    int ranks = 3;
    Region[] regions = regions(ranks);
    inThreads(ranks, (rank, random) -> {
      Region region = regions[rank];
      try (ExecutorService other = Executors.newSingleThreadExecutor()) {
        for (int batch = 0; batch < 500; batch++) {
          int calls = 1 + new Random(batch).nextInt(Region.SLOTS);
          List<Long> numbers = new ArrayList<>();
          for (int i = 0; i < calls; i++) {
            long number = region.begin(SHAPE.callSignature());
            region.detach();
            post(region, rank, number);
            numbers.add(number);
          }
          Collections.shuffle(numbers, random);
          List<Future<?>> ends = new ArrayList<>();
          for (long number : numbers) {
            Runnable end = () -> {
              for (int r = 0; r < ranks; r++) {
                read(region, r, number);
              }
              region.finishDetached(number);
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
    Region[] regions = regions(2);
    int calls = 3 * Region.SLOTS;
    for (int i = 1; i <= calls; i++) {
      regions[0].begin(SHAPE.callSignature());
      regions[0].detach();
    }
    for (int number = calls; number > 0; number--) {
      regions[0].finishDetached(number);
    }
    for (int number = 1; number <= calls; number++) {
      regions[1].finish(regions[1].begin(SHAPE.callSignature()));
    }
    assertTrue(regions[1].isFree(calls + Region.SLOTS), "rank 0 is through with all");
    assertFalse(regions[1].isFree(calls + Region.SLOTS + 1));
  }

  @Test
  void aRankIsAheadByAsManyCallsAsThereAreSlots() {
    Region[] regions = regions(2);
    for (int i = 1; i <= Region.SLOTS; i++) {
      long number = regions[0].begin(SHAPE.callSignature());
      assertTrue(regions[0].isFree(number));
      regions[0].publish(number, SIGNATURE, 1);
      regions[0].finish(number);
    }
    long next = regions[0].begin(SHAPE.callSignature());
    assertFalse(regions[0].isFree(next), "rank 1 has not read the first");
    regions[1].finish(regions[1].begin(SHAPE.callSignature()));
    assertTrue(regions[0].isFree(next));
  }

  @Test
  void onlyThoseAreWokenWhoWaitForASlot() {
    Region[] regions = regions(4);
    for (int i = 1; i <= Region.SLOTS; i++) {
      for (Region region : regions) {
        region.begin(SHAPE.callSignature());
      }
      regions[3].finish(i);
    }
    regions[0].finish(1);
    assertEquals(List.of(0, 0, 0, 0), wakes(), "nobody has asked");
    assertFalse(regions[0].isFree(Region.SLOTS + 1));
    assertFalse(regions[0].isFree(Region.SLOTS + 1), "asking twice does not make two");
    regions[1].finish(1);
    assertEquals(List.of(1, 0, 0, 0), wakes());
    regions[1].finish(2);
    assertEquals(List.of(1, 0, 0, 0), wakes(), "once");
    assertFalse(regions[0].isFree(Region.SLOTS + 1));
    assertFalse(regions[1].isFree(Region.SLOTS + 1));
    regions[2].finish(1);
    assertEquals(List.of(2, 1, 1, 1), wakes(), "all when several wait: other threads of this rank, too");
    assertTrue(regions[0].isFree(Region.SLOTS + 1));
  }

  private List<Integer> wakes() {
    return Stream.of(memory.wakes).limit(4).map(AtomicInteger::get).toList();
  }

  @Test
  void otherCallsAreRefusedByName() {
    Region[] regions = regions(3);
    regions[0].publish(regions[0].begin(SHAPE.callSignature()), SIGNATURE, Step.ALL);
    MpiException e = assertThrows(MpiException.class,
        () -> regions[1].check(0, regions[1].begin(SHAPE.callSignature()), SIGNATURE + 1, BCAST));
    assertEquals(ErrorClass.ERR_COUNT, e.errorClass());
    assertTrue(e.getMessage().contains("rank 0 calls something else:"), e.getMessage());
    CallShape longer = new CallShape(Collective.ALLREDUCE, 0, 3, 0, 107, 8, false, false, true, 1, 1);
    regions[2].begin(SHAPE.callSignature());
    regions[2].checkPresent(1, 1, SHAPE);
    e = assertThrows(MpiException.class, () -> lookOften(regions[2], 0, 1, longer));
    assertEquals("allreduce: rank 0 has 800 bytes where rank 0 has 856: counts or types differ between ranks",
        e.getMessage().replaceFirst("^[A-Z_]+: ", ""));
    e = assertThrows(MpiException.class, () -> lookOften(regions[2], 0, 1, BCAST));
    assertTrue(e.getMessage().contains("bcast: rank 0 calls something else:"), e.getMessage());
  }

  /** Where others are looked at in turn, each of them is asked. */
  @Test
  void everyRankIsAskedWhatItCalls() {
    for (int size = 2; size <= 17; size++) {
      for (int other = 1; other < size; other++) {
        Region[] regions = regions(size);
        regions[0].begin(SHAPE.callSignature());
        regions[other].begin(BCAST.callSignature());
        int looksInTurn = size;
        assertThrows(MpiException.class, () -> {
          for (int look = 0; look < 64; look++) {
            for (int r = 1; r < looksInTurn; r++) {
              regions[0].checkPresent(r, 1, SHAPE);
            }
          }
        }, other + " of " + size);
      }
    }
  }

  private static void lookOften(Region region, int ofRank, long number, CallShape shape) {
    for (int look = 0; look < 64; look++) {
      region.checkPresent(ofRank, number, shape);
    }
  }

  /** Also while its slot still holds what others have not read. */
  @Test
  void failuresAreSeenByThoseWhoWait() {
    Region[] regions = regions(2);
    for (int i = 1; i <= Region.SLOTS; i++) {
      post(regions[0], 0, regions[0].begin(SHAPE.callSignature()));
      regions[0].finish(i);
    }
    long failed = regions[0].begin(SHAPE.callSignature());
    assertFalse(regions[0].isFree(failed));
    regions[0].fail(failed, false);
    for (int i = 1; i <= Region.SLOTS; i++) {
      long number = regions[1].begin(SHAPE.callSignature());
      regions[1].checkPresent(0, number, SHAPE);
      read(regions[1], 0, number);
      regions[1].finish(number);
    }
    MpiException e = assertThrows(MpiException.class,
        () -> regions[1].checkPresent(0, regions[1].begin(SHAPE.callSignature()), SHAPE));
    assertTrue(e.getMessage().contains("rank 0 has failed"), e.getMessage());
    regions[1].finish(failed);
    long after = regions[0].begin(SHAPE.callSignature());
    post(regions[0], 0, after);
    assertEquals(after, regions[1].begin(SHAPE.callSignature()));
    read(regions[1], 0, after);
  }

  /** Freed or used again, it would be read by others as what it no longer is. */
  @Test
  void memoryThatOthersMayReadOutlivesAFailure() throws InterruptedException {
    Region[] regions = regions(2);
    long failed = regions[0].begin(SHAPE.callSignature());
    WeakReference<Object> lent = lend(regions[0], failed);
    regions[0].fail(failed, false);
    System.gc();
    assertFalse(lent.refersTo(null));
    regions[0].retain(regions[0].begin(SHAPE.callSignature()), "another");
    System.gc();
    assertFalse(lent.refersTo(null), "rank 1 is not through");
    regions[1].finish(regions[1].begin(SHAPE.callSignature()));
    regions[0].retain(regions[0].begin(SHAPE.callSignature()), "one more");
    for (int i = 0; i < 100 && !lent.refersTo(null); i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertTrue(lent.refersTo(null));
  }

  private static WeakReference<Object> lend(Region region, long number) {
    Object memory = new Object();
    region.retain(number, memory);
    return new WeakReference<>(memory);
  }

  @Test
  void ranksThatHaveGoneAreMissedOnlyWhereTheyAreDue() {
    Region[] regions = regions(3);
    long number = regions[1].begin(SHAPE.callSignature());
    post(regions[1], 1, number);
    regions[1].finish(number);
    memory.gone = 1;
    regions[0].checkPresent(1, number, SHAPE);
    assertEquals(ErrorClass.ERR_PROC_ABORTED,
        assertThrows(MpiException.class, () -> regions[0].checkPresent(1, number + 1, SHAPE)).errorClass());
    regions[0].checkAllPresent(number + Region.SLOTS); // rank 2 is late, but there
    assertThrows(MpiException.class, () -> regions[0].checkAllPresent(number + Region.SLOTS + 1));
  }

  /** Closed with calls in flight, a region is left when the last one ends. */
  @Test
  void memoryIsLeftAfterTheLastCall() {
    MemorySegment segment = Arena.ofAuto().allocate(Region.bytes(1, Region.SLOTS, CAPACITY), 128);
    long address = Raw.address(segment);
    Region region = new Region(
        memory, segment, address, new Channel(new Rank(0, 1), 8), Region.SLOTS, CAPACITY, new AtomicInteger());
    long first = region.begin(SHAPE.callSignature());
    region.detach();
    long second = region.begin(SHAPE.callSignature());
    region.detach();
    region.close();
    region.finishDetached(second);
    assertEquals(0, RegionLayout.getAcquireLeft(address));
    region.finishDetached(first);
    assertEquals(1, RegionLayout.getAcquireLeft(address));
    region.close();
    assertEquals(1, RegionLayout.getAcquireLeft(address), "once only");
  }
}
