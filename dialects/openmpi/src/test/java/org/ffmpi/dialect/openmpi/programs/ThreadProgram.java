// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** Several threads of each rank exchange messages at the same time, on one communicator. */
final class ThreadProgram {
  private static final int THREADS = 4;
  private static final int MESSAGES = 200;

  private ThreadProgram() {}

  public static void main(String[] args) throws Exception {
    if (MPI.InitThread(args, MPI.THREAD_MULTIPLE) != MPI.THREAD_MULTIPLE) {
      throw new AssertionError("level");
    }
    AtomicInteger right = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int tag = i;
      threads.add(new Thread(() -> exchange(tag, right)));
    }
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(right.get() + " messages");
    MPI.Finalize();
  }

  private static void exchange(int tag, AtomicInteger right) {
    try {
      Comm world = MPI.COMM_WORLD;
      int rank = world.getRank();
      int size = world.getSize();
      int next = (rank + 1) % size;
      int previous = (rank + size - 1) % size;
      for (int i = 0; i < MESSAGES; i++) {
        int[] mine = new int[tag + 1];
        mine[tag] = i;
        int[] got = new int[THREADS];
        Status status = world.sendRecv(mine, tag + 1, MPI.INT, next, tag, got, THREADS, MPI.INT, previous, tag);
        if (status.getTag() == tag && status.getCount(MPI.INT) == tag + 1 && got[tag] == i
            && !MPI.isThreadMain()) {
          right.incrementAndGet();
        }
      }
    } catch (MPIException e) {
      e.printStackTrace();
    }
  }
}
