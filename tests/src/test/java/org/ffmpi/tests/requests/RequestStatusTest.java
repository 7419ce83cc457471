// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.requests;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Grequest;
import org.ffmpi.Mpi;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;

/**
 * Every wait, test and get-status call over lists of every kind of request in every state, with and without statuses,
 * against a model that knows what each entry has to do.
 */
class RequestStatusTest {
  private static final int ROUNDS = 400;

  /** What an entry of a list is. */
  private enum State {
    NULL, INACTIVE, PENDING, DONE, FAILED
  }

  /** One entry: the request, and what a call has to find. */
  private static final class Entry {
    final Request request;
    final boolean persistent;
    final int tag;
    State state;

    Entry(Request request, State state, boolean persistent, int tag) {
      this.request = request;
      this.state = state;
      this.persistent = persistent;
      this.tag = tag;
    }

    boolean isActive() {
      return state.compareTo(State.PENDING) >= 0;
    }

    boolean isOver() {
      return state.compareTo(State.DONE) >= 0;
    }

    ErrorClass result() {
      return state == State.FAILED ? ErrorClass.ERR_TRUNCATE : ErrorClass.SUCCESS;
    }
  }

  private static final class Model {
    final Mpi mpi;
    final Comm world;
    final RandomGenerator random;
    final List<Entry> entries = new ArrayList<>();
    final List<Request> list = new ArrayList<>();
    final List<Request> toCancel = new ArrayList<>();

    Model(Mpi mpi, RandomGenerator random) {
      this.mpi = mpi;
      this.world = mpi.world();
      this.random = random;
      int size = random.nextInt(7);
      int bias = random.nextInt(3); // lists in which nothing is pending, or nothing complete, are to occur
      for (int i = 0; i < size; i++) {
        State state = State.values()[random.nextInt(State.values().length)];
        if (bias == 1 && state == State.PENDING) {
          state = State.DONE;
        } else if (bias == 2 && state.compareTo(State.DONE) >= 0) {
          state = State.PENDING;
        }
        Entry entry = make(state, 10 + i);
        entries.add(entry);
        list.add(entry.request);
      }
    }

    private Entry make(State state, int tag) {
      if (state == State.NULL) {
        return new Entry(null, state, false, tag);
      }
      return switch (random.nextInt(3)) {
        case 0 -> receive(state, tag);
        case 1 -> persistent(state, tag);
        default -> generalized(state, tag);
      };
    }

    private void send(State state, int tag) {
      if (state == State.DONE || state == State.FAILED) {
        world.send(new int[state == State.FAILED ? 2 : 1], 0, tag);
      }
    }

    private Entry receive(State state, int tag) {
      Request request = world.irecv(new int[1], 0, tag);
      send(state == State.INACTIVE ? State.DONE : state, tag);
      if (state == State.INACTIVE) {
        request.await();
      } else if (state == State.PENDING) {
        toCancel.add(request);
      }
      return new Entry(request, state, false, tag);
    }

    private Entry persistent(State state, int tag) {
      Persistent request = world.recvInit(Buf.of(new int[1]), 0, tag);
      if (state != State.INACTIVE) {
        request.start();
        send(state, tag);
        toCancel.add(request);
      }
      return new Entry(request, state, true, tag);
    }

    private Entry generalized(State state, int tag) {
      Grequest request = Grequest.start(mpi, status -> {
        status.setSource(0);
        status.setTag(tag);
        if (state == State.FAILED) {
          throw new MpiException(ErrorClass.ERR_TRUNCATE, "said by a callback");
        }
      });
      if (state != State.PENDING) {
        request.complete();
      }
      if (state == State.INACTIVE) {
        request.close();
      }
      return new Entry(request, state, false, tag);
    }

    int active() {
      return (int) entries.stream().filter(Entry::isActive).count();
    }

    int[] over() {
      return IntStream.range(0, entries.size()).filter(i -> entries.get(i).isOver()).toArray();
    }

    boolean allOver() {
      return active() == over().length;
    }

    void complete(int index) {
      Entry e = entries.get(index);
      e.state = e.persistent ? State.INACTIVE : State.NULL;
    }

    /** What the calls have left behind is what the model says. */
    void check() {
      for (int i = 0; i < entries.size(); i++) {
        Entry e = entries.get(i);
        if (e.state == State.NULL) {
          assertNull(list.get(i));
        } else {
          assertSame(e.request, list.get(i));
        }
        if (e.request != null) {
          assertEquals(e.isActive(), e.request.isActive());
        }
      }
    }

    void checkStatus(Status status, Entry e, ErrorClass expected) {
      assertNotNull(status);
      assertEquals(expected, status.error());
      assertEquals(0, status.source());
      assertEquals(e.tag, status.tag());
    }

    void checkEmpty(Status status) {
      assertEquals(ANY_SOURCE, status.source());
      assertEquals(ANY_TAG, status.tag());
      assertEquals(0, status.bytes());
      assertEquals(ErrorClass.SUCCESS, status.error());
    }

