// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.check;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;

/** Stores to what a call writes until it has been completed, and receives that are given up. */
final class WrittenPrograms {
  private static final String FAMILY = "written";
  private static final String AT = " at WrittenPrograms.java:\\d+";
  private static final String WRITES = " writes bytes 0 to \\d+ of a int\\[\\] until MPI_Wait" + AT
      + "; they were changed before that";

  private WrittenPrograms() {}

  /** Starts calls with a buffer of ten elements, of which the last one returned writes it at rank 1. */
  interface Start {
    Request start(IntraComm world, int[] buffer);
  }

  static List<Judged> programs() {
    List<Judged> all = new ArrayList<>();
    add(all, "irecv", "MPI_Irecv", WrittenPrograms::receive);
    add(all, "irecv that has come", "MPI_Irecv", (world, buffer) -> {
      Request received = receive(world, buffer);
      world.barrier();
      return received;
    });
    add(all, "persistent receive", "MPI_Start", (world, buffer) -> {
      if (world.rank() == 0) {
        return world.isend(new int[10], 1, 0);
      }
      var received = world.recvInit(Buf.of(buffer), 0, 0);
      received.start();
      return received;
    });
    add(all, "matched receive", "MPI_Imrecv", (world, buffer) -> world.rank() == 0
        ? world.isend(new int[10], 1, 0) : world.mprobe(0, 0).imrecv(Buf.of(buffer)));
    add(all, "broadcast", "MPI_Ibcast", (world, buffer) -> world.ibcast(Buf.of(buffer), 0));
    add(all, "result of a reduction", "MPI_Iallreduce",
        (world, buffer) -> world.iallreduce(Buf.of(new int[10]), Buf.of(buffer), Op.SUM));
    add(all, "reduction in place", "MPI_Iallreduce", (world, buffer) -> world.iallreduce(Buf.of(buffer), Op.SUM));
    add(all, "gathered blocks", "MPI_Iallgather",
        (world, buffer) -> world.iallgather(Buf.of(new int[5]), Buf.of(buffer)));
    add(all, "persistent broadcast", "MPI_Start", (world, buffer) -> {
      var broadcast = world.bcastInit(Buf.of(buffer), 0, null);
      broadcast.start();
      return broadcast;
    });
    all.addAll(Judged.pair(FAMILY, "free of an active receive", 2, "ERR_REQUEST.*is a receive that is freed before",
        (mpi, world) -> {
          if (world.rank() == 0) {
            world.isend(new int[10], 1, 0).close();
          } else {
            world.irecv(new int[10], 0, 0).close();
          }
        }, (mpi, world) -> {
          if (world.rank() == 0) {
            world.isend(new int[10], 1, 0).close();
          } else {
            Request received = world.irecv(new int[10], 0, 0);
            received.await();
            received.close();
          }
        }));
    return all;
  }

  private static Request receive(IntraComm world, int[] buffer) {
    return world.rank() == 0 ? world.isend(new int[10], 1, 0) : world.irecv(buffer, 0, 0);
  }

  private static void add(List<Judged> all, String mistake, String call, Start calls) {
    all.addAll(Judged.pair(FAMILY, mistake, 2, call + AT + WRITES, (mpi, world) -> run(world, calls, true),
        (mpi, world) -> run(world, calls, false)));
  }

  private static void run(IntraComm world, Start calls, boolean early) {
    int[] buffer = new int[10];
    Request started = calls.start(world, buffer);
    if (early && world.rank() == 1) {
      buffer[3] = 5;
    }
    started.await();
    buffer[3] = 7;
    started.close();
  }
}
