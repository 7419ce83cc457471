// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.check;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.datatype.Datatype;

/** Calls that are right by themselves, and do not fit those of another rank. */
final class MismatchPrograms {
  private static final String FAMILY = "mismatch";

  private MismatchPrograms() {}

  /** A call that depends on whether the rank is the odd one. */
  interface Two {
    void call(IntraComm world, boolean odd) throws Exception;
  }

  private static void add(List<Judged> all, String mistake, String expected, Two call) {
    all.addAll(Judged.pair(FAMILY, mistake, 2, expected,
        (mpi, world) -> call.call(world, world.rank() == 1), (mpi, world) -> call.call(world, false)));
  }

  static List<Judged> programs() {
    List<Judged> all = new ArrayList<>();
    messages(all);
    collectives(all);
    return all;
  }

  private static void messages(List<Judged> all) {
    all.addAll(Judged.pair(FAMILY, "types of send and receive", 2, "rank 0.*FLOAT|FLOAT.*rank 0|ERR_TYPE.*FLOAT",
        (mpi, world) -> {
          if (world.rank() == 0) {
            world.send(new int[2], 1, 0);
          } else {
            world.recv(new float[2], 0, 0);
          }
        }, (mpi, world) -> {
          if (world.rank() == 0) {
            world.send(new int[2], 1, 0);
          } else {
            world.recv(new int[2], 0, 0);
          }
        }));
    all.addAll(Judged.pair(FAMILY, "types of the same size", 2, "ERR_TYPE|DOUBLE", (mpi, world) -> {
      if (world.rank() == 0) {
        world.isend(new long[2], 1, 0).await();
      } else {
        world.irecv(new double[2], 0, 0).await();
      }
    }, (mpi, world) -> {
      if (world.rank() == 0) {
        world.isend(new double[2], 1, 0).await();
      } else {
        world.irecv(new double[2], 0, 0).await();
      }
    }));
    all.addAll(Judged.pair(FAMILY, "message longer than the buffer", 2, "ERR_TRUNCATE", (mpi, world) -> {
      if (world.rank() == 0) {
        world.send(new int[3], 1, 0);
      } else {
        world.recv(new int[2], 0, 0);
      }
    }, (mpi, world) -> {
      if (world.rank() == 0) {
        world.send(new int[2], 1, 0);
      } else {
        world.recv(new int[3], 0, 0);
      }
    }));
    all.addAll(Judged.pair(FAMILY, "derived type against another order of basic types", 2, "ERR_TYPE",
        (mpi, world) -> exchange(world, Datatype.INT, Datatype.FLOAT),
        (mpi, world) -> exchange(world, Datatype.INT, Datatype.INT)));
    all.addAll(Judged.pair(FAMILY, "ready send without a receive", 2, "in ready mode before its receive was posted",
        (mpi, world) -> {
          if (world.rank() == 0) {
            world.rsend(Buf.of(new int[1]), 1, 0);
            world.recv(new int[1], 1, 1);
          } else {
            world.recv(new int[1], 0, 2); // makes progress, but is another receive
          }
        }, (mpi, world) -> {
          if (world.rank() == 0) {
            world.barrier();
            world.rsend(Buf.of(new int[1]), 1, 0);
          } else {
            Request receive = world.irecv(new int[1], 0, 0);
            world.barrier();
            receive.await();
          }
        }));
    all.addAll(Judged.pair(FAMILY, "partitioned message of another length", 2, "ERR_(TRUNCATE|COUNT|ARG)",
        (mpi, world) -> partitioned(world, 3), (mpi, world) -> partitioned(world, 4)));
  }

  private static void exchange(IntraComm world, Datatype<?> first, Datatype<?> received) {
    long[] places = {0, 4};
    try (Datatype<?> send = Datatype.struct(new long[] {1, 1}, places, first, Datatype.FLOAT).commit();
         Datatype<?> recv = Datatype.struct(new long[] {1, 1}, places, received, Datatype.FLOAT).commit()) {
      if (world.rank() == 0) {
        world.send(Buf.of(new byte[8], 1, send), 1, 0);
      } else {
        world.recv(Buf.of(new byte[8], 1, recv), 0, 0);
      }
    }
  }

  private static void partitioned(IntraComm world, int received) {
    if (world.rank() == 0) {
      try (var send = world.psendInit(Buf.of(new int[4]), 2, 1, 0)) {
        send.start();
        send.preadyRange(0, 1);
        send.await();
      }
    } else {
      try (var recv = world.precvInit(Buf.of(new int[received]), 1, 0, 0)) {
        recv.start();
        recv.await();
      }
    }
  }

