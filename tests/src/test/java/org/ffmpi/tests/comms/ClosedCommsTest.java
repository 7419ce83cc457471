// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.Comparison;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.function.Executable;

/** Freed communicators: calls are refused, operations in flight continue. */
class ClosedCommsTest {
  @MpiTest(ranks = {1, 2})
  void everyCallIsRefused(IntraComm world) {
    IntraComm closed = world.dup();
    closed.close();
    Buf<?> buf = Buf.of(new int[1]);
    int[] data = new int[1];
    Map<String, Executable> calls = new LinkedHashMap<>();
    calls.put("send", () -> closed.send(buf, 0, 0));
    calls.put("send array", () -> closed.send(data, 0, 0));
    calls.put("send to nobody", () -> closed.send(data, PROC_NULL, 0));
    calls.put("ssend", () -> closed.ssend(buf, 0, 0));
    calls.put("rsend", () -> closed.rsend(buf, 0, 0));
    calls.put("bsend", () -> closed.bsend(buf, 0, 0));
    calls.put("isend", () -> closed.isend(buf, 0, 0));
    calls.put("isend array", () -> closed.isend(data, 0, 0));
    calls.put("issend", () -> closed.issend(buf, 0, 0));
    calls.put("irsend", () -> closed.irsend(buf, 0, 0));
    calls.put("ibsend", () -> closed.ibsend(buf, 0, 0));
    calls.put("recv", () -> closed.recv(buf, 0, 0));
    calls.put("recv array", () -> closed.recv(data, 0, 0));
    calls.put("recv with status", () -> closed.recv(data, 0, 0, new Status()));
    calls.put("recv from any", () -> closed.recv(buf, ANY_SOURCE, ANY_TAG));
    calls.put("recv array from any", () -> closed.recv(data, ANY_SOURCE, ANY_TAG));
    calls.put("recv from nobody", () -> closed.recv(data, PROC_NULL, 0));
    calls.put("irecv", () -> closed.irecv(buf, 0, 0));
    calls.put("irecv array", () -> closed.irecv(data, ANY_SOURCE, 0));
    calls.put("probe", () -> closed.probe(ANY_SOURCE, ANY_TAG));
    calls.put("iprobe", () -> closed.iprobe(ANY_SOURCE, ANY_TAG));
    calls.put("mprobe", () -> closed.mprobe(0, ANY_TAG));
    calls.put("improbe", () -> closed.improbe(0, ANY_TAG));
    calls.put("sendrecv", () -> closed.sendrecv(buf, 0, 0, Buf.of(new int[1]), 0, 0));
    calls.put("isendrecv", () -> closed.isendrecv(buf, 0, 0, Buf.of(new int[1]), 0, 0));
    calls.put("sendrecvReplace", () -> closed.sendrecvReplace(buf, 0, 0, ANY_SOURCE, 0));
    calls.put("isendrecvReplace", () -> closed.isendrecvReplace(buf, 0, 0, 0, 0));
    calls.put("sendInit", () -> closed.sendInit(buf, 0, 0));
    calls.put("ssendInit", () -> closed.ssendInit(buf, 0, 0));
    calls.put("rsendInit", () -> closed.rsendInit(buf, 0, 0));
    calls.put("bsendInit", () -> closed.bsendInit(buf, 0, 0));
    calls.put("recvInit", () -> closed.recvInit(buf, ANY_SOURCE, 0));
    calls.put("psendInit", () -> closed.psendInit(buf, 1, 0, 0));
    calls.put("precvInit", () -> closed.precvInit(buf, 1, 0, 0));
    calls.put("attachBuffer", () -> closed.attachBuffer(Buf.of(new byte[100])));
    calls.put("detachBuffer", closed::detachBuffer);
    calls.put("flushBuffer", closed::flushBuffer);
    calls.put("iflushBuffer", closed::iflushBuffer);
    calls.put("barrier", closed::barrier);
    calls.put("ibarrier", closed::ibarrier);
    calls.put("bcast", () -> closed.bcast(buf, 0));
    calls.put("ibcast", () -> closed.ibcast(buf, 0));
    calls.put("gather", () -> closed.gather(buf, Buf.of(new int[closed.size()]), 0));
    calls.put("reduce", () -> closed.reduce(Buf.of(data), Op.SUM, 0));
    calls.put("allreduce", () -> closed.allreduce(Buf.of(data), Op.SUM));
    calls.put("iallreduce", () -> closed.iallreduce(Buf.of(data), Op.SUM));
    calls.put("dup", closed::dup);
    calls.put("idup", closed::idup);
    calls.put("split", () -> closed.split(0, 0));
    calls.put("create", () -> closed.create(world.group()));
    calls.put("createGroup", () -> closed.createGroup(world.group(), 0));
    calls.put("group", closed::group);
    calls.put("compare", () -> closed.compare(world));
    calls.put("compare with", () -> world.compare(closed));
    calls.put("compare with null", () -> world.compare(null));
    calls.put("attributes", closed::attributes);
    calls.put("setName", () -> closed.setName("closed"));
    calls.put("setErrhandler", () -> closed.setErrhandler(Errhandler.RETURN));
    calls.put("requests", closed::requests);
    List<Executable> checks = new ArrayList<>();
    calls.forEach((name, call) -> checks.add(() -> {
      try {
        assertError(ErrorClass.ERR_COMM, call);
      } catch (AssertionError e) {
        throw new AssertionError(name + ": " + e.getMessage(), e);
      }
    }));
    assertAll(checks);
    world.barrier();
  }

