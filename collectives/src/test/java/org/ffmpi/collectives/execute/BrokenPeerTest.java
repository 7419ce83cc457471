// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.collectives.BoundCalls;
import org.ffmpi.collectives.region.Region;
import org.ffmpi.collectives.region.StubEngine;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.collectives.schedule.SymbolicBuffer;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.SharedMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A broken peer writes any value to shared memory: a reader gets an exception or a correct result, and reads no address
 * outside of the shared memory.
 */
@Timeout(60)
class BrokenPeerTest {
  private static final int RANKS = 6;
  private static final int WRITER = 0;
  private static final int READER = 1;
  private static final long CAPACITY = 1024;
  private static final long MOST_LISTED = (CAPACITY - 8) / 16;
  private static final long SEQUENCE = 1;
  private static final int SIGNATURE = 0x1234;
  private static final CallShape SHAPE =
      new CallShape(Collective.ALLTOALLV, 0, 2, 0, 1, 1, false, false, true, 1, 1);
  private static final int[] LENGTHS = {40, 3_000, 0, 5_000, 17};
  private static final int SHARED = 1;
  private static final int PRIVATE = 3;

  private static final class Rank extends StubEngine {
    Rank(int self) {
      super(self, RANKS, Settings.of(Map.of()));
    }
  }

  /** One segment that all ranks share, and one that is private; other addresses are an error of the test. */
  private static final class Memory implements SharedMemory {
    private static final long BYTES = 1 << 20;
    final MemorySegment shared = Arena.ofAuto().allocate(BYTES, 128);
    final MemorySegment own = Arena.ofAuto().allocate(BYTES, 128);

    @Override
    public long offset(long address, long bytes) {
      long offset = address - Raw.address(shared);
      return offset >= 0 && offset <= BYTES - bytes ? offset : NOT_SHARED;
    }

    @Override
    public long address(long offset, long bytes) {
      if (offset < 0 || bytes < 0 || offset > BYTES - bytes) {
        throw new MpiException(ErrorClass.ERR_INTERN, "not in the shared memory");
      }
      return Raw.address(shared) + offset;
    }

    @Override
    public MemorySegment view(long offset, long bytes) {
      return shared.asSlice(offset, bytes);
    }

    @Override
    public void wake(int peer) {}

    @Override
    public boolean mayBeAsleep() {
      return false;
    }

    @Override
    public void await(BooleanSupplier condition) {
      throw new AssertionError("not waited for");
    }

    @Override
    public boolean isGone(int peer) {
      return false;
    }

    @Override
    public MpiException departureError(int peer) {
      throw new AssertionError("nobody goes");
    }

    @Override
    public boolean isReadable(long bytes) {
      return true;
    }

    /** As the kernel: an address that is not mapped cannot be read. */
    @Override
    public boolean read(int peer, long source, long target, long bytes) {
      if (source < Raw.address(own) || source - Raw.address(own) > BYTES - bytes) {
        assertTrue(peer != READER, "a rank's own memory is read without the kernel");
        return false;
      }
      Raw.copy(source, target, bytes);
      return true;
    }
  }

  /** One rank's end of the structure. */
  private static final class End {
    final BoundBuffers slots = new BoundBuffers();
    final RegionBlockTable table = new RegionBlockTable(slots, new LocalSteps(), new ScratchPool(false, 0));
    final Region region;

    End(Memory memory, int rank) {
      Channel channel = new Channel(new Rank(rank), 8);
      region = new Region(
          memory, memory.shared, Raw.address(memory.shared), channel, Region.SLOTS, CAPACITY, new AtomicInteger());
    }
  }

  private final Memory memory = new Memory();
  private final MemorySegment[] sent = new MemorySegment[LENGTHS.length];
  private final MemorySegment[] received = new MemorySegment[LENGTHS.length];
  private final long sentinel = new Random().nextLong();

