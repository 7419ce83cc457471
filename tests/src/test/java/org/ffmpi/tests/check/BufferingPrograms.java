// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.check;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;

/** Sends that only a buffer lets pass, in all forms, and threads that call one communicator without an order. */
final class BufferingPrograms {
  private static final String FAMILY = "buffering";

  private BufferingPrograms() {}

  private static void add(List<Judged> all, String mistake, int ranks, String expected, Judged.Body wrong,
      Judged.Body right) {
    all.addAll(Judged.pair(FAMILY, mistake, ranks, expected, wrong, right));
  }

  static List<Judged> programs() {
    List<Judged> all = new ArrayList<>();
    nonblocking(all);
    persistent(all);
    toItself(all);
    neverReceived(all);
    threads(all);
    return all;
  }

  private static String needs(String call) {
    return call + " at BufferingPrograms.java:\\d+ to rank \\d with tag \\d needs a buffer";
  }

  private static void nonblocking(List<Judged> all) {
    add(all, "both wait for a nonblocking send first", 2, needs("MPI_Isend"), (mpi, world) -> {
      world.isend(new int[10], 1 - world.rank(), 3).await();
      world.recv(new int[10], 1 - world.rank(), 3);
    }, (mpi, world) -> {
      Request sent = world.isend(new int[10], 1 - world.rank(), 3);
      world.recv(new int[10], 1 - world.rank(), 3);
      sent.await();
    });
    add(all, "two nonblocking sends, which keep their order", 2, "^" + "(rank \\d: )" + needs("MPI_Isend"),
        (mpi, world) -> {
          Request first = world.isend(new int[] {1}, 1 - world.rank(), 3);
          Request second = world.isend(new int[] {2}, 1 - world.rank(), 3);
          Request.waitAll(List.of(first, second));
          receiveInOrder(world);
        }, (mpi, world) -> {
          Request first = world.isend(new int[] {1}, 1 - world.rank(), 3);
          Request second = world.isend(new int[] {2}, 1 - world.rank(), 3);
          receiveInOrder(world);
          Request.waitAll(List.of(first, second));
        });
    add(all, "waitAny of a send before the receive, in a ring", 3, needs("MPI_Isend"), (mpi, world) -> {
      Request sent = world.isend(new int[1], (world.rank() + 1) % 3, 1);
      Request.waitAny(List.of(sent));
      world.recv(new int[1], (world.rank() + 2) % 3, 1);
    }, (mpi, world) -> {
      Request sent = world.isend(new int[1], (world.rank() + 1) % 3, 1);
      Request received = world.irecv(new int[1], (world.rank() + 2) % 3, 1);
      List<Request> both = List.of(sent, received);
      Request.waitAny(both);
      Request.waitAny(both);
    });
    add(all, "a barrier between send and receive", 2, needs("MPI_Isend"), (mpi, world) -> {
      if (world.rank() == 0) {
        world.isend(new int[1], 1, 2).await();
        world.barrier();
      } else {
        world.barrier();
        world.recv(new int[1], 0, 2);
      }
    }, (mpi, world) -> {
      if (world.rank() == 0) {
        Request sent = world.isend(new int[1], 1, 2);
        world.barrier();
        sent.await();
      } else {
        world.barrier();
        world.recv(new int[1], 0, 2);
      }
    });
  }

  private static void receiveInOrder(IntraComm world) {
    int[] got = new int[1];
    for (int expected = 1; expected <= 2; expected++) {
      world.recv(got, 1 - world.rank(), 3);
      if (got[0] != expected) {
        throw new IllegalStateException("got " + got[0] + " in place of " + expected);
      }
    }
  }

  private static void persistent(List<Judged> all) {
    add(all, "both wait for a persistent send first", 2, needs("MPI_Start"), (mpi, world) -> {
      try (Persistent send = world.sendInit(Buf.of(new int[4]), 1 - world.rank(), 0)) {
        send.start();
        send.await();
        world.recv(new int[4], 1 - world.rank(), 0);
      }
    }, (mpi, world) -> {
      try (Persistent send = world.sendInit(Buf.of(new int[4]), 1 - world.rank(), 0)) {
        send.start();
        world.recv(new int[4], 1 - world.rank(), 0);
        send.await();
      }
    });
    add(all, "persistent send in place of a buffered one", 2, needs("MPI_Start"), (mpi, world) -> {
      try (Persistent send = world.sendInit(Buf.of(new int[4]), 1 - world.rank(), 0)) {
        exchange(world, send);
      }
    }, (mpi, world) -> {
      mpi.bufferAttach(Buf.automatic());
      try (Persistent send = world.bsendInit(Buf.of(new int[4]), 1 - world.rank(), 0)) {
        exchange(world, send);
      }
    });
  }

