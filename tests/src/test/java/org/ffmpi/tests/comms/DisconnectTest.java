// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** MPI_Comm_disconnect: what has been started is complete when it returns (MPI-4.1 §11.10.4). */
@DisplayName("MPI_Comm_disconnect")
class DisconnectTest {
  @EveryTransport
  @MpiTest(ranks = {1, 2, 3})
  void whatWasStartedIsComplete(IntraComm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    IntraComm comm = world.dup();
    Request elsewhere = world.irecv(new int[1], previous, 99); // of another communicator: nobody waits for it
    List<Request> requests = new ArrayList<>();
    int[] lengths = {0, 8, 2_000, 20_000, 300_000};
    byte[][] in = new byte[lengths.length][];
    int[] sum = {world.rank() + 1};
    for (int i = 0; i < lengths.length; i++) {
      in[i] = new byte[lengths[i]];
      byte[] out = new byte[lengths[i]];
      java.util.Arrays.fill(out, (byte) 5);
      requests.add(comm.irecv(in[i], previous, i));
      requests.add(i % 2 == 0 ? comm.isend(out, next, i) : comm.issend(Buf.of(out), next, i));
    }
    requests.add(comm.iallreduce(Buf.of(sum), Op.SUM));
    requests.add(comm.ibarrier());
    comm.disconnect();
    assertEquals(world.size() * (world.size() + 1) / 2, sum[0]);
    for (int i = 0; i < lengths.length; i++) {
      assertTrue(in[i].length == 0 || in[i][in[i].length - 1] == 5);
    }
    for (Request request : requests) {
      assertTrue(request.test());
    }
    assertError(ErrorClass.ERR_COMM, comm::barrier, "closed");
    assertError(ErrorClass.ERR_COMM, comm::disconnect, "closed");
    world.send(new int[1], next, 99);
    elsewhere.await();
  }

  @MpiTest(ranks = {2, 3})
  void betweenGroupsAndWithAttributes(IntraComm world) {
    List<String> deleted = new ArrayList<>();
    Keyval<Comm, String> key = Keyval.of((from, value) -> Optional.empty(), (from, value) -> deleted.add(value));
    IntraComm half = world.split(world.rank() % 2, 0);
    InterComm inter = half.intercomm(0, world, 1 - world.rank() % 2, 5);
    inter.attributes().set(key, "x");
    if (world.rank() < 2) {
      byte[] data = new byte[100_000];
      Request receive = inter.irecv(data, 0, 1);
      Request send = inter.isend(new byte[100_000], 0, 1);
      inter.disconnect();
      assertTrue(receive.test());
      assertTrue(send.test());
    } else {
      inter.disconnect();
    }
    assertEquals(List.of("x"), deleted);
    half.disconnect();
    world.barrier();
  }

  @MpiTest(ranks = 1)
  void thePredefinedOnesStay(Mpi mpi) {
    assertError(ErrorClass.ERR_COMM, mpi.world()::disconnect, "communicator");
    assertError(ErrorClass.ERR_COMM, mpi.self()::disconnect, "communicator");
  }
}
