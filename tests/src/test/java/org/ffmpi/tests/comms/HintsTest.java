// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Optional;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;

/** Hints of communicators: they are kept, and the program's promises are checked where everything is checked. */
@MpiVariant(name = "defaults", settings = "ffmpi.check=full")
@MpiVariant(
    name = "tiny rings",
    settings = {
      "ffmpi.check=full", "ffmpi.ring.slots=2", "ffmpi.ring.bulk=64", "ffmpi.pipe.bytes=256", "ffmpi.chunk=64",
      "ffmpi.large.chunk=64", "ffmpi.eager.limit=200", "ffmpi.direct.limit=100"
    })
class HintsTest {
  /** Lengths in ints that take each protocol. */
  private static final int[] LENGTHS = {1, 10, 300, 20_000, 100_000};

  private static Info promise(String name) {
    return new Info().set(name, "true");
  }

  private static int next(Comm comm) {
    return (comm.rank() + 1) % comm.size();
  }

  private static int previous(Comm comm) {
    return Math.floorMod(comm.rank() - 1, comm.size());
  }

  private static void pass(Comm comm, int sent, int expected) {
    int[] in = new int[expected];
    int[] out = new int[sent];
    Arrays.fill(out, comm.rank() + 1);
    Request send = comm.isend(out, next(comm), 4);
    try {
      comm.recv(in, previous(comm), 4);
    } finally {
      send.await();
    }
    int[] all = new int[expected];
    Arrays.fill(all, 0, sent, previous(comm) + 1);
    assertArrayEquals(all, in);
  }

  @MpiTest(ranks = {1, 2, 3})
  void messagesOfPromisedLength(IntraComm world) {
    try (IntraComm exact = world.dup(promise("mpi_assert_exact_length")); IntraComm heir = exact.dup(exact.info())) {
      for (int length : LENGTHS) {
        pass(exact, length, length);
        pass(world, length, length + 1);
        for (Comm comm : new Comm[] {exact, heir}) {
          assertError(
              ErrorClass.ERR_COUNT, () -> pass(comm, length, length + 1), "mpi_assert_exact_length", 4 * length + " b");
          int[] in = new int[length + 2];
          Request receive = comm.irecv(in, previous(comm), 5);
          Request send = comm.isend(new int[length], next(comm), 5);
          assertError(ErrorClass.ERR_COUNT, receive::await, "mpi_assert_exact_length");
          send.await();
        }
        assertError(ErrorClass.ERR_TRUNCATE, () -> pass(exact, length, length - 1));
      }
      exact.setInfo(new Info().set("mpi_assert_exact_length", "false"));
      world.barrier();
      pass(exact, 3, 5);
      int[] sum = {1};
      heir.allreduce(Buf.of(sum), Op.SUM);
      assertEquals(world.size(), sum[0], "collectives are none of the program's receives");
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  void wrongHintsAtOneRank(IntraComm world) {
    Info wrong = new Info().set("mpi_assert_no_any_tag", world.rank() == 0 ? "no" : "true");
    for (int round = 0; round < 3; round++) {
      if (world.rank() == 0) {
        assertError(ErrorClass.ERR_INFO_VALUE, () -> world.dup(wrong), "mpi_assert_no_any_tag = no");
        assertError(ErrorClass.ERR_INFO_VALUE, () -> world.idup(wrong));
        assertError(
            ErrorClass.ERR_INFO_VALUE,
            () -> IntraComm.createFromGroup(world.group(), "hints", wrong, Errhandler.RETURN));
      } else {
        world.dup(wrong).close();
        Request request = world.idup(wrong);
        request.await();
        IntraComm.createFromGroup(world.group(), "hints", wrong, Errhandler.RETURN).close();
      }
      try (IntraComm after = world.dup(promise("mpi_assert_no_any_tag"))) {
        pass(after, 3, 3);
        int[] sum = {1};
        after.allreduce(Buf.of(sum), Op.SUM);
        assertEquals(world.size(), sum[0], "all count contexts alike");
      }
    }
  }

  @MpiTest(ranks = {1, 2, 3})
  void receivesWithoutWildcards(IntraComm world) {
    Info both = promise("mpi_assert_no_any_source").set("mpi_assert_no_any_tag", "true");
    try (IntraComm named = world.dup(both)) {
      int[] in = new int[1];
      assertError(ErrorClass.ERR_RANK, () -> named.recv(in, Constants.ANY_SOURCE, 0), "mpi_assert_no_any_source");
      assertError(ErrorClass.ERR_TAG, () -> named.recv(in, 0, Constants.ANY_TAG), "mpi_assert_no_any_tag");
      assertError(ErrorClass.ERR_RANK, () -> named.iprobe(Constants.ANY_SOURCE, 0), "mpi_assert_no_any_source");
      assertError(ErrorClass.ERR_TAG, () -> named.improbe(0, Constants.ANY_TAG), "mpi_assert_no_any_tag");
      assertError(ErrorClass.ERR_TAG, () -> named.recvInit(Buf.of(in), 0, Constants.ANY_TAG), "mpi_assert_no_any_tag");
      pass(named, 3, 4);
      Request receive = world.irecv(in, Constants.ANY_SOURCE, Constants.ANY_TAG);
      world.send(new int[] {6}, next(world), 7);
      receive.await();
      assertEquals(6, in[0], "the parent has promised nothing");
      assertEquals(Optional.of("true"), named.info().get("mpi_assert_no_any_tag"));
    }
  }
}