  private End writer(int rank) {
    End end = new End(memory, rank);
    long at = Region.bytes(RANKS, Region.SLOTS, CAPACITY) + 128;
    Slice[] blocks = new Slice[LENGTHS.length];
    int[] readers = new int[LENGTHS.length];
    Buf<?>[] bufs = new Buf<?>[LENGTHS.length];
    for (int i = 0; i < LENGTHS.length; i++) {
      sent[i] = (i == PRIVATE ? memory.own : memory.shared).asSlice(at, LENGTHS[i]);
      sent[i].fill((byte) (i + 1));
      at += LENGTHS[i] + 100;
      bufs[i] = Buf.of(sent[i], LENGTHS[i], Datatype.BYTE);
      blocks[i] = new Slice(SymbolicBuffer.SEND, i, 1);
      readers[i] = READER;
    }
    end.slots.bind(BoundCalls.blocks(Collective.ALLTOALLV, bufs, null), false);
    end.table.begin();
    end.table.publish(end.region, SEQUENCE, new Step.PublishBlocks(blocks, readers, 0), null, RANKS);
    end.region.publish(SEQUENCE, SIGNATURE, readers);
    return end;
  }

  private End reader() {
    End end = new End(memory, READER);
    bindReceived(end, null);
    return end;
  }

  private void bindReceived(End end, Buf<?>[] send) {
    Buf<?>[] bufs = new Buf<?>[LENGTHS.length];
    for (int i = 0; i < LENGTHS.length; i++) {
      received[i] = Arena.ofAuto().allocate(Math.max(1, LENGTHS[i]));
      bufs[i] = Buf.of(received[i], LENGTHS[i], Datatype.BYTE);
    }
    end.slots.bind(BoundCalls.blocks(Collective.ALLTOALLV, send, bufs), false);
  }

  private void consume(End end, int from, int block, boolean byOrdinal) {
    Step.Consume step =
        new Step.Consume(from, byOrdinal ? -1 : block, block, new Slice(SymbolicBuffer.RECEIVE, block, 1), false);
    end.region.check(from, SEQUENCE, SIGNATURE, SHAPE);
    long entry = byOrdinal
        ? RegionBlockTable.find(end.region, SEQUENCE, from, block, READER)
        : RegionBlockTable.find(end.region, SEQUENCE, from, block);
    if (RegionBlockTable.where(entry) != RegionBlockTable.Where.MESSAGE) {
      end.table.consume(end.region, SEQUENCE, step, entry, SHAPE);
    }
  }

  private void assertCorrect(int block) {
    for (int i = 0; i < LENGTHS[block]; i++) {
      assertEquals(block + 1, received[block].get(ValueLayout.JAVA_BYTE, i));
    }
  }

  private static void assertCorrupt(int rank, Object value, MpiException error) {
    assertEquals(ErrorClass.ERR_INTERN, error.errorClass());
    assertTrue(error.getMessage().contains("rank " + rank), error.getMessage());
    assertTrue(error.getMessage().contains(value.toString()), error.getMessage());
  }

  @Test
  void tablesAreReadAsTheyWereWritten() {
    writer(WRITER);
    End reader = reader();
    for (int i = 0; i < LENGTHS.length; i++) {
      consume(reader, WRITER, i, i % 2 == 0);
      assertCorrect(i);
    }
  }

  @Test
  void countsOfBlocks() {
    long table = writer(WRITER).region.payload(WRITER, SEQUENCE);
    End reader = reader();
    for (long count : new long[] {MOST_LISTED + 1, 1 << 20, Integer.MAX_VALUE, 1L << 32, Long.MAX_VALUE, -1,
        Long.MIN_VALUE}) {
      Raw.putLong(table, count);
      assertCorrupt(WRITER, count, assertThrows(MpiException.class, () -> consume(reader, WRITER, 50_000, true)));
      assertCorrupt(WRITER, count, assertThrows(MpiException.class, () -> consume(reader, WRITER, 1, false)));
    }
  }