  private static void exchange(IntraComm world, Persistent send) {
    send.start();
    send.await();
    world.recv(new int[4], 1 - world.rank(), 0);
  }

  private static void toItself(List<Judged> all) {
    String toItself = " at BufferingPrograms.java:\\d+ to its own rank with tag 3 needs a buffer";
    add(all, "send to itself before the receive", 1, "MPI_Send" + toItself, (mpi, world) -> {
      world.send(new int[1], 0, 3);
      world.recv(new int[1], 0, 3);
    }, (mpi, world) -> {
      Thread other = new Thread(() -> world.recv(new int[1], 0, 3));
      other.start();
      world.send(new int[1], 0, 3);
      other.join();
    });
    add(all, "wait for a send to itself before the receive", 1, "MPI_Isend" + toItself, (mpi, world) -> {
      world.isend(new int[1], 0, 3).await();
      world.recv(new int[1], 0, 3);
    }, (mpi, world) -> {
      Request sent = world.isend(new int[1], 0, 3);
      sent.test();
      world.recv(new int[1], 0, 3);
      sent.await();
    });
  }

  private static void neverReceived(List<Judged> all) {
    add(all, "synchronous send that is freed and never received", 2, "MPI_Issend at .* was never received",
        (mpi, world) -> {
          if (world.rank() == 0) {
            world.issend(Buf.of(new int[1]), 1, 0).close();
          }
        }, (mpi, world) -> {
          if (world.rank() == 0) {
            world.issend(Buf.of(new int[1]), 1, 0).close();
          } else {
            world.recv(new int[1], 0, 0);
          }
        });
    add(all, "persistent send that is never received", 2, "MPI_Start at .* was never received", (mpi, world) -> {
      if (world.rank() == 0) {
        try (Persistent send = world.sendInit(Buf.of(new int[4]), 1, 0)) {
          send.start();
          send.await();
        }
      }
    }, (mpi, world) -> {
      if (world.rank() == 0) {
        try (Persistent send = world.sendInit(Buf.of(new int[4]), 1, 0)) {
          send.start();
          send.await();
        }
      } else {
        world.recv(new int[4], 0, 0);
      }
    });
  }

  private static void threads(List<Judged> all) {
    String both = "MPI_Allreduce at BufferingPrograms.java:\\d+ is called by thread .* while thread .* is in"
        + " MPI_Allreduce at BufferingPrograms.java:\\d+ on the same communicator, MPI_COMM_WORLD";
    add(all, "two threads in collective calls of one communicator", 2, both, (mpi, world) -> {
      Thread other = new Thread(() -> sum(world));
      other.setUncaughtExceptionHandler((thread, e) -> {});
      other.start();
      sum(world);
      other.join();
    }, (mpi, world) -> {
      try (IntraComm own = world.dup()) {
        Thread other = new Thread(() -> sum(own));
        other.start();
        sum(world);
        other.join();
      }
    });
    add(all, "two threads in collective calls, of which one does not block", 2,
        "MPI_(Ibarrier|Allreduce) at .* is called by thread .* while thread .* is in MPI_(Ibarrier|Allreduce) at",
        (mpi, world) -> {
          Thread other = new Thread(() -> {
            for (int i = 0; i < 10; i++) {
              world.ibarrier().await();
            }
          });
          other.setUncaughtExceptionHandler((thread, e) -> {});
          other.start();
          for (int i = 0; i < 10; i++) {
            sum(world);
          }
          other.join();
        }, (mpi, world) -> {
          Thread other = new Thread(() -> world.ibarrier().await());
          other.start();
          other.join();
          sum(world);
        });
  }

  private static void sum(IntraComm comm) {
    comm.allreduce(Buf.of(new int[] {1}), Buf.of(new int[1]), Op.SUM);
  }
}
