// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Counts, extents and lengths that do not fit in an int. */
class HugeMessageTest {
  private static final long STRIDE = 1L << 28;
  private static final int COUNT = 13;

  /** Maps 3.25 GiB of which only touched pages exist. */
  private static MemorySegment sparse(Path directory, String name, Arena arena) throws IOException {
    try (FileChannel file = FileChannel.open(directory.resolve(name), StandardOpenOption.CREATE_NEW,
        StandardOpenOption.SPARSE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return file.map(FileChannel.MapMode.READ_WRITE, 0, COUNT * STRIDE, arena);
    }
  }

  @MpiTest(ranks = {1, 2}, timeout = 120)
  @DisplayName("S1-2.5.8-a S1-2.5.6-a: elements lie more than 2 GiB apart, in every form of type")
  void farApart(Comm world, @TempDir Path directory) throws IOException {
    int[] sent = new int[COUNT];
    for (int i = 0; i < COUNT; i++) {
      sent[i] = 100 * i + 7;
    }
    Datatype<?>[] types = {
      Datatype.contiguous(COUNT, Datatype.INT.resized(0, STRIDE)),
      Datatype.vector(COUNT, 1, STRIDE / 4, Datatype.INT),
      Datatype.hvector(COUNT, 1, STRIDE, Datatype.INT),
      Datatype.hindexedBlock(1, displacements(), Datatype.INT),
      Datatype.subarray(
          new long[] {COUNT, STRIDE / 4}, new long[] {COUNT, 1}, new long[2], Datatype.Order.C, Datatype.INT)
    };
    try (Arena shared = Arena.ofShared()) {
      int number = 0;
      for (Datatype<?> type : types) {
        type.commit();
        assertEquals(4 * COUNT, type.size());
        assertEquals((COUNT - 1) * STRIDE + 4, type.trueExtent());
        String name = "rank-" + world.rank() + "-" + number++;
        MemorySegment far = sparse(directory, name, number % 2 == 0 ? shared : Arena.ofAuto());
        Way.RECEIVE_FIRST.pass(world, Buf.of(sent), Buf.of(far, 1, type));
        for (int i = 0; i < COUNT; i++) {
          assertEquals(sent[i], far.get(JAVA_INT, i * STRIDE));
          assertEquals(0, far.get(JAVA_INT, i * STRIDE + 4));
        }
        int[] back = new int[COUNT];
        Way.UNEXPECTED.pass(world, Buf.of(far, 1, type), Buf.of(back));
        assertArrayEquals(sent, back);
      }
      Datatype<Integer> apart = Datatype.INT.resized(0, STRIDE).commit();
      MemorySegment far = sparse(directory, "rank-" + world.rank() + "-count", Arena.ofAuto());
      Status status = Way.SENDRECV.pass(world, Buf.of(sent), Buf.of(far, COUNT, apart));
      assertEquals(COUNT, status.getCount(apart));
      assertEquals(sent[COUNT - 1], far.get(JAVA_INT, (COUNT - 1) * STRIDE));
    }
  }

  private static long[] displacements() {
    long[] displacements = new long[COUNT];
    for (int i = 0; i < COUNT; i++) {
      displacements[i] = i * STRIDE;
    }
    return displacements;
  }

  @MpiTest(ranks = {2, 3}, timeout = 120)
  @DisplayName("S1-2.5.8-a S2-8: blocks of collectives that lie more than 2 GiB from the buffer's beginning")
  void farDisplacements(Comm world, @TempDir Path directory) throws IOException {
    int n = world.size();
    int me = world.rank();
    long[] counts = new long[n];
    long[] displs = new long[n];
    for (int r = 0; r < n; r++) {
      counts[r] = 3 + r;
      displs[r] = (COUNT - 1 - r) * STRIDE; // from 2.5 GiB on
    }
    byte[] mine = new byte[3 + me];
    Arrays.fill(mine, (byte) (me + 1));
    MemorySegment far = sparse(directory, "gathered-" + me, Arena.ofAuto());
    Buf<Byte> gathered = Buf.of(far, COUNT * STRIDE, Datatype.BYTE);
    world.gatherv(Buf.of(mine), gathered, counts, displs, 0);
    if (me == 0) {
      checkBlocks(far, counts, displs, r -> r + 1);
    }
    byte[] scattered = new byte[3 + me];
    world.scatterv(gathered, counts, displs, Buf.of(scattered), 0);
    assertArrayEquals(mine, scattered);
    MemorySegment everybodys = sparse(directory, "all-" + me, Arena.ofAuto());
    world.iallgatherv(Buf.of(mine), Buf.of(everybodys, COUNT * STRIDE, Datatype.BYTE), counts, displs).await();
    checkBlocks(everybodys, counts, displs, r -> r + 1);
    MemorySegment source = sparse(directory, "out-" + me, Arena.ofAuto());
    MemorySegment target = sparse(directory, "in-" + me, Arena.ofAuto());
    Buf<Byte> out = Buf.of(source, COUNT * STRIDE, Datatype.BYTE);
    Buf<Byte> in = Buf.of(target, COUNT * STRIDE, Datatype.BYTE);
    Datatype<?>[] types = new Datatype<?>[n];
    Arrays.fill(types, Datatype.BYTE);
    Arrays.fill(counts, n);
    for (int r = 0; r < n; r++) {
      source.asSlice(displs[r], n).fill((byte) (10 * me + r + 1));
    }
    for (int form = 0; form < 3; form++) {
      switch (form) {
        case 0 -> world.alltoallv(out, counts, displs, in, counts, displs);
        case 1 -> world.ialltoallv(out, counts, displs, in, counts, displs).await();
        default -> world.alltoallw(out, counts, displs, types, in, counts, displs, types);
      }
      checkBlocks(target, counts, displs, r -> 10 * r + me + 1);
      for (int r = 0; r < n; r++) {
        target.asSlice(displs[r], n).fill((byte) 0);
      }
    }
  }

  private static void checkBlocks(MemorySegment far, long[] counts, long[] displs, IntUnaryOperator expected) {
    for (int r = 0; r < counts.length; r++) {
      for (long i = 0; i < counts[r] + 2; i++) {
        int value = i < counts[r] ? expected.applyAsInt(r) : 0;
        assertEquals(value, far.get(JAVA_BYTE, displs[r] + i), "byte " + i + " of block " + r);
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.5.8-a S1-4.1.5-b: more elements than an int counts, none of which has data")
  void countBeyondInt(Comm world) {
    Datatype<Integer> empty = Datatype.contiguous(0, Datatype.INT).commit();
    long count = 5_000_000_000L;
    assertEquals(0, Datatype.contiguous(count, empty).size());
    assertEquals(4 * count, Datatype.contiguous(count, Datatype.INT).size());
    assertEquals(Constants.UNDEFINED, Datatype.contiguous(count, Datatype.INT).sizeInt());
    Status status = Way.SENDRECV.pass(world, Buf.of(new int[1], count, empty), Buf.of(new int[1], count, empty));
    assertEquals(0, status.bytes());
  }

  /** Every block of the sender's type is the same memory; the receiver has room for all of them. */
  @EnabledIfSystemProperty(named = "ffmpi.test.stress", matches = "true", disabledReason = "needs 3 GiB of memory")
  @MpiTest(ranks = 2, timeout = 600)
  @DisplayName("S1-2.5.8-a: a message of more than 2 GiB, by derived types on both sides")
  void moreThanTwoGibibytes(Comm world) {
    int block = 1 << 20;
    long blocks = 2_200;
    if (world.rank() == 0) {
      MemorySegment source = Arena.ofAuto().allocate(block + 8, 8);
      for (long at = 0; at < block; at += 8) {
        source.set(JAVA_LONG, at, at * 31);
      }
      Datatype<Long> repeated =
          Datatype.hvector(blocks, 1, 0, Datatype.contiguous(block / 8, Datatype.INT64_T)).commit();
      world.send(Buf.of(source, 1, repeated), 1, 1);
    } else {
      Datatype<Long> spread =
          Datatype.contiguous(block / 8, Datatype.INT64_T).resized(0, block + 64).commit();
      MemorySegment target = Arena.ofAuto().allocate(blocks * (block + 64), 8);
      Request incoming = world.irecv(Buf.of(target, blocks, spread), 0, 1);
      Status status = incoming.await(new Status());
      assertEquals(blocks * block, status.bytes());
      assertEquals(blocks, status.getCount(spread));
      assertEquals(blocks * block / 8, status.getElements(spread));
      for (long i = 0; i < blocks; i++) {
        for (long at = 0; at < block + 64; at += 2_048 + 8) {
          assertEquals(at < block ? at * 31 : 0, target.get(JAVA_LONG, i * (block + 64) + at), "block " + i);
        }
      }
    }
    world.barrier();
  }
}
