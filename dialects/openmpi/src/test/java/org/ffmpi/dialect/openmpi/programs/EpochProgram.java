// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.IntBuffer;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Win;

/** All ways to begin and end accesses to a window. */
final class EpochProgram {
  private EpochProgram() {}

  private static Intracomm world;
  private static int rank;
  private static int size;

  static void run() throws MPIException {
    world = MPI.COMM_WORLD;
    rank = world.getRank();
    size = world.getSize();
    IntBuffer memory = MPI.newIntBuffer(size);
    Win win = new Win(memory, size, 1, MPI.INFO_NULL, world);
    fences(win, memory);
    groups(win, memory, false);
    groups(win, memory, true);
    locks(win, memory);
    lockAll(win, memory);
    win.free();
  }

  private static IntBuffer number(int value) {
    return MPI.newIntBuffer(1).put(0, value);
  }

  private static void fences(Win win, IntBuffer memory) throws MPIException {
    win.fence(MPI.MODE_NOPRECEDE | MPI.MODE_NOSTORE);
    for (int i = 0; i < size; i++) {
      win.put(number(10 * rank + i), 1, MPI.INT, i, rank, 1, MPI.INT);
    }
    win.fence(MPI.MODE_NOSUCCEED);
    for (int i = 0; i < size; i++) {
      Check.equal(10 * i + rank, memory.get(i), "put between fences");
    }
    world.barrier();
  }

  private static void groups(Win win, IntBuffer memory, boolean tests) throws MPIException {
    Group all = world.getGroup();
    int target = (rank + 1) % size;
    int origin = (rank + size - 1) % size;
    Group targets = all.incl(new int[] {target});
    Group origins = all.incl(new int[] {origin});
    win.post(origins, 0);
    win.start(targets, 0);
    IntBuffer mine = number(500 + rank);
    win.put(mine, 1, MPI.INT, target, 0, 1, MPI.INT);
    win.complete();
    if (tests) {
      while (!win.test()) {
        Thread.onSpinWait();
      }
    } else {
      win.waitFor();
    }
    Check.equal(500 + origin, memory.get(0), "put between start and complete");
    targets.free();
    origins.free();
    all.free();
    world.barrier();
  }

  private static void locks(Win win, IntBuffer memory) throws MPIException {
    win.lock(MPI.LOCK_EXCLUSIVE, rank, 0);
    memory.put(0, 0);
    win.unlock(rank);
    world.barrier();
    int rounds = 10;
    IntBuffer counter = MPI.newIntBuffer(1);
    for (int i = 0; i < rounds; i++) {
      win.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
      win.get(counter, 1, MPI.INT, 0, 0, 1, MPI.INT);
      win.flush(0);
      counter.put(0, counter.get(0) + 1);
      win.put(counter, 1, MPI.INT, 0, 0, 1, MPI.INT);
      win.unlock(0);
    }
    world.barrier();
    win.lock(MPI.LOCK_SHARED, 0, 0);
    win.get(counter, 1, MPI.INT, 0, 0, 1, MPI.INT);
    win.flushLocal(0);
    win.unlock(0);
    Check.equal(rounds * size, counter.get(0), "what was counted under exclusive locks");
    world.barrier();
  }

  private static void lockAll(Win win, IntBuffer memory) throws MPIException {
    win.lockAll(0);
    Request[] puts = new Request[size];
    for (int i = 0; i < size; i++) {
      puts[i] = win.rPut(number(100 * rank + i), 1, MPI.INT, i, rank, 1, MPI.INT);
    }
    Request.waitAll(puts);
    win.flushAll();
    win.sync();
    world.barrier();
    win.sync();
    for (int i = 0; i < size; i++) {
      Check.equal(100 * i + rank, memory.get(i), "rPut and flushAll");
    }
    IntBuffer[] got = new IntBuffer[size];
    Request[] gets = new Request[size];
    for (int i = 0; i < size; i++) {
      got[i] = i % 2 == 0 ? MPI.newIntBuffer(1) : IntBuffer.allocate(1);
      gets[i] = win.rGet(got[i], 1, MPI.INT, i, rank, 1, MPI.INT);
    }
    Request.waitAll(gets);
    for (int i = 0; i < size; i++) {
      Check.equal(100 * rank + i, got[i].get(0), "rGet");
    }
    world.barrier();
    win.put(number(1), 1, MPI.INT, rank, 0, 1, MPI.INT);
    win.flushLocalAll();
    win.unlockAll();
    world.barrier();
  }
}
