// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongBinaryOperator;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;

/**
 * Short blocking collectives, which ranks with a region carry out without a schedule. They come among longer ones,
 * nonblocking and persistent ones on the same communicator, with all primitive types and operations, roots, in place,
 * in arrays and in segments. Integers are compared with the chain of ranks, floating-point numbers bit by bit with the
 * order that is documented.
 */
class ShortCollectivesTest {
  private static final int TRIALS = Boolean.getBoolean("ffmpi.test.stress") ? 4_000 : 150;

  /** An element's type: how many bytes it has, and how its bits become the long that operations are computed on. */
  private record Kind(Datatype<?> type, int bytes, char form) {
    long wrap(long value) {
      return switch (form) {
        case 'b' -> (byte) value;
        case 's' -> (short) value;
        case 'i' -> (int) value;
        default -> value;
      };
    }

    boolean isFloating() {
      return form == 'f' || form == 'd';
    }

    void put(MemorySegment to, long index, long value) {
      switch (bytes) {
        case 1 -> to.set(ValueLayout.JAVA_BYTE, index, (byte) value);
        case 2 -> to.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * index, (short) value);
        case 4 -> to.set(ValueLayout.JAVA_INT_UNALIGNED, 4 * index, (int) value);
        default -> to.set(ValueLayout.JAVA_LONG_UNALIGNED, 8 * index, value);
      }
    }

