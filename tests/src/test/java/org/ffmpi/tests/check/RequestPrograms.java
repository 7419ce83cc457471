// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.check;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.base.Constants;

/** The life of requests, communicators and the environment: calls that come too early, too late, or twice. */
final class RequestPrograms {
  private static final String FAMILY = "life";

  private RequestPrograms() {}

  private static void add(List<Judged> all, String mistake, String expected, Judged.Body wrong, Judged.Body right) {
    all.addAll(Judged.pair(FAMILY, mistake, 2, expected, wrong, right));
  }

  private static int other(IntraComm world) {
    return 1 - world.rank();
  }

  static List<Judged> programs() {
    List<Judged> all = new ArrayList<>();
    persistent(all);
    partitioned(all);
    requests(all);
    environment(all);
    return all;
  }

  private static void persistent(List<Judged> all) {
    add(all, "start of an active request", "ERR_REQUEST.*active", (mpi, world) -> cycle(world, 2, false),
        (mpi, world) -> cycle(world, 1, false));
    add(all, "free of an active persistent request", "ERR_REQUEST.*freed before", (mpi, world) ->
        cycle(world, 1, true), (mpi, world) -> cycle(world, 1, false));
    add(all, "start of a freed request", "ERR_REQUEST.*closed", (mpi, world) -> {
      Persistent sent = world.sendInit(Buf.of(new int[1]), Constants.PROC_NULL, 0);
      sent.close();
      sent.start();
    }, (mpi, world) -> {
      Persistent sent = world.sendInit(Buf.of(new int[1]), Constants.PROC_NULL, 0);
      sent.start();
      sent.await();
      sent.close();
    });
    add(all, "start of an ordinary request", "ERR_REQUEST.*not persistent", (mpi, world) -> {
      Request sent = world.isend(new int[1], Constants.PROC_NULL, 0);
      Persistent.startAll(List.of(sent));
    }, (mpi, world) -> {
      try (Persistent sent = world.sendInit(Buf.of(new int[1]), Constants.PROC_NULL, 0)) {
        Persistent.startAll(List.of(sent));
        sent.await();
      }
    });
    add(all, "missing start", "rank 1|rank 0", (mpi, world) -> {
      try (Persistent sent = world.sendInit(Buf.of(new int[1]), other(world), 0)) {
        if (world.rank() == 0) {
          sent.start();
        }
        world.recv(new int[1], other(world), 0);
        sent.await();
      }
    }, (mpi, world) -> {
      try (Persistent sent = world.sendInit(Buf.of(new int[1]), other(world), 0)) {
        sent.start();
        world.recv(new int[1], other(world), 0);
        sent.await();
      }
    });
  }

  private static void cycle(IntraComm world, int starts, boolean frees) {
    Persistent received = world.recvInit(Buf.of(new int[1]), other(world), 0);
    for (int i = 0; i < starts; i++) {
      received.start();
    }
    if (frees) {
      received.close();
    }
    world.send(new int[1], other(world), 0);
    received.await();
    received.close();
  }

  private static void partitioned(List<Judged> all) {
    add(all, "partition that is marked twice", "ERR_(REQUEST|ARG|PENDING|OTHER)", (mpi, world) -> mark(world, 0, 0),
        (mpi, world) -> mark(world, 0, 1));
    add(all, "partition that does not exist", "ERR_(ARG|REQUEST|COUNT)", (mpi, world) -> mark(world, 0, 2),
        (mpi, world) -> mark(world, 0, 1));
    add(all, "partition of a request that is not started", "ERR_REQUEST", (mpi, world) -> {
      try (var send = world.psendInit(Buf.of(new int[2]), 2, Constants.PROC_NULL, 0)) {
        send.pready(0);
      }
    }, (mpi, world) -> {
      try (var send = world.psendInit(Buf.of(new int[2]), 2, Constants.PROC_NULL, 0)) {
        send.start();
        send.preadyRange(0, 1);
        send.await();
      }
    });
    add(all, "arrival of a partition that does not exist", "ERR_(ARG|REQUEST|COUNT)", (mpi, world) -> arrive(world, 5),
        (mpi, world) -> arrive(world, 1));
  }

