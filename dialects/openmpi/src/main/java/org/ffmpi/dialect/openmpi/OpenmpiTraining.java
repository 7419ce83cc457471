// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi;

import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
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
final class OpenmpiTraining {
  private static final int OFTEN = 300;
  private static final int TAG = 1;

  private OpenmpiTraining() {}

  /**
   * Runs as one of the ranks.
   *
   * @param arguments none
   * @throws MPIException when a call fails
   */
  public static void main(String[] arguments) throws MPIException {
    MPI.Init(arguments);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;
    double[] values = new double[8 * size];
    double[] others = new double[8 * size];
    int[] numbers = new int[8 * size];
    int[] counts = new int[size];
    int[] places = new int[size];
    Arrays.fill(counts, 8);
    Arrays.setAll(places, r -> 8 * r);
    DoubleBuffer buffer = MPI.newDoubleBuffer(16);
    DoubleBuffer received = MPI.newDoubleBuffer(16);
    IntBuffer marks = MPI.newIntBuffer(4);
    Datatype column = Datatype.createVector(4, 1, 2, MPI.DOUBLE);
    column.commit();
    for (int i = 0; i < OFTEN; i++) {
      if (rank % 2 == 0) {
        world.send(values, 8, MPI.DOUBLE, next, TAG);
        world.send(numbers, 8, MPI.INT, next, TAG);
        world.send(values, 1, column, next, TAG);
      }
      Status status = world.recv(others, 8, MPI.DOUBLE, previous, TAG);
      world.recv(numbers, status.getCount(MPI.DOUBLE), MPI.INT, status.getSource(), MPI.ANY_TAG);
      world.recv(others, 1, column, MPI.ANY_SOURCE, TAG);
      if (rank % 2 != 0) {
        world.send(values, 8, MPI.DOUBLE, next, TAG);
        world.send(numbers, 8, MPI.INT, next, TAG);
        world.send(values, 1, column, next, TAG);
      }
      Request[] requests = {
          world.iRecv(received, 8, MPI.DOUBLE, previous, TAG), world.iSend(buffer, 8, MPI.DOUBLE, next, TAG)};
      Request.waitAll(requests);
      Request sent = world.iSend(MPI.slice(marks, 1), 2, MPI.INT, next, TAG);
      world.probe(previous, TAG);
      world.recv(numbers, 2, MPI.INT, previous, TAG);
      sent.waitFor();
      world.sendRecv(values, 8, MPI.DOUBLE, next, TAG, others, 8, MPI.DOUBLE, previous, TAG);
      world.bcast(values, 8, MPI.DOUBLE, 0);
      world.reduce(values, others, 8, MPI.DOUBLE, MPI.SUM, 0);
      world.allReduce(values, others, 8, MPI.DOUBLE, MPI.MAX);
      world.allReduce(numbers, 1, MPI.INT, MPI.SUM);
      world.gather(values, 8, MPI.DOUBLE, others, 8, MPI.DOUBLE, 0);
      world.scatter(values, 8, MPI.DOUBLE, others, 8, MPI.DOUBLE, 0);
      world.allGather(values, 8, MPI.DOUBLE, others, 8, MPI.DOUBLE);
      world.allGatherv(values, 8, MPI.DOUBLE, others, counts, places, MPI.DOUBLE);
      world.allToAll(values, 8, MPI.DOUBLE, others, 8, MPI.DOUBLE);
      world.barrier();
    }
    world.split(rank % 2, rank).free();
    world.getGroup().free();
    column.free();
    MPI.Finalize();
  }
}
