// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.requests;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Grequest;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** Arrays of requests of all kinds, of which a part is passed, with null entries, and their statuses. */
class RequestArraysTest {
  private static int next(Comm world) {
    return (world.rank() + 1) % world.size();
  }

  private static int previous(Comm world) {
    return (world.rank() + world.size() - 1) % world.size();
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S1-2.5.2-a S1-2.5.2-b: only the passed part of an array is looked at; null entries are complete")
  void aPartOfAnArray(Comm world) {
    int[][] got = new int[6][1];
    Request[] array = new Request[8];
    for (int i = 0; i < 6; i++) {
      array[i] = world.irecv(got[i], previous(world), i);
    }
    List<Request> whole = Arrays.asList(array);
    world.barrier();
    for (int i = 0; i < 3; i++) {
      world.send(new int[] {10 + i}, next(world), i);
    }
    Status beyond = new Status();
    beyond.setTag(77);
    Status[] statuses = new Status[5];
    Arrays.fill(statuses, 3, 5, beyond);
    Request.waitAll(whole.subList(0, 3), statuses);
    assertArrayEquals(new int[] {10, 11, 12, 0, 0, 0}, Arrays.stream(got).mapToInt(a -> a[0]).toArray());
    for (int i = 0; i < 3; i++) {
      assertNull(array[i]);
      assertEquals(i, statuses[i].tag());
    }
    assertSame(beyond, statuses[3]);
    assertEquals(77, beyond.tag(), "beyond the list nothing is written");
    for (int i = 3; i < 6; i++) {
      assertTrue(array[i].isActive());
    }
    assertTrue(Request.testAll(whole.subList(0, 3)), "null entries only");
    assertEquals(UNDEFINED, Request.waitAny(whole.subList(6, 8)));
    assertFalse(Request.testAll(whole.subList(2, 5)));
    world.barrier();
    for (int i = 5; i >= 3; i--) {
      world.send(new int[] {10 + i}, next(world), i);
    }
    BitSet seen = new BitSet();
    while (seen.cardinality() < 2) {
      int index = Request.waitAny(whole.subList(3, 5), statuses[0]);
      assertEquals(3 + index, statuses[0].tag());
      assertNull(array[3 + index]);
      seen.set(index);
    }
    assertEquals(UNDEFINED, Request.waitAny(whole.subList(3, 5)));
    assertNotNull(array[5], "it was not in the list");
    Request.waitAll(whole, new Status[8]);
    assertEquals(15, got[5][0]);
    assertArrayEquals(new Request[8], array);
  }

  /** How a list is completed. */
  private enum Ending { WAIT_ALL, TEST_ALL, WAIT_ANY, TEST_ANY, WAIT_SOME, TEST_SOME }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S1-12.3-a: messages, collectives, persistent and generalized requests in one list, in each way")
  void everyKindInOneList(Mpi mpi) {
    Comm world = mpi.world();
    int[] persistentGot = new int[1];
    int[] persistentSum = new int[1];
    try (Persistent again = world.recvInit(Buf.of(persistentGot), previous(world), 5);
        Persistent sum = world.allreduceInit(Buf.of(new int[] {1}), Buf.of(persistentSum), Op.SUM, null)) {
      for (Ending ending : Ending.values()) {
        int[] got = new int[1];
        int[] reduced = {world.rank()};
        Grequest own = Grequest.start(mpi, status -> status.setElements(Datatype.INT, 33));
        persistentGot[0] = -1;
        persistentSum[0] = -1;
        Persistent.startAll(List.of(again, sum));
        List<Request> list = new ArrayList<>(Arrays.asList(
            world.irecv(got, ANY_SOURCE, 4), null, own, again, world.iallreduce(Buf.of(reduced), Op.MAX), sum,
            world.isend(new int[] {44}, next(world), 4), world.issend(Buf.of(new int[] {55}), next(world), 5)));
        Thread.ofVirtual().start(own::complete);
        Status[] statuses = new Status[list.size()];
        end(ending, list, statuses);
        assertEquals(44, got[0]);
        assertEquals(world.size() - 1, reduced[0]);
        assertEquals(55, persistentGot[0]);
        assertEquals(world.size(), persistentSum[0]);
        assertEquals(previous(world), statuses[0].source(), ending::toString);
        assertEquals(4, statuses[0].getCount(Datatype.BYTE));
        assertEquals(33, statuses[2].getCount(Datatype.INT));
        assertEquals(5, statuses[3].tag());
        for (int i : new int[] {4, 5, 6, 7}) {
          assertFalse(statuses[i].isCancelled());
        }
        List<Request> left = Arrays.asList(null, null, null, again, null, sum, null, null);
        assertEquals(left, list, "only persistent requests stay");
        assertFalse(again.isActive() || sum.isActive());
        assertEquals(UNDEFINED, Request.waitAny(list));
      }
    }
  }

  private static void end(Ending ending, List<Request> list, Status[] statuses) {
    int open = 7;
    switch (ending) {
      case WAIT_ALL -> Request.waitAll(list, statuses);
      case TEST_ALL -> {
        while (!Request.testAll(list, statuses)) {
          Thread.onSpinWait();
        }
      }
      case WAIT_ANY, TEST_ANY -> {
        while (open > 0) {
          Status status = new Status();
          OptionalInt index = ending == Ending.WAIT_ANY
              ? OptionalInt.of(Request.waitAny(list, status)) : Request.testAny(list, status);
          if (index.isPresent()) {
            assertNull(statuses[index.getAsInt()], "each once");
            statuses[index.getAsInt()] = status;
            open--;
          }
        }
      }
      default -> {
        while (open > 0) {
          Status[] some = new Status[list.size()];
          int[] indices = ending == Ending.WAIT_SOME ? Request.waitSome(list, some) : Request.testSome(list, some);
          for (int i = 0; i < indices.length; i++) {
            assertNull(statuses[indices[i]], "each once");
            statuses[indices[i]] = some[i];
            open--;
          }
        }
      }
    }
  }

  // ---- statuses

  /** A status in which every field holds something else than any call would write. */
  private static Status inUse() {
    Status status = new Status();
    status.setSource(77);
    status.setTag(78);
    status.setElements(Datatype.DOUBLE, 100);
    status.setCancelled(true);
    return status;
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-12.3-b: source, tag, count and cancelled are those of the message in every call that has a status")
  void meaningfulFields(Comm world) {
    int to = next(world);
    int from = previous(world);
    int[] data = new int[4];
    List<Status> statuses = new ArrayList<>();
    for (int way = 0; way < 12; way++) {
      Request send = world.isend(new int[3], to, way);
      Status status = inUse();
      switch (way) {
        case 0 -> world.recv(data, ANY_SOURCE, way, status);
        case 1 -> world.recv(Buf.of(data), from, way, status);
        case 2 -> world.irecv(data, from, way).await(status);
        case 3 -> {
          Request receive = world.irecv(Buf.of(data), from, way);
          while (!receive.test(status)) {
            Thread.onSpinWait();
          }
        }
        case 4 -> world.mprobe(from, way).mrecv(Buf.of(data), status);
        case 5 -> world.mprobe(ANY_SOURCE, way).imrecv(Buf.of(data)).await(status);
        case 6 -> {
          world.probe(from, way, status);
          world.recv(data, from, way);
        }
        case 7 -> {
          while (!world.iprobe(from, way, status)) {
            Thread.onSpinWait();
          }
          world.recv(data, from, way);
        }
        case 8 -> Request.waitAny(new ArrayList<>(List.of(world.irecv(data, from, way))), status);
        case 9 -> {
          Request receive = world.irecv(data, from, way);
          while (!receive.getStatus(status)) {
            Thread.onSpinWait();
          }
          receive.await();
        }
        case 10 -> world.sendrecv(Buf.of(new int[3]), to, 50, Buf.of(data), from, 50, status);
        default -> world.sendrecvReplace(Buf.of(data, 0, 3), to, 51, from, 51, status);
      }
      if (way >= 10) {
        world.recv(new int[3], from, way);
      }
      send.await();
      assertEquals(from, status.source(), "way " + way);
      assertEquals(way < 10 ? way : 40 + way, status.tag(), "way " + way);
      assertEquals(3, status.getCount(Datatype.INT), "way " + way);
      assertFalse(status.isCancelled(), "way " + way);
      statuses.add(status);
    }
    assertEquals(12, statuses.size());
    // Of a completed send nothing but whether it was cancelled has a meaning.
    Request send = world.issend(Buf.of(new int[1]), to, 3);
    world.recv(data, from, 3);
    assertFalse(send.await(inUse()).isCancelled());
    Request never = world.irecv(data, from, ANY_TAG);
    never.cancel();
    assertTrue(never.await(new Status()).isCancelled());
  }

  /** Answers with a number of its own, and says whether it was cancelled. */
  private static final class Numbered implements Grequest.Callbacks {
    private final int number;
    private boolean cancelled;

    Numbered(int number) {
      this.number = number;
    }

    @Override
    public void query(Status status) {
      status.setElements(Datatype.INT, number);
      status.setCancelled(cancelled);
    }

    @Override
    public void cancel(boolean complete) {
      cancelled = !complete;
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-12.3-e S1-12.3-f S1-12.3-g S1-4.1.11-g: each request's callbacks answer for it, cancelled or not, "
      + "with counts that no int holds")
  void callbacksOfManyRequests(Mpi mpi) {
    int n = 20;
    List<Numbered> callbacks = new ArrayList<>();
    List<Grequest> requests = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      callbacks.add(new Numbered(1_000 + i));
      requests.add(Grequest.start(mpi, callbacks.get(i)));
    }
    for (int i = n - 1; i >= 0; i--) {
      if (i % 3 == 0) {
        requests.get(i).cancel();
      }
      requests.get(i).complete();
    }
    Status[] statuses = new Status[n];
    Request.waitAll(new ArrayList<>(requests), statuses);
    for (int i = 0; i < n; i++) {
      assertEquals(1_000 + i, statuses[i].getCount(Datatype.INT));
      assertEquals(i % 3 == 0, statuses[i].isCancelled());
    }
    long great = 5_000_000_000L;
    Datatype<Integer> pair = Datatype.contiguous(2, Datatype.INT);
    Grequest huge = Grequest.start(mpi, status -> status.setElements(pair, great));
    huge.complete();
    Status status = huge.await(new Status());
    assertEquals(great, status.getElements(pair));
    assertEquals(UNDEFINED, status.getElementsInt(pair));
    assertEquals(great / 2, status.getCount(pair));
    assertEquals(UNDEFINED, status.getCountInt(pair));
    assertEquals(great, status.getCount(Datatype.INT));
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-12.3-h: what a program writes into a status changes no message and no other status")
  void statusesOfAProgram(Comm world) {
    Request[] sends = {
        world.isend(new int[] {1}, next(world), 1), world.isend(new int[] {2, 2}, next(world), 1)};
    Status spoiled = world.probe(previous(world), 1);
    spoiled.setTag(99);
    spoiled.setSource(98);
    spoiled.setElements(Datatype.DOUBLE, 97);
    int[] got = new int[2];
    Status first = world.recv(got, previous(world), 1, new Status());
    assertEquals(4, first.bytes());
    first.setElements(Datatype.INT, 50);
    Request receive = world.irecv(got, previous(world), 1);
    Status[] statuses = {first};
    Request.waitAll(new ArrayList<>(List.of(receive)), statuses);
    assertEquals(8, statuses[0].bytes());
    assertEquals(99, spoiled.tag());
    Request.waitAll(Arrays.asList(sends));
    assertTrue(world.iprobe(previous(world), ANY_TAG).isEmpty());
    world.barrier();
  }
}