  private static void mark(IntraComm world, int first, int second) {
    try (var recv = world.precvInit(Buf.of(new int[2]), 2, other(world), 0);
         var send = world.psendInit(Buf.of(new int[2]), 2, other(world), 0)) {
      recv.start();
      send.start();
      send.pready(first);
      send.pready(second);
      send.await();
      recv.await();
    }
  }

  private static void arrive(IntraComm world, int partition) {
    try (var recv = world.precvInit(Buf.of(new int[2]), 2, Constants.PROC_NULL, 0)) {
      recv.start();
      recv.parrived(partition);
      recv.await();
    }
  }

  private static void requests(List<Judged> all) {
    add(all, "no list", "ERR_(ARG|REQUEST)", (mpi, world) -> Request.waitAll(null),
        (mpi, world) -> Request.waitAll(new ArrayList<>()));
    add(all, "too few statuses", "ERR_ARG", (mpi, world) -> statuses(world, 1), (mpi, world) -> statuses(world, 2));
    add(all, "cancel of an inactive request", "ERR_REQUEST.*not active", (mpi, world) -> {
      Request sent = world.isend(new int[1], Constants.PROC_NULL, 0);
      sent.await();
      sent.cancel();
    }, (mpi, world) -> {
      Request received = world.irecv(new int[1], other(world), 9);
      received.cancel();
      received.await();
    });
    add(all, "cancel of a collective call", "ERR_REQUEST.*collective.*cancelled", (mpi, world) -> {
      Request barrier = world.ibarrier();
      barrier.cancel();
    }, (mpi, world) -> world.ibarrier().await());
    add(all, "free of an active collective call", "ERR_REQUEST.*collective.*freed", (mpi, world) -> {
      Request barrier = world.iallreduce(Buf.of(new int[1]), Op.SUM);
      barrier.close();
    }, (mpi, world) -> {
      Request barrier = world.iallreduce(Buf.of(new int[1]), Op.SUM);
      barrier.await();
      barrier.close();
    });
  }

  private static void statuses(IntraComm world, int length) {
    org.ffmpi.Status[] into = new org.ffmpi.Status[length];
    for (int i = 0; i < length; i++) {
      into[i] = new org.ffmpi.Status();
    }
    List<Request> both = new ArrayList<>(List.of(
        world.isend(new int[1], Constants.PROC_NULL, 0), world.irecv(new int[1], Constants.PROC_NULL, 0)));
    Request.waitAll(both, into);
  }

  private static void environment(List<Judged> all) {
    add(all, "call after finalize", "ERR_OTHER: MPI_Send was called after", (mpi, world) -> {
      mpi.close();
      world.send(new int[1], other(world), 0);
    }, (mpi, world) -> mpi.close());
    add(all, "second initialization", "ERR_OTHER|initialized", (mpi, world) -> Mpi.init(new String[0]),
        (mpi, world) -> Mpi.isInitialized());
    add(all, "rank that ends without finalize", "rank 0|rank 1", (mpi, world) -> {
      if (world.rank() == 0) {
        throw new IllegalStateException("rank 0 leaves early");
      }
      world.recv(new int[1], 0, 0);
    }, (mpi, world) -> world.barrier());
    add(all, "use of a freed communicator", "ERR_COMM", (mpi, world) -> {
      IntraComm other = world.dup();
      other.close();
      other.barrier();
    }, (mpi, world) -> {
      IntraComm other = world.dup();
      other.barrier();
      other.close();
    });
    add(all, "free of the world", "ERR_COMM", (mpi, world) -> world.close(), (mpi, world) -> world.dup().close());
    add(all, "detach of no buffer", "ERR_BUFFER", (mpi, world) -> mpi.bufferDetach(), (mpi, world) -> {
      mpi.bufferAttach(Buf.of(new byte[1000]));
      mpi.bufferDetach();
    });
    add(all, "buffer too small for a buffered send", "ERR_BUFFER", (mpi, world) -> buffered(mpi, world, 300),
        (mpi, world) -> buffered(mpi, world, 1));
  }

  private static void buffered(Mpi mpi, IntraComm world, int length) {
    mpi.bufferAttach(Buf.of(new byte[1000]));
    world.bsend(Buf.of(new int[length]), other(world), 0);
    world.recv(new int[length], other(world), 0);
    mpi.bufferDetach();
  }
}
