// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava;

import java.util.Arrays;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/**
 * The program that the start-up cache of the dialect is made with. It makes the calls of most programs, often enough
 * for the JVM to profile them.
 */
final class MpijavaTraining {
  private static final int OFTEN = 300;
  private static final int TAG = 1;

  private MpijavaTraining() {}

  /**
   * Runs as one of the ranks.
   *
   * @param arguments none
   * @throws MPIException when a call fails
   */
  public static void main(String[] arguments) throws MPIException {
    MPI.Init(arguments);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.Rank();
    int size = world.Size();
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;
    double[] values = new double[8 * size];
    double[] others = new double[8 * size];
    int[] numbers = new int[8 * size];
    int[] counts = new int[size];
    int[] places = new int[size];
    Object[] objects = {"text", 1, new double[4]};
    Object[] received = new Object[objects.length];
    Arrays.fill(counts, 8);
    Arrays.setAll(places, r -> 8 * r);
    Datatype column = Datatype.Vector(4, 1, 2, MPI.DOUBLE);
    column.Commit();
    for (int i = 0; i < OFTEN; i++) {
      if (rank % 2 == 0) {
        world.Send(values, 0, 8, MPI.DOUBLE, next, TAG);
        world.Send(numbers, 4, 4, MPI.INT, next, TAG);
        world.Send(values, 0, 1, column, next, TAG);
      }
      Status status = world.Recv(others, 0, 8, MPI.DOUBLE, previous, TAG);
      world.Recv(numbers, 0, status.Get_count(MPI.DOUBLE), MPI.INT, status.source, MPI.ANY_TAG);
      world.Recv(others, 0, 1, column, MPI.ANY_SOURCE, TAG);
      if (rank % 2 != 0) {
        world.Send(values, 0, 8, MPI.DOUBLE, next, TAG);
        world.Send(numbers, 4, 4, MPI.INT, next, TAG);
        world.Send(values, 0, 1, column, next, TAG);
      }
      Request[] requests = {
          world.Irecv(others, 0, 8, MPI.DOUBLE, previous, TAG), world.Isend(values, 0, 8, MPI.DOUBLE, next, TAG)};
      Request.Waitall(requests);
      Request sent = world.Isend(objects, 0, objects.length, MPI.OBJECT, next, TAG);
      world.Probe(previous, TAG);
      world.Recv(received, 0, objects.length, MPI.OBJECT, previous, TAG);
      sent.Wait();
      world.Sendrecv(values, 0, 8, MPI.DOUBLE, next, TAG, others, 0, 8, MPI.DOUBLE, previous, TAG);
      world.Bcast(values, 0, 8, MPI.DOUBLE, 0);
      world.Bcast(objects, 0, objects.length, MPI.OBJECT, 0);
      world.Reduce(values, 0, others, 0, 8, MPI.DOUBLE, MPI.SUM, 0);
      world.Allreduce(values, 0, others, 0, 8, MPI.DOUBLE, MPI.MAX);
      world.Allreduce(numbers, 0, numbers, 1, 1, MPI.INT, MPI.SUM);
      world.Gather(values, 0, 8, MPI.DOUBLE, others, 0, 8, MPI.DOUBLE, 0);
      world.Scatter(values, 0, 8, MPI.DOUBLE, others, 0, 8, MPI.DOUBLE, 0);
      world.Allgather(values, 0, 8, MPI.DOUBLE, others, 0, 8, MPI.DOUBLE);
      world.Allgatherv(values, 0, 8, MPI.DOUBLE, others, 0, counts, places, MPI.DOUBLE);
      world.Alltoall(values, 0, 8, MPI.DOUBLE, others, 0, 8, MPI.DOUBLE);
      world.Barrier();
    }
    world.Split(rank % 2, rank).Free();
    MPI.Finalize();
  }
}
