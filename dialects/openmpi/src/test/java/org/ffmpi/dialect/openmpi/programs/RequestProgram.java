// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.IntBuffer;
import java.util.Set;
import java.util.TreeSet;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/** The calls that wait for requests or look at them, alone and in arrays. */
final class RequestProgram {
  private static final int MESSAGES = 5;

  private RequestProgram() {}

  private static Comm world;
  private static int rank;
  private static IntBuffer[] in;

  /** Posts a receive for each of some messages that this rank will send to itself. */
  private static Request[] receives() throws MPIException {
    in = new IntBuffer[MESSAGES];
    Request[] requests = new Request[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
      in[i] = MPI.newIntBuffer(2);
      requests[i] = world.iRecv(in[i], 2, MPI.INT, rank, i);
    }
    return requests;
  }

  private static void send(int tag) throws MPIException {
    world.send(new int[] {tag * 10}, 1, MPI.INT, rank, tag);
  }

  private static void check(Status status, int index) throws MPIException {
    Check.equal(index, status.getIndex(), "index of the status");
    Check.equal(index, status.getTag(), "tag of the status");
    Check.equal(rank, status.getSource(), "source of the status");
    Check.equal(1, status.getCount(MPI.INT), "count of the status");
    Check.equal(index * 10, in[index].get(0), "message " + index);
  }

  static void run() throws MPIException {
    world = MPI.COMM_WORLD;
    rank = world.getRank();
    single();
    any();
    some();
    all();
    nothing();
    Request sent = world.iSend(IntBuffer.wrap(new int[] {1}), 1, MPI.INT, rank, 77);
    sent.free();
    Check.that(sent.isNull(), "a freed request");
    sent.free();
    MPI.REQUEST_NULL.free();
    world.recv(new int[1], 1, MPI.INT, rank, 77);
  }

  private static void single() throws MPIException {
    Request[] requests = receives();
    Check.that(!requests[0].isNull(), "an active request");
    Check.that(!requests[0].test(), "test before the message");
    Check.equal(null, requests[0].testStatus(), "testStatus before the message");
    Check.equal(null, requests[0].getStatus(), "getStatus before the message");
    send(0);
    Status seen = requests[0].getStatus();
    while (seen == null) {
      seen = requests[0].getStatus();
    }
    Check.equal(0, seen.getTag(), "getStatus");
    Check.that(!requests[0].isNull(), "getStatus leaves the request");
    Status status = requests[0].waitStatus();
    Check.equal(1, status.getCount(MPI.INT), "waitStatus");
    Check.that(requests[0].isNull(), "waitStatus ends the request");
    send(1);
    Status tested = requests[1].testStatus();
    while (tested == null) {
      tested = requests[1].testStatus();
    }
    Check.equal(1, tested.getTag(), "testStatus");
    send(2);
    requests[2].waitFor();
    Check.equal(20, in[2].get(0), "waitFor");
    send(3);
    while (!requests[3].test()) {
      Thread.onSpinWait();
    }
    Check.that(requests[3].isNull(), "test ends the request");
    send(4);
    requests[4].waitFor();
  }

  private static void any() throws MPIException {
    Request[] requests = receives();
    Check.equal(MPI.UNDEFINED, Request.testAny(requests), "testAny before a message");
    Check.equal(null, Request.testAnyStatus(requests), "testAnyStatus before a message");
    send(3);
    check(Request.waitAnyStatus(requests), 3);
    send(1);
    Check.equal(1, Request.waitAny(requests), "waitAny");
    Check.that(requests[1].isNull() && !requests[0].isNull(), "waitAny ends one request");
    send(4);
    Status status = Request.testAnyStatus(requests);
    while (status == null) {
      status = Request.testAnyStatus(requests);
    }
    check(status, 4);
    send(0);
    int index = Request.testAny(requests);
    while (index == MPI.UNDEFINED) {
      index = Request.testAny(requests);
    }
    Check.equal(0, index, "testAny");
    send(2);
    Check.equal(2, Request.waitAny(requests), "the last one");
    Check.equal(MPI.UNDEFINED, Request.waitAny(requests), "waitAny without an active request");
    Check.equal(MPI.UNDEFINED, Request.waitAnyStatus(requests).getIndex(), "waitAnyStatus without an active request");
  }

