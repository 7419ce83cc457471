// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.io.IOException;
import mpi.MPI;
import mpi.MPIException;
import org.ffmpi.dialect.Job;

/** {@link CompatProgram} in mpiJava, as MPJ Express has it. */
public final class CompatMpijava extends CompatProgram {
  private final double[] shared = new double[1];

  private CompatMpijava() {
    super(Job.mpi().world());
  }

  public static void main(String[] args) throws IOException, MPIException {
    MPI.Init(args);
    new CompatMpijava().start(args);
    MPI.Finalize();
  }

  @Override
  void barrier() {
    MPI.COMM_WORLD.Barrier();
  }

  @Override
  double agree(double value) {
    shared[0] = value;
    MPI.COMM_WORLD.Bcast(shared, 0, 1, MPI.DOUBLE, 0);
    return shared[0];
  }

  @Override
  Loops loops(CompatNumbers numbers) {
    return new Calls(numbers);
  }

  /** Over an array or a direct buffer: the calls take both as objects. */
  private final class Calls implements Loops {
    private final int length;
    private final Object send;
    private final Object receive;
    private final int[] counts;
    private final int[] places;

    Calls(CompatNumbers n) {
      length = n.length();
      send = n.inArrays() ? n.sentArray() : n.sent();
      receive = n.inArrays() ? n.receivedArray() : n.received();
      counts = n.counts();
      places = n.places();
    }

    @Override
    public void pingpong(long iterations) {
      if (rank == 0) {
        for (long i = 0; i < iterations; i++) {
          MPI.COMM_WORLD.Send(send, 0, length, MPI.DOUBLE, 1, TAG);
          MPI.COMM_WORLD.Recv(receive, 0, length, MPI.DOUBLE, 1, TAG);
        }
      } else {
        for (long i = 0; i < iterations; i++) {
          MPI.COMM_WORLD.Recv(receive, 0, length, MPI.DOUBLE, 0, TAG);
          MPI.COMM_WORLD.Send(send, 0, length, MPI.DOUBLE, 0, TAG);
        }
      }
    }

    @Override
    public void allreduce(long iterations) {
      for (long i = 0; i < iterations; i++) {
        MPI.COMM_WORLD.Allreduce(send, 0, receive, 0, length, MPI.DOUBLE, MPI.SUM);
      }
    }

    @Override
    public void allgatherv(long iterations) {
      for (long i = 0; i < iterations; i++) {
        MPI.COMM_WORLD.Allgatherv(send, 0, length, MPI.DOUBLE, receive, 0, counts, places, MPI.DOUBLE);
      }
    }
  }
}