    void any(boolean blocking, boolean withStatus) {
      int[] over = over();
      if (blocking && over.length == 0 && active() > 0) {
        return; // would block
      }
      Status status = withStatus ? new Status() : null;
      OptionalInt expected =
          active() == 0
              ? OptionalInt.of(UNDEFINED)
              : over.length == 0 ? OptionalInt.empty() : OptionalInt.of(over[0]);
      Entry found = over.length == 0 ? null : entries.get(over[0]);
      if (found != null && found.state == State.FAILED) {
        assertError(ErrorClass.ERR_TRUNCATE, () -> callAny(blocking, status));
      } else {
        assertEquals(expected, callAny(blocking, status));
      }
      if (withStatus && found != null) {
        checkStatus(status, found, ErrorClass.SUCCESS); // not touched: the error of one operation is thrown
      } else if (withStatus && active() == 0) {
        checkEmpty(status);
      }
      if (found != null) {
        complete(over[0]);
      }
    }

    private OptionalInt callAny(boolean blocking, Status status) {
      if (blocking) {
        return OptionalInt.of(status == null ? Request.waitAny(list) : Request.waitAny(list, status));
      }
      return status == null ? Request.testAny(list) : Request.testAny(list, status);
    }

    void some(boolean blocking, boolean withStatuses) {
      int[] over = over();
      if (blocking && over.length == 0 && active() > 0) {
        return;
      }
      Status[] statuses = withStatuses ? new Status[list.size()] : null;
      if (Arrays.stream(over).anyMatch(i -> entries.get(i).state == State.FAILED)) {
        assertError(ErrorClass.ERR_IN_STATUS, () -> callSome(blocking, statuses));
      } else {
        assertArrayEquals(over, callSome(blocking, statuses));
      }
      for (int i = 0; i < over.length; i++) {
        if (withStatuses) {
          checkStatus(statuses[i], entries.get(over[i]), entries.get(over[i]).result());
        }
        complete(over[i]);
      }
    }

    private int[] callSome(boolean blocking, Status[] statuses) {
      if (blocking) {
        return statuses == null ? Request.waitSome(list) : Request.waitSome(list, statuses);
      }
      return statuses == null ? Request.testSome(list) : Request.testSome(list, statuses);
    }

    void all(boolean blocking, boolean withStatuses) {
      if (blocking && !allOver()) {
        return;
      }
      Status[] statuses = withStatuses ? new Status[list.size() + 1] : null;
      List<Integer> failed = new ArrayList<>();
      for (int i : over()) {
        if (entries.get(i).state == State.FAILED) {
          failed.add(i);
        }
      }
      if (!allOver()) {
        assertFalse(callAll(false, statuses));
        return;
      }
      if (failed.isEmpty()) {
        assertTrue(callAll(blocking, statuses));
      } else {
        MpiException error = assertThrows(MpiException.class, () -> callAll(blocking, statuses));
        assertEquals(ErrorClass.ERR_IN_STATUS, error.errorClass());
        assertEquals(failed.size(), error.getSuppressed().length);
        failed.forEach(i -> assertTrue(error.getMessage().contains("request " + i + ": MPI_ERR_TRUNCATE")));
      }
      checkStatuses(statuses);
      for (int i : over()) {
        complete(i);
      }
    }

    private void checkStatuses(Status[] statuses) {
      for (int i = 0; statuses != null && i < list.size(); i++) {
        if (entries.get(i).isOver()) {
          checkStatus(statuses[i], entries.get(i), entries.get(i).result());
        } else {
          checkEmpty(statuses[i]);
        }
      }
    }

    private boolean callAll(boolean blocking, Status[] statuses) {
      if (!blocking) {
        return statuses == null ? Request.testAll(list) : Request.testAll(list, statuses);
      }
      if (statuses == null) {
        Request.waitAll(list);
      } else {
        Request.waitAll(list, statuses);
      }
      return true;
    }

    void look(boolean withStatuses) {
      int[] over = over();
      Status[] statuses = new Status[list.size()];
      Status status = new Status();
      if (withStatuses) {
        status.setError(ErrorClass.ERR_DIMS); // no call that looks at one request writes it
      }
      OptionalInt any = withStatuses ? Request.getStatusAny(list, status) : Request.getStatusAny(list);
      if (active() == 0) {
        assertEquals(OptionalInt.of(UNDEFINED), any);
        checkEmpty(status);
      } else if (over.length == 0) {
        assertEquals(OptionalInt.empty(), any);
      } else {
        assertEquals(OptionalInt.of(over[0]), any);
        if (withStatuses) {
          checkStatus(status, entries.get(over[0]), ErrorClass.ERR_DIMS);
        }
      }
      assertArrayEquals(over, withStatuses ? Request.getStatusSome(list, statuses) : Request.getStatusSome(list));
      for (int i = 0; withStatuses && i < over.length; i++) {
        checkStatus(statuses[i], entries.get(over[i]), entries.get(over[i]).result());
      }
      Status[] all = withStatuses ? new Status[list.size()] : null;
      assertEquals(allOver(), withStatuses ? Request.getStatusAll(list, all) : Request.getStatusAll(list));
      if (allOver()) {
        checkStatuses(all);
      }
      for (Entry e : entries) {
        if (e.isActive()) {
          status.setError(ErrorClass.ERR_DIMS);
          assertEquals(e.isOver(), e.request.getStatus(status));
          assertEquals(ErrorClass.ERR_DIMS, status.error());
          Optional<Status> found = e.request.getStatus();
          assertEquals(e.isOver(), found.isPresent());
          if (e.isOver()) {
            checkStatus(status, e, ErrorClass.ERR_DIMS);
            checkStatus(found.get(), e, e.result());
          }
        }
      }
    }