  /** Requests, also persistent ones, live on; and so do groups, attributes' owners and what was made out of it. */
  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4})
  void whatHasBeenStartedGoesOn(IntraComm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    IntraComm closed = world.split(0, -world.rank());
    int to = closed.size() - 1 - next;
    int from = closed.size() - 1 - previous;
    Group group = closed.group();
    IntraComm child = closed.dup();
    byte[] received = new byte[30_000];
    byte[] again = new byte[8];
    long[] sum = {world.rank()};
    Request receive = closed.irecv(received, ANY_SOURCE, ANY_TAG);
    Request reduction = closed.iallreduce(Buf.of(sum), Op.SUM);
    byte[] repeated = Data.bytes(5, 8);
    Persistent in = closed.recvInit(Buf.of(again), from, 5);
    Persistent out = closed.sendInit(Buf.of(repeated), to, 5);
    world.barrier(); // the receive is posted at all ranks
    Request send = closed.isend(Data.bytes(world.rank(), 30_000), to, 3);
    closed.close();
    Status status = receive.await(new Status());
    assertEquals(from, status.source());
    assertEquals(3, status.tag());
    Data.check(received, 0, previous, 30_000);
    Request.waitAll(List.of(send, reduction));
    assertEquals(world.size() * (world.size() - 1L) / 2, sum[0]);
    for (int i = 0; i < 3; i++) {
      in.start();
      out.start();
      out.await();
      assertEquals(from, in.await(new Status()).source());
      Data.check(again, 0, 5, 8);
    }
    in.close();
    out.close();
    assertEquals(world.size(), group.size());
    assertEquals(world.size() == 1 ? Comparison.CONGRUENT : Comparison.SIMILAR, child.compare(world));
    child.barrier();
    child.close();
  }

  @MpiTest(ranks = {1, 2})
  void predefinedOnesCannotBeFreed(Mpi mpi) {
    assertError(ErrorClass.ERR_COMM, mpi.world()::close);
    assertError(ErrorClass.ERR_COMM, mpi.self()::close);
    mpi.world().barrier();
    mpi.self().barrier();
  }

  /** One rank frees its communicator long before the others do, who go on using theirs. */
  @EveryTransport
  @MpiTest(ranks = {3, 4})
  void freeingIsLocal(IntraComm world) {
    IntraComm made = world.dup();
    if (world.rank() == 0) {
      made.close();
      world.barrier();
    } else {
      int partner = world.rank() == 1 ? 2 : 1;
      if (world.rank() <= 2) {
        int[] got = new int[1];
        made.sendrecv(Buf.of(new int[] {world.rank()}), partner, 0, Buf.of(got), partner, 0);
        assertEquals(partner, got[0]);
      }
      world.barrier();
      made.close();
    }
  }
}
