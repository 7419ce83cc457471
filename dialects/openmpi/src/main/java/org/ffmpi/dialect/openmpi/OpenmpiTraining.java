// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
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
  private static final int LONGEST = 1 << 20;
  private static final int WINDOW = 64;

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
    benchmark(world, next, previous);
    benchmarkOfAll(world);
    MPI.Finalize();
  }

  /** Sends messages of all lengths, out of memory of several kinds, one by one and many at once. */
  private static void benchmark(Intracomm world, int next, int previous) throws MPIException {
    boolean isFirst = world.getRank() % 2 == 0;
    Object[][] memories = {
        {ByteBuffer.allocateDirect(LONGEST), ByteBuffer.allocateDirect(LONGEST)},
        {MPI.newByteBuffer(LONGEST), MPI.newByteBuffer(LONGEST)}, {new byte[LONGEST], new byte[LONGEST]}};
    Request[] window = new Request[WINDOW];
    for (Object[] memory : memories) {
      for (int length = 1; length <= LONGEST; length *= 8) {
        double start = MPI.wtime();
        for (int i = 0; i < 4; i++) {
          if (isFirst) {
            world.send(memory[0], length, MPI.BYTE, next, TAG);
          }
          world.recv(memory[1], length, MPI.BYTE, previous, TAG);
          if (!isFirst) {
            world.send(memory[0], length, MPI.BYTE, next, TAG);
          }
        }
        if (memory[0] instanceof ByteBuffer out && memory[1] instanceof ByteBuffer in) {
          for (int i = 0; i < WINDOW; i++) {
            window[i] = i % 2 == 0
                ? world.iSend(out, length, MPI.BYTE, next, TAG)
                : world.iRecv(in, length, MPI.BYTE, previous, TAG);
          }
          Request.waitAll(window);
        }
        double[] times = {MPI.wtime() - start};
        world.reduce(times, new double[1], 1, MPI.DOUBLE, MPI.MAX, 0);
      }
    }
  }

  /** Makes collective calls of several lengths, out of memory of both kinds. */
  private static void benchmarkOfAll(Intracomm world) throws MPIException {
    int size = world.getSize();
    int most = (1 << 16) * size;
    FloatBuffer from = MPI.newFloatBuffer(most);
    FloatBuffer to = MPI.newFloatBuffer(most);
    collective(world, from, to);
    collective(world, new float[most], new float[most]);
  }

  private static void collective(Intracomm world, Object from, Object to) throws MPIException {
    int size = world.getSize();
    int[] counts = new int[size];
    int[] places = new int[size];
    for (int length = 1; length <= 1 << 16; length *= 16) {
      int count = length;
      Arrays.fill(counts, count);
      Arrays.setAll(places, r -> count * r);
      for (int i = 0; i < 2; i++) {
        world.bcast(from, count, MPI.FLOAT, 0);
        world.reduce(from, to, count, MPI.FLOAT, MPI.SUM, 0);
        world.allReduce(from, to, count, MPI.FLOAT, MPI.SUM);
        world.reduceScatter(from, to, counts, MPI.FLOAT, MPI.SUM);
        world.scan(from, to, count, MPI.FLOAT, MPI.SUM);
        world.gather(from, count, MPI.FLOAT, to, count, MPI.FLOAT, 0);
        world.gatherv(from, count, MPI.FLOAT, to, counts, places, MPI.FLOAT, 0);
        world.scatter(from, count, MPI.FLOAT, to, count, MPI.FLOAT, 0);
        world.scatterv(from, counts, places, MPI.FLOAT, to, count, MPI.FLOAT, 0);
        world.allGather(from, count, MPI.FLOAT, to, count, MPI.FLOAT);
        world.allGatherv(from, count, MPI.FLOAT, to, counts, places, MPI.FLOAT);
        world.allToAll(from, count, MPI.FLOAT, to, count, MPI.FLOAT);
        world.allToAllv(from, counts, places, MPI.FLOAT, to, counts, places, MPI.FLOAT);
        world.barrier();
      }
    }
  }
}
