// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.IntraComm;
import org.ffmpi.MpiFile;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Win;
import org.ffmpi.base.Constants;
import org.ffmpi.base.Keyval;
import org.ffmpi.datatype.Datatype;

/** What is not completed, not received, or not freed when a rank finalizes. */
final class LifetimePrograms {
  private static final String FAMILY = "lifetime";

  private LifetimePrograms() {}

  private static void add(List<Judged> all, String mistake, String expected, Judged.Body wrong, Judged.Body right) {
    all.addAll(Judged.pair(FAMILY, mistake, 2, expected, wrong, right));
  }

  private static int other(IntraComm world) {
    return 1 - world.rank();
  }

  static List<Judged> programs() {
    List<Judged> all = new ArrayList<>();
    requests(all);
    objects(all);
    return all;
  }

  private static void requests(List<Judged> all) {
    String never = " at LifetimePrograms.java:\\d+ was never completed";
    add(all, "isend without a wait", "rank 0: MPI_Isend" + never, (mpi, world) -> {
      world.isend(new int[1], other(world), 0);
      world.recv(new int[1], other(world), 0);
    }, (mpi, world) -> {
      Request sent = world.isend(new int[1], other(world), 0);
      world.recv(new int[1], other(world), 0);
      sent.await();
    });
    add(all, "irecv without a wait", "rank 1: MPI_Irecv" + never, (mpi, world) -> {
      world.irecv(new int[1], other(world), 0);
      world.send(new int[1], other(world), 0);
    }, (mpi, world) -> {
      Request received = world.irecv(new int[1], other(world), 0);
      world.send(new int[1], other(world), 0);
      received.await();
    });
    add(all, "request that is overwritten", "rank 0: MPI_Isend" + never, (mpi, world) -> {
      Request request = world.isend(new int[1], other(world), 0);
      request = world.isend(new int[1], other(world), 0);
      world.recv(new int[1], other(world), 0);
      world.recv(new int[1], other(world), 0);
      request.await();
    }, (mpi, world) -> {
      Request request = world.isend(new int[1], other(world), 0);
      world.recv(new int[1], other(world), 0);
      request.await();
      request = world.isend(new int[1], other(world), 0);
      world.recv(new int[1], other(world), 0);
      request.await();
    });
    add(all, "request that a test has not completed", "rank 1: MPI_Irecv" + never, (mpi, world) -> {
      Request received = world.irecv(new int[1], other(world), 0);
      if (received.test()) {
        throw new IllegalStateException("nobody has sent");
      }
      world.barrier();
      world.send(new int[1], other(world), 0);
    }, (mpi, world) -> {
      Request received = world.irecv(new int[1], other(world), 0);
      world.send(new int[1], other(world), 0);
      while (!received.test()) {
        Thread.onSpinWait();
      }
    });
    add(all, "waitAny for all of several", "rank [01]: MPI_I(send|recv)" + never, (mpi, world) -> {
      List<Request> both = new ArrayList<>(List.of(
          world.irecv(new int[1], other(world), 0), world.isend(new int[1], other(world), 0)));
      Request.waitAny(both);
    }, (mpi, world) -> {
      List<Request> both = new ArrayList<>(List.of(
          world.irecv(new int[1], other(world), 0), world.isend(new int[1], other(world), 0)));
      Request.waitAny(both);
      Request.waitAny(both);
    });
    add(all, "nonblocking collective without a wait", "rank [01]: MPI_Ibarrier" + never,
        (mpi, world) -> world.ibarrier(), (mpi, world) -> world.ibarrier().await());
    add(all, "reduction without a wait", "rank [01]: MPI_Iallreduce" + never,
        (mpi, world) -> world.iallreduce(Buf.of(new int[1]), Op.SUM),
        (mpi, world) -> world.iallreduce(Buf.of(new int[1]), Op.SUM).await());
    add(all, "started persistent request without a wait", "rank 0: MPI_Start" + never, (mpi, world) -> {
      var sent = world.sendInit(Buf.of(new int[1]), other(world), 0);
      sent.start();
      world.recv(new int[1], other(world), 0);
    }, (mpi, world) -> {
      try (var sent = world.sendInit(Buf.of(new int[1]), other(world), 0)) {
        sent.start();
        world.recv(new int[1], other(world), 0);
        sent.await();
      }
    });
    add(all, "persistent request that is not freed", "rank 0: the persistent request made by MPI_Send_init at",
        (mpi, world) -> {
          var sent = world.sendInit(Buf.of(new int[1]), other(world), 0);
          sent.start();
          world.recv(new int[1], other(world), 0);
          sent.await();
        }, (mpi, world) -> world.sendInit(Buf.of(new int[1]), other(world), 0).close());
    add(all, "access to a window without a wait", "rank 0: MPI_Rput" + never, (mpi, world) -> {
      try (Win win = world.winAllocate(8, 8)) {
        win.lockAll();
        win.rput(Buf.of(new long[1]), other(world), 0);
        win.unlockAll();
      }
    }, (mpi, world) -> {
      try (Win win = world.winAllocate(8, 8)) {
        win.lockAll();
        win.rput(Buf.of(new long[1]), other(world), 0).await();
        win.unlockAll();
      }
    });
    add(all, "duplication without a wait", "rank 0: MPI_Comm_idup" + never, (mpi, world) -> world.idup(),
        (mpi, world) -> {
          var request = world.idup();
          request.await();
          request.comm().close();
        });
  }

