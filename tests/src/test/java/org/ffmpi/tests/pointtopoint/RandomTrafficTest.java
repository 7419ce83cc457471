// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.pointtopoint;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;

/**
 * Random messages of all lengths, from and into random memory, by random calls, checked against lists: for each sender
 * the messages that have not been received yet, in the order in which they were sent.
 *
 * <p>All ranks derive the same plan from one seed. It has phases: in each one a rank first starts its sends and then
 * receives some of what has been sent in this phase and before, so that nobody waits for what another may never start.
 * A receiver works in windows: first receives whose sender is given, which must get what the lists say; then some with
 * ANY_SOURCE, which have to get the first message of whatever sender that fits. No window asks for more than there is.
 */
class RandomTrafficTest {
  private static final int TAGS = 3;
  private static final int PHASES = 6;

  /** One message of the plan. */
  private record Message(int source, int dest, int phase, int tag, int length, long content) {}

  private final long seed = Seeds.next();

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4}, timeout = 180)
  void againstListsWithWildcardsAndProbes(Mpi mpi) {
    Seeds.run(seed, () -> exchange(mpi, mpi.world(), plan(mpi.world().size(), 300, 20_000)));
  }

  @MpiTest(ranks = {2, 3, 8}, timeout = 180)
  void lengthsUpTo300K(Mpi mpi) {
    Seeds.run(seed, () -> exchange(mpi, mpi.world(), plan(mpi.world().size(), 100, 300_000)));
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3}, timeout = 180)
  void severalThreads(Mpi mpi) {
    Seeds.run(seed, () -> onThreads(mpi, plan(mpi.world().size(), 150, 20_000), false));
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3}, timeout = 180)
  void severalThreadsWithBlockingSends(Mpi mpi) {
    Seeds.run(seed, () -> onThreads(mpi, plan(mpi.world().size(), 150, 20_000), true));
  }

  /** Every message is received once, intact, without checks by the program: checksums over many. */
  @EveryTransport
  @MpiTest(ranks = {2, 4, 8}, timeout = 180)
  @DisplayName("S1-2.8-a: every message is received once and intact")
  void messagesAreReliable(Comm world) {
    int messages = 400;
    List<Request> sends = new ArrayList<>();
    for (int dest = 0; dest < world.size(); dest++) {
      for (int i = 0; i < messages; i++) {
        long[] data = new long[i % 50 + 1];
        for (int k = 0; k < data.length - 1; k++) {
          data[k] = world.rank() * 1_000_003L + i * 31L + k;
        }
        data[data.length - 1] = checksum(data);
        sends.add(world.isend(data, dest, i));
      }
    }
    boolean[][] seen = new boolean[world.size()][messages];
    long[] data = new long[50];
    Status status = new Status();
    for (int n = 0; n < messages * world.size(); n++) {
      world.recv(data, ANY_SOURCE, ANY_TAG, status);
      int i = status.tag();
      int length = (int) status.getCount(Datatype.INT64_T);
      assertEquals(i % 50 + 1, length);
      assertTrue(!seen[status.source()][i], "received twice");
      seen[status.source()][i] = true;
      assertEquals(checksum(Arrays.copyOf(data, length)), data[length - 1]);
      assertTrue(length == 1 || data[0] == status.source() * 1_000_003L + i * 31L);
    }
    Request.waitAll(sends);
    assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
  }

  private static long checksum(long[] data) {
    long sum = 17;
    for (int i = 0; i < data.length - 1; i++) {
      sum = sum * 31 + data[i];
    }
    return sum;
  }

  // ---- the plan

  private List<Message> plan(int ranks, int messagesPerRank, int longest) {
    RandomGenerator random = Seeds.random(seed);
    List<Message> plan = new ArrayList<>();
    for (int source = 0; source < ranks; source++) {
      for (int i = 0; i < messagesPerRank; i++) {
        plan.add(new Message(
            source, random.nextInt(ranks), i * PHASES / messagesPerRank, random.nextInt(TAGS), length(random, longest),
            random.nextLong()));
      }
    }
    return plan;
  }

  /** Mostly short, sometimes near the limits of the protocols, seldom long. */
  private static int length(RandomGenerator random, int longest) {
    return switch (random.nextInt(10)) {
      case 0 -> 0;
      case 1, 2, 3 -> random.nextInt(42);
      case 4, 5 -> random.nextInt(300);
      case 6, 7 -> random.nextInt(5_000);
      case 8 -> Math.min(longest, 16_384 - 3 + random.nextInt(6));
      default -> random.nextInt(longest + 1);
    };
  }

  // ---- memory

  /** Room for a message somewhere, with its content if it is to be sent. */
  private static Buf<Byte> memory(Mpi mpi, RandomGenerator random, int length, Arena arena) {
    return switch (random.nextInt(5)) {
      case 0 -> Buf.of(new byte[length]);
      case 1 -> Buf.of(new byte[length + 10], 7, length);
      case 2 -> Buf.of(Arena.ofAuto().allocate(Math.max(1, length)), length, Datatype.BYTE);
      case 3 -> Buf.of(arena.allocate(Math.max(1, length)), length, Datatype.BYTE);
      default -> Buf.of(mpi.shared().allocate(Math.max(1, length)), length, Datatype.BYTE);
    };
  }

  private static MemorySegment bytesOf(Buf<Byte> buf) {
    if (BufImpl.of(buf).memoryOwner() instanceof byte[] array) {
      return MemorySegment.ofArray(array).asSlice(BufImpl.of(buf).memoryOffset(), buf.count());
    }
    MemorySegment owner = (MemorySegment) BufImpl.of(buf).memoryOwner();
    return owner.asSlice(0, buf.count());
  }

  // ---- one thread per rank

  /** A receive that has been started: which message the lists say it gets, or null for whatever sender comes. */
  private record Expected(Request request, Buf<Byte> buf, int tag, Message message) {}

  private void exchange(Mpi mpi, Comm world, List<Message> plan) {
    int me = world.rank();
    RandomGenerator random = Seeds.random(seed + 1 + me);
    List<List<Message>> waiting = new ArrayList<>();
    for (int source = 0; source < world.size(); source++) {
      int s = source;
      waiting.add(new ArrayList<>(plan.stream().filter(m -> m.source() == s && m.dest() == me).toList()));
    }
    List<Request> sends = new ArrayList<>();
    try (Arena arena = Arena.ofShared()) {
      for (int phase = 0; phase < PHASES; phase++) {
        for (Message m : plan) {
          if (m.source() == me && m.phase() == phase) {
            sends.add(send(mpi, world, random, m, arena));
          }
        }
        boolean last = phase == PHASES - 1;
        for (int n = 0; last ? waiting.stream().anyMatch(list -> !list.isEmpty()) : n < 5; n++) {
          window(mpi, world, random, waiting, phase, arena);
        }
      }
      Request.waitAll(sends);
    }
    assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
    world.barrier();
  }

  private static Request send(Mpi mpi, Comm world, RandomGenerator random, Message m, Arena arena) {
    Buf<Byte> buf = memory(mpi, random, m.length(), arena);
    Data.fill(bytesOf(buf), m.content());
    return random.nextInt(4) == 0
        ? world.issend(buf, m.dest(), m.tag())
        : world.isend(buf, m.dest(), m.tag());
  }

  /** Starts some receives and completes them. */
  private static void window(
      Mpi mpi, Comm world, RandomGenerator random, List<List<Message>> waiting, int phase, Arena arena) {
    List<Expected> window = new ArrayList<>();
    for (int n = random.nextInt(8); n > 0; n--) {
      int source = random.nextInt(waiting.size());
      List<Message> sent = waiting.get(source).stream().filter(m -> m.phase() <= phase).toList();
      if (sent.isEmpty()) {
        continue;
      }
      int tag = random.nextInt(3) == 0 ? ANY_TAG : sent.get(random.nextInt(sent.size())).tag();
      Message expected = take(waiting.get(source), tag);
      if (window.isEmpty() && random.nextInt(4) == 0) {
        Status seen = world.probe(source, tag);
        assertEquals(expected.tag(), seen.tag());
        assertEquals(expected.length(), seen.bytes());
      }
      Buf<Byte> buf = memory(mpi, random, expected.length() + random.nextInt(3), arena);
      window.add(new Expected(world.irecv(buf, source, tag), buf, tag, expected));
    }
    int tag = random.nextBoolean() ? ANY_TAG : random.nextInt(TAGS);
    long left = waiting.stream()
        .flatMap(List::stream)
        .filter(m -> m.phase() <= phase && (tag == ANY_TAG || m.tag() == tag))
        .count();
    if (left > 0 && random.nextBoolean()) {
      int longest = waiting.stream().flatMap(List::stream).mapToInt(Message::length).max().orElse(0);
      for (int n = random.nextInt((int) Math.min(8, left)) + 1; n > 0; n--) {
        Buf<Byte> buf = memory(mpi, random, longest, arena);
        window.add(new Expected(world.irecv(buf, ANY_SOURCE, tag), buf, tag, null));
      }
    }
    complete(random, window, waiting);
  }

  private static void complete(RandomGenerator random, List<Expected> window, List<List<Message>> waiting) {
    Status[] statuses = new Status[window.size()];
    List<Request> requests = new ArrayList<>(window.stream().map(Expected::request).toList());
    if (random.nextBoolean()) {
      Request.waitAll(requests, statuses);
    } else {
      for (int done = 0; done < window.size(); done++) {
        Status status = new Status();
        statuses[Request.waitAny(requests, status)] = status;
      }
    }
    for (int i = 0; i < window.size(); i++) {
      Expected e = window.get(i);
      Status status = statuses[i];
      Message m = e.message() != null ? e.message() : take(waiting.get(status.source()), e.tag());
      assertEquals(m.source(), status.source(), "receive " + i + " of the window");
      assertEquals(m.tag(), status.tag(), "receive " + i + " of the window");
      assertEquals(m.length(), status.bytes(), "receive " + i + " of the window, message " + m);
      Data.check(bytesOf(e.buf()), m.content(), m.length());
    }
  }

  /** Takes the first message with a tag off a sender's list. */
  private static Message take(List<Message> list, int tag) {
    for (Iterator<Message> i = list.iterator(); i.hasNext(); ) {
      Message m = i.next();
      if (tag == ANY_TAG || m.tag() == tag) {
        i.remove();
        return m;
      }
    }
    throw new AssertionError("a message that was not sent: tag " + tag + ", left " + list);
  }

  // ---- several threads per rank

  /**
   * One thread for all sends and one for each tag's receives. Where sends block, receives take what comes: to wait for
   * a certain sender, which may be blocked in a send to another, would be a deadlock of the program's own making.
   */
  private void onThreads(Mpi mpi, List<Message> plan, boolean blocking) throws Throwable {
    Comm world = mpi.world();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    threads.add(started(failures, () -> {
      RandomGenerator random = Seeds.random(seed + 100 + world.rank());
      List<Request> sends = new ArrayList<>();
      for (Message m : plan) {
        if (m.source() == world.rank()) {
          Buf<Byte> buf = Buf.of(Data.bytes(m.content(), m.length()));
          switch (blocking ? random.nextInt(4) : 2 + random.nextInt(2)) {
            case 0 -> world.send(buf, m.dest(), m.tag());
            case 1 -> world.ssend(buf, m.dest(), m.tag());
            case 2 -> sends.add(world.issend(buf, m.dest(), m.tag()));
            default -> sends.add(world.isend(buf, m.dest(), m.tag()));
          }
        }
      }
      Request.waitAll(sends);
    }));
    for (int t = 0; t < TAGS; t++) {
      int tag = t;
      threads.add(started(failures, () -> {
        List<List<Message>> waiting = new ArrayList<>();
        for (int source = 0; source < world.size(); source++) {
          int s = source;
          waiting.add(new ArrayList<>(
              plan.stream().filter(m -> m.source() == s && m.dest() == world.rank() && m.tag() == tag).toList()));
        }
        RandomGenerator random = Seeds.random(seed + 200 + tag);
        while (waiting.stream().anyMatch(list -> !list.isEmpty())) {
          int source = random.nextInt(waiting.size());
          boolean any = blocking || random.nextBoolean() || waiting.get(source).isEmpty();
          Status status = new Status();
          if (random.nextInt(3) == 0) {
            status = world.probe(any ? ANY_SOURCE : source, tag);
            source = status.source();
            any = false;
          }
          byte[] data = new byte[300_000];
          world.recv(data, any ? ANY_SOURCE : source, tag, status);
          Message m = take(waiting.get(status.source()), tag);
          assertEquals(m.length(), status.bytes());
          Data.check(data, 0, m.content(), m.length());
        }
      }));
    }
    for (Thread thread : threads) {
      while (!thread.join(Duration.ofMillis(20))) {
        if (!failures.isEmpty()) {
          throw failures.peek(); // the others may wait for ever
        }
      }
    }
    if (!failures.isEmpty()) {
      throw failures.peek();
    }
    world.barrier();
  }

  private interface Part {
    void run() throws Throwable;
  }

  private static Thread started(ConcurrentLinkedQueue<Throwable> failures, Part part) {
    return Thread.ofPlatform().daemon().start(() -> {
      try {
        part.run();
      } catch (Throwable e) {
        failures.add(e);
      }
    });
  }
}
