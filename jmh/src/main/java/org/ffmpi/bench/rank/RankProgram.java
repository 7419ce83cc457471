// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;

/** A program that measures calls of ffmpi's own API. */
abstract class RankProgram extends WorkProgram {
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
