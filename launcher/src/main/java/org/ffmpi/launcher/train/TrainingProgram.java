// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.train;

import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Requests;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;

/**
 * The program that start-up caches are trained with, the library's and, before the program's own calls, those of
 * programs: the calls that programs make in their loops, from all kinds of memory, so often that the JVM's compilers
 * know them. It lies in the launcher because the library's cache serves all programs and must not hold a class of one.
 */
final class TrainingProgram {
  /** Repetitions after which the JVM has compiled the calls and profiled them; more would take seconds. */
  private static final int OFTEN = 2_500;

  private static final int SOMETIMES = 300;
  private static final int ELEMENTS = 1024;

  private final IntraComm world;
  private final int next;
  private final int previous;
  private final double[] mine = new double[ELEMENTS];
  private final double[] theirs = new double[ELEMENTS];
  private final int[] numbers = new int[ELEMENTS];
  private final Buf<?>[] out;
  private final Buf<?>[] in;

  private TrainingProgram(Mpi mpi, Arena arena) {
    world = mpi.world();
    next = (world.rank() + 1) % world.size();
    previous = (world.rank() + world.size() - 1) % world.size();
    MemorySegment memory = arena.allocate(2L * ELEMENTS * Double.BYTES, 64);
    Buf<?> pairs = Buf.of(memory, ELEMENTS, Datatype.DOUBLE);
    Datatype<Double> column = Datatype.vector(16, 1, 32, Datatype.DOUBLE).commit();
    double[] field = new double[ELEMENTS];
    out = new Buf<?>[] {Buf.of(mine, 0, 1), Buf.of(mine), pairs, Buf.of(field, 1, column)};
    in = new Buf<?>[] {
        Buf.of(theirs, 0, 1), Buf.of(theirs),
        Buf.of(memory.asSlice(ELEMENTS * Double.BYTES), ELEMENTS, Datatype.DOUBLE), Buf.of(field, 1, column).at(8)};
  }

  /**
   * Runs as one of the ranks.
   *
   * @param arguments none
   */
  public static void main(String[] arguments) {
    Mpi.run(arguments, mpi -> run(mpi, System.out));
  }

  /**
   * Makes the calls as a rank of any world.
   *
   * @param mpi the rank's environment
   * @param out where a line goes at the end
   */
  static void run(Mpi mpi, PrintStream out) {
    try (Arena arena = Arena.ofShared()) {
      TrainingProgram program = new TrainingProgram(mpi, arena);
      program.exchangeHalos();
      program.sendAndReceive();
      program.reduceAndSpread();
      program.callTheRest(out);
      program.world.barrier();
    }
  }

  private void sendAndReceive() {
    int[] token = {world.rank()};
    double[] value = {1};
    boolean isFirst = world.rank() % 2 == 0;
    for (int i = 0; i < OFTEN; i++) {
      Buf<?> sent = out[i & 3];
      Buf<?> received = in[i & 3];
      if (isFirst) {
        world.send(sent, next, 0);
        world.recv(received, previous, 0);
        world.send(token, next, 1);
        world.recv(value, previous, 1);
      } else {
        world.recv(received, previous, 0);
        world.send(sent, next, 0);
        world.recv(token, previous, 1);
        world.send(value, next, 1);
      }
    }
    Status status = new Status();
    for (int i = 0; i < OFTEN; i++) {
      Request received = world.irecv(in[i & 3], i % 5 == 0 ? Constants.ANY_SOURCE : previous, 2);
      Request sent = world.isend(out[i & 3], next, 2);
      received.await(status);
      sent.await();
      if (i % 16 == 0) {
        world.sendrecv(out[i >> 4 & 3], next, 3, in[i >> 4 & 3], previous, 3);
        world.issend(out[1], next, 4);
        world.iprobe(previous, 5);
        world.recv(in[1], previous, 4);
      }
    }
  }

  private void exchangeHalos() {
    try (CartComm grid = world.cartCreate(new int[] {world.size()}, new boolean[] {true}, false)) {
      for (int i = 0; i < OFTEN; i++) {
        try (Requests halo = grid.requests()) {
          int edge = 1 + i % 3;
          halo.irecv(in[edge], previous, 1);
          halo.irecv(in[edge], next, 2);
          halo.irecv(in[3], previous, 3);
          halo.irecv(in[3], next, 4);
          halo.isend(out[edge], next, 1);
          halo.isend(out[edge], previous, 2);
          halo.isend(out[3], next, 3);
          halo.isend(out[3], previous, 4);
          halo.await();
        }
      }
    }
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < SOMETIMES; i++) {
      requests.add(world.irecv(in[1], previous, 1));
      requests.add(world.isend(out[1], next, 1));
      Request.waitAll(requests);
      requests.clear();
    }
    Persistent sent = world.sendInit(out[2], next, 7);
    Persistent received = world.recvInit(in[2], previous, 7);
    for (int i = 0; i < SOMETIMES; i++) {
      received.start();
      sent.start();
      received.await();
      sent.await();
    }
    sent.close();
    received.close();
  }

  private void reduceAndSpread() {
    double[] sum = {1};
    Buf<Double> one = Buf.of(sum);
    Buf<Double> from = Buf.of(mine);
    Buf<Double> to = Buf.of(theirs);
    for (int i = 0; i < OFTEN; i++) {
      sum[0] = i;
      world.allreduce(one, Op.SUM);
      world.bcast(one, 0);
      world.barrier();
      if (i % 4 == 0) {
        world.allreduce(from, to, Op.SUM);
        world.bcast(Buf.of(numbers), 0);
        world.reduce(Buf.of(new int[] {i}), Buf.of(numbers, 0, 1), Op.MAX, 0);
      }
    }
  }

  private void callTheRest(PrintStream out) {
    int size = world.size();
    long[] counts = new long[size];
    long[] displacements = new long[size];
    for (int r = 0; r < size; r++) {
      counts[r] = 8;
      displacements[r] = 8L * r;
    }
    Buf<Double> from = Buf.of(mine, 0, 8 * size);
    Buf<Double> to = Buf.of(theirs, 0, 8 * size);
    Buf<Double> block = Buf.of(mine, 0, 8);
    for (int i = 0; i < SOMETIMES; i++) {
      world.allgather(block, to);
      world.alltoall(from, to);
      world.alltoallv(from, counts, displacements, to, counts, displacements);
      world.gather(block, to, 0);
      world.scatter(from, Buf.of(theirs, 0, 8), 0);
      world.allgatherv(block, to, counts, displacements);
      world.scan(block, Buf.of(theirs, 0, 8), Op.SUM);
      Request pending = world.iallreduce(block, Buf.of(theirs, 0, 8), Op.MAX);
      pending.await();
      if (i % 100 == 0) {
        world.dup().close();
        world.split(world.rank() % 2, 0).close();
      }
    }
    out.printf("rank %d of %d: %.1f%n", world.rank(), size, theirs[0]);
  }
}
