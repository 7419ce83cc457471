// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ffmpi.Address;
import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.junit.jupiter.api.Test;

/** Blocks of buffers, as collective operations take them. */
class BufBlocksTest {
  private final double[] array = new double[12];

  private static String at(Buf<?> block) {
    return block.count() + "@" + BufImpl.of(block).memoryOffset();
  }

  @Test
  void equalBlocks() {
    Buf<?>[] blocks = BufBlocks.equal("recv", Buf.of(array, 2, 9), 3);
    assertEquals(List.of("3@16", "3@40", "3@64"), List.of(at(blocks[0]), at(blocks[1]), at(blocks[2])));
    assertEquals(0, BufBlocks.equal("recv", Buf.of(array), 0).length);
    assertEquals("0@0", at(BufBlocks.equal("recv", Buf.of(array, 0, 0), 2)[1]));
    assertError(ErrorClass.ERR_COUNT, () -> BufBlocks.equal("recv", Buf.of(array), 5), "count of recv = 12", "5");
  }

  @Test
  void blocksOfDifferentLengths() {
    Buf<?>[] blocks =
        BufBlocks.of("send", Buf.of(array, 2, 9), 3, new long[] {4, 0, 1}, new long[] {5, Long.MIN_VALUE, 0});
    assertEquals(List.of("4@56", "0@16", "1@16"), List.of(at(blocks[0]), at(blocks[1]), at(blocks[2])));
    Datatype<Double> pair = Datatype.vector(2, 1, 2, Datatype.DOUBLE).commit();
    assertEquals("1@24", at(BufBlocks.of("send", Buf.of(array, 4, pair), 1, new long[] {1}, new long[] {1})[0]));
  }

  @Test
  void blocksBeforeTheFirstElement() {
    Buf<Double> buf = Buf.of(array, 4, 2);
    long[] counts = {2, 6, 1};
    Buf<?>[] blocks = BufBlocks.of("recv", buf, 3, counts, new long[] {-4, -4, -1});
    assertEquals(List.of("2@0", "6@0", "1@24"), List.of(at(blocks[0]), at(blocks[1]), at(blocks[2])));
    assertError(ErrorClass.ERR_BUFFER,
        () -> BufBlocks.of("recv", buf, 1, new long[] {1}, new long[] {-5}), "recvDispls[0] = -5", "2 elements");
    assertError(ErrorClass.ERR_BUFFER,
        () -> BufBlocks.of("recv", buf, 1, new long[] {7}, new long[] {-4}), "recvCounts[0] = 7");
    Datatype<?>[] types = {Datatype.DOUBLE};
    assertEquals("3@8", at(BufBlocks.of("recv", buf, 1, new long[] {3}, new long[] {-24}, types)[0]));
    assertError(ErrorClass.ERR_BUFFER,
        () -> BufBlocks.of("recv", buf, 1, new long[] {1}, new long[] {-33}, types), "recvDispls[0] = -33");
    MemorySegment segment = Arena.ofAuto().allocate(64, 8);
    Buf<Integer> cut = Buf.of(segment.asSlice(16), 8, 4, Datatype.INT);
    assertEquals("2@" + (segment.address() + 16),
        at(BufBlocks.of("send", cut, 1, new long[] {2}, new long[] {-2})[0]));
    assertError(ErrorClass.ERR_BUFFER, // another segment's memory
        () -> BufBlocks.of("send", cut, 1, new long[] {2}, new long[] {-3}), "sendDispls[0] = -3");
    Datatype<Integer> backwards = Datatype.INT.resized(0, -4).commit();
    Buf<Integer> down = Buf.of(new int[8], 16, 2, backwards);
    assertEquals("2@20", at(BufBlocks.of("recv", down, 1, new long[] {2}, new long[] {-1})[0]));
  }

