// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.pointtopoint;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Message;
import org.ffmpi.Mpi;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.ffmpi.tests.support.Threads;

/**
 * Threads of all ranks send and receive in random order by random calls, with all wildcards: nothing blocks, so that
 * any order is a correct program. What received what is written down with the time at which it was asked, and checked
 * against the rules of order afterwards, see {@link MatchLog}.
 */
class RandomScheduleTest {
  private static final int TAGS = 3;
  private static final int MOST_PENDING = 6;
  private static final int LONGEST = 6_000;

  private final long seed = Seeds.next();

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3}, timeout = 180)
  void oneThread(Mpi mpi) {
    Seeds.run(seed, () -> new Schedule(mpi, seed, 1, 150).run(Thread.ofPlatform().daemon()));
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3}, timeout = 180)
  void severalThreads(Mpi mpi) {
    Seeds.run(seed, () -> new Schedule(mpi, seed, 4, 60).run(Thread.ofPlatform().daemon()));
  }

  @MpiTest(ranks = {2, 4}, timeout = 180)
  void virtualThreads(Mpi mpi) {
    Seeds.run(seed, () -> new Schedule(mpi, seed, 20, 20).run(Thread.ofVirtual()));
  }

  /** The messages that a thread sends, one after the other; everybody can work them out. */
  private static final class Plan {
    private final RandomGenerator random;
    private final int ranks;
    int dest;
    int tag;
    int length;

    Plan(long seed, int rank, int thread, int ranks) {
      this.random = Seeds.random(seed + 1_000L * rank + thread);
      this.ranks = ranks;
    }

    Plan next() {
      dest = random.nextInt(ranks);
      tag = random.nextInt(TAGS);
      length = 3 + switch (random.nextInt(8)) {
        case 0, 1, 2 -> random.nextInt(3);
        case 3, 4 -> random.nextInt(40);
        case 5, 6 -> random.nextInt(1_000);
        default -> random.nextInt(LONGEST - 3);
      };
      return this;
    }
  }

  /** One rank's part. */
  private static final class Schedule {
    private final Mpi mpi;
    private final Comm world;
    private final long seed;
    private final int threads;
    private final int messages;
    private final MatchLog log = new MatchLog();
    private final AtomicInteger received = new AtomicInteger();
    private final ConcurrentLinkedQueue<Persistent> persistent = new ConcurrentLinkedQueue<>();
    private int expected;

    Schedule(Mpi mpi, long seed, int threads, int messages) {
      this.mpi = mpi;
      this.world = mpi.world();
      this.seed = seed;
      this.threads = threads;
      this.messages = messages;
    }

    void run(Thread.Builder builder) throws Throwable {
      for (int rank = 0; rank < world.size(); rank++) {
        for (int thread = 0; thread < threads; thread++) {
          Plan plan = new Plan(seed, rank, thread, world.size());
          for (int i = 0; i < messages; i++) {
            expected += plan.next().dest == world.rank() ? 1 : 0;
          }
        }
      }
      mpi.bufferAttach(Buf.automatic());
      Threads.run(builder, threads, thread -> new Actor(thread).run());
      persistent.forEach(Persistent::close);
      mpi.bufferDetach();
      assertEquals(expected, log.check());
      assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
      world.barrier();
    }

    /** A receive under way. */
    private record Pending(Request request, long[] data, MatchLog.Entry entry) {}

    /** One thread's part. */
    private final class Actor {
      private final int thread;
      private final Plan plan;
      private final RandomGenerator random;
      private final List<Request> sends = new ArrayList<>();
      private final List<Pending> pending = new ArrayList<>();
      private int sent;

      Actor(int thread) {
        this.thread = thread;
        this.plan = new Plan(seed, world.rank(), thread, world.size());
        this.random = Seeds.random(seed * 31 + 1_000L * world.rank() + thread);
      }

      void run() {
        while (sent < messages || received.get() < expected) {
          switch (random.nextInt(9)) {
            case 0, 1, 2 -> send();
            case 3, 4 -> post();
            case 5 -> probe();
            case 6 -> cancel();
            default -> look();
          }
        }
        Request.waitAll(sends);
        for (Pending p : pending) {
          withdraw(p);
        }
      }

      private void send() {
        if (sent == messages) {
          return;
        }
        plan.next();
        long[] data = new long[plan.length];
        data[0] = world.rank();
        data[1] = thread;
        for (int i = 2; i < data.length; i++) {
          data[i] = sent * 1_000_003L + i - 2;
        }
        Buf<?> buf = Buf.of(data);
        if (random.nextInt(4) == 0) {
          var shared = mpi.shared().allocate(8L * data.length, 8);
          shared.copyFrom(java.lang.foreign.MemorySegment.ofArray(data));
          buf = Buf.of(shared, data.length, Datatype.INT64_T);
        }
        switch (random.nextInt(6)) {
          case 0 -> sends.add(world.issend(buf, plan.dest, plan.tag));
          case 1 -> {
            Persistent started = world.sendInit(buf, plan.dest, plan.tag);
            started.start();
            persistent.add(started);
            sends.add(started);
          }
          case 2 -> world.bsend(buf, plan.dest, plan.tag);
          default -> sends.add(world.isend(buf, plan.dest, plan.tag));
        }
        sent++;
      }

      private int source() {
        return random.nextBoolean() ? ANY_SOURCE : random.nextInt(world.size());
      }

      private int tag() {
        return random.nextInt(5) < 2 ? ANY_TAG : random.nextInt(TAGS);
      }

      private void post() {
        if (pending.size() == MOST_PENDING) {
          return;
        }
        long[] data = new long[LONGEST];
        MatchLog.Entry entry = log.entry(source(), tag());
        Request request = world.irecv(data, entry.source, entry.tag);
        log.asked(entry);
        pending.add(new Pending(request, data, entry));
      }

      private void probe() {
        if (random.nextInt(3) == 0) {
          probeAndReceive();
          return;
        }
        MatchLog.Entry entry = log.entry(source(), tag());
        Status seen = new Status();
        Optional<Message> message = world.improbe(entry.source, entry.tag, seen);
        if (message.isEmpty()) {
          log.forget(entry);
          return;
        }
        log.asked(entry);
        long[] data = new long[(int) seen.getCount(Datatype.INT64_T)];
        if (random.nextBoolean()) {
          took(entry, data, message.get().mrecv(Buf.of(data), new Status()));
        } else {
          pending.add(new Pending(message.get().imrecv(Buf.of(data)), data, entry));
        }
      }

      /** With one thread alone, what a probe has seen is what a receive gets, also a blocking one. */
      private void probeAndReceive() {
        int source = source();
        int tag = tag();
        Optional<Status> seen = world.iprobe(source, tag);
        if (seen.isEmpty() || threads > 1) {
          return;
        }
        long[] data = new long[LONGEST];
        boolean exactly = random.nextBoolean();
        MatchLog.Entry entry =
            log.entry(exactly ? seen.get().source() : source, exactly ? seen.get().tag() : tag);
        Status status = new Status();
        if (exactly) {
          assertEquals(seen.get().bytes(), world.probe(entry.source, entry.tag).bytes());
          world.recv(data, entry.source, entry.tag, status);
          assertEquals(seen.get().bytes(), status.bytes());
        } else {
          world.recv(data, source, tag, status);
        }
        log.asked(entry);
        took(entry, data, status);
      }

      private void cancel() {
        if (!pending.isEmpty() && random.nextInt(4) == 0) {
          withdraw(pending.remove(random.nextInt(pending.size())));
        }
      }

      private void withdraw(Pending p) {
        log.cancelling(p.entry());
        p.request().cancel();
        Status status = p.request().await(new Status());
        if (!status.isCancelled()) {
          took(p.entry(), p.data(), status);
        }
      }

      private void look() {
        Status status = new Status();
        for (int i = pending.size() - 1; i >= 0; i--) {
          Pending p = pending.get(i);
          if (p.request().test(status)) {
            pending.remove(i);
            took(p.entry(), p.data(), status);
          }
        }
        if (threads > 1 && random.nextInt(4) == 0) {
          java.util.concurrent.locks.LockSupport.parkNanos(1_000);
        }
      }

      private void took(MatchLog.Entry entry, long[] data, Status status) {
        int number = (int) (data[2] / 1_000_003L);
        log.took(entry, status.source(), (int) data[1], number, status.tag());
        String what = entry + ", message " + number + " of thread " + data[1];
        assertEquals(data[0], status.source(), what);
        int length = (int) status.getCount(Datatype.INT64_T);
        for (int i = 2; i < length; i++) {
          assertEquals(number * 1_000_003L + i - 2, data[i], what);
        }
        received.incrementAndGet();
      }
    }
  }
}
