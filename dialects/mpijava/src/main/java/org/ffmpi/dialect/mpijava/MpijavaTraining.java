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
  private static final int LONGEST = 1 << 20;
  private static final int WINDOW = 64;

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
    benchmark(world, next, previous);
    benchmarkOfAll(world);
    MPI.Finalize();
  }

  /** Sends messages of all lengths, one by one and many at once. */
  private static void benchmark(Intracomm world, int next, int previous) throws MPIException {
    boolean isFirst = world.Rank() % 2 == 0;
    byte[] out = new byte[LONGEST];
    byte[] in = new byte[LONGEST];
    Request[] window = new Request[WINDOW];
    for (int length = 1; length <= LONGEST; length *= 8) {
      double start = MPI.Wtime();
      for (int i = 0; i < 4; i++) {
        if (isFirst) {
          world.Send(out, 0, length, MPI.BYTE, next, TAG);
        }
        world.Recv(in, 0, length, MPI.BYTE, previous, TAG);
        if (!isFirst) {
          world.Send(out, 0, length, MPI.BYTE, next, TAG);
        }
      }
      for (int i = 0; i < WINDOW; i++) {
        window[i] = i % 2 == 0
            ? world.Isend(out, 0, length, MPI.BYTE, next, TAG)
            : world.Irecv(in, 0, length, MPI.BYTE, previous, TAG);
      }
      Request.Waitall(window);
      double[] times = {MPI.Wtime() - start};
      world.Reduce(times, 0, new double[1], 0, 1, MPI.DOUBLE, MPI.MAX, 0);
    }
  }

  /** Makes collective calls of several lengths. */
  private static void benchmarkOfAll(Intracomm world) throws MPIException {
    int size = world.Size();
    float[] from = new float[(1 << 16) * size];
    float[] to = new float[from.length];
    int[] counts = new int[size];
    int[] places = new int[size];
    for (int length = 1; length <= 1 << 16; length *= 16) {
      int count = length;
      Arrays.fill(counts, count);
      Arrays.setAll(places, r -> count * r);
      for (int i = 0; i < 2; i++) {
        world.Bcast(from, 0, count, MPI.FLOAT, 0);
        world.Reduce(from, 0, to, 0, count, MPI.FLOAT, MPI.SUM, 0);
        world.Allreduce(from, 0, to, 0, count, MPI.FLOAT, MPI.SUM);
        world.Reduce_scatter(from, 0, to, 0, counts, MPI.FLOAT, MPI.SUM);
        world.Scan(from, 0, to, 0, count, MPI.FLOAT, MPI.SUM);
        world.Gather(from, 0, count, MPI.FLOAT, to, 0, count, MPI.FLOAT, 0);
        world.Gatherv(from, 0, count, MPI.FLOAT, to, 0, counts, places, MPI.FLOAT, 0);
        world.Scatter(from, 0, count, MPI.FLOAT, to, 0, count, MPI.FLOAT, 0);
        world.Scatterv(from, 0, counts, places, MPI.FLOAT, to, 0, count, MPI.FLOAT, 0);
        world.Allgather(from, 0, count, MPI.FLOAT, to, 0, count, MPI.FLOAT);
        world.Allgatherv(from, 0, count, MPI.FLOAT, to, 0, counts, places, MPI.FLOAT);
        world.Alltoall(from, 0, count, MPI.FLOAT, to, 0, count, MPI.FLOAT);
        world.Alltoallv(from, 0, counts, places, MPI.FLOAT, to, 0, counts, places, MPI.FLOAT);
        world.Barrier();
      }
    }
  }
}
