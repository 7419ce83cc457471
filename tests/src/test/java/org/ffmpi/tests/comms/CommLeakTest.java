// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.CommRequest;
import org.ffmpi.Errhandler;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.MemoryInUse;
import org.junit.jupiter.api.Tag;

/** Communicators that have been freed cost nothing, however many there were: no heap, and no shared memory. */
@Tag("long")
class CommLeakTest {
  private static final int COMMUNICATORS = 10_000;

  /** Heap that may stay for each communicator of each rank: less than any object that could have been forgotten. */
  private static final int BYTES = 8;

  /** One communicator: made, used, freed. */
  private interface Life {
    void live(IntraComm world, int i);
  }

  @MpiTest(ranks = {1, 4}, timeout = 300)
  void duplicates(Mpi mpi) throws IOException {
    flat(mpi, (world, i) -> {
      try (IntraComm made = world.dup()) {
        use(made, i);
      }
    });
  }

  @MpiTest(ranks = {2, 4}, timeout = 300)
  void nonblockingDuplicates(Mpi mpi) throws IOException {
    flat(mpi, (world, i) -> {
      CommRequest<? extends IntraComm> request = world.idup();
      request.await();
      try (IntraComm made = request.comm()) {
        use(made, i);
      }
    });
  }

  @MpiTest(ranks = {1, 4}, timeout = 300)
  void parts(Mpi mpi) throws IOException {
    flat(mpi, (world, i) -> {
      try (IntraComm made = world.split(world.rank() % 2, -world.rank())) {
        use(made, i);
      }
    });
  }

  @MpiTest(ranks = {2, 3}, timeout = 300)
  void groups(Mpi mpi) throws IOException {
    flat(mpi, (world, i) -> {
      try (IntraComm made = i % 2 == 0
          ? world.createGroup(world.group(), i % 5)
          : IntraComm.createFromGroup(world.group(), "leak " + i, null, Errhandler.RETURN)) {
        use(made, i);
      }
    });
  }

  /** Freed while messages are under way, and while collective operations are. */
  @MpiTest(ranks = {2, 4}, timeout = 300)
  void freedInTheMiddle(Mpi mpi) throws IOException {
    flat(mpi, (world, i) -> {
      int[] sent = {i};
      int[] got = new int[1];
      long[] sum = {world.rank()};
      List<Request> requests;
      try (IntraComm made = world.dup()) {
        requests = List.of(
            made.irecv(got, ANY_SOURCE, ANY_TAG),
            made.isend(sent, (made.rank() + 1) % made.size(), 1),
            made.iallreduce(Buf.of(sum), Op.SUM));
      }
      Request.waitAll(requests);
      assertEquals(i, got[0]);
      assertEquals(world.size() * (world.size() - 1L) / 2, sum[0]);
    });
  }

  /** Between two groups, and merged. */
  @MpiTest(ranks = {2, 4}, timeout = 300)
  void betweenGroups(Mpi mpi) throws IOException {
    IntraComm world = mpi.world();
    boolean isHigh = world.rank() >= world.size() / 2;
    try (IntraComm half = world.split(isHigh ? 1 : 0, 0)) {
      flat(mpi, (all, i) -> {
        try (InterComm made = half.intercomm(0, all, isHigh ? 0 : all.size() / 2, i % 3);
            InterComm twin = made.dup();
            IntraComm merged = twin.merge(isHigh)) {
          use(merged, i);
          twin.send(new int[] {i}, twin.rank(), 0);
          int[] got = new int[1];
          twin.recv(got, ANY_SOURCE, ANY_TAG);
          assertEquals(i, got[0]);
        }
      });
    }
  }

  /** Ten thousand at the same time, each of them usable. */
  @MpiTest(ranks = {1, 2, 4}, timeout = 300)
  void manyAtOnce(Mpi mpi) throws IOException {
    IntraComm world = mpi.world();
    for (int i = 0; i < COMMUNICATORS / 5; i++) {
      try (IntraComm made = some(world, i)) {
        use(made, i);
      }
    }
    MemoryInUse before = MemoryInUse.of(world);
    List<IntraComm> open = new ArrayList<>();
    for (int i = 0; i < COMMUNICATORS; i++) {
      open.add(some(world, i));
    }
    for (int i = COMMUNICATORS - 1; i >= 0; i -= 7) {
      use(open.get(i), i);
    }
    open.forEach(IntraComm::close);
    open = null;
    before.assertFlat(COMMUNICATORS, BYTES);
  }

  private static IntraComm some(IntraComm world, int i) {
    return i % 2 == 0 ? world.dup() : world.split(world.rank() % 2, i);
  }

  private static void use(IntraComm comm, int i) {
    if (i % 10 != 0) {
      return; // most are freed as they came
    }
    int next = (comm.rank() + 1) % comm.size();
    int[] got = new int[1];
    comm.sendrecv(Buf.of(new int[] {i}), next, i % 3, Buf.of(got), ANY_SOURCE, ANY_TAG);
    assertEquals(i, got[0]);
    long[] sum = {comm.rank()};
    comm.allreduce(Buf.of(sum), Op.SUM);
    assertEquals(comm.size() * (comm.size() - 1L) / 2, sum[0]);
  }

  private static void flat(Mpi mpi, Life life) throws IOException {
    IntraComm world = mpi.world();
    for (int i = 0; i < COMMUNICATORS / 5; i++) {
      life.live(world, i);
    }
    MemoryInUse before = MemoryInUse.of(world);
    for (int i = 0; i < COMMUNICATORS; i++) {
      life.live(world, i);
    }
    before.assertFlat(COMMUNICATORS, BYTES);
  }
}
