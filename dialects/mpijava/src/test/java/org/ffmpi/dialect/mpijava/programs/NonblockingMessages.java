// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/** Requests: their modes, and all ways to wait and to test. */
final class NonblockingMessages {
  private static final int TAG = 20;

  private NonblockingMessages() {}

  static void run(Check check) throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    modes(check, world);
    all(check, world);
    any(check, world);
    some(check, world);
    cancelled(check, world);
    inactive(check);
  }

  private static int next(Intracomm world) throws MPIException {
    return (world.Rank() + 1) % world.Size();
  }

  private static int before(Intracomm world) throws MPIException {
    return (world.Rank() + world.Size() - 1) % world.Size();
  }

  private static void modes(Check check, Intracomm world) throws MPIException {
    int before = before(world);
    MPI.Buffer_attach(new byte[2000]);
    for (int mode = 0; mode < 4; mode++) {
      short[] got = new short[6];
      Request receive = world.Irecv(got, 2, 4, MPI.SHORT, before, TAG);
      check.that("active", !receive.Is_null());
      world.Barrier(); // all receives are posted
      short[] data = {9, (short) world.Rank(), 1, 2};
      Request send = switch (mode) {
        case 0 -> world.Isend(data, 1, 3, MPI.SHORT, next(world), TAG);
        case 1 -> world.Issend(data, 1, 3, MPI.SHORT, next(world), TAG);
        case 2 -> world.Ibsend(data, 1, 3, MPI.SHORT, next(world), TAG);
        default -> world.Irsend(data, 1, 3, MPI.SHORT, next(world), TAG);
      };
      Status status = receive.Wait();
      check.equal("received", new short[] {0, 0, (short) before, 1, 2, 0}, got);
      check.equal("source", before, status.source);
      check.equal("count", 3, status.Get_count(MPI.SHORT));
      check.that("null after the wait", receive.Is_null());
      Status sent = null;
      while (sent == null) {
        sent = send.Test();
      }
      check.that("sent", !sent.Test_cancelled() && send.Is_null());
    }
    MPI.Buffer_detach();
  }

  private static Request[] started(Intracomm world, int[][] got, int count) throws MPIException {
    Request[] requests = new Request[2 * count];
    for (int i = 0; i < count; i++) {
      requests[i] = world.Irecv(got[i], 0, 3, MPI.INT, before(world), TAG + i);
    }
    for (int i = 0; i < count; i++) {
      requests[count + i] = world.Isend(new int[] {world.Rank(), i}, 0, 2, MPI.INT, next(world), TAG + i);
    }
    return requests;
  }

  private static void all(Check check, Intracomm world) throws MPIException {
    int[][] got = new int[3][3];
    Request[] requests = started(world, got, 3);
    Status[] statuses = Request.Waitall(requests);
    check.equal("statuses of all", 6, statuses.length);
    for (int i = 0; i < 3; i++) {
      check.equal("message " + i, new int[] {before(world), i, 0}, got[i]);
      check.equal("tag " + i, TAG + i, statuses[i].tag);
      check.equal("index " + i, i, statuses[i].index);
      check.equal("count " + i, 2, statuses[i].Get_count(MPI.INT));
      check.that("null " + i, requests[i].Is_null());
    }
    for (Status inactive : Request.Waitall(requests)) {
      check.that("inactive", inactive.source == MPI.ANY_SOURCE && inactive.Get_count(MPI.INT) == 0);
    }
    check.equal("statuses of nothing", 0, Request.Waitall(new Request[0]).length);

    got = new int[2][3];
    requests = started(world, got, 2);
    statuses = null;
    while (statuses == null) {
      statuses = Request.Testall(requests);
    }
    check.equal("tested", new int[] {before(world), 1, 0}, got[1]);
    check.equal("tag tested", TAG + 1, statuses[1].tag);

    // Not all: the second message has not been sent.
    Request[] two = {
        world.Irecv(got[0], 0, 3, MPI.INT, before(world), TAG), world.Irecv(got[1], 0, 3, MPI.INT, before(world), 44)};
    world.Send(new int[] {5}, 0, 1, MPI.INT, next(world), TAG);
    check.that("not all", Request.Testall(two) == null);
    world.Barrier();
    world.Send(new int[] {6}, 0, 1, MPI.INT, next(world), 44);
    check.equal("all at last", 2, Request.Waitall(two).length);
  }

  private static void any(Check check, Intracomm world) throws MPIException {
    int[][] got = new int[4][3];
    Request[] requests = started(world, got, 4);
    boolean[] seen = new boolean[8];
    for (int i = 0; i < 8; i++) {
      Status status = i % 2 == 0 ? Request.Waitany(requests) : null;
      while (status == null) {
        status = Request.Testany(requests);
      }
      check.that("once each", status.index >= 0 && status.index < 8 && !seen[status.index]);
      seen[status.index] = true;
      if (status.index < 4) {
        check.equal("tag of any", TAG + status.index, status.tag);
        check.equal("any", new int[] {before(world), status.index, 0}, got[status.index]);
      }
    }
    check.equal("none left", MPI.UNDEFINED, Request.Waitany(requests).index);
    check.that("none left to test", Request.Testany(requests) == null);
  }

  private static void some(Check check, Intracomm world) throws MPIException {
    int[][] got = new int[4][3];
    Request[] requests = started(world, got, 4);
    boolean[] seen = new boolean[8];
    int complete = 0;
    while (complete < 8) {
      Status[] statuses = complete < 4 ? Request.Waitsome(requests) : Request.Testsome(requests);
      check.that("at least one", complete >= 4 || statuses.length > 0);
      for (Status status : statuses) {
        check.that("each once", !seen[status.index]);
        seen[status.index] = true;
        complete++;
      }
    }
    for (int i = 0; i < 4; i++) {
      check.equal("some " + i, new int[] {before(world), i, 0}, got[i]);
    }
    check.that("none active", Request.Waitsome(requests) == null);
    check.equal("none to test", 0, Request.Testsome(requests).length);
    check.equal("with nulls", 0, Request.Testsome(new Request[] {null, MPI.REQUEST_NULL}).length);
  }

  private static void cancelled(Check check, Intracomm world) throws MPIException {
    int[] kept = {3};
    Request never = world.Irecv(kept, 0, 1, MPI.INT, before(world), 4711);
    never.Cancel();
    Status status = never.Wait();
    check.that("cancelled", status.Test_cancelled());
    check.equal("kept", 3, kept[0]);
    world.Barrier();
    Request receive = world.Irecv(kept, 0, 1, MPI.INT, before(world), TAG);
    world.Send(new int[] {world.Rank()}, 0, 1, MPI.INT, next(world), TAG);
    status = receive.Wait();
    check.that("not cancelled", !status.Test_cancelled());
  }

  private static void inactive(Check check) throws MPIException {
    Status empty = MPI.REQUEST_NULL.Wait();
    check.equal("source of no request", MPI.ANY_SOURCE, empty.source);
    check.equal("tag of no request", MPI.ANY_TAG, empty.tag);
    check.equal("count of no request", 0, empty.Get_count(MPI.DOUBLE));
    check.that("test of no request", MPI.REQUEST_NULL.Test() != null);
    check.fails("cancelling nothing", MPI.REQUEST_NULL::Cancel, "request");
    check.fails("no array", () -> Request.Waitall(null), "array_of_requests");
    MPI.REQUEST_NULL.finalize();
  }
}
