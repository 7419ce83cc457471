// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;

/** A program that measures calls of ffmpi's own API. */
abstract class RankProgram extends WorkProgram {
  static final long PAGE = 4096;

  /** Everything the ranks have in common. */
  final Mpi mpi;
  final IntraComm world;

  private final double[] shared = new double[1];
  private final Buf<?> sharedBuf = Buf.of(shared);

  RankProgram(Mpi mpi) {
    super(mpi.world().rank());
    this.mpi = mpi;
    this.world = mpi.world();
  }

  /** The main method of all programs: measures the points named by the arguments. */
  static void start(String[] args, Function<Mpi, RankProgram> program) {
    Mpi.run(args, mpi -> program.apply(mpi).run(args));
  }

  /** Throws unless there are two ranks. */
  final void requireTwoRanks(String name) {
    if (world.size() != 2) {
      throw new IllegalArgumentException(name + " is between 2 ranks");
    }
  }

  /** Throws when there is but one rank. */
  final void requireRanks(String name) {
    if (world.size() < 2) {
      throw new IllegalArgumentException(name + " needs at least 2 ranks");
    }
  }

  /** Allocates memory of a kind: {@code native}, in an arena, or {@code shared}. */
  final MemorySegment allocate(String memory, Arena arena, long bytes) {
    return switch (memory) {
      case "native" -> arena.allocate(bytes, PAGE);
      case "shared" -> mpi.shared().allocate(bytes, PAGE);
      default -> throw new IllegalArgumentException("unknown kind of memory: " + memory);
    };
  }

  @Override
  final void barrier() {
    world.barrier();
  }

  @Override
  final double agree(double value) {
    shared[0] = value;
    world.bcast(sharedBuf, 0);
    return shared[0];
  }
}