  private static void collectives(List<Judged> all) {
    add(all, "roots", "bcast.*root", (world, odd) -> world.bcast(Buf.of(new int[2]), odd ? 1 : 0));
    add(all, "counts of a broadcast", "bcast.*rank [01]", (world, odd) -> world.bcast(Buf.of(new int[odd ? 3 : 2]), 0));
    add(all, "types of a broadcast", "bcast.*rank 1.*FLOAT",
        (world, odd) -> world.bcast(odd ? Buf.of(new float[2]) : Buf.of(new int[2]), 0));
    add(all, "operations", "allreduce.*rank 1.*MAX",
        (world, odd) -> world.allreduce(Buf.of(new int[2]), odd ? Op.MAX : Op.SUM));
    add(all, "counts of a reduction", "allreduce.*rank 1", (world, odd) ->
        world.allreduce(Buf.of(new int[odd ? 3 : 2]), Op.SUM));
    add(all, "types of a reduction", "reduce.*rank [01]", (world, odd) -> {
      if (odd) {
        world.reduce(Buf.of(new long[1]), Buf.of(new long[1]), Op.SUM, 0);
      } else {
        world.reduce(Buf.of(new int[1]), Buf.of(new int[1]), Op.SUM, 0);
      }
    });
    add(all, "collective calls", "rank [01].*(allreduce|barrier)", (world, odd) -> {
      if (odd) {
        world.allreduce(Buf.of(new int[1]), Op.SUM);
      } else {
        world.barrier();
      }
    });
    add(all, "order of collective calls", "rank [01].*(bcast|barrier)", (world, odd) -> {
      if (odd) {
        world.barrier();
        world.bcast(Buf.of(new int[1]), 0);
      } else {
        world.bcast(Buf.of(new int[1]), 0);
        world.barrier();
      }
    });
    add(all, "blocking against nonblocking", "rank [01].*barrier", (world, odd) -> {
      if (odd) {
        world.ibarrier().await();
      } else {
        world.barrier();
      }
    });
    add(all, "order of nonblocking calls", "rank [01].*(bcast|allreduce)", (world, odd) -> {
      Request first = odd ? world.iallreduce(Buf.of(new int[1]), Op.SUM) : world.ibcast(Buf.of(new int[1]), 0);
      Request second = odd ? world.ibcast(Buf.of(new int[1]), 0) : world.iallreduce(Buf.of(new int[1]), Op.SUM);
      Request.waitAll(new ArrayList<>(List.of(first, second)));
    });
    add(all, "roots of a nonblocking call", "rank [01].*root|root",
        (world, odd) -> world.ibcast(Buf.of(new int[2]), odd ? 1 : 0).await());
    add(all, "counts of alltoall", "alltoall.*rank", (world, odd) ->
        world.alltoall(Buf.of(new int[odd ? 4 : 2]), Buf.of(new int[odd ? 4 : 2])));
    add(all, "blocks of gatherv", "gatherv|ERR_(COUNT|TRUNCATE)", (world, odd) ->
        world.gatherv(Buf.of(new int[odd ? 2 : 1]), Buf.of(new int[4]), new long[] {1, 1}, new long[] {0, 1}, 0));
    add(all, "types of scatter", "scatter.*rank", (world, odd) -> {
      if (odd) {
        world.scatter(Buf.of(new float[2]), Buf.of(new float[1]), 0);
      } else {
        world.scatter(Buf.of(new int[2]), Buf.of(new int[1]), 0);
      }
    });
    add(all, "block sizes of reduceScatter", "reduce.scatter|reduceScatter|reduce_scatter", (world, odd) -> {
      long[] counts = odd ? new long[] {2, 1} : new long[] {1, 2};
      world.reduceScatter(Buf.of(new int[3]), Buf.of(new int[(int) counts[world.rank()]]), counts, Op.SUM);
    });
    add(all, "making communicators in another order", "rank [01].*|dup|split", (world, odd) -> {
      if (odd) {
        world.split(0, 0).close();
        world.dup().close();
      } else {
        world.dup().close();
        world.split(0, 0).close();
      }
    });
    add(all, "persistent collectives", "rank [01].*(bcast|allreduce)", (world, odd) -> {
      try (var request = odd ? world.bcastInit(Buf.of(new int[1]), 0, null)
          : world.allreduceInit(Buf.of(new int[1]), Op.SUM, null)) {
        request.start();
        request.await();
      }
    });
  }
}