  @Test
  void positionsAndLengthsOfBlocks() {
    long table = writer(WRITER).region.payload(WRITER, SEQUENCE);
    End reader = reader();
    long entry = Raw.getLong(table + 8);
    for (long position : new long[] {0, 8, CAPACITY - 39, CAPACITY, (1 << 14) - 1}) {
      Raw.putLong(table + 8, entry & ~(0x3FFFL << 48) | position << 48);
      assertCorrupt(WRITER, position, assertThrows(MpiException.class, () -> consume(reader, WRITER, 0, false)));
    }
    for (long bytes : new long[] {0, 39, 41, Integer.MAX_VALUE, 0xFFFF_FFFFL}) {
      Raw.putLong(table + 8, entry & ~0xFFFF_FFFFL | bytes);
      MpiException error = assertThrows(MpiException.class, () -> consume(reader, WRITER, 0, false));
      assertTrue(error.getMessage().contains(" " + bytes + " "), error.getMessage());
    }
  }

  @Test
  void offsetsOfLentBlocks() {
    long table = writer(WRITER).region.payload(WRITER, SEQUENCE);
    End reader = reader();
    long position = Raw.getLong(table + 8 + SHARED * 8) >>> 48 & 0x3FFF;
    for (long offset : new long[] {-1, Memory.BYTES - LENGTHS[SHARED] + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      Raw.putLong(table + position, offset);
      assertCorrupt(WRITER, offset, assertThrows(MpiException.class, () -> consume(reader, WRITER, SHARED, false)));
    }
  }

  /** A rank can be its own neighbour. It then reads its own table, where others can write. */
  @Test
  void addressesInARanksOwnTable() {
    End end = writer(READER);
    bindReceived(end, null);
    consume(end, READER, PRIVATE, false);
    assertCorrect(PRIVATE);
    long table = end.region.payload(READER, SEQUENCE);
    long position = Raw.getLong(table + 8 + PRIVATE * 8) >>> 48 & 0x3FFF;
    for (long address : new long[] {0, 4711, -1, Long.MIN_VALUE}) {
      Raw.putLong(table + position, address);
      assertCorrupt(READER, address, assertThrows(MpiException.class, () -> consume(end, READER, PRIVATE, false)));
    }
  }

  @Test
  void wordsAndOffsetsOfOffers() {
    Region region = writer(WRITER).region;
    long words = region.payload(WRITER, SEQUENCE);
    LentBuffers offers = new LentBuffers();
    for (long word : new long[] {2, -1, Long.MIN_VALUE}) {
      Raw.putLong(words, word);
      assertCorrupt(WRITER, word,
          assertThrows(MpiException.class, () -> offers.isRefused(region, SEQUENCE, WRITER)));
    }
    for (long offset : new long[] {-8, Memory.BYTES - 79, Long.MAX_VALUE, Long.MIN_VALUE}) {
      Raw.putLong(words + 8, offset);
      Raw.putLong(words + 16, offset);
      for (boolean ofResult : new boolean[] {false, true}) {
        assertCorrupt(WRITER, offset, assertThrows(MpiException.class,
            () -> offers.bind(new Place(), region, SEQUENCE, WRITER, ofResult, 0, 10, null, 8)));
      }
    }
  }

  @Test
  void randomBitsOfTables() {
    Random random = new Random(sentinel);
    for (int i = 0; i < 20_000; i++) {
      long table = writer(WRITER).region.payload(WRITER, SEQUENCE);
      long words = 1 + LENGTHS.length;
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        long at = table + 8 * random.nextInt((int) words);
        Raw.putLong(at, random.nextInt(4) == 0 ? random.nextLong() : Raw.getLong(at) ^ 1L << random.nextInt(64));
      }
      End reader = reader();
      int block = random.nextInt(LENGTHS.length);
      try {
        consume(reader, WRITER, block, random.nextBoolean());
      } catch (MpiException e) {
        assertTrue(e.errorClass() == ErrorClass.ERR_INTERN || e.errorClass() == ErrorClass.ERR_COUNT,
            "seed " + sentinel + ": " + e);
      }
    }
  }
}
