// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;
import org.junit.jupiter.api.Test;

/**
 * Blocking calls on arrays and kept buffers, and sends that are over when they start, leave nothing for the garbage
 * collector, even before they are compiled.
 */
class AllocationTest {
  private static final int CALLS = 2_000;

  private final Worlds w = Worlds.returning(0, 2);
  private final IntraComm world = w.world;
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private void assertAllocatesNothing(String what, Runnable call) {
    w.engine.calls = null;
    for (int i = 0; i < CALLS; i++) {
      call.run();
    }
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < 5 && least > 0; attempt++) { // a compilation may deoptimize in between
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CALLS; i++) {
        call.run();
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    long perCall = least / CALLS;
    assertTrue(perCall == 0, () -> what + " allocates " + perCall + " bytes a call");
  }

  @Test
  void blockingCallsAllocateNothing() {
    double[] array = new double[4];
    boolean[] flags = new boolean[4];
    Buf<Double> onHeap = Buf.of(array);
    Buf<Double> offHeap = Buf.of(Arena.ofAuto().allocate(64), 8, Datatype.DOUBLE);
    Status status = new Status();
    assertAllocatesNothing("send(double[])", () -> world.send(array, 1, 7));
    assertAllocatesNothing("send(boolean[])", () -> world.send(flags, 1, 7));
    assertAllocatesNothing("send(Buf) of an array", () -> world.send(onHeap, 1, 7));
    assertAllocatesNothing("send(Buf) off heap", () -> world.send(offHeap, 1, 7));
    assertAllocatesNothing("ssend(Buf)", () -> world.ssend(offHeap, 1, 7));
    assertAllocatesNothing("recv(double[])", () -> world.recv(array, 1, 7));
    assertAllocatesNothing("recv(double[], status)", () -> world.recv(array, 1, 7, status));
    assertAllocatesNothing("recv(Buf)", () -> world.recv(offHeap, Constants.ANY_SOURCE, Constants.ANY_TAG));
    assertAllocatesNothing("sendrecv", () -> world.sendrecv(onHeap, 1, 7, offHeap, 1, 7));
    assertAllocatesNothing("sendrecv(status)", () -> world.sendrecv(onHeap, 1, 7, offHeap, 1, 7, status));
    assertAllocatesNothing("sendrecvReplace", () -> world.sendrecvReplace(onHeap, 1, 7, 1, 7));
    assertAllocatesNothing("recv(Buf, status)", () -> world.recv(onHeap, 1, 7, status));
    assertAllocatesNothing("probe(status)", () -> world.probe(1, 7, status));
    assertAllocatesNothing("iprobe(status)", () -> world.iprobe(1, 7, status));
    assertAllocatesNothing("send to PROC_NULL", () -> world.send(array, Constants.PROC_NULL, 7));
    assertAllocatesNothing("isend that is over, and its await", () -> world.isend(array, 1, 7).await());
    assertAllocatesNothing("isend that is over, and its test", () -> assertTrue(world.isend(array, 1, 7).test(status)));
    List<Request> window = new ArrayList<>();
    assertAllocatesNothing("200 sends that are over, and waitAll", () -> {
      window.clear();
      for (int i = 0; i < 200; i++) {
        window.add(world.isend(array, 1, 7));
      }
      Request.waitAll(window);
    });
    assertAllocatesNothing("sends that are over, and waitAny of each", () -> {
      window.clear();
      for (int i = 0; i < 10; i++) {
        window.add(world.isend(array, 1, 7));
      }
      for (int i = 0; i < 10; i++) {
        Request.waitAny(window);
      }
    });
    Persistent kept = world.sendInit(offHeap, 1, 7);
    assertAllocatesNothing("start of a send that is over, and its await", () -> {
      kept.start();
      kept.await();
    });
    assertAllocatesNothing("start of a send that is over, and its await with a status", () -> {
      kept.start();
      kept.await(status);
    });
    try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      Buf<Double> inConfined = Buf.of(confined.allocate(64), 8, Datatype.DOUBLE);
      Buf<Double> inShared = Buf.of(shared.allocate(64), 8, Datatype.DOUBLE);
      assertAllocatesNothing("send(Buf) of a confined arena", () -> world.send(inConfined, 1, 7));
      assertAllocatesNothing("recv(Buf) of a shared arena", () -> world.recv(inShared, 1, 7, status));
    }
  }
}
