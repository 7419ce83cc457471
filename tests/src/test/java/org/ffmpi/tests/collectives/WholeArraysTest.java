// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Message;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;

/** Calls on whole arrays, and calls whose results are new arrays. */
class WholeArraysTest {
  private static final int TRIALS = 40;

  /** The element that a rank sends as its i-th to another one. */
  private static int element(int from, int to, int i) {
    return 1_000_000 * from + 1_000 * to + i;
  }

  private static int[] elements(int from, int to, int n) {
    return IntStream.range(0, n).map(i -> element(from, to, i)).toArray();
  }

  private static int[] joined(int ranks, IntFunction<int[]> part) {
    return IntStream.range(0, ranks).mapToObj(part).flatMapToInt(Arrays::stream).toArray();
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4})
  void lengthsAreExchanged(IntraComm world) {
    long[] seed = {world.rank() == 0 ? Seeds.next() : 0};
    world.bcast(seed, 0);
    Seeds.run(seed[0], () -> exchangeLengths(world, Seeds.random(seed[0])));
  }

  private static void exchangeLengths(IntraComm world, RandomGenerator random) {
    int size = world.size();
    int rank = world.rank();
    for (int trial = 0; trial < TRIALS; trial++) {
      int[][] n = new int[size][size];
      for (int[] row : n) {
        Arrays.setAll(row, i -> random.nextInt(4) == 0 ? 0 : random.nextInt(300));
      }
      int root = random.nextInt(size);
      int each = n[0][0];
      int[] lengths = Arrays.stream(n).mapToInt(row -> row[0]).toArray();
      int[] all = joined(size, r -> elements(r, 0, lengths[r]));
      int[] counts = new int[size];
      assertArrayEquals(all, world.allgatherv(elements(rank, 0, lengths[rank]), counts));
      assertArrayEquals(lengths, counts);
      assertArrayEquals(all, world.allgatherv(elements(rank, 0, lengths[rank])));
      int[] gathered = world.gatherv(elements(rank, 0, lengths[rank]), root);
      assertArrayEquals(rank == root ? all : null, gathered);
      assertArrayEquals(joined(size, r -> elements(r, 0, each)), world.allgather(elements(rank, 0, each)));
      assertArrayEquals(rank == root ? joined(size, r -> elements(r, 0, each)) : null,
          world.gather(elements(rank, 0, each), root));
      int[] blocks = rank == root ? joined(size, r -> elements(root, r, lengths[r])) : null;
      assertArrayEquals(elements(root, rank, lengths[rank]),
          world.scatterv(blocks, rank == root ? lengths : null, root));
      int[] equal = rank == root ? joined(size, r -> elements(root, r, each)) : null;
      assertArrayEquals(elements(root, rank, each), world.scatter(equal, root));
      assertArrayEquals(joined(size, r -> elements(r, rank, each)),
          world.alltoall(joined(size, r -> elements(rank, r, each))));
      assertArrayEquals(joined(size, r -> elements(r, rank, n[r][rank])),
          world.alltoallv(joined(size, r -> elements(rank, r, n[rank][r])), n[rank], counts));
      assertArrayEquals(IntStream.range(0, size).map(r -> n[r][rank]).toArray(), counts);
      int[] mine = rank == root ? elements(root, 0, each) : null;
      int[] told = world.bcastInts(mine, root);
      assertArrayEquals(elements(root, 0, each), told);
      if (rank == root) {
        assertSame(mine, told);
      }
    }
  }

  @EveryTransport
  @MpiTest(ranks = 2)
  void receivesMakeTheirArrays(IntraComm world) {
    int other = 1 - world.rank();
    world.isend(new double[] {1.5, 2.5}, other, 7);
    assertArrayEquals(new double[] {1.5, 2.5}, world.recvDoubles(other, 7));
    Status status = new Status();
    for (int n : new int[] {0, 1, 5, 100_000}) {
      var sending = world.isend(new byte[n], other, 3);
      assertEquals(n, world.recvBytes(Mpi.ANY_SOURCE, Mpi.ANY_TAG, status).length);
      assertEquals(other, status.source());
      assertEquals(3, status.tag());
      assertEquals(n, status.getCount(Datatype.BYTE));
      sending.await();
    }
    assertEquals(0, world.recvChars(Mpi.PROC_NULL, 0).length);
    for (int n : new int[] {3, 1_000_001}) {
      var waiting = world.issend(new byte[n], other, 1);
      assertError(ErrorClass.ERR_TYPE, () -> world.recvInts(other, 1), n + " bytes", "4-byte");
      waiting.await(); // dropped, so that no sender waits for ever
    }
    world.isend(new int[] {5}, other, 2);
    assertError(ErrorClass.ERR_ARG, () -> world.recvInts(other, 2, null), "into");
    assertArrayEquals(new int[] {5}, world.recvInts(other, 2)); // still there
    world.barrier();
  }

  @MpiTest(ranks = {1, 2, 4})
  void wholeArraysAreBuffers(IntraComm world) {
    int size = world.size();
    int rank = world.rank();
    long[] data = {rank, 1};
    world.allreduce(data, Op.SUM);
    assertArrayEquals(new long[] {size * (size - 1) / 2, size}, data);
    double[] most = new double[1];
    world.allreduce(new double[] {rank}, most, Op.MAX);
    assertEquals(size - 1, most[0]);
    float[] sum = {1};
    world.reduce(sum, Op.SUM, size - 1);
    assertEquals(rank == size - 1 ? size : 1, sum[0]);
    int[] result = rank == 0 ? new int[1] : null;
    world.reduce(new int[] {1}, result, Op.SUM, 0);
    assertEquals(rank == 0 ? size : 0, rank == 0 ? result[0] : 0);
    int[] prefix = {1};
    world.scan(prefix, Op.SUM);
    assertEquals(rank + 1, prefix[0]);
    int[] before = new int[1];
    world.exscan(new int[] {1}, before, Op.SUM);
    assertEquals(rank, before[0]);
    char[] text = rank == 0 ? "abc".toCharArray() : new char[3];
    world.bcast(text, 0);
    assertEquals("abc", new String(text));
    short[] right = {(short) rank};
    world.sendrecvReplace(right, (rank + 1) % size, 0, (rank + size - 1) % size, 0);
    assertEquals((rank + size - 1) % size, right[0]);
    boolean[] got = new boolean[1];
    world.sendrecv(new boolean[] {true}, rank, 0, got, rank, 0);
    assertEquals(true, got[0]);
    var synchronous = world.issend(new int[] {rank}, (rank + 1) % size, 5);
    assertEquals((rank + size - 1) % size, world.recvInts((rank + size - 1) % size, 5)[0]);
    synchronous.await();
  }

  @MpiTest(ranks = {2, 3})
  void whatIsWrongAtTheRootIsToldToAll(IntraComm world) {
    boolean isRoot = world.rank() == 1;
    assertError(ErrorClass.ERR_BUFFER, () -> world.bcastInts(null, 1), "rank 1, has null");
    int[] none = null;
    assertError(ErrorClass.ERR_BUFFER, () -> world.scatter(none, 1), "rank 1, has null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.scatter("text", 1), "rank 1", "array of primitives");
    assertError(ErrorClass.ERR_BUFFER, () -> world.allgather("text"), "java.lang.String", "arrays of primitives");
    assertError(ErrorClass.ERR_COUNT, () -> world.scatter(isRoot ? new int[world.size() + 1] : none, 1), "multiples");
    assertError(ErrorClass.ERR_COUNT,
        () -> world.scatterv(isRoot ? new int[1] : none, isRoot ? new int[] {1, 1, 1} : null, 1), "counts", "rank 1");
    int[] zeros = new int[world.size()];
    assertError(ErrorClass.ERR_BUFFER, () -> world.scatterv(none, isRoot ? zeros : null, 1), "has null");
    assertError(ErrorClass.ERR_COUNT, () -> world.alltoall(new int[world.size() + 1]), "multiples");
    assertError(ErrorClass.ERR_COUNT, () -> world.alltoallv(new int[0], new int[] {1, 0}), "sendCounts");
    assertError(ErrorClass.ERR_ARG, () -> world.allgatherv(new int[0], new int[7]), "counts");
    assertError(ErrorClass.ERR_ROOT, () -> world.bcastInts(null, -1), "root");
    assertNull(isRoot ? null : world.gather(new int[0], 1));
    if (isRoot) {
      assertEquals(0, world.gather(new int[0], 1).length);
    }
    assertEquals(world.size(), world.allgather(new int[1]).length);
  }

  @MpiTest(ranks = 2)
  void betweenGroupsThereIsNoSuchCall(IntraComm world) {
    try (IntraComm own = world.split(world.rank(), 0);
        InterComm between = own.intercomm(0, world, 1 - world.rank(), 0)) {
      assertError(ErrorClass.ERR_COMM, () -> between.allgather(new int[1]), "one group");
      int[] data = {world.rank()};
      int[] theirs = new int[1];
      between.allreduce(data, theirs, Op.SUM);
      assertEquals(1 - world.rank(), theirs[0]);
    }
  }

  @MpiTest(ranks = {1, 2, 3})
  void segmentsOfBytesAreArraysToo(IntraComm world) {
    int size = world.size();
    int rank = world.rank();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mine = arena.allocate(5).fill((byte) (rank + 1));
      MemorySegment all = world.allgather(mine);
      assertEquals(5L * size, all.byteSize());
      assertEquals((byte) size, all.get(JAVA_BYTE, all.byteSize() - 1));
      int[] counts = new int[size];
      MemorySegment uneven = world.allgatherv(mine.asSlice(0, rank), counts);
      assertEquals(size * (size - 1L) / 2, uneven.byteSize());
      assertEquals(size - 1, counts[size - 1]);
      MemorySegment block = world.scatter(rank == 0 ? all : null, 0);
      assertEquals(-1, block.mismatch(mine));
      world.ssend(mine, Constants.PROC_NULL, 0);
      Request sending = world.isend(Buf.of(mine, 5, Datatype.BYTE), (rank + 1) % size, 3);
      MemorySegment came = world.recvSegment((rank + size - 1) % size, 3);
      sending.await();
      assertEquals(5, came.byteSize());
      assertEquals((byte) ((rank + size - 1) % size + 1), came.get(JAVA_BYTE, 4));
      world.bcast(came, 0);
      assertEquals((byte) size, came.get(JAVA_BYTE, 0));
    }
    assertError(ErrorClass.ERR_BUFFER, () -> world.allgather("text"), "java.lang.String", "MemorySegment");
    assertEquals(0, world.recvSegment(Constants.PROC_NULL, 0).byteSize());
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3})
  void arraysOfStartedCalls(IntraComm world) {
    int size = world.size();
    int rank = world.rank();
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;
    long[] out = {rank, 7};
    long[] in = new long[2];
    try (Persistent receive = world.recvInit(in, previous, 1); Persistent send = world.sendInit(out, next, 1);
        Persistent synchronous = world.ssendInit(out, next, 1)) {
      for (Persistent sender : List.of(send, synchronous, send)) {
        out[1]++;
        receive.start();
        sender.start();
        receive.await();
        sender.await();
        assertArrayEquals(new long[] {previous, out[1]}, in);
      }
    }
    world.isendrecv(out, next, 2, in, previous, 2).await();
    assertEquals(previous, in[0]);
    Request sending = world.isend(out, next, 4);
    Message message = world.mprobe(previous, 4);
    message.mrecv(in);
    sending.await();
    sending = world.isend(out, next, 5);
    world.mprobe(previous, 5).imrecv(in).await();
    sending.await();
    assertEquals(previous, in[0]);

    double[] shown = {rank == size - 1 ? 2.5 : 0};
    world.ibcast(shown, size - 1).await();
    assertEquals(2.5, shown[0]);
    int[] sum = {1, rank};
    world.iallreduce(sum, Op.SUM).await();
    assertArrayEquals(new int[] {size, size * (size - 1) / 2}, sum);
    int[] result = new int[1];
    world.iallreduce(new int[] {rank}, result, Op.MAX).await();
    assertEquals(size - 1, result[0]);
    float[] atRoot = {1};
    world.ireduce(atRoot, Op.SUM, 0).await();
    assertEquals(rank == 0 ? size : 1, atRoot[0]);
    try (Persistent reducing = world.allreduceInit(sum, result = new int[2], Op.MIN);
        Persistent telling = world.bcastInit(shown, 0)) {
      reducing.start();
      reducing.await();
      assertArrayEquals(sum, result);
      shown[0] = rank;
      telling.start();
      telling.await();
      assertEquals(0, shown[0]);
    }
  }
}
