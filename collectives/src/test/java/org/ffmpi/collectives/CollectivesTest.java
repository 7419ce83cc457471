// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.ffmpi.Buf;
import org.ffmpi.Op;
import org.ffmpi.base.MpiException;
import org.ffmpi.collective.OpAccess;
import org.ffmpi.collectives.algorithm.Reductions;
import org.ffmpi.collectives.algorithm.Sample;
import org.ffmpi.collectives.execute.Execution;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.Operation;
import org.junit.jupiter.api.Test;

/**
 * Nonblocking collectives of up to nine simulated ranks with every type, memory of every kind, any algorithm, and the
 * order of events at random: against a chain of reductions, or the data themselves.
 */
class CollectivesTest {
  private static final int MOST_RANKS = 9;
  private static final long[] COUNTS = {0, 1, 2, 7, 64, 300, 2500};
  private static final List<Op<Object>> ORDERED_LIKE_NUMBERS = List.of(Op.SUM, Op.MIN, Op.MAX);

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  private void repeat(int times, Runnable body) {
    for (int i = 0; i < times; i++) {
      try {
        body.run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ", repetition " + i + ": " + e.getMessage(), e);
      }
    }
  }

  private long count() {
    return COUNTS[random.nextInt(COUNTS.length)];
  }

  private static ReduceKernel kernelOrNull(Op<?> op, Datatype<?> type) {
    try {
      return OpAccess.kernel(op, type);
    } catch (MpiException undefined) {
      return null;
    }
  }

  @Test
  void sumMinAndMaxOfEveryTypeTheyAreDefinedFor() {
    for (Datatype<?> type : Datatype.predefined()) {
      for (Op<?> op : ORDERED_LIKE_NUMBERS) {
        ReduceKernel kernel = kernelOrNull(op, type);
        if (kernel != null) {
          repeat(4, () -> {
            allreduce(type, kernel, false);
            reduce(type, kernel, false);
          });
        }
      }
    }
  }

  @Test
  void locationsOfPairsWithGaps() {
    for (Datatype<?> type : List.of(Datatype.DOUBLE_INT, Datatype.SHORT_INT, Datatype.FLOAT_INT, Datatype.TWO_INT)) {
      for (Op<?> op : List.of(Op.MINLOC, Op.MAXLOC)) {
        repeat(10, () -> {
          allreduce(type, OpAccess.kernel(op, type), false);
          reduce(type, OpAccess.kernel(op, type), false);
        });
      }
    }
  }

  @Test
  void orderIsKeptWhereTheOperationDoesNotCommute() {
    repeat(60, () -> {
      allreduce(Datatype.INT64_T, Reductions.COMPOSE, true);
      reduce(Datatype.INT64_T, Reductions.COMPOSE, true);
    });
  }

  private void allreduce(Datatype<?> type, ReduceKernel kernel, boolean ordered) {
    int size = 1 + random.nextInt(MOST_RANKS);
    long count = count();
    SimWorld world = new SimWorld(size, random);
    byte[][] contributions = new byte[size][];
    List<Sample> results = new ArrayList<>();
    List<Operation> operations = new ArrayList<>();
    List<Runnable> checks = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      byte[] mine = Sample.stream(type, count, random);
      contributions[rank] = mine;
      Sample recv = new Sample(type, count, random);
      Sample send = contribution(type, count, mine, recv, random.nextBoolean(), checks);
      results.add(recv);
      Execution execution = world.collectives.reduction(Collective.ALLREDUCE, world.channels[rank],
          send == recv ? null : send.buf(), recv.buf(), 0, kernel, ordered);
      world.collectives.register(world.channels[rank], execution);
      operations.add(execution);
    }
    world.finish(operations);
    byte[] expected = Reductions.chain(kernel, type, count, contributions);
    for (Sample result : results) {
      assertArrayEquals(expected, result.read(), type.name());
      result.checkMargins();
    }
    checks.forEach(Runnable::run);
  }

  private void reduce(Datatype<?> type, ReduceKernel kernel, boolean ordered) {
    int size = 1 + random.nextInt(MOST_RANKS);
    int root = random.nextInt(size);
    long count = count();
    SimWorld world = new SimWorld(size, random);
    byte[][] contributions = new byte[size][];
    Sample result = new Sample(type, count, random);
    List<Operation> operations = new ArrayList<>();
    List<Runnable> checks = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      byte[] mine = Sample.stream(type, count, random);
      contributions[rank] = mine;
      Sample recv = rank == root ? result : null;
      Sample send = contribution(type, count, mine, recv, rank == root && random.nextBoolean(), checks);
      Execution execution = world.collectives.reduction(Collective.REDUCE, world.channels[rank],
          send == recv ? null : send.buf(), recv == null ? null : recv.buf(), root, kernel, ordered);
      world.collectives.register(world.channels[rank], execution);
      operations.add(execution);
    }
    world.finish(operations);
    assertArrayEquals(Reductions.chain(kernel, type, count, contributions), result.read(), type.name());
    result.checkMargins();
    checks.forEach(Runnable::run);
  }

  /** Puts a contribution into the result's place or a buffer of its own, which must not change. */
  private Sample contribution(
      Datatype<?> type, long count, byte[] mine, Sample recv, boolean inPlace, List<Runnable> checks) {
    if (inPlace) {
      recv.write(mine);
      return recv;
    }
    Sample send = new Sample(type, count, random);
    send.write(mine);
    checks.add(() -> {
      assertArrayEquals(mine, send.read(), "send buffer");
      send.checkMargins();
    });
    return send;
  }

  @Test
  void broadcastOfEveryTypeToAnyTypeOfTheSameSize() {
    for (Datatype<?> type : Datatype.predefined()) {
      repeat(3, () -> bcast(type));
    }
  }

  private void bcast(Datatype<?> type) {
    int size = 1 + random.nextInt(MOST_RANKS);
    int root = random.nextInt(size);
    long count = count();
    SimWorld world = new SimWorld(size, random);
    byte[] data = Sample.stream(type, count, random);
    List<Sample> samples = new ArrayList<>();
    List<Operation> operations = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      Sample sample = sample(type, count);
      samples.add(sample);
      if (rank == root) {
        sample.write(data);
      }
      Operation operation = world.collectives.bcast(world.channels[rank], sample.buf(), root);
      world.collectives.register(world.channels[rank], operation);
      operations.add(operation);
    }
    world.finish(operations);
    for (Sample sample : samples) {
      assertArrayEquals(data, sample.read(), type.name());
      sample.checkMargins();
    }
  }

  /** Makes a buffer of the type, or of as many bytes: memory need not have the same gaps on all ranks. */
  private Sample sample(Datatype<?> type, long count) {
    return random.nextBoolean()
        ? new Sample(type, count, random)
        : new Sample(Datatype.BYTE, count * type.size(), random);
  }

  @Test
  void gatherOfEveryType() {
    for (Datatype<?> type : Datatype.predefined()) {
      repeat(3, () -> gather(type));
    }
  }

  private void gather(Datatype<?> type) {
    int size = 1 + random.nextInt(MOST_RANKS);
    int root = random.nextInt(size);
    long count = count();
    int block = (int) (count * type.size());
    SimWorld world = new SimWorld(size, random);
    byte[] all = Sample.stream(type, size * count, random);
    Sample result = random.nextBoolean()
        ? new Sample(type, size * count, random)
        : new Sample(Datatype.BYTE, size * block, random);
    boolean inPlace = random.nextBoolean();
    List<Operation> operations = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      byte[] mine = Arrays.copyOfRange(all, rank * block, (rank + 1) * block);
      Buf<?> send;
      if (rank == root && inPlace) {
        byte[] before = new byte[all.length];
        System.arraycopy(mine, 0, before, rank * block, block);
        result.write(before);
        send = Buf.inPlace();
      } else {
        Sample sample = sample(type, count);
        sample.write(mine);
        send = sample.buf();
      }
      Operation operation =
          world.collectives.gather(world.channels[rank], send, rank == root ? result.buf() : null, root);
      world.collectives.register(world.channels[rank], operation);
      operations.add(operation);
    }
    world.finish(operations);
    assertArrayEquals(all, result.read(), type.name());
    result.checkMargins();
  }

  @Test
  void aBarrierEndsNowhereBeforeItHasBegunEverywhere() {
    repeat(200, () -> {
      int size = 2 + random.nextInt(MOST_RANKS - 1);
      SimWorld world = new SimWorld(size, random);
      int late = random.nextInt(size);
      List<Operation> operations = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        if (rank != late) {
          operations.add(barrier(world, rank));
        }
      }
      for (int i = 0; i < 200; i++) {
        world.network.step();
        world.network.engine(random.nextInt(size)).advanceRegistered();
      }
      for (Operation operation : operations) {
        assertTrue(!operation.isDone(), "a rank left the barrier before rank " + late + " came");
      }
      operations.add(barrier(world, late));
      world.finish(operations);
    });
  }

  private static Operation barrier(SimWorld world, int rank) {
    Operation operation = world.collectives.barrier(world.channels[rank]);
    world.collectives.register(world.channels[rank], operation);
    return operation;
  }

  @Test
  void manyCallsInFlightOnOneCommunicator() {
    repeat(60, () -> {
      int size = 2 + random.nextInt(5);
      SimWorld world = new SimWorld(size, random);
      int calls = 2 + random.nextInt(8);
      int[] lengths = random.ints(calls, 0, 400).toArray();
      int[] kinds = random.ints(calls, 0, 4).toArray();
      int[] roots = random.ints(calls, 0, size).toArray();
      long[][][] data = new long[size][calls][];
      int[] started = new int[size];
      List<Operation> operations = new ArrayList<>();
      while (operations.size() < size * calls) {
        int rank = random.nextInt(size);
        int call = started[rank];
        if (call == calls) {
          continue;
        }
        started[rank]++;
        long[] values = new long[lengths[call]];
        Arrays.fill(values, 1L << (5 * rank));
        data[rank][call] = values;
        Operation operation = switch (kinds[call]) {
          case 0 -> world.collectives.barrier(world.channels[rank]);
          case 1 -> world.collectives.bcast(world.channels[rank], Buf.of(values), roots[call]);
          case 2 -> world.collectives.reduce(world.channels[rank],
              rank == roots[call] ? Buf.inPlace() : Buf.of(values), Buf.of(values), Op.SUM, roots[call]);
          default -> world.collectives.allreduce(world.channels[rank], Buf.inPlace(), Buf.of(values), Op.SUM);
        };
        world.collectives.register(world.channels[rank], operation);
        operations.add(operation);
        if (random.nextBoolean()) {
          world.network.step();
        }
      }
      world.finish(operations);
      long all = 0;
      for (int rank = 0; rank < size; rank++) {
        all += 1L << (5 * rank);
      }
      for (int call = 0; call < calls; call++) {
        for (int rank = 0; rank < size; rank++) {
          long own = 1L << (5 * rank);
          long expected = switch (kinds[call]) {
            case 0 -> own;
            case 1 -> 1L << (5 * roots[call]);
            case 2 -> rank == roots[call] ? all : own;
            default -> all;
          };
          for (long value : data[rank][call]) {
            assertTrue(value == expected, "call " + call + " of kind " + kinds[call] + " at rank " + rank);
          }
        }
      }
    });
  }
}
