// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import mpi.Datatype;
import mpi.Int2;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Win;

/** Accesses that combine, one at a time for each element. */
final class AccumulateProgram {
  private AccumulateProgram() {}

  private static Intracomm world;
  private static int rank;
  private static int size;

  static void run() throws MPIException {
    world = MPI.COMM_WORLD;
    rank = world.getRank();
    size = world.getSize();
    sums();
    pairs();
    LongBuffer memory = MPI.newLongBuffer(4);
    Win win = new Win(memory, 4, 1, MPI.INFO_NULL, world);
    win.lockAll(0);
    fetches(win);
    swaps(win);
    gets(win);
    win.unlockAll();
    win.free();
  }

  private static void sums() throws MPIException {
    IntBuffer memory = MPI.newIntBuffer(6);
    Win win = new Win(memory, 6, 1, MPI.INFO_NULL, world);
    IntBuffer mine = MPI.newIntBuffer(2).put(0, rank + 1).put(1, 1);
    win.fence(0);
    for (int i = 0; i < size; i++) {
      win.accumulate(mine, 2, MPI.INT, i, 1, 2, MPI.INT, MPI.SUM);
    }
    Datatype spread = Datatype.createVector(2, 1, 2, MPI.INT);
    spread.commit();
    win.accumulate(mine, 2, MPI.INT, (rank + 1) % size, 3, 1, spread, MPI.REPLACE);
    win.fence(0);
    Check.equal(0, memory.get(0), "before the sums");
    Check.equal(size * (size + 1) / 2, memory.get(1), "first sum");
    Check.equal(size, memory.get(2), "second sum");
    int previous = (rank + size - 1) % size;
    Check.that(memory.get(3) == previous + 1 && memory.get(5) == 1, "replaced elements of a derived type");
    win.free();
    spread.free();
  }

  private static void pairs() throws MPIException {
    ByteBuffer memory = MPI.newByteBuffer(MPI.int2.getExtent());
    Int2.Data largest = MPI.int2.getData(memory);
    largest.putValue(-1);
    Win win = new Win(memory, memory.capacity(), 1, MPI.INFO_NULL, world);
    ByteBuffer mine = MPI.newByteBuffer(MPI.int2.getExtent());
    Int2.Data own = MPI.int2.getData(mine);
    own.putValue(rank == size / 2 ? 100 : rank);
    own.putIndex(rank);
    win.fence(0);
    win.accumulate(mine, 1, MPI.INT2, 0, 0, 1, MPI.INT2, MPI.MAXLOC);
    win.fence(0);
    if (rank == 0) {
      Check.equal(100, largest.getValue(), "largest value");
      Check.equal(size / 2, largest.getIndex(), "its place");
    }
    win.free();
  }

  private static LongBuffer number(long value) {
    return MPI.newLongBuffer(1).put(0, value);
  }

  private static void fetches(Win win) throws MPIException {
    LongBuffer ticket = MPI.newLongBuffer(1);
    int[] taken = new int[10 * size];
    for (int i = 0; i < 10; i++) {
      win.fetchAndOp(number(1), ticket, MPI.LONG, 0, 0, MPI.SUM);
      win.flush(0);
      taken[(int) ticket.get(0)]++;
    }
    world.allReduce(taken, taken.length, MPI.INT, MPI.SUM);
    for (int count : taken) {
      Check.equal(1, count, "each ticket is taken once");
    }
    win.fetchAndOp(number(0), ticket, MPI.LONG, 0, 0, MPI.NO_OP);
    win.flush(0);
    Check.equal(10L * size, ticket.get(0), "NO_OP reads");
    world.barrier();
  }

  private static void swaps(Win win) throws MPIException {
    LongBuffer before = MPI.newLongBuffer(1);
    win.compareAndSwap(number(rank + 1), number(0), before, MPI.LONG, 0, 1);
    win.flush(0);
    int[] winners = {before.get(0) == 0 ? 1 : 0};
    world.allReduce(winners, 1, MPI.INT, MPI.SUM);
    Check.equal(1, winners[0], "one rank finds 0");
    win.compareAndSwap(number(99), number(-1), before, MPI.LONG, 0, 1);
    win.flush(0);
    Check.that(before.get(0) >= 1 && before.get(0) <= size, "the winner's number stays");
    world.barrier();
  }

  private static void gets(Win win) throws MPIException {
    LongBuffer sum = MPI.newLongBuffer(2);
    win.getAccumulate(number(5), 1, MPI.LONG, sum, 1, MPI.LONG, rank, 2, 1, MPI.LONG, MPI.SUM);
    win.flush(rank);
    Check.equal(0L, sum.get(0), "getAccumulate returns what was there");
    Request request =
        win.rGetAccumulate(number(7), 1, MPI.LONG, sum, 1, MPI.LONG, rank, 2, 1, MPI.LONG, MPI.REPLACE);
    request.waitFor();
    Check.equal(5L, sum.get(0), "rGetAccumulate returns what was there");
    win.flush(rank);
    Request add = win.rAccumulate(number(3), 1, MPI.LONG, rank, 2, 1, MPI.LONG, MPI.SUM);
    add.waitFor();
    win.flush(rank);
    win.getAccumulate(null, 0, MPI.LONG, sum, 2, MPI.LONG, rank, 2, 2, MPI.LONG, MPI.NO_OP);
    win.flush(rank);
    Check.that(sum.get(0) == 10 && sum.get(1) == 0, "getAccumulate without an operand");
  }
}