    long get(MemorySegment from, long index) {
      return switch (bytes) {
        case 1 -> from.get(ValueLayout.JAVA_BYTE, index);
        case 2 -> from.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * index);
        case 4 -> from.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * index);
        default -> from.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * index);
      };
    }
  }

  private static final List<Kind> KINDS = List.of(
      new Kind(Datatype.INT8_T, 1, 'b'), new Kind(Datatype.INT16_T, 2, 's'), new Kind(Datatype.INT32_T, 4, 'i'),
      new Kind(Datatype.INT64_T, 8, 'l'), new Kind(Datatype.FLOAT, 4, 'f'), new Kind(Datatype.DOUBLE, 8, 'd'));

  private record Operation(Op<Object> op, LongBinaryOperator onLongs) {}

  private static final List<Operation> ON_INTEGERS = List.of(
      new Operation(Op.SUM, (a, b) -> a + b), new Operation(Op.PROD, (a, b) -> a * b),
      new Operation(Op.MIN, Math::min), new Operation(Op.MAX, Math::max), new Operation(Op.BAND, (a, b) -> a & b),
      new Operation(Op.BOR, (a, b) -> a | b), new Operation(Op.BXOR, (a, b) -> a ^ b),
      new Operation(Op.LAND, (a, b) -> a != 0 && b != 0 ? 1 : 0),
      new Operation(Op.LOR, (a, b) -> a != 0 || b != 0 ? 1 : 0),
      new Operation(Op.LXOR, (a, b) -> a != 0 ^ b != 0 ? 1 : 0));

  private static final List<Operation> ON_DOUBLES = List.of(
      new Operation(Op.SUM, (a, b) -> bits(of(a) + of(b))), new Operation(Op.PROD, (a, b) -> bits(of(a) * of(b))),
      new Operation(Op.MAX, (a, b) -> bits(Math.max(of(a), of(b)))));

  private static final List<Operation> ON_FLOATS = List.of(
      new Operation(Op.SUM, (a, b) -> Float.floatToRawIntBits(single(a) + single(b))),
      new Operation(Op.PROD, (a, b) -> Float.floatToRawIntBits(single(a) * single(b))),
      new Operation(Op.MIN, (a, b) -> Float.floatToRawIntBits(Math.min(single(a), single(b)))));

  private static double of(long bits) {
    return Double.longBitsToDouble(bits);
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  private static float single(long bits) {
    return Float.intBitsToFloat((int) bits);
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4, 5, 6, 7, 8}, settings = "ffmpi.coll.region.after=1", timeout = 300)
  void amongOthers(IntraComm world) {
    long[] seed = {world.rank() == 0 ? Seeds.next() : 0};
    world.bcast(Buf.of(seed), 0);
    Seeds.run(seed[0], () -> {
      Calls calls = new Calls(world.dup(), Seeds.random(seed[0]), Seeds.random(seed[0] + 1 + world.rank()));
      calls.run();
      calls.comm.close();
    });
  }

  /** The calls of one rank. What is random alike on all ranks comes from one generator, the rest from another. */
  private static final class Calls {
    final IntraComm comm;
    private final RandomGenerator random;
    private final RandomGenerator own;
    private final int rank;
    private final int size;
    private int trial;
    private Kind kind;
    private int count;
    private int root;
    private boolean inPlace;

    Calls(IntraComm comm, RandomGenerator random, RandomGenerator own) {
      this.comm = comm;
      this.random = random;
      this.own = own;
      this.rank = comm.rank();
      this.size = comm.size();
    }

    void run() {
      long[] persistentSum = new long[1];
      Persistent persistent = comm.allreduceInit(Buf.of(persistentSum), Op.SUM, null);
      long[] sum = {0};
      Request pending = null;
      for (trial = 0; trial < TRIALS; trial++) {
        if (pending == null && random.nextInt(8) == 0) {
          sum[0] = rank + trial;
          pending = comm.iallreduce(Buf.of(sum), Op.SUM);
        }
        if (random.nextInt(8) == 0) {
          persistentSum[0] = rank;
          persistent.start();
          persistent.await();
          assertEquals((long) size * (size - 1) / 2, persistentSum[0]);
        }
        one();
        if (pending != null && random.nextInt(4) == 0) {
          pending.await();
          pending = null;
        }
      }
      if (pending != null) {
        pending.await();
      }
      persistent.close();
    }

    private void one() {
      kind = KINDS.get(random.nextInt(KINDS.size()));
      count = switch (random.nextInt(12)) {
        case 0 -> 0;
        case 1 -> 400 + random.nextInt(5_000); // some fit a slot, others do not
        default -> 1 + random.nextInt(12);
      };
      root = random.nextInt(size);
      inPlace = random.nextBoolean();
      switch (random.nextInt(16)) {
        case 0 -> comm.barrier();
        case 1 -> bcast();
        case 2 -> gather();
        case 3 -> scatter();
        case 4 -> allgather();
        case 5 -> alltoall();
        case 6 -> blocks();
        case 7 -> exchangeOfBlocks();
        default -> reduction();
      }
    }

    // ---- values that all ranks know

    private long value(int ofRank, int index) {
      long mixed = (trial * 31L + ofRank) * 1_000_003 + index;
      mixed *= 0x9E3779B97F4A7C15L;
      mixed ^= mixed >>> 29;
      return switch (kind.form) {
        case 'd' -> bits((mixed >> 20) * 0x1p-30);
        case 'f' -> Float.floatToRawIntBits((mixed >> 40) * 0x1p-12f);
        default -> kind.wrap(mixed);
      };
    }

    /** Memory for elements, in an array or a segment. */
    private MemorySegment memory(int elements) {
      long bytes = (long) elements * kind.bytes;
      return switch (own.nextInt(3)) {
        case 0 -> MemorySegment.ofArray(new byte[(int) bytes]);
        case 1 -> MemorySegment.ofArray(new long[(int) (bytes + 7) / 8]).asSlice(0, bytes);
        default -> Arena.ofAuto().allocate(bytes, 8);
      };
    }

    private Buf<?> buf(MemorySegment memory) {
      return Buf.of(memory, kind.type);
    }

    private MemorySegment filled(int elements, IntFunction<Long> value) {
      MemorySegment memory = memory(elements);
      for (int i = 0; i < elements; i++) {
        kind.put(memory, i, value.apply(i));
      }
      return memory;
    }

    private MemorySegment contribution(int elements) {
      return filled(elements, i -> value(rank, i));
    }

    private void check(String what, MemorySegment memory, int from, int elements, IntFunction<Long> expected) {
      for (int i = 0; i < elements; i++) {
        assertEquals(expected.apply(i), kind.get(memory, from + i), what + " of " + count + " " + kind.type
            + " from or to " + root + (inPlace ? " in place" : "") + ", trial " + trial + ", element " + i);
      }
    }

    // ---- moving calls

    private void bcast() {
      MemorySegment data = rank == root ? contribution(count) : memory(count);
      comm.bcast(buf(data), root);
      check("bcast", data, 0, count, i -> value(root, i));
    }

    private void gather() {
      MemorySegment all = memory(size * count);
      if (inPlace) {
        for (int i = 0; i < count; i++) {
          kind.put(all, rank * count + i, value(rank, i));
        }
        comm.gather(rank == root ? buf(all) : buf(contribution(count)), root);
      } else {
        comm.gather(buf(contribution(count)), rank == root ? buf(all) : null, root);
      }
      for (int r = 0; r < size && rank == root; r++) {
        int from = r;
        check("gather", all, r * count, count, i -> value(from, i));
      }
    }

    private void scatter() {
      MemorySegment mine = memory(count);
      MemorySegment all = contribution(size * count);
      if (inPlace) {
        comm.scatter(rank == root ? buf(all) : buf(mine), root);
      } else {
        comm.scatter(rank == root ? buf(all) : null, buf(mine), root);
      }
      if (!inPlace || rank != root) {
        check("scatter", mine, 0, count, i -> value(root, rank * count + i));
      }
    }

    private void allgather() {
      MemorySegment all = memory(size * count);
      if (inPlace) {
        for (int i = 0; i < count; i++) {
          kind.put(all, rank * count + i, value(rank, i));
        }
        comm.allgather(buf(all));
      } else {
        comm.allgather(buf(contribution(count)), buf(all));
      }
      for (int r = 0; r < size; r++) {
        int from = r;
        check("allgather", all, r * count, count, i -> value(from, i));
      }
    }

    private void alltoall() {
      MemorySegment all = inPlace ? contribution(size * count) : memory(size * count);
      if (inPlace) {
        comm.alltoall(buf(all));
      } else {
        comm.alltoall(buf(contribution(size * count)), buf(all));
      }
      for (int r = 0; r < size; r++) {
        int from = r;
        check("alltoall", all, r * count, count, i -> value(from, rank * count + i));
      }
    }

    /** Blocks of as many elements as their rank says, some of them none, behind one another with gaps. */
    private void blocks() {
      long[] counts = new long[size];
      long[] displs = new long[size];
      int end = 0;
      for (int r = 0; r < size; r++) {
        counts[r] = random.nextInt(4) == 0 ? 0 : random.nextInt(count + 1);
        displs[r] = end + random.nextInt(3);
        end = (int) (displs[r] + counts[r]);
      }
      int mine = (int) counts[rank];
      MemorySegment all = memory(end);
      switch (random.nextInt(3)) {
        case 0 -> {
          comm.gatherv(buf(contribution(mine)), rank == root ? buf(all) : null, counts, displs, root);
          for (int r = 0; r < size && rank == root; r++) {
            int from = r;
            check("gatherv", all, (int) displs[r], (int) counts[r], i -> value(from, i));
          }
        }
        case 1 -> {
          comm.allgatherv(buf(contribution(mine)), buf(all), counts, displs);
          for (int r = 0; r < size; r++) {
            int from = r;
            check("allgatherv", all, (int) displs[r], (int) counts[r], i -> value(from, i));
          }
        }
        default -> {
          MemorySegment own = memory(mine);
          comm.scatterv(rank == root ? buf(contribution(end)) : null, counts, displs, buf(own), root);
          check("scatterv", own, 0, mine, i -> value(root, (int) displs[rank] + i));
        }
      }
    }

    private void exchangeOfBlocks() {
      long[][] counts = new long[size][size];
      for (long[] row : counts) {
        for (int r = 0; r < size; r++) {
          row[r] = random.nextInt(4) == 0 ? 0 : random.nextInt(count + 1);
        }
      }
      long[] received = new long[size];
      for (int r = 0; r < size; r++) {
        received[r] = counts[r][rank];
      }
      long[] from = starts(counts[rank]);
      long[] to = starts(received);
      MemorySegment all = memory((int) Arrays.stream(received).sum());
      comm.alltoallv(buf(contribution((int) Arrays.stream(counts[rank]).sum())), counts[rank], from,
          buf(all), received, to);
      for (int r = 0; r < size; r++) {
        int other = r;
        long start = starts(counts[r])[rank];
        check("alltoallv", all, (int) to[r], (int) received[r], i -> value(other, (int) start + i));
      }
    }

    private static long[] starts(long[] counts) {
      long[] starts = new long[counts.length];
      for (int r = 1; r < counts.length; r++) {
        starts[r] = starts[r - 1] + counts[r - 1];
      }
      return starts;
    }

    // ---- reductions

    private void reduction() {
      List<Operation> all = kind.form == 'd' ? ON_DOUBLES : kind.form == 'f' ? ON_FLOATS : ON_INTEGERS;
      Operation operation = all.get(random.nextInt(all.size()));
      switch (random.nextInt(6)) {
        case 0, 1 -> whole("allreduce", operation, true, i -> balanced(operation, i));
        case 2 -> whole("reduce", operation, rank == root, i -> binomial(operation, i, 0, power()));
        case 3 -> whole("scan", operation, true, i -> ascending(operation, rank, i));
        case 4 -> whole("exscan", operation, rank > 0, i -> ascending(operation, rank - 1, i));
        default -> parts(operation);
      }
    }

    @SuppressWarnings("unchecked") // the operations are defined for all these types
    private void whole(String call, Operation operation, boolean hasResult, IntFunction<Long> expected) {
      MemorySegment result = inPlace ? contribution(count) : memory(count);
      Buf<Object> send = inPlace ? null : (Buf<Object>) buf(contribution(count));
      Buf<Object> recv = (Buf<Object>) buf(result);
      switch (call) {
        case "allreduce" -> {
          if (inPlace) {
            comm.allreduce(recv, operation.op);
          } else {
            comm.allreduce(send, recv, operation.op);
          }
        }
        case "reduce" -> {
          if (inPlace) {
            comm.reduce(recv, operation.op, root);
          } else {
            comm.reduce(send, rank == root ? recv : null, operation.op, root);
          }
        }
        case "scan" -> {
          if (inPlace) {
            comm.scan(recv, operation.op);
          } else {
            comm.scan(send, recv, operation.op);
          }
        }
        default -> {
          if (inPlace) {
            comm.exscan(recv, operation.op);
          } else {
            comm.exscan(send, recv, operation.op);
          }
        }
      }
      if (hasResult) {
        check(call, result, 0, count, expected);
      }
    }

    @SuppressWarnings("unchecked") // the operations are defined for all these types
    private void parts(Operation operation) {
      long[] counts = new long[size];
      boolean isEqual = random.nextBoolean();
      for (int r = 0; r < size; r++) {
        counts[r] = isEqual ? count : random.nextInt(count + 1);
      }
      int all = (int) Arrays.stream(counts).sum();
      int first = (int) starts(counts)[rank];
      MemorySegment result = memory((int) counts[rank]);
      Buf<Object> send = (Buf<Object>) buf(contribution(all));
      if (isEqual) {
        comm.reduceScatterBlock(send, (Buf<Object>) buf(result), operation.op);
      } else {
        comm.reduceScatter(send, (Buf<Object>) buf(result), counts, operation.op);
      }
      check(isEqual ? "reduceScatterBlock" : "reduceScatter", result, 0, (int) counts[rank], i -> {
        long value = value(size - 1, first + i);
        for (int r = size - 2; r >= 0; r--) {
          value = apply(operation, value(r, first + i), value);
        }
        return value;
      });
    }

    private long apply(Operation operation, long left, long right) {
      return kind.isFloating() ? signed(operation.onLongs.applyAsLong(left, right))
          : kind.wrap(operation.onLongs.applyAsLong(left, right));
    }

    private long signed(long bits) {
      return kind.form == 'f' ? (int) bits : bits;
    }

    private long ascending(Operation operation, int last, int index) {
      long value = value(0, index);
      for (int r = 1; r <= last; r++) {
        value = apply(operation, value, value(r, index));
      }
      return value;
    }

    private int power() {
      return Integer.highestOneBit(2 * size - 1);
    }

    /** A binomial tree whose number 0 is the root. */
    private long binomial(Operation operation, int index, int low, int span) {
      if (span == 1) {
        return value((low + root) % size, index);
      }
      int half = span / 2;
      long left = binomial(operation, index, low, half);
      return low + half >= size ? left
          : apply(operation, left, binomial(operation, index, low + half, half));
    }

    /** Ranks folded to a power of two, then neighbours, then pairs of pairs. */
    private long balanced(Operation operation, int index) {
      int staying = Integer.highestOneBit(size);
      int folded = size - staying;
      long[] values = new long[staying];
      for (int i = 0; i < staying; i++) {
        values[i] = i < folded
            ? apply(operation, value(2 * i, index), value(2 * i + 1, index)) : value(i + folded, index);
      }
      for (int span = 1; span < staying; span *= 2) {
        for (int i = 0; i < staying; i += 2 * span) {
          values[i] = apply(operation, values[i], values[i + span]);
        }
      }
      return values[0];
    }
  }
}
