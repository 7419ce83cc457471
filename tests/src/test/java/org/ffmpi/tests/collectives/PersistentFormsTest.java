// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.Buf;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.collectives.PersistentForms.Form;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.MemoryInUse;
import org.junit.jupiter.api.DisplayName;

/** The rules of the standard for persistent collectives, for each of the 22 of them. */
class PersistentFormsTest {
  private static final int ROUNDS = 3;

  /** Bytes for each request that may stay, on the heap or in shared memory; a forgotten one keeps kilobytes of both. */
  private static final int STAYING = 256;

  private static final int ATTEMPTS = 8;

  /** One request of a form, with room for its results and for those that are expected. */
  private static final class Trial {
    final PersistentForms forms;
    final Form form;
    final int[] got;
    final int[] expected;
    final Persistent request;

    Trial(PersistentForms forms, Form form, Info info) {
      this.forms = forms;
      this.form = form;
      this.got = forms.target();
      this.expected = forms.target();
      this.request = form.init(got, info);
    }

    /** Fills the buffers anew; all ranks fill the same round. */
    void prepare(int round) {
      forms.fill(round);
      forms.clear(got);
      forms.clear(expected);
    }

    /** Compares the result with that of the blocking call. Collective. */
    void check(int round) {
      form.call(expected);
      assertArrayEquals(expected, got, form + ", round " + round);
    }

    void run(int round) {
      prepare(round);
      request.start();
      request.await();
      check(round);
    }
  }

  private static List<Trial> trials(PersistentForms forms, Info info) {
    List<Trial> trials = new ArrayList<>();
    forms.all.values().forEach(form -> trials.add(new Trial(forms, form, info)));
    assertEquals(22, trials.size());
    return trials;
  }

  private static void close(List<Trial> trials) {
    trials.forEach(trial -> trial.request.close());
  }

