// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.lifecycle;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Session;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.RankJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions alone, several at a time, and beside the world model. */
@Tag("long")
class SessionTest {
  private static int sum(Comm comm) {
    int[] one = {comm.rank() + 1};
    comm.allreduce(Buf.of(one), Op.SUM);
    return one[0];
  }

  private static int all(Comm comm) {
    return comm.size() * (comm.size() + 1) / 2;
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  void severalBesideTheWorld(Mpi mpi) {
    IntraComm world = mpi.world();
    try (Session one = Session.init();
         Session two = Session.init(new Info().set("thread_level", "MPI_THREAD_FUNNELED"), Errhandler.RETURN)) {
      assertEquals(ThreadLevel.MULTIPLE, one.threadLevel());
      assertEquals(ThreadLevel.FUNNELED, two.threadLevel());
      assertEquals("MPI_THREAD_FUNNELED", two.info().get("thread_level").orElseThrow());
      try (IntraComm first = IntraComm.createFromGroup(one.group(Session.WORLD), "first");
           IntraComm second =
               IntraComm.createFromGroup(two.group(Session.WORLD), "second", null, Errhandler.RETURN);
           IntraComm alone = IntraComm.createFromGroup(two.group(Session.SELF), "alone")) {
        assertEquals(world.rank(), first.rank());
        assertEquals(all(world), sum(first));
        assertEquals(all(world), sum(world));
        assertEquals(all(world), sum(second));
        assertEquals(1, sum(alone));
        try (IntraComm half = second.split(second.rank() % 2, 0)) {
          assertEquals(all(half), sum(half));
        }
        List<Request> mixed = new ArrayList<>(List.of(world.ibarrier(), first.ibarrier(), second.ibarrier()));
        Request.waitAll(mixed);
      }
    }
    assertEquals(all(world), sum(world));
  }

  @MpiTest(ranks = {1, 2})
  void knowsSetsOfProcesses(Mpi mpi) {
    try (Session session = Session.init(null, Errhandler.RETURN)) {
      assertEquals(2, session.numPsets());
      List<String> names = new ArrayList<>();
      for (int n = 0; n < session.numPsets(); n++) {
        names.add(session.nthPset(n));
      }
      assertEquals(List.of("mpi://WORLD", "mpi://SELF"), names);
      assertEquals(Integer.toString(mpi.world().size()), session.psetInfo(Session.WORLD).get("mpi_size").orElseThrow());
      assertEquals("1", session.psetInfo(Session.SELF).get("mpi_size").orElseThrow());
      Group group = session.group(Session.WORLD);
      assertEquals(mpi.world().rank(), group.rank());
      assertNull(session.group("mpi://NOWHERE"));
      assertError(ErrorClass.ERR_ARG, () -> session.psetInfo("mpi://NOWHERE"), "mpi://NOWHERE", "mpi://WORLD");
      assertError(ErrorClass.ERR_ARG, () -> session.nthPset(2), "n = 2", "0..1");
      assertError(ErrorClass.ERR_ARG, () -> session.psetInfo(null), "name = null");
    }
  }

  @MpiTest(ranks = {1, 2})
  void isNotMixedWithOthers(Mpi mpi) {
    try (Session session = Session.init(null, Errhandler.RETURN)) {
      Group group = session.group(Session.WORLD);
      assertError(ErrorClass.ERR_GROUP, () -> mpi.world().create(group), "group");
      assertError(ErrorClass.ERR_GROUP, () -> group.union(mpi.world().group()));
      try (IntraComm comm = IntraComm.createFromGroup(group, "x", null, Errhandler.RETURN)) {
        assertError(ErrorClass.ERR_GROUP, () -> comm.createGroup(mpi.world().group(), 0), "group");
      }
    }
  }

  @MpiTest(ranks = 2)
  void endsWithWhatBelongsToIt(Mpi mpi) {
    Session session = Session.init(null, Errhandler.RETURN);
    Group group = session.group(Session.WORLD);
    IntraComm comm = IntraComm.createFromGroup(group, "ends", null, Errhandler.RETURN);
    sum(comm);
    session.close();
    session.close();
    assertError(ErrorClass.ERR_SESSION, session::numPsets, "finalized");
    assertError(ErrorClass.ERR_SESSION, () -> session.group(Session.SELF), "finalized");
    assertError(ErrorClass.ERR_SESSION, comm::barrier, "finalized");
    assertError(ErrorClass.ERR_SESSION, () -> comm.send(new int[1], 0, 0), "finalized");
    assertError(ErrorClass.ERR_SESSION, group::size, "finalized");
    comm.close();
    assertEquals(3, sum(mpi.world()));
  }

  @MpiTest(ranks = 2)
  void outlivesTheWorldModel(Mpi mpi) {
    int rank = mpi.world().rank();
    Session session = Session.init(null, Errhandler.RETURN);
    IntraComm comm = IntraComm.createFromGroup(session.group(Session.WORLD), "outlives", null, Errhandler.RETURN);
    Request kept = rank == 0 ? comm.isend(new byte[3_000_000], 1, 5) : null;
    mpi.close();
    assertTrue(Mpi.isFinalized());
    if (rank == 1) {
      comm.recv(new byte[3_000_000], 0, 5);
    } else {
      kept.await();
    }
    assertEquals(3, sum(comm));
    try (Session later = Session.init(null, Errhandler.RETURN)) {
      assertEquals(2, later.group(Session.WORLD).size());
    }
    session.close();
  }

  @MpiTest(ranks = {1, 2, 3})
  void isOpenedAfterTheWorldModelHasEnded(Mpi mpi) {
    int size = mpi.world().size();
    mpi.close(); // with no session open
    assertTrue(Mpi.isFinalized());
    for (int round = 0; round < 2; round++) {
      try (Session session = Session.init(null, Errhandler.RETURN);
          IntraComm comm = IntraComm.createFromGroup(
              session.group(Session.WORLD), "after " + round, null, Errhandler.RETURN)) {
        assertEquals(size, comm.size());
        assertEquals(all(comm), sum(comm));
        byte[] data = new byte[500_000];
        Request receive = comm.irecv(data, Constants.ANY_SOURCE, 3);
        comm.send(new byte[500_000], (comm.rank() + 1) % size, 3);
        receive.await();
      }
    }
  }

  /** Ends the world model, does something else, and opens sessions at different times. */
  static final class After {
    private After() {}

    public static void main(String[] args) throws InterruptedException {
      int rank;
      try (Mpi mpi = Mpi.init(args)) {
        rank = mpi.world().rank();
        mpi.world().barrier();
      }
      int total = 0;
      for (int round = 0; round < 2; round++) {
        Thread.sleep(rank * 150L);
        try (Session session = Session.init();
            IntraComm comm = IntraComm.createFromGroup(session.group(Session.WORLD), "round " + round)) {
          total += sum(comm);
        }
      }
      System.out.println("total " + total + " " + Mpi.isFinalized());
    }
  }

  @Test
  @Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void processesOpenSessionsAfterTheWorldModelHasEnded() throws InterruptedException {
    assertEquals("total 12 true\n".repeat(3), output(3, After.class));
  }

  private static String output(int ranks, Class<?> program) throws InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = RankJvm.launcher(ranks)
        .main(program.getName())
        .output(out)
        .errors(err)
        .timeout(Duration.ofSeconds(100))
        .run();
    assertEquals(0, code, err.toString(StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Asks how it was started without ever using the world model. */
  static final class Started {
    private Started() {}

    public static void main(String[] args) {
      List<String> before = Info.env().keys();
      try (Session session = Session.init()) {
        Info env = Info.env();
        if (session.group(Session.WORLD).rank() == 0) {
          System.out.println(before.equals(env.keys()) + " " + env.keys() + " " + env.get("maxprocs").orElseThrow()
              + " " + env.get("command").orElseThrow().contains("Started"));
        }
      }
    }
  }

  @Test
  @Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void processesWithSessionsAloneKnowHowTheyWereStarted() throws InterruptedException {
    assertEquals("true [command, maxprocs, host, arch, wdir] 2 true\n", output(2, Started.class));
  }

  @MpiTest(ranks = 2)
  void levelsOfSeveralSessions(Mpi mpi) {
    for (ThreadLevel level : ThreadLevel.values()) {
      Info asked = new Info().set("thread_level", "MPI_THREAD_" + level);
      try (Session one = Session.init(asked, Errhandler.RETURN); Session other = Session.init()) {
        assertEquals(level, one.threadLevel());
        assertEquals("MPI_THREAD_" + level, one.info().get("thread_level").orElseThrow());
        assertEquals(ThreadLevel.MULTIPLE, other.threadLevel(), "each has its own");
        assertEquals(ThreadLevel.MULTIPLE, mpi.threadLevel());
      }
    }
    mpi.world().barrier();
  }

  @MpiTest(ranks = 2, settings = "ffmpi.thread.level=serialized")
  void levelOfTheSetting(Mpi mpi) {
    try (Session one = Session.init();
        Session other = Session.init(new Info().set("thread_level", "MPI_THREAD_SINGLE"), null)) {
      assertEquals(ThreadLevel.SERIALIZED, one.threadLevel());
      assertEquals(ThreadLevel.SINGLE, other.threadLevel());
    }
    mpi.world().barrier();
  }

  @MpiTest(ranks = 2)
  void requestedKindsOfMemory(Mpi mpi) {
    Info asked = new Info().set("mpi_memory_alloc_kinds", "cuda:device, mpi:alloc_mem,system,rocm");
    try (Session session = Session.init(asked, Errhandler.RETURN);
        IntraComm comm = IntraComm.createFromGroup(session.group(Session.WORLD), "kinds")) {
      assertEquals(Optional.of("mpi:alloc_mem,system,mpi"), session.info().get("mpi_memory_alloc_kinds"));
      assertEquals(session.info().get("mpi_memory_alloc_kinds"), comm.info().get("mpi_memory_alloc_kinds"));
    }
    try (Session session = Session.init()) {
      assertEquals(Optional.of("mpi,system"), session.info().get("mpi_memory_alloc_kinds"));
    }
    assertEquals(Optional.of("mpi,system"), mpi.world().info().get("mpi_memory_alloc_kinds"));
    mpi.world().barrier();
  }

  @MpiTest(ranks = 2)
  void hasABufferOfItsOwn(Mpi mpi) {
    try (Session session = Session.init(null, Errhandler.RETURN)) {
      IntraComm comm = IntraComm.createFromGroup(session.group(Session.WORLD), "buffered", null, Errhandler.RETURN);
      int peer = 1 - comm.rank();
      byte[] out = new byte[2_000_000];
      Arrays.fill(out, (byte) 3);
      assertError(ErrorClass.ERR_BUFFER, () -> comm.bsend(Buf.of(out), peer, 0), "no buffer is attached");
      assertError(ErrorClass.ERR_BUFFER, session::detachBuffer, "none is attached");
      Buf<Byte> room = Buf.of(new byte[out.length + Constants.BSEND_OVERHEAD]);
      session.attachBuffer(room);
      assertError(ErrorClass.ERR_BUFFER, () -> session.attachBuffer(room), "attached");
      assertError(ErrorClass.ERR_BUFFER, () -> mpi.world().bsend(Buf.of(out), peer, 0), "no buffer is attached");
      comm.bsend(Buf.of(out), peer, 0);
      byte[] in = new byte[out.length];
      comm.recv(in, peer, 0);
      assertEquals(3, in[in.length - 1]);
      session.flushBuffer();
      session.iflushBuffer().await();
      assertSame(room, session.detachBuffer());
      session.attachBuffer(room);
      comm.bsend(Buf.of(out), peer, 1);
      Request last = comm.irecv(in, peer, 1);
      last.await();
    } // which waits until it has left
    mpi.world().barrier();
  }

  @MpiTest(ranks = 2)
  void opensAndClosesThousandsOfTimes(Mpi mpi) {
    for (int i = 0; i < 3_000; i++) {
      try (Session session = Session.init()) {
        assertEquals(2, session.group(Session.WORLD).size());
      }
    }
    assertEquals(3, sum(mpi.world()));
  }

  @MpiTest(ranks = 1)
  void keepsNamesAndAttributesOfPredefinedTypesForItself(Mpi mpi) {
    List<String> deleted = new ArrayList<>();
    Keyval<Datatype<?>, String> key = Keyval.of((from, value) -> Optional.empty(), (from, value) -> deleted.add(value));
    Session session = Session.init(null, Errhandler.RETURN);
    try (Session other = Session.init(null, Errhandler.RETURN)) {
      session.setTypeName(Datatype.INT, "count");
      session.typeAttributes(Datatype.INT).set(key, "of the session");
      assertEquals("count", session.typeName(Datatype.INT));
      assertEquals("MPI_INT", other.typeName(Datatype.INT));
      assertEquals("MPI_INT", mpi.typeName(Datatype.INT));
      assertEquals(Optional.empty(), other.typeAttributes(Datatype.INT).get(key));
      assertError(ErrorClass.ERR_TYPE, () -> session.typeName(null), "type = null");
    }
    assertEquals(List.of(), deleted, "another session has ended");
    session.close();
    assertEquals(List.of("of the session"), deleted);
    assertError(ErrorClass.ERR_SESSION, () -> session.typeName(Datatype.INT), "finalized");
  }

  @MpiTest(ranks = 2)
  void hasSharedMemory(Mpi mpi) {
    try (Session session = Session.init(null, Errhandler.RETURN);
        IntraComm comm = IntraComm.createFromGroup(session.group(Session.WORLD), "shared", null, Errhandler.RETURN)) {
      Buf<Byte> buf = Buf.of(session.shared().allocate(100_000), 100_000, Datatype.BYTE);
      if (comm.rank() == 0) {
        comm.send(buf, 1, 0);
      } else {
        comm.recv(buf, 0, 0);
      }
    }
    assertEquals(3, sum(mpi.world()));
  }

  @MpiTest(ranks = 1)
  void errorsGoToItsHandler(Mpi mpi) {
    List<String> seen = new ArrayList<>();
    Errhandler<Session> handler = Errhandler.of((Session s, MpiException e) -> seen.add(s + " " + e.errorClass()));
    try (Session session = Session.init(null, handler)) {
      assertSame(handler, session.errhandler());
      assertError(ErrorClass.ERR_ARG, () -> session.psetInfo("?"));
      assertEquals(List.of(session + " ERR_ARG"), seen);
      session.setErrhandler(Errhandler.RETURN);
      assertError(ErrorClass.ERR_ARG, () -> session.psetInfo("?"));
      assertEquals(1, seen.size());
      assertError(ErrorClass.ERR_ERRHANDLER, () -> session.setErrhandler(null), "errhandler = null");
    }
    Info info = new Info().set("thread_level", "MPI_THREAD_SOME");
    assertError(ErrorClass.ERR_INFO_VALUE, () -> Session.init(info, handler), "MPI_THREAD_SOME");
    assertEquals("null ERR_INFO_VALUE", seen.getLast());
    assertEquals(1, sum(mpi.world()));
  }

  /** Never uses the world model; opens and closes sessions one after the other, at different times on each rank. */
  static final class Alone {
    private Alone() {}

    public static void main(String[] args) throws InterruptedException {
      int total = 0;
      for (int i = 0; i < 3; i++) {
        try (Session session = Session.init()) {
          Group group = session.group(Session.WORLD);
          try (IntraComm comm = IntraComm.createFromGroup(group, "round " + i)) {
            total += sum(comm);
          }
          Thread.sleep(group.rank() * 100L);
        }
      }
      System.out.println("total " + total + " " + Mpi.isInitialized());
    }
  }

  @Test
  @Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void processesWithSessionsAlone() throws InterruptedException {
    assertEquals("total 18 false\n".repeat(3), output(3, Alone.class));
  }

  /** Ends with a session that is still open. */
  static final class Open {
    private Open() {}

    public static void main(String[] args) {
      Session session = Session.init();
      System.out.println(session.group(Session.WORLD).size());
    }
  }

  @Test
  @Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aProcessThatLeavesASessionOpenHasFailed() throws InterruptedException {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = RankJvm.launcher(2)
        .main(Open.class.getName())
        .output(new ByteArrayOutputStream())
        .errors(err)
        .timeout(Duration.ofSeconds(100))
        .run();
    assertTrue(code != 0, "it never finalized");
  }
}