    /** Leaves nothing behind. */
    void end() {
      for (Entry e : entries) {
        if (e.state == State.PENDING && e.request instanceof Grequest g) {
          g.complete();
        }
      }
      for (Request r : toCancel) {
        if (r.isActive()) {
          r.cancel();
        }
      }
      for (Entry e : entries) {
        if (e.isActive()) {
          try {
            e.request.await();
          } catch (MpiException expected) {
            assertEquals(State.FAILED, e.state);
          }
        }
        if (e.persistent) {
          e.request.close();
        }
      }
    }
  }

  @EveryTransport
  @MpiTest(ranks = 1)
  void everyCallDoesWhatTheModelSays(Mpi mpi) {
    long seed = Seeds.next();
    Seeds.run(seed, () -> {
      RandomGenerator random = Seeds.random(seed);
      for (int round = 0; round < ROUNDS; round++) {
        Model model = new Model(mpi, random);
        for (int call = 0; call < 4; call++) {
          boolean blocking = random.nextBoolean();
          boolean withStatuses = random.nextBoolean();
          switch (random.nextInt(4)) {
            case 0 -> model.any(blocking, withStatuses);
            case 1 -> model.some(blocking, withStatuses);
            case 2 -> model.all(blocking, withStatuses);
            default -> model.look(withStatuses);
          }
          model.check();
        }
        model.end();
      }
      assertTrue(mpi.world().iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
    });
  }

  /** Looking makes progress: a message that needs both sides arrives although nobody waits. */
  @EveryTransport
  @MpiTest(ranks = 2)
  void looksMakeProgress(Comm world) {
    int length = 100_000;
    int peer = 1 - world.rank();
    for (int way = 0; way < 4; way++) {
      byte[] data = new byte[length];
      List<Request> list = List.of(world.irecv(data, peer, way), world.isend(Data.bytes(way, length), peer, way));
      switch (way) {
        case 0 -> {
          while (!Request.getStatusAll(list)) {
            Thread.onSpinWait();
          }
        }
        case 1 -> {
          while (Request.getStatusSome(list).length < 2) {
            Thread.onSpinWait();
          }
        }
        case 2 -> {
          for (Request one : list) {
            while (Request.getStatusAny(List.of(one)).isEmpty()) {
              Thread.onSpinWait();
            }
          }
        }
        default -> {
          Status status = new Status();
          while (!list.get(0).getStatus(status) || list.get(1).getStatus().isEmpty()) {
            Thread.onSpinWait();
          }
          assertEquals(length, status.bytes());
        }
      }
      Data.check(data, 0, way, length);
      assertTrue(list.getFirst().isActive());
      Request.waitAll(list);
    }
  }

  /** Combined and collective operations, of which a step may be left to the thread that looks. */
  @MpiTest(ranks = 2)
  void operationsMadeOfOthersAreFoundComplete(Comm world) {
    int peer = 1 - world.rank();
    for (int way = 0; way < 5; way++) {
      int[] data = new int[1];
      int[] own = {world.rank()};
      List<Request> list = new ArrayList<>(List.of(
          world.isendrecv(Buf.of(own), peer, way, Buf.of(data), peer, way), world.ibarrier()));
      Status[] statuses = new Status[2];
      switch (way) {
        case 0 -> Request.waitAll(list, statuses);
        case 1 -> {
          while (!Request.testAll(list, statuses)) {
            Thread.onSpinWait();
          }
        }
        case 2 -> {
          while (Request.testAny(list).orElse(0) != UNDEFINED) {
            Thread.onSpinWait();
          }
        }
        case 3 -> {
          for (int done = 0; done < 2; ) {
            done += Request.testSome(list).length;
          }
        }
        default -> {
          while (!Request.getStatusAll(list, statuses)) {
            Thread.onSpinWait();
          }
          Request.waitAll(list);
        }
      }
      assertEquals(peer, data[0]);
      if (statuses[0] != null) {
        assertEquals(peer, statuses[0].source());
        assertEquals(4, statuses[0].bytes());
      }
    }
  }
}
