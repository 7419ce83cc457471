// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;

/** Making communicators and closing them again, with any number of ranks; {@code comm.c} in Java. */
public final class CommLife extends RankProgram {
  /** Communicators of each turn of the warm-up. */
  private static final int TURN = 2_000;

  private CommLife(Mpi mpi) {
    super(mpi);
  }

  public static void main(String[] args) {
    start(args, CommLife::new);
  }

  @Override
  List<Work> warmUpWork() {
    return Work.of("comm", List.of("dup-free", "split", "dup-use", "split-use"), 0);
  }

  @Override
  void turn(Work work, Loop loop) {
    loop.run(TURN);
  }

  @Override
  Prepared prepare(Work work) {
    if (!work.bench().equals("comm") || warmUpWork().stream().noneMatch(w -> w.name().equals(work.name()))) {
      throw new IllegalArgumentException("unknown case: " + work);
    }
    boolean splits = work.name().startsWith("split");
    boolean uses = work.name().endsWith("-use");
    Loop loop = iterations -> communicators(splits, uses, iterations);
    return Prepared.micros(loop, 1, () -> checkMade(work, splits));
  }

  /** More than usual: with more ranks than cores, compilers get little of them. */
  @Override
  int warmUpParts() {
    return 4;
  }

  private IntraComm make(boolean splits) {
    return splits ? world.split(rank % 2, rank) : world.dup();
  }

  /** Ends in a barrier of the world: the slowest rank counts, also where making one needs no message. */
  private void communicators(boolean splits, boolean uses, long iterations) {
    for (long i = 0; i < iterations; i++) {
      try (IntraComm made = make(splits)) {
        if (uses) {
          made.barrier();
        }
      }
    }
    world.barrier();
  }

  /** The new communicator has the right ranks in the right order, and they reach each other. */
  private void checkMade(Work work, boolean splits) {
    try (IntraComm made = make(splits)) {
      int expected = 0;
      int members = 0;
      for (int r = splits ? rank % 2 : 0; r < world.size(); r += splits ? 2 : 1) {
        expected += r + 1;
        members++;
      }
      int[] sum = {rank + 1};
      made.allreduce(Buf.of(sum), Op.SUM);
      if (sum[0] != expected || made.size() != members || made.rank() != (splits ? rank / 2 : rank)) {
        throw new IllegalStateException(work + ": rank " + rank + " has a wrong communicator");
      }
    }
  }
}