  @Test
  void wrongBlocksAreNamed() {
    Buf<Double> buf = Buf.of(array, 2, 9);
    long[] two = {1, 1};
    assertError(ErrorClass.ERR_COUNT, () -> BufBlocks.of("recv", buf, 2, null, two), "recvCounts = null", "2 blocks");
    assertError(ErrorClass.ERR_COUNT, () -> BufBlocks.of("recv", buf, 3, two, two), "recvCounts.length = 2", "3");
    assertError(ErrorClass.ERR_ARG, () -> BufBlocks.of("recv", buf, 2, two, null), "recvDispls = null");
    assertError(ErrorClass.ERR_ARG, () -> BufBlocks.of("recv", buf, 2, two, new long[3]), "recvDispls.length = 3");
    assertError(
        ErrorClass.ERR_COUNT, () -> BufBlocks.of("recv", buf, 2, new long[] {1, -1}, two), "recvCounts[1] = -1");
    for (long displ : new long[] {-3, 9, 8, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertError(ErrorClass.ERR_BUFFER, () -> BufBlocks.of("send", buf, 2, new long[] {1, 2}, new long[] {0, displ}),
          "sendDispls[1] = " + displ, "sendCounts[1] = 2", "9 elements");
    }
    assertError(ErrorClass.ERR_BUFFER,
        () -> BufBlocks.of("send", buf, 1, new long[] {Long.MAX_VALUE}, new long[] {1}), "sendCounts[0]");
  }

  @Test
  void blocksOfDifferentTypes() {
    MemorySegment segment = Arena.ofAuto().allocate(64, 8);
    Buf<Byte> buf = Buf.of(segment, 8, 48, Datatype.BYTE);
    Datatype<?>[] types = {Datatype.DOUBLE, Datatype.INT, Datatype.contiguous(3, Datatype.SHORT).commit()};
    Buf<?>[] blocks = BufBlocks.of("recv", buf, 3, new long[] {2, 0, 1}, new long[] {32, 1 << 20, 3}, types);
    long first = segment.address() + 8;
    assertEquals(List.of("2@" + (first + 32), "0@" + first, "1@" + (first + 3)),
        List.of(at(blocks[0]), at(blocks[1]), at(blocks[2])));
    assertEquals(Datatype.INT, blocks[1].type());
    long[] one = {1};
    assertEquals("1@" + (first - 8),
        at(BufBlocks.of("recv", buf, 1, one, new long[] {-8}, new Datatype<?>[] {Datatype.DOUBLE})[0]));
    for (long displ : new long[] {-9, 41, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertError(ErrorClass.ERR_BUFFER,
          () -> BufBlocks.of("recv", buf, 1, one, new long[] {displ}, new Datatype<?>[] {Datatype.DOUBLE}),
          "recvDispls[0] = " + displ, "MPI_DOUBLE");
    }
    Datatype<?> open = Datatype.contiguous(2, Datatype.INT);
    for (Datatype<?> wrong : new Datatype<?>[] {null, open}) {
      assertError(ErrorClass.ERR_TYPE,
          () -> BufBlocks.of("recv", buf, 1, one, new long[1], new Datatype<?>[] {wrong}), "recvTypes[0]", "committed");
    }
    assertError(ErrorClass.ERR_TYPE, () -> BufBlocks.of("recv", buf, 1, one, one, null), "recvTypes = null");
    assertError(
        ErrorClass.ERR_TYPE, () -> BufBlocks.of("recv", buf, 1, one, one, types), "recvTypes.length = 3", "1 blocks");
  }

  @Test
  void typesMustFitArrays() {
    Datatype<?>[] ints = {Datatype.INT};
    assertError(ErrorClass.ERR_TYPE,
        () -> BufBlocks.of("send", Buf.of(array), 1, new long[] {1}, new long[1], ints), "double[]", "MPI_INT");
    Datatype<?>[] columns = {Datatype.vector(3, 1, 4, Datatype.DOUBLE).commit()};
    assertEquals("1@8", at(BufBlocks.of("send", Buf.of(array), 1, new long[] {1}, new long[] {8}, columns)[0]));
    Buf<Byte> bytes = Buf.of(MemorySegment.ofArray(array), 96, Datatype.BYTE);
    assertEquals("2@4", at(BufBlocks.of("send", bytes, 1, new long[] {2}, new long[] {4}, ints)[0]));
  }

  @Test
  void blocksAtAbsoluteAddresses() {
    MemorySegment segment = Arena.ofAuto().allocate(16, 8);
    Datatype<?> absolute =
        Datatype.hindexed(new long[] {1}, new long[] {Address.of(segment)}, Datatype.DOUBLE).commit();
    Buf<?> all = Buf.bottom(List.of(segment), 0, Datatype.BYTE);
    Datatype<?>[] types = {absolute};
    assertEquals("1@8", at(BufBlocks.of("send", all, 1, new long[] {1}, new long[] {8}, types)[0]));
    assertError(ErrorClass.ERR_BUFFER,
        () -> BufBlocks.of("send", all, 1, new long[] {1}, new long[] {9}, types), "sendDispls[0] = 9");
  }

  @Test
  void blocksOfTheProgram() {
    Buf<?>[] given = {Buf.of(array, 0, 2), Buf.of(new int[3])};
    assertNotSame(given, BufBlocks.of("send", given, 2));
    assertError(ErrorClass.ERR_ARG, () -> BufBlocks.of("send", given, 3), "send.length = 2", "3 blocks");
    assertError(ErrorClass.ERR_ARG, () -> BufBlocks.of("send", (Buf<?>[]) null, 3), "send = null");
    assertError(ErrorClass.ERR_BUFFER, () -> BufBlocks.of("send", new Buf<?>[1], 1), "send[0] = null");
    assertError(ErrorClass.ERR_BUFFER, () -> BufBlocks.of("send", new Buf<?>[] {Buf.inPlace()}, 1), "send[0]");
  }

  @Test
  void whatTimeCanChangeIsLookedAtInEachBlock() {
    Buf<?>[] blocks = {Buf.of(array), Buf.of(Arena.ofAuto().allocate(8).asReadOnly(), 1, Datatype.DOUBLE)};
    assertNull(BufBlocks.unusable("send", blocks, false));
    MpiException wrong = BufBlocks.unusable("recv", blocks, true);
    assertTrue(wrong.getMessage().contains("recv[1]") && wrong.getMessage().contains("writable"), wrong.getMessage());
  }

  @Test
  void blocksThatShareMemoryAreNamed() {
    Buf<?>[] send = {Buf.of(array, 0, 2), null, Buf.of(array, 4, 2)};
    assertNull(BufBlocks.overlap(send, new Buf<?>[] {Buf.of(array, 2, 2), null, Buf.of(array, 6, 6)}));
    MpiException wrong = BufBlocks.overlap(send, new Buf<?>[] {Buf.of(array, 2, 2), Buf.of(array, 5, 2)});
    assertTrue(wrong.getMessage().contains("recv[1]") && wrong.getMessage().contains("send[2]"), wrong.getMessage());
  }
}