  // ---- data

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4})
  @DisplayName("S3-2 S3-13: each of the 22 gives what the blocking call gives, of the data of each start")
  void eachGivesWhatTheBlockingCallGives(IntraComm world) {
    try (PersistentForms forms = new PersistentForms(world)) {
      List<Trial> trials = trials(forms, null);
      for (int round = 0; round < ROUNDS; round++) {
        for (Trial trial : trials) {
          trial.run(round);
        }
      }
      close(trials);
    }
  }

  @MpiTest(ranks = 3, processes = true, timeout = 120)
  @DisplayName("S3-2 S3-13 S3-11: the same in processes, and beside the other forms")
  void inProcesses(IntraComm world) {
    eachGivesWhatTheBlockingCallGives(world);
    besideTheOtherForms(world);
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  @DisplayName("S3-4: no array that any of the 22 was made with is looked at again")
  void arraysMayChangeAfterwards(IntraComm world) {
    try (PersistentForms forms = new PersistentForms(world)) {
      List<Trial> trials = trials(forms, null);
      for (int round = 0; round < ROUNDS; round++) {
        for (Trial trial : trials) {
          for (long[] array : List.of(forms.ones, forms.counts, forms.displs, forms.pairCounts, forms.bytes,
              forms.edgesOut, forms.edgesIn, forms.edgeDispls, forms.edgeBytes, forms.twice)) {
            Arrays.fill(array, 77 - 100 * round);
          }
          Arrays.fill(forms.types, null);
          Arrays.fill(forms.edgeTypes, null);
          trial.prepare(round);
          trial.request.start();
          trial.request.await();
          forms.restore();
          trial.check(round);
        }
      }
      close(trials);
    }
  }

  // ---- order and matching

  @EveryTransport
  @MpiTest(ranks = {2, 3})
  @DisplayName("S3-11: none of the 22 matches the blocking or the nonblocking form of the same operation")
  void besideTheOtherForms(IntraComm world) {
    try (PersistentForms forms = new PersistentForms(world)) {
      List<Trial> trials = trials(forms, null);
      for (Trial trial : trials) {
        for (int round = 0; round < 2; round++) {
          trial.prepare(round);
          int[] blocking = forms.target();
          int[] nonblocking = forms.target();
          boolean isEarly = world.rank() % 2 == round;
          if (isEarly) {
            trial.request.start();
          }
          Request other = trial.form.start(nonblocking);
          trial.form.call(blocking);
          if (!isEarly) {
            trial.request.start();
          }
          trial.request.await();
          other.await();
          trial.check(round);
          assertArrayEquals(trial.expected, blocking, trial.form + ", blocking");
          assertArrayEquals(trial.expected, nonblocking, trial.form + ", nonblocking");
        }
      }
      close(trials);
    }
  }

  /** Each rank in turn starts first and waits; the others start one after the other, each told by the one before. */
  @MpiTest(ranks = {2, 4})
  @DisplayName("S3-10: what one rank has started completes when the last of the others has started it too")
  void startedOneAfterTheOther(IntraComm world) {
    try (PersistentForms forms = new PersistentForms(world)) {
      List<Trial> trials = trials(forms, null);
      int n = world.size();
      for (int first = 0; first < n; first++) {
        for (Trial trial : trials) {
          trial.prepare(first);
          int place = (world.rank() - first + n) % n;
          if (place > 0) {
            world.recv(new int[0], (world.rank() + n - 1) % n, 9);
          }
          trial.request.start();
          if (place < n - 1) {
            world.send(new int[0], (world.rank() + 1) % n, 9);
          }
          trial.request.await();
          trial.check(first);
        }
      }
      close(trials);
    }
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4})
  @DisplayName("S3-5 S3-7: all 22 in flight, started in another order at each rank; some are never started")
  void allInFlight(IntraComm world) {
    try (PersistentForms forms = new PersistentForms(world)) {
      List<Trial> trials = trials(forms, null);
      List<Trial> idle = trials(forms, null);
      for (Trial trial : idle) {
        assertFalse(trial.request.isActive(), trial.form::toString);
      }
      List<Trial> order = new ArrayList<>(trials);
      Collections.rotate(order, 5 * world.rank());
      for (int round = 0; round < ROUNDS; round++) {
        for (Trial trial : trials) {
          trial.prepare(round);
        }
        Persistent.startAll(order.stream().map(trial -> trial.request).toList());
        Request.waitAll(order.stream().map(trial -> trial.request).toList());
        for (Trial trial : trials) {
          trial.check(round);
        }
      }
      close(trials);
      close(idle);
    }
  }

  /** Requests are made between blocking calls, at ranks that come at different times. */
  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4})
  @DisplayName("S3-3: making a request is one collective call among others; it moves no data and completes nothing")
  void madeBetweenOtherCalls(IntraComm world) {
    try (PersistentForms forms = new PersistentForms(world)) {
      List<Trial> trials = new ArrayList<>();
      int[] before = forms.target();
      forms.fill(7);
      for (Form form : forms.all.values()) {
        if (trials.size() % world.size() == world.rank()) {
          LockSupport.parkNanos(200_000);
        }
        trials.add(new Trial(forms, form, null));
        int[] number = {world.rank() == 0 ? trials.size() : 0};
        forms.ring.bcast(Buf.of(number), 0);
        assertEquals(trials.size(), number[0]);
        world.barrier();
        for (Trial trial : trials) {
          assertFalse(trial.request.isActive(), trial.form::toString);
          assertArrayEquals(before, trial.got, () -> trial.form + " has moved data");
        }
      }
      trials.forEach(trial -> trial.run(8));
      close(trials);
    }
  }

  // ---- completion

  /** Completes an active request in one of the ways that there are. */
  private static void complete(Persistent request, int way) {
    List<Request> list = new ArrayList<>(Arrays.asList(null, request));
    switch (way) {
      case 0 -> request.await();
      case 1 -> checkStatus(request.await(statusInUse()));
      case 2 -> {
        Status status = statusInUse();
        while (!request.test(status)) {
          Thread.onSpinWait();
        }
        checkStatus(status);
      }
      case 3 -> {
        Status[] statuses = new Status[2];
        Request.waitAll(list, statuses);
        checkStatus(statuses[1]);
      }
      case 4 -> assertEquals(1, Request.waitAny(list));
      case 5 -> assertArrayEquals(new int[] {1}, Request.waitSome(list));
      case 6 -> {
        while (!Request.testAll(list)) {
          Thread.onSpinWait();
        }
      }
      default -> {
        while (Request.testAny(list).isEmpty()) {
          Thread.onSpinWait();
        }
      }
    }
    assertSame(request, list.get(1), "the handle stays");
  }

  private static Status statusInUse() {
    Status status = new Status();
    status.setSource(77);
    status.setTag(78);
    status.setCancelled(true);
    return status;
  }

  private static void checkStatus(Status status) {
    assertEquals(0, status.bytes());
    assertFalse(status.isCancelled());
  }

  /** Waits and tests of what is inactive return at once with the empty status. */
  private static void checkInactive(Persistent request, String what) {
    assertFalse(request.isActive(), what);
    for (int i = 0; i < 2; i++) {
      Status waited = request.await(statusInUse());
      Status tested = statusInUse();
      assertTrue(request.test(tested), what);
      Status seen = request.getStatus().orElseThrow();
      for (Status status : List.of(waited, tested, seen)) {
        assertEquals(ANY_SOURCE, status.source(), what);
        assertEquals(ANY_TAG, status.tag(), what);
        assertEquals(ErrorClass.SUCCESS, status.error(), what);
        checkStatus(status);
      }
    }
    Status[] statuses = new Status[1];
    Request.waitAll(new ArrayList<>(List.of(request)), statuses);
    assertEquals(ANY_SOURCE, statuses[0].source(), what);
  }

  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S3-12: each of the 22 is inactive before its start and after each way of completion, with an empty "
      + "status, and can be started again")
  void inactiveBeforeAndAfter(IntraComm world) {
    try (PersistentForms forms = new PersistentForms(world)) {
      List<Trial> trials = trials(forms, null);
      for (Trial trial : trials) {
        checkInactive(trial.request, trial.form + ", never started");
        for (int way = 0; way < 8; way++) {
          trial.prepare(way);
          trial.request.start();
          complete(trial.request, way);
          checkInactive(trial.request, trial.form + ", completed in way " + way);
          trial.check(way);
        }
      }
      close(trials);
    }
  }

  // ---- hints

  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S3-16: each of the 22 takes no info, an empty one, unknown and known hints, which may change")
  void hints(IntraComm world) {
    try (PersistentForms forms = new PersistentForms(world);
        Info empty = new Info();
        Info hints = new Info()) {
      hints.set("no_such_hint", "whatever");
      hints.set("mpi_assert_strict_persistent_collective_ordering", "true");
      hints.set("mpi_assert_exact_length", "no truth value");
      for (Info info : Arrays.asList(null, empty, hints)) {
        List<Trial> trials = trials(forms, info);
        if (info == hints) {
          hints.set("no_such_hint", "something else");
          hints.delete("mpi_assert_strict_persistent_collective_ordering");
        }
        trials.forEach(trial -> trial.run(1));
        close(trials);
      }
      assertEquals("something else", hints.get("no_such_hint").orElseThrow());
      // Hints of the communicator hold for requests that are made afterwards and for those that there are.
      List<Trial> before = trials(forms, null);
      forms.ring.setInfo(new Info().set("mpi_assert_strict_persistent_collective_ordering", "true"));
      List<Trial> after = trials(forms, null);
      before.forEach(trial -> trial.run(2));
      after.forEach(trial -> trial.run(3));
      close(before);
      close(after);
    }
  }

  // ---- memory

  @MpiTest(ranks = {2, 3}, timeout = 240)
  @DisplayName("S3-8: thousands of requests of all 22 kinds, made, started, closed: no heap and no shared memory stays")
  void nothingStays(IntraComm world) throws IOException {
    int turns = 40;
    try (PersistentForms forms = new PersistentForms(world)) {
      makeAndClose(forms, turns);
      boolean flat = false;
      for (int attempt = 0; !flat && attempt < ATTEMPTS; attempt++) {
        MemoryInUse before = MemoryInUse.of(world);
        makeAndClose(forms, turns);
        flat = before.isFlat((long) turns * forms.all.size(), STAYING);
      }
      assertTrue(flat, "memory has grown with the requests each time");
    }
  }

  private static void makeAndClose(PersistentForms forms, int turns) {
    for (int turn = 0; turn < turns; turn++) {
      List<Trial> trials = trials(forms, null);
      if (turn % 10 == 0) {
        trials.forEach(trial -> trial.run(1));
      }
      close(trials);
    }
  }
}