  private static void objects(List<Judged> all) {
    String freed = " at LifetimePrograms.java:\\d+ was not (freed|closed)";
    add(all, "communicator", "rank 0: the communicator made by MPI_Comm_dup" + freed, (mpi, world) -> world.dup(),
        (mpi, world) -> world.dup().close());
    add(all, "part of a communicator", "rank 1: the communicator made by MPI_Comm_split" + freed,
        (mpi, world) -> world.split(world.rank(), 0), (mpi, world) -> world.split(world.rank(), 0).close());
    add(all, "grid", "rank 0: the communicator made by MPI_Cart_create" + freed,
        (mpi, world) -> world.cartCreate(new int[] {2}, new boolean[1], false),
        (mpi, world) -> world.cartCreate(new int[] {2}, new boolean[1], false).close());
    add(all, "window", "rank 0: the window made by MPI_Win_allocate" + freed, (mpi, world) -> world.winAllocate(8, 8),
        (mpi, world) -> world.winAllocate(8, 8).close());
    add(all, "datatype", "rank 0: the datatype made by MPI_Type_commit" + freed,
        (mpi, world) -> Datatype.vector(2, 1, 2, Datatype.INT).commit(),
        (mpi, world) -> Datatype.vector(2, 1, 2, Datatype.INT).commit().close());
    add(all, "operation", "rank 0: the operation made by MPI_Op_create" + freed,
        (mpi, world) -> Op.commutative(Datatype.INT, (a, b) -> a),
        (mpi, world) -> Op.commutative(Datatype.INT, (a, b) -> a).close());
    add(all, "error handler", "rank 0: the error handler made by .*" + freed,
        (mpi, world) -> Errhandler.of((Comm comm, org.ffmpi.base.MpiException error) -> { }),
        (mpi, world) -> Errhandler.of((Comm comm, org.ffmpi.base.MpiException error) -> { }).close());
    add(all, "key", "rank 0: the key made by .*" + freed, (mpi, world) -> Keyval.notCopied(),
        (mpi, world) -> Keyval.notCopied().close());
    add(all, "file", "rank 0: the file opened by MPI_File_open" + freed, (mpi, world) -> file(world, false),
        (mpi, world) -> file(world, true));
  }

  private static void file(IntraComm world, boolean closes) throws IOException {
    Path[] path = new Path[1];
    if (world.rank() == 0) {
      path[0] = Files.createTempFile("ffmpi-check", null);
    }
    Path shared = Path.of(world.bcastObject(path[0] == null ? null : path[0].toString(), 0));
    MpiFile file = world.open(shared, Constants.MODE_RDWR);
    if (closes) {
      file.close();
    }
    world.barrier();
    Files.deleteIfExists(shared);
  }
}
