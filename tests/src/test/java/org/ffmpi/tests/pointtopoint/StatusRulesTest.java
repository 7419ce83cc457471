// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.pointtopoint;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Grequest;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** The content of statuses: of a message, of an operation of the program's own, of none (MPI-4.1 §3.2.5). */
class StatusRulesTest {
  private static void assertStatus(Status status, int source, int tag, ErrorClass error, long bytes) {
    assertEquals(source, status.source());
    assertEquals(tag, status.tag());
    assertEquals(error, status.error());
    assertEquals(bytes, status.bytes());
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-12.3-b: every call fills what has a meaning, whatever the status held before")
  void whatHasAMeaning(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    Status used = new Status();
    used.setSource(77);
    used.setTag(78);
    used.setError(ErrorClass.ERR_OTHER);
    used.setElements(Datatype.DOUBLE, 100);
    used.setCancelled(true);
    Request send = world.isend(new int[3], next, 4);
    int[] data = new int[5];
    assertSame(used, world.recv(data, previous, ANY_TAG, used));
    assertStatus(used, previous, 4, ErrorClass.ERR_OTHER, 12);
    assertFalse(used.isCancelled());

    send.await(used);
    assertStatus(used, ANY_SOURCE, ANY_TAG, used.error(), 0);

    used.setCancelled(true);
    send = world.isend(new int[2], next, 5);
    used.setError(ErrorClass.ERR_OTHER);
    world.probe(previous, 5, used);
    assertStatus(used, previous, 5, ErrorClass.ERR_OTHER, 8);
    assertFalse(used.isCancelled());
    used.setTag(9);
    assertTrue(world.iprobe(ANY_SOURCE, 5, used));
    assertStatus(used, previous, 5, ErrorClass.ERR_OTHER, 8);
    assertFalse(world.iprobe(ANY_SOURCE, 6, new Status()));

    Request receive = world.irecv(data, previous, 5);
    Status[] statuses = {used, null};
    Request.waitAll(new ArrayList<>(List.of(receive, send)), statuses);
    assertStatus(statuses[0], previous, 5, ErrorClass.ERR_OTHER, 8);
    assertFalse(statuses[1].isCancelled());
    world.barrier();
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-12.3-b: the error of a status is only for calls of several that throw ERR_IN_STATUS")
  void whoTouchesTheError(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int length : new int[] {8, 70_000}) {
      byte[] data = new byte[length];
      Buf<Byte> small = Buf.of(data, 0, length / 2);
      Status used = new Status();
      used.setError(ErrorClass.ERR_OTHER);
      List<Consumer<Request>> completions = List.of(
          r -> r.await(used),
          r -> {
            while (!r.test(used)) {
              Thread.onSpinWait();
            }
          },
          r -> Request.waitAny(new ArrayList<>(List.of(r)), used),
          r -> {
            while (Request.testAny(new ArrayList<>(List.of(r)), used).isEmpty()) {
              Thread.onSpinWait();
            }
          });
      for (Consumer<Request> complete : completions) {
        Request send = world.isend(data, next, 1);
        complete.accept(world.irecv(data, previous, 1));
        assertStatus(used, previous, 1, ErrorClass.ERR_OTHER, length);
        send.await();
        send = world.isend(data, next, 2);
        Request receive = world.irecv(small, previous, 2);
        assertError(ErrorClass.ERR_TRUNCATE, () -> complete.accept(receive));
        assertEquals(ErrorClass.ERR_OTHER, used.error());
        complete.accept(send);
        assertEquals(ErrorClass.ERR_OTHER, used.error());
      }
      Status[] statuses = {used, used, null};
      Request.waitAll(requests(world.isend(data, next, 3), world.irecv(data, previous, 3)), statuses);
      assertEquals(ErrorClass.ERR_OTHER, used.error(), "no error, so not touched");
      statuses[1] = new Status();
      List<Request> both = requests(world.irecv(data, previous, 4), world.irecv(small, previous, 4));
      List<Request> sends = requests(world.isend(data, next, 4), world.isend(data, next, 4));
      assertError(ErrorClass.ERR_IN_STATUS, () -> Request.waitAll(both, statuses));
      assertEquals(ErrorClass.SUCCESS, used.error());
      assertEquals(ErrorClass.ERR_TRUNCATE, statuses[1].error());
      Request.waitAll(sends);
    }
    Status nobody = new Status();
    nobody.setError(ErrorClass.ERR_OTHER);
    world.recv(new int[1], PROC_NULL, 0, nobody);
    assertStatus(nobody, PROC_NULL, ANY_TAG, ErrorClass.ERR_OTHER, 0);
    world.barrier();
  }

  private static List<Request> requests(Request... requests) {
    return new ArrayList<>(List.of(requests));
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-12.3-e: what was set is asked for with a type of the same signature")
  void typesOfTheSameSignature(Mpi mpi) {
    Datatype<?> pair = Datatype.contiguous(2, Datatype.FLOAT).commit();
    Datatype<?> apart = Datatype.vector(2, 1, 7, Datatype.FLOAT).commit();
    for (int elements : new int[] {0, 3, 4}) {
      Grequest request = Grequest.start(mpi, status -> status.setElements(pair, elements));
      request.complete();
      Status status = request.await(new Status());
      assertEquals(elements, status.getElements(apart));
      assertEquals(elements % 2 == 0 ? elements / 2 : UNDEFINED, status.getCount(apart));
      assertEquals(elements, status.getCount(Datatype.FLOAT));
    }
  }

  /** An operation that keeps what it needs to answer in itself. */
  private static final class Copying implements Grequest.Callbacks {
    private final int[] from;
    private final int[] to;
    private int copied;
    private String end = "";

    Copying(int[] from, int[] to) {
      this.from = from;
      this.to = to;
    }

    void copy() {
      System.arraycopy(from, 0, to, 0, from.length);
      copied = from.length;
    }

    @Override
    public void query(Status status) {
      status.setElements(Datatype.INT, copied);
      end += "q";
    }

    @Override
    public void free() {
      end += "f";
    }
  }

  @MpiTest(ranks = 2)
  @DisplayName("S1-12.3-g: what does not belong into the status is kept by the callbacks' object")
  void stateOfTheOperation(Mpi mpi) {
    int[] to = new int[3];
    Copying copying = new Copying(new int[] {1, 2, 3}, to);
    Grequest request = Grequest.start(mpi, copying);
    Thread.ofVirtual().start(() -> {
      copying.copy();
      request.complete();
    });
    assertEquals(3, request.await(new Status()).getCount(Datatype.INT));
    assertEquals(3, to[2]);
    assertEquals("qf", copying.end);
  }

  @EveryTransport
  @MpiTest(ranks = 2)
  @DisplayName("S1-12.3-h: a status is the caller's own; what is written into it is seen by nobody else")
  void statusesAreTheCallersOwn(Comm world) {
    int other = 1 - world.rank();
    Request send = world.isend(new int[2], other, 1);
    Status seen = world.probe(other, 1);
    seen.setSource(50);
    seen.setTag(51);
    seen.setElements(Datatype.INT, 52);
    Request receive = world.irecv(new int[2], other, 1);
    while (receive.getStatus().isEmpty()) {
      Thread.onSpinWait();
    }
    Status first = receive.getStatus().orElseThrow();
    first.setTag(53);
    first.setCancelled(true);
    Status second = receive.getStatus().orElseThrow();
    assertNotSame(first, second);
    assertStatus(second, other, 1, ErrorClass.SUCCESS, 8);
    assertFalse(second.isCancelled());
    assertStatus(receive.await(new Status()), other, 1, ErrorClass.SUCCESS, 8);
    send.await();
    assertStatus(world.sendrecv(Buf.of(new int[1]), other, 2, Buf.of(new int[1]), other, 2, seen), other, 2,
        ErrorClass.SUCCESS, 4);
  }
}
