// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.Buf;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.collective.OpAccess;
import org.ffmpi.collectives.algorithm.Sample;
import org.ffmpi.collectives.execute.Execution;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The nonblocking and the persistent driver: threads, errors, starting again. */
@Timeout(120)
class NonblockingTest {
  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @Test
  void manyThreadsMayMakeProgressAtOnce() throws InterruptedException {
    int size = 4;
    for (int repetition = 0; repetition < 20; repetition++) {
      SimWorld world = new SimWorld(size, random);
      List<Operation> operations = new ArrayList<>();
      List<long[]> results = new ArrayList<>();
      for (int call = 0; call < 20; call++) {
        for (int rank = 0; rank < size; rank++) {
          long[] values = new long[1 + 37 * call];
          Arrays.fill(values, rank + call);
          results.add(values);
          Operation operation =
              world.collectives.allreduce(world.channels[rank], Buf.inPlace(), Buf.of(values), Op.SUM);
          world.collectives.register(world.channels[rank], operation);
          operations.add(operation);
        }
      }
      AtomicReference<Throwable> failure = new AtomicReference<>();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        threads.add(Thread.ofPlatform().daemon().uncaughtExceptionHandler((x, e) -> failure.set(e)).start(() -> {
          while (failure.get() == null && !operations.stream().allMatch(Operation::isDone)) {
            for (int rank = 0; rank < size; rank++) {
              world.network.engine(rank).progress();
            }
          }
        }));
      }
      for (Thread thread : threads) {
        thread.join(60_000);
        assertFalse(thread.isAlive(), "seed " + seed + ": no progress");
      }
      assertSame(null, failure.get());
      for (int i = 0; i < operations.size(); i++) {
        assertSame(null, operations.get(i).error());
        for (long value : results.get(i)) {
          assertEquals(6 + 4L * (i / size), value, "seed " + seed);
        }
      }
      assertEquals(0, world.network.leftOver());
    }
  }

  @Test
  void innerOperationsWakeTheThreadThatWaitsForTheCollective() throws InterruptedException {
    SimWorld world = new SimWorld(2, random, Map.of());
    Operation waiting = world.collectives.barrier(world.channels[1]);
    world.collectives.register(world.channels[1], waiting);
    Thread waiter = Thread.ofPlatform().daemon().start(() -> {
      waiting.waiter(Thread.currentThread());
      while (!waiting.isDone()) {
        waiting.advance();
        if (!waiting.isDone()) {
          LockSupport.park();
        }
      }
    });
    while (waiter.getState() != Thread.State.WAITING) {
      Thread.sleep(1);
    }
    Operation other = world.collectives.barrier(world.channels[0]);
    world.collectives.register(world.channels[0], other);
    other.advance(); // takes the receive that is left to whoever waits
    while (world.network.step()) {
      // completes the receive of rank 1, whose waiter alone may then take the next step
    }
    waiter.join(30_000);
    assertTrue(waiting.isDone());
  }

  @Test
  void confinedBuffersAreAdvancedByTheirThreadOnly() throws InterruptedException {
    SimWorld world = new SimWorld(2, random, Map.of());
    List<Operation> operations = new ArrayList<>();
    List<Sample> samples = new ArrayList<>();
    byte[] stream = Sample.stream(Datatype.INT64_T, 8, random);
    for (int rank = 0; rank < 2; rank++) {
      Sample sample = new Sample(Datatype.INT64_T, 8, random, rank == 0 ? 1 : 0);
      sample.write(stream);
      samples.add(sample);
      Operation operation =
          world.collectives.allreduce(world.channels[rank], Buf.inPlace(), sample.buf(), Op.MIN);
      world.collectives.register(world.channels[rank], operation);
      operations.add(operation);
    }
    boolean[] moved = new boolean[1];
    Thread stranger = Thread.ofPlatform().start(() -> {
      moved[0] = operations.get(0).advance();
    });
    stranger.join();
    assertFalse(moved[0]);
    world.finish(operations);
    for (Sample sample : samples) {
      assertArrayEquals(stream, sample.read());
    }
  }

  @Test
  void anErrorOfOneStepCancelsTheOthersAndIsTheResult() {
    SimWorld world = new SimWorld(4, random, Map.of());
    Operation gather =
        world.collectives.gather(world.channels[0], Buf.of(new int[4]), Buf.of(new int[16]), 0);
    world.collectives.register(world.channels[0], gather);
    gather.advance(); // takes the receive that is left to whoever waits
    assertEquals(3, world.network.posted(0));
    MpiException death = new MpiException(ErrorClass.ERR_PROC_ABORTED, "rank 1 has died");
    world.network.failPosted(0, death);
    while (!gather.isDone()) {
      world.network.engine(0).advanceRegistered();
    }
    assertSame(death, gather.error());
    assertEquals(0, world.network.posted(0), "receives that are still posted");
  }

  @Test
  void messagesOfCallsThatDoNotAgreeNeverMatch() {
    for (int count : new int[] {2, 8}) {
      SimWorld world = new SimWorld(2, random, Map.of());
      Operation receiving = world.collectives.bcast(world.channels[1], Buf.of(new int[4]), 0);
      world.collectives.register(world.channels[1], receiving);
      Operation sending = world.collectives.bcast(world.channels[0], Buf.of(new int[count]), 0);
      world.collectives.register(world.channels[0], sending);
      assertThrows(AssertionError.class, () -> world.finish(List.of(receiving)), "nothing can happen any more");
      assertFalse(receiving.isDone());
    }
  }

  @Test
  void persistentExecutionsBeginAgainWithTheSameBuffers() {
    for (int repetition = 0; repetition < 30; repetition++) {
      int size = 1 + random.nextInt(6);
      int count = random.nextInt(200);
      SimWorld world = new SimWorld(size, random);
      List<Operation> executions = new ArrayList<>();
      long[][] in = new long[size][count];
      long[][] out = new long[size][count];
      for (int rank = 0; rank < size; rank++) {
        Execution execution = world.collectives.reduction(Collective.ALLREDUCE, world.channels[rank], Buf.of(in[rank]),
            Buf.of(out[rank]), 0, OpAccess.kernel(Op.SUM, Datatype.INT64_T), false);
        execution.persist();
        executions.add(execution);
      }
      for (int start = 1; start <= 5; start++) {
        for (int rank = 0; rank < size; rank++) {
          Arrays.fill(in[rank], (long) rank * start);
          Arrays.fill(out[rank], -1);
          Execution execution = (Execution) executions.get(rank);
          execution.rewind();
          execution.begin();
        }
        world.finish(executions);
        for (long[] result : out) {
          for (long value : result) {
            assertEquals((long) start * size * (size - 1) / 2, value, "seed " + seed);
          }
        }
      }
    }
  }

  @Test
  void anActivePersistentExecutionCannotBeginAndAFailedOneCan() {
    SimWorld world = new SimWorld(2, random, Map.of());
    Execution execution = world.collectives.barrier(world.channels[0]);
    execution.persist();
    execution.rewind();
    execution.begin();
    MpiException error = assertThrows(MpiException.class, execution::rewind);
    assertEquals(ErrorClass.ERR_REQUEST, error.errorClass());
    assertEquals(0, world.network.posted(0), "receives that whoever waits need not post");
    execution.advance();
    assertEquals(1, world.network.posted(0));
    world.network.failPosted(0, new MpiException(ErrorClass.ERR_PROC_ABORTED, "rank 1 has died"));
    while (!execution.isDone()) { // what is under way may have to arrive
      world.network.step();
      world.network.engine(0).advanceRegistered();
    }
    execution.rewind();
    execution.begin();
    assertFalse(execution.isDone());
  }

  @Test
  void largeLocalWorkIsCutIntoBoundedCalls() {
    SimWorld world = new SimWorld(1, random, Map.of());
    byte[] from = new byte[5 << 20];
    random.nextBytes(from);
    byte[] to = new byte[from.length];
    Operation gather = world.collectives.gather(world.channels[0], Buf.of(from), Buf.of(to), 0);
    world.collectives.register(world.channels[0], gather);
    assertFalse(gather.isDone(), "one call copied " + from.length + " bytes");
    int calls = 1;
    while (!gather.isDone()) {
      assertTrue(gather.advance());
      calls++;
    }
    assertTrue(calls >= 4, calls + " calls");
    assertArrayEquals(from, to);
  }
}
