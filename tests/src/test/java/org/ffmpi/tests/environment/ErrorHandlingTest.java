// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.environment;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.CommRequest;
import org.ffmpi.Errhandler;
import org.ffmpi.Grequest;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Error handlers, codes and attributes over several ranks: which handler runs, what is inherited, what ends. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ErrorHandlingTest {
  private record Seen(Comm comm, MpiException error) {}

  private static Errhandler<Comm> collecting(List<Seen> seen) {
    return Errhandler.of((Comm comm, MpiException error) -> seen.add(new Seen(comm, error)));
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  @DisplayName("S1-2.8-e: communicators inherit the handler of the one they are made from, at that moment")
  void handlersAreInherited(IntraComm world) {
    List<Seen> seen = new ArrayList<>();
    Errhandler<Comm> handler = collecting(seen);
    world.setErrhandler(handler);
    List<Comm> children = new ArrayList<>();
    children.add(world.dup());
    children.add(world.dup(null));
    children.add(world.split(world.rank() % 2, 0));
    children.add(world.create(world.group()));
    children.add(world.createGroup(world.group(), 3));
    CommRequest<? extends IntraComm> request = world.idup();
    request.await();
    children.add(request.comm());
    if (world.size() > 1) {
      IntraComm half = world.split(world.rank() % 2, 0);
      InterComm inter = half.intercomm(0, world, 1 - world.rank() % 2, 5);
      assertEquals(handler, inter.errhandler());
      children.add(inter);
      children.add(half);
    }
    handler.close();
    world.setErrhandler(Errhandler.RETURN);
    for (Comm child : children) {
      assertEquals(handler, child.errhandler(), child::toString);
      MpiException error = assertError(ErrorClass.ERR_RANK, () -> child.send(new int[1], 100, 0));
      assertEquals(new Seen(child, error), seen.getLast());
      child.setErrhandler(Errhandler.RETURN);
      child.close();
    }
    assertEquals(children.size(), seen.size());
    IntraComm fromGroup = IntraComm.createFromGroup(world.group(), "handlers");
    assertEquals(Errhandler.RETURN, fromGroup.errhandler(), "that of the environment");
    fromGroup.close();
    world.barrier();
  }

  @MpiTest(ranks = {2, 3})
  @DisplayName("S1-2.8-e S1-2.8-f: the handler is told of errors of completing calls, before they are thrown")
  void errorsOfCompletion(IntraComm world) {
    if (world.rank() > 1) {
      return;
    }
    List<Seen> seen = new ArrayList<>();
    world.setErrhandler(collecting(seen));
    if (world.rank() == 0) {
      world.send(new int[5], 1, 0);
      world.send(new int[5], 1, 1);
    } else {
      Request request = world.irecv(new int[2], 0, 0);
      MpiException error = assertError(ErrorClass.ERR_TRUNCATE, request::await);
      assertEquals(List.of(new Seen(world, error)), seen);
      error = assertError(ErrorClass.ERR_TRUNCATE, () -> world.recv(new int[2], 0, 1));
      assertEquals(new Seen(world, error), seen.getLast());
      assertEquals(2, seen.size());
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.8-e: a handler's failing call on another communicator runs that one's handler")
  void handlersThatFailElsewhere(IntraComm world) {
    try (IntraComm one = world.dup(); IntraComm other = world.dup()) {
      List<String> seen = new ArrayList<>();
      Errhandler<Comm> handler = Errhandler.of((Comm comm, MpiException error) -> {
        seen.add((comm == one ? "one" : "other") + " " + error.errorClass());
        Comm elsewhere = comm == one ? other : one;
        assertError(ErrorClass.ERR_TAG, () -> elsewhere.send(new int[1], 0, -5)); // of one: runs the handler again
        assertError(ErrorClass.ERR_TAG, () -> comm.send(new int[1], 0, -5)); // is only thrown
      });
      one.setErrhandler(handler);
      other.setErrhandler(handler);
      assertError(ErrorClass.ERR_RANK, () -> one.send(new int[1], 77, 0));
      assertEquals(List.of("one ERR_RANK", "other ERR_TAG"), seen);
      seen.clear();
      List<String> own = new ArrayList<>();
      other.setErrhandler(Errhandler.of((Comm comm, MpiException error) -> own.add(error.errorClass().name())));
      assertError(ErrorClass.ERR_RANK, () -> one.send(new int[1], 77, 0));
      assertEquals(List.of("one ERR_RANK"), seen);
      assertEquals(List.of("ERR_TAG"), own);
      assertError(ErrorClass.ERR_RANK, () -> one.send(new int[1], 77, 0));
      assertEquals(2, own.size(), "nothing is left over from the call before");
    }
  }

  @Test
  @DisplayName("S1-2.8-d: a handler may end the job, with its own exit code")
  void handlersMayAbort() {
    AtomicInteger calls = new AtomicInteger();
    MpiException thrown = assertThrows(MpiException.class, () -> Mpi.runThreads(3, mpi -> {
      Comm world = mpi.world();
      world.setErrhandler(Errhandler.of((Comm comm, MpiException error) -> {
        if (calls.getAndIncrement() == 0) {
          comm.abort(3);
        }
      }));
      if (world.rank() == 2) {
        world.send(new int[1], 3, 0);
      }
      world.recv(new int[1], 2, 0);
    }));
    assertTrue(thrown.getMessage().contains("abort(3)") || thrown.getMessage().contains("dest = 3"), thrown::toString);
  }

  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S1-2.8-e: errors of objects without a communicator go to the handler of the self communicator")
  void errorsWithoutACommunicator(Mpi mpi) {
    List<Seen> seen = new ArrayList<>();
    mpi.self().setErrhandler(collecting(seen));
    assertError(ErrorClass.ERR_BUFFER, () -> mpi.bufferAttach(null));
    assertError(ErrorClass.ERR_ARG, () -> mpi.errorString(-7), "errorcode = -7");
    assertError(ErrorClass.ERR_ARG, () -> Grequest.start(mpi, null));
    IntraComm dup = mpi.world().dup();
    dup.close();
    assertError(ErrorClass.ERR_COMM, dup::barrier, "closed");
    assertEquals(4, seen.size());
    assertTrue(seen.stream().allMatch(s -> s.comm() == mpi.self()));
    mpi.self().setErrhandler(Errhandler.RETURN);
    mpi.world().barrier();
  }

  @MpiTest(ranks = {1, 2, 4})
  @DisplayName("S1-2.8-i: each process adds classes and codes of its own, which errors can carry")
  void addedErrors(Mpi mpi) {
    IntraComm world = mpi.world();
    int last = world.attributes().get(Comm.LASTUSEDCODE).orElseThrow();
    assertEquals(ErrorClass.ERR_LASTCODE.code(), last, "others' classes are not ours");
    int errorClass = mpi.addErrorClass();
    int code = mpi.addErrorCode(errorClass);
    mpi.addErrorString(code, "the pump of rank " + world.rank() + " has stopped");
    assertEquals(code, world.attributes().get(Comm.LASTUSEDCODE).orElseThrow());
    world.barrier();
    List<Seen> seen = new ArrayList<>();
    world.setErrhandler(collecting(seen));
    MpiException error = assertThrows(MpiException.class, () -> {
      throw world.callErrhandler(code);
    });
    assertEquals("the pump of rank " + world.rank() + " has stopped", error.getMessage());
    assertEquals(code, error.errorCode());
    assertEquals(errorClass, error.errorClassCode());
    assertEquals(List.of(new Seen(world, error)), seen);
  }

  @Test
  @DisplayName("S1-2.6.4-b: what callbacks throw is an error of the call, and the library goes on")
  void callbacksThatThrow() {
    Mpi.runThreads(2, java.util.Map.of("ffmpi.errors", "return"), mpi -> {
      IntraComm world = mpi.world();
      RuntimeException mine = new IllegalStateException("mine");
      Keyval<Comm, String> key = Keyval.of(
          (from, value) -> {
            throw mine;
          },
          (from, value) -> {});
      world.attributes().set(key, "x");
      MpiException copy = assertError(ErrorClass.ERR_OTHER, world::dup, "mine");
      assertSame(mine, copy.getCause());
      world.attributes().delete(key);
      try (IntraComm dup = world.dup()) {
        int[] sum = {1};
        dup.allreduce(Buf.of(sum), Op.SUM);
        assertEquals(2, sum[0]);
      }
    });
  }

  @MpiTest(ranks = {1, 3})
  @DisplayName("S1-2.5.4-b: the facts of the environment, at every rank and on every communicator")
  void predefinedAttributes(IntraComm world) {
    try (IntraComm part = world.split(world.rank() % 2, 0)) {
      for (Comm comm : new Comm[] {world, part}) {
        assertEquals(Optional.of(Constants.LARGEST_TAG), comm.attributes().get(Comm.TAG_UB));
        int most = Math.max(world.size(), Runtime.getRuntime().availableProcessors());
        assertEquals(Optional.of(most), comm.attributes().get(Comm.UNIVERSE_SIZE));
        assertEquals(Optional.of(true), comm.attributes().get(Comm.WTIME_IS_GLOBAL));
      }
    }
    long[] extremes = {(long) (Mpi.wtime() * 1e9), 0};
    world.barrier();
    extremes[1] = -(long) (Mpi.wtime() * 1e9);
    world.allreduce(Buf.of(extremes), Op.MAX);
    assertTrue(extremes[0] <= -extremes[1], "who leaves a barrier does so after all have entered it");
  }

  @MpiTest(ranks = 2, processes = true, timeout = 120)
  @DisplayName("S1-2.8-e S1-2.8-i: handlers, codes and attributes in processes")
  void inProcesses(Mpi mpi) {
    IntraComm world = mpi.world();
    handlersAreInherited(world);
    addedErrors(mpi);
    world.setErrhandler(Errhandler.RETURN);
    handlersThatFailElsewhere(world);
    predefinedAttributes(world);
    assertEquals(Optional.of(0), world.attributes().get(Comm.APPNUM), "the only program of the job");
    world.setErrhandler(Errhandler.RETURN);
  }
}
