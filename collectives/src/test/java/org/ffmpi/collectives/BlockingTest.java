// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.ffmpi.Buf;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.collective.OpAccess;
import org.ffmpi.collectives.algorithm.Sample;
import org.ffmpi.collectives.region.StubEngine;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The blocking driver: ranks as threads that hand over at random, errors, and what a call costs. */
@Timeout(120)
class BlockingTest {
  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  private interface Body {
    void run(SimWorld world, int rank);
  }

  private void ranks(int size, Map<String, String> settings, Body body) {
    SimWorld world = new SimWorld(size, random, settings);
    try {
      new Baton(size, world.network, random).run(rank -> body.run(world, rank));
    } catch (InterruptedException | AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
    assertEquals(0, world.network.leftOver());
  }

  /** How a rank carries out a call. */
  private interface Caller {
    void call(SimWorld world, int rank, Operation operation);
  }

  private static void call(SimWorld world, int rank, Operation operation) {
    world.collectives.run(world.channels[rank], operation);
  }

  /** Starts a call, lets it advance now and then, or to its end, and waits for it. */
  private static void startAndWait(SimWorld world, int rank, Operation operation, Random random) {
    SimEngine engine = world.network.engine(rank);
    world.collectives.register(world.channels[rank], operation);
    for (int looks = random.nextInt(3) * random.nextInt(10); looks > 0; looks--) {
      engine.advanceRegistered();
      world.network.pause.run();
    }
    if (!operation.isDone()) {
      engine.await(operation);
    }
    if (operation.error() != null) {
      throw operation.error();
    }
    engine.release(operation);
  }

  @Test
  void sequencesOfBlockingCalls() {
    for (int size = 1; size <= 9; size++) {
      for (int repetition = 0; repetition < 6; repetition++) {
        long callSeed = random.nextLong();
        int n = size;
        ranks(size, SimWorld.randomSettings(random),
            (world, rank) -> sequence(world, rank, n, new Random(callSeed), BlockingTest::call));
      }
    }
  }

  @Test
  void sequencesOfCallsThatAreStartedAndWaitedFor() {
    for (int size = 1; size <= 9; size++) {
      for (int repetition = 0; repetition < 6; repetition++) {
        long callSeed = random.nextLong();
        int n = size;
        ranks(size, SimWorld.randomSettings(random), (world, rank) -> {
          Random own = new Random(callSeed + rank + 1);
          sequence(world, rank, n, new Random(callSeed), (w, r, operation) -> {
            if (own.nextInt(4) == 0) {
              call(w, r, operation);
            } else {
              startAndWait(w, r, operation, own);
            }
          });
        });
      }
    }
  }

  /** All ranks draw the same calls. */
  private static void sequence(SimWorld world, int rank, int size, Random calls, Caller caller) {
    Channel channel = world.channels[rank];
    BoundCalls collectives = world.collectives;
    for (int i = 0; i < 12; i++) {
      int root = calls.nextInt(size);
      int count = calls.nextInt(3) * calls.nextInt(400);
      double[] mine = new double[count];
      Arrays.fill(mine, rank + 1);
      double[] result = new double[count];
      double all = size * (size + 1) / 2.0;
      switch (calls.nextInt(6)) {
        case 0 -> caller.call(world, rank, collectives.barrier(channel));
        case 1 -> {
          caller.call(world, rank, collectives.bcast(channel, Buf.of(mine), root));
          check(mine, root + 1);
        }
        case 2 -> {
          Buf<?> recv = rank == root ? Buf.of(result) : null;
          caller.call(world, rank, collectives.reduce(channel, Buf.of(mine), recv, Op.SUM, root));
          check(result, rank == root ? all : 0);
        }
        case 3 -> {
          caller.call(world, rank, collectives.allreduce(channel, Buf.of(mine), Buf.of(result), Op.SUM));
          check(result, all);
          check(mine, rank + 1);
        }
        case 4 -> {
          caller.call(world, rank, collectives.allreduce(channel, Buf.inPlace(), Buf.of(mine), Op.MAX));
          check(mine, size);
        }
        default -> {
          double[] whole = new double[count * size];
          caller.call(
              world, rank, collectives.gather(channel, Buf.of(mine), rank == root ? Buf.of(whole) : null, root));
          for (int k = 0; k < whole.length && rank == root; k++) {
            assertEquals(k / count + 1, whole[k]);
          }
        }
      }
    }
  }

  private static void check(double[] values, double expected) {
    for (double value : values) {
      assertEquals(expected, value);
    }
  }

  @Test
  void confinedBuffersOfEveryRanksOwnThread() {
    ranks(4, SimWorld.randomSettings(random), (world, rank) -> {
      Random own = new Random(rank);
      byte[] stream = Sample.stream(Datatype.DOUBLE, 300, new Random(1));
      Sample send = new Sample(Datatype.DOUBLE, 300, own, 1);
      Sample recv = new Sample(Datatype.DOUBLE, 300, own, 1);
      send.write(stream);
      call(world, rank, world.collectives.allreduce(world.channels[rank], send.buf(), recv.buf(), Op.MAX));
      assertArrayEquals(stream, recv.read());
      recv.checkMargins();
    });
  }

  @Test
  void anExecutionIsUsedAgainUnlessItFailed() {
    BoundCalls collectives = new BoundCalls();
    EchoEngine engine = new EchoEngine();
    Channel channel = new Channel(engine, 0);
    Operation first = collectives.barrier(channel);
    collectives.run(channel, first);
    Operation second = collectives.barrier(channel);
    assertSame(first, second);
    engine.error = new MpiException(ErrorClass.ERR_PROC_ABORTED, "rank 1 has died");
    MpiException error = assertThrows(MpiException.class, () -> collectives.run(channel, second));
    assertSame(engine.error, error);
    assertSame(engine.error, second.error());
    assertTrue(second.isDone());
    engine.error = null;
    Operation third = collectives.barrier(channel);
    assertNotSame(second, third);
    collectives.run(channel, third);
  }

  @Test
  void aClosedArenaIsAnErrorOfTheBuffer() {
    BoundCalls collectives = new BoundCalls();
    Channel channel = new Channel(new EchoEngine(), 0);
    for (Arena arena :
        new Arena[] {Arena.ofShared(), Arena.ofConfined()}) {
      MemorySegment memory = arena.allocate(64);
      Operation operation =
          collectives.allreduce(channel, Buf.of(memory, 8, Datatype.DOUBLE), Buf.of(new double[8]), Op.SUM);
      arena.close();
      MpiException error = assertThrows(MpiException.class, () -> collectives.run(channel, operation));
      assertEquals(ErrorClass.ERR_BUFFER, error.errorClass());
    }
  }

  /** Swallows what is sent and receives at once, leaving the buffer as it is. */
  private static final class EchoEngine extends StubEngine {
    MpiException error;

    EchoEngine() {
      super(0, 2, Settings.of(Map.of()));
    }

    @Override
    public Operation isend(
        int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
      return completed();
    }

    @Override
    public void recv(
        int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag,
        Envelope envelope) {
      if (error != null) {
        throw error;
      }
      envelope.set(peer, tag, count * plan.size(), false);
    }

    @Override
    public Operation irecv(
        int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
      return new Received(peer, tag, count * plan.size());
    }
  }

  private static final class Received extends Operation {
    private final int peer;
    private final int tag;
    private final long bytes;

    Received(int peer, int tag, long bytes) {
      this.peer = peer;
      this.tag = tag;
      this.bytes = bytes;
      complete();
    }

    @Override
    public void envelope(Envelope into) {
      into.set(peer, tag, bytes, false);
    }
  }

  @Test
  void aSteadyStateAllocatesNothing() {
    ScheduledCollectives collectives = new ScheduledCollectives();
    Channel channel = new Channel(new EchoEngine(), 0);
    MemorySegment native8 = Arena.ofAuto().allocate(8);
    Buf<Double> ofNative = Buf.of(native8, 1, Datatype.DOUBLE);
    Buf<Double> ofArray = Buf.of(new double[1]);
    Buf<Double> result = Buf.of(new double[1]);
    ReduceKernel sum = OpAccess.kernel(Op.SUM, Datatype.DOUBLE);
    CollectiveCall call = new CollectiveCall();
    Runnable calls = () -> {
      for (int i = 0; i < 1000; i++) {
        call.begin(Collective.BARRIER);
        collectives.call(channel, call, CollectiveForm.BLOCKING);
        BoundCalls.set(call.begin(Collective.BCAST).send(), ofArray);
        collectives.call(channel, call, CollectiveForm.BLOCKING);
        call.clear();
        BoundCalls.set(call.begin(Collective.ALLREDUCE).recv(), ofNative);
        call.setInPlace();
        call.setKernel(sum, true);
        collectives.call(channel, call, CollectiveForm.BLOCKING);
        BoundCalls.set(call.begin(Collective.ALLREDUCE).send(), ofArray);
        BoundCalls.set(call.recv(), result);
        collectives.call(channel, call, CollectiveForm.BLOCKING);
        call.clear();
      }
    };
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated = Long.MAX_VALUE;
    long limit = System.nanoTime() + 60_000_000_000L; // how soon code is compiled depends on what else runs
    while (allocated > 1000 && System.nanoTime() < limit) {
      long before = threads.getCurrentThreadAllocatedBytes();
      calls.run();
      allocated = threads.getCurrentThreadAllocatedBytes() - before;
    }
    assertTrue(allocated <= 1000, allocated + " bytes in 4000 calls");
  }
}
