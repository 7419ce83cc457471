// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.util.HashMap;
import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.Op;

/** The common part of programs that call collectives; {@code coll.h} in Java. */
abstract class CollProgram extends RankProgram {
  /** Kept by kind and size, so that all collectives meet the same ones. */
  private final Map<String, CollBuffers> buffers = new HashMap<>();

  private final double[] total = new double[1];
  private final Buf<Double> totalBuf = Buf.of(total);

  /** Seconds this rank has spent within the calls of the last loop. */
  double spent;

  CollProgram(Mpi mpi) {
    super(mpi);
  }

  /** More than usual: there is much to compile. */
  @Override
  int warmUpParts() {
    return 3;
  }

  @Override
  void turn(Work work, Loop loop) {
    turnBySeconds(loop);
  }

  /** Returns the time within the calls, without that of the barriers, as the mean over the ranks. */
  @Override
  double repetition(Loop loop, long iterations) {
    timed(loop, iterations);
    total[0] = spent;
    world.allreduce(totalBuf, Op.SUM);
    return total[0] / world.size();
  }

  /** Returns memory for a collective. */
  final CollBuffers buffers(String memory, CollData data) {
    long words = Math.max(1, data.block()) * world.size();
    return buffers.computeIfAbsent(memory + "/" + data.bytes(), k -> CollBuffers.of(this, memory, words));
  }

  /** Makes the call once, outside of all timing, and checks every number it brings. */
  final void checkResult(Work work, Runnable call, CollBuffers memory, CollData data) {
    memory.fill(data);
    memory.wipe(data);
    world.barrier();
    call.run();
    memory.check(work, data);
  }
}
