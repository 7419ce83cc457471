// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.ffmpi.base.Constants.UNDEFINED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Grequest;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;

/**
 * Many collective operations under way at once, nonblocking and persistent, on communicators that share ranks, with
 * messages and generalized requests among them. Each rank starts them in an order of its own, as far as the standard
 * leaves it free, and waits for all in one call.
 */
class ManyAtOnceTest {
  private static final int BATCHES = Boolean.getBoolean("ffmpi.test.stress") ? 100 : 4;
  private static final int CALLS = 12;

  private final long seed = Seeds.next();

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4, 5, 8}, timeout = 600)
  @DisplayName("S3-7, S3-17: persistent and nonblocking collectives with messages in one wait, started in any order")
  void inAnyOrder(Mpi mpi) {
    Seeds.run(seed, () -> batches(mpi, seed));
  }

  @MpiVariant(name = "regions at once", settings = "ffmpi.coll.region.after=1")
  @MpiVariant(name = "no regions", settings = "ffmpi.coll.region.after=-1")
  @MpiTest(ranks = {2, 4}, timeout = 600)
  void withAndWithoutRegions(Mpi mpi) {
    Seeds.run(seed, () -> batches(mpi, seed));
  }

  /** In processes each rank would draw a seed of its own. */
  @MpiTest(ranks = 3, processes = true, timeout = 600)
  void inProcesses(Mpi mpi) {
    long[] shared = {seed};
    mpi.world().bcast(Buf.of(shared), 0);
    Seeds.run(shared[0], () -> batches(mpi, shared[0]));
  }

  private static void batches(Mpi mpi, long seed) throws InterruptedException {
    RandomGenerator random = Seeds.random(seed);
    RandomGenerator own = Seeds.random(seed + 1 + mpi.world().rank());
    List<Place> places = RandomCollectivesTest.places(mpi.world());
    for (int batch = 0; batch < BATCHES; batch++) {
      List<Plan> plans = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        plans.add(Plan.draw(
            batch * CALLS + i, places, List.of(Plan.Form.NONBLOCKING, Plan.Form.PERSISTENT), random));
      }
      new Batch(mpi, own, plans).run();
    }
    places.forEach(Place::close);
  }

  /** What is under way at once. */
  private static final class Batch {
    private static final int MESSAGES = 4;

    private final Mpi mpi;
    private final RandomGenerator own;
    private final List<Trial> trials = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private final List<Runnable> checks = new ArrayList<>();
    private final List<Thread> workers = new ArrayList<>();
    /** Calls whose order is given, as those on one communicator are; that of different queues is free. */
    private final List<Deque<Runnable>> queues = new ArrayList<>();

    Batch(Mpi mpi, RandomGenerator own, List<Plan> plans) {
      this.mpi = mpi;
      this.own = own;
      Map<Place, Deque<Runnable>> ofPlace = new LinkedHashMap<>();
      for (Plan plan : plans) {
        if (plan.place().comm() != null) {
          Trial trial = Trial.of(plan, mpi, own);
          trials.add(trial);
          trial.prepare();
          if (plan.form() == Plan.Form.PERSISTENT) {
            trial.init(); // may wait for the other ranks
            queues.add(queue(() -> requests.add(trial.start())));
          } else {
            ofPlace.computeIfAbsent(plan.place(), _ -> new ArrayDeque<>()).add(() -> requests.add(trial.start()));
          }
        }
      }
      queues.addAll(ofPlace.values());
      addMessages(mpi.world());
      queues.add(queue(this::addGrequest, this::addGrequest));
    }

    private static Deque<Runnable> queue(Runnable... calls) {
      return new ArrayDeque<>(List.of(calls));
    }

    private void addMessages(IntraComm world) {
      int n = world.size();
      int next = (world.rank() + 1) % n;
      int previous = (world.rank() + n - 1) % n;
      Deque<Runnable> sends = new ArrayDeque<>();
      Deque<Runnable> receives = new ArrayDeque<>();
      for (int i = 0; i < MESSAGES; i++) {
        int length = 1 << (4 * i);
        long message = i;
        sends.add(() -> requests.add(world.isend(Buf.of(Data.bytes(n * message + next, length)), next, 0)));
        byte[] data = new byte[length];
        receives.add(() -> requests.add(world.irecv(Buf.of(data), previous, 0)));
        checks.add(() -> Data.check(data, 0, n * message + world.rank(), length));
      }
      queues.add(sends);
      queues.add(receives);
    }

    /** A request that a thread of the program completes, sooner or later. */
    private void addGrequest() {
      Grequest request = Grequest.start(mpi, _ -> { });
      requests.add(request);
      long nanos = own.nextInt(500_000);
      workers.add(Thread.startVirtualThread(() -> {
        LockSupport.parkNanos(nanos);
        request.complete();
      }));
    }

    void run() throws InterruptedException {
      while (!queues.isEmpty()) {
        int index = own.nextInt(queues.size());
        Runnable call = queues.get(index).remove();
        if (queues.get(index).isEmpty()) {
          queues.remove(index);
        }
        call.run();
        if (own.nextInt(64) == 0) {
          LockSupport.parkNanos(own.nextInt(2_000_000)); // some come late
        }
      }
      complete();
      checks.forEach(Runnable::run);
      trials.forEach(Trial::check);
      startAgain();
      trials.forEach(Trial::close);
      for (Thread worker : workers) {
        worker.join();
      }
    }

    private void complete() {
      Collections.shuffle(requests, new Random(own.nextLong()));
      if (own.nextBoolean()) {
        Request.waitAll(requests);
      } else {
        for (int done = 0; done < requests.size(); done++) {
          assertNotEquals(UNDEFINED, Request.waitAny(requests));
        }
        assertEquals(UNDEFINED, Request.waitAny(requests));
      }
    }

    private void startAgain() {
      List<Trial> persistent = trials.stream().filter(t -> t.plan.form() == Plan.Form.PERSISTENT).toList();
      persistent.forEach(Trial::prepare); // in the same order at all ranks
      List<Request> again = new ArrayList<>();
      persistent.forEach(trial -> again.add(trial.request()));
      Collections.shuffle(again, new Random(own.nextLong()));
      Persistent.startAll(again);
      Request.waitAll(again);
      persistent.forEach(Trial::check);
    }
  }
}