  private static void some() throws MPIException {
    Request[] requests = receives();
    Check.equal(0, Request.testSome(requests).length, "testSome before a message");
    Check.equal(0, Request.testSomeStatus(requests).length, "testSomeStatus before a message");
    Set<Integer> done = new TreeSet<>();
    send(2);
    Status[] first = Request.waitSomeStatus(requests);
    Check.equal(1, first.length, "waitSomeStatus");
    check(first[0], 2);
    done.add(2);
    send(4);
    Check.ints("waitSome", Request.waitSome(requests), 4);
    done.add(4);
    send(0);
    Status[] tested = Request.testSomeStatus(requests);
    while (tested.length == 0) {
      tested = Request.testSomeStatus(requests);
    }
    check(tested[0], 0);
    done.add(0);
    send(1);
    send(3);
    while (done.size() < MESSAGES) {
      for (int index : Request.testSome(requests)) {
        Check.that(done.add(index), "each request once");
        Check.equal(index * 10, in[index].get(0), "message " + index);
      }
    }
    Check.equal(null, Request.waitSome(requests), "waitSome without an active request");
    Check.equal(null, Request.waitSomeStatus(requests), "waitSomeStatus without an active request");
  }

  private static void all() throws MPIException {
    Request[] requests = receives();
    for (int i = 0; i < MESSAGES - 1; i++) {
      send(i);
    }
    Check.that(!Request.testAll(requests), "testAll before the last message");
    Check.equal(null, Request.testAllStatus(requests), "testAllStatus before the last message");
    send(MESSAGES - 1);
    Status[] statuses = Request.testAllStatus(requests);
    while (statuses == null) {
      statuses = Request.testAllStatus(requests);
    }
    for (int i = 0; i < MESSAGES; i++) {
      Check.equal(i, statuses[i].getTag(), "testAllStatus");
      Check.that(requests[i].isNull(), "testAllStatus ends the requests");
    }
    requests = receives();
    for (int i = 0; i < MESSAGES; i++) {
      send(i);
    }
    statuses = Request.waitAllStatus(requests);
    Check.equal(MESSAGES, statuses.length, "statuses of waitAllStatus");
    for (int i = 0; i < MESSAGES; i++) {
      Check.equal(i, statuses[i].getTag(), "waitAllStatus");
    }
    requests = receives();
    for (int i = MESSAGES - 1; i >= 0; i--) {
      send(i);
    }
    while (!Request.testAll(requests)) {
      Thread.onSpinWait();
    }
    Check.equal(40, in[4].get(0), "testAll");
    requests = receives();
    for (int i = 0; i < MESSAGES; i++) {
      send(i);
    }
    Request.waitAll(requests);
    Check.equal(30, in[3].get(0), "waitAll");
  }

  private static void nothing() throws MPIException {
    Request[] none = {};
    Request.waitAll(none);
    Check.that(Request.testAll(none), "testAll of nothing");
    Check.equal(MPI.UNDEFINED, Request.waitAny(none), "waitAny of nothing");
    Request[] nulls = {MPI.REQUEST_NULL, MPI.REQUEST_NULL};
    Request.waitAll(nulls);
    Check.equal(2, Request.waitAllStatus(nulls).length, "statuses of null requests");
    Request[] mixed = {MPI.REQUEST_NULL, world.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, rank, 6)};
    world.send(new int[1], 1, MPI.INT, rank, 6);
    Check.equal(6, Request.waitAllStatus(mixed)[1].getTag(), "waitAllStatus with a null request");
    Check.that(MPI.REQUEST_NULL.isNull(), "REQUEST_NULL");
    Check.that(MPI.REQUEST_NULL.test(), "test of REQUEST_NULL");
    MPI.REQUEST_NULL.waitFor();
  }
}
