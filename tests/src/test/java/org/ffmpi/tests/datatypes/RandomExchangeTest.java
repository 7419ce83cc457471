// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.oracle.RandomTypes;
import org.ffmpi.datatype.oracle.Sample;
import org.ffmpi.datatype.oracle.Typemap;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;

/**
 * Random types at the sender, other types of the same signature at the receiver, in memory of random kinds, against the
 * naive typemap. All ranks derive both sides from one seed, so each knows what it has to get.
 */
@EveryTransport
@MpiVariant(name = "checked", settings = "ffmpi.check=full")
@MpiVariant(
    name = "checked, small rings",
    settings = {
      "ffmpi.check=full", "ffmpi.ring.slots=4", "ffmpi.ring.bulk=256", "ffmpi.pipe.bytes=1024", "ffmpi.chunk=128",
      "ffmpi.large.chunk=256", "ffmpi.eager.limit=1K", "ffmpi.direct.limit=100"
    })
class RandomExchangeTest {
  private final long seed = Seeds.next();

  /** One message: what is sent, and what it is received into, which may have more room. */
  private record Message(Side sent, Side received) {
    static Message random(RandomGenerator random) {
      RandomTypes types = new RandomTypes(random);
      Sample send = types.next().commit();
      int count = random.nextInt(20);
      int room = count + random.nextInt(3);
      boolean asOne = random.nextBoolean();
      Sample receive = types.sameSignature(send.map(), asOne ? room : 1).commit();
      return new Message(new Side(random, send, count), new Side(random, receive, asOne ? 1 : room));
    }

    void check(MemorySegment memory, Status status) {
      byte[] stream = sent.stream();
      received.check(memory, stream);
      Typemap map = received.sample.map();
      assertEquals(stream.length, status.bytes());
      assertEquals(map.count(stream.length), status.getCount(received.sample.type()));
      assertEquals(map.elements(stream.length), status.getElements(received.sample.type()));
    }

    @Override
    public String toString() {
      return sent.count + " x " + sent.sample + " to " + received.sample;
    }
  }

  private static MemorySegment memory(Mpi mpi, RandomGenerator random, Arena arena, Side side) {
    Place place = Place.values()[random.nextInt(Place.values().length)];
    return place.allocate(mpi, arena, side.content.length);
  }

  private interface Body {
    void run(RandomGenerator random, Arena arena);
  }

  /** Runs some rounds, in which all ranks, be they processes, see the same random numbers. */
  private void rounds(Mpi mpi, int rounds, Body body) {
    long[] agreed = {seed};
    mpi.world().bcast(Buf.of(agreed), 0);
    Seeds.run(agreed[0], () -> {
      RandomGenerator random = Seeds.random(agreed[0]);
      for (int round = 0; round < rounds; round++) {
        try (Arena arena = round % 2 == 0 ? Arena.ofConfined() : Arena.ofShared()) {
          body.run(random, arena);
        }
      }
    });
  }

  @MpiTest(ranks = {1, 2, 3}, timeout = 180)
  @DisplayName("S1-4.1.11-a S1-4.1.11-b S1-4.1.11-e S1-4.1.11-i: random types match others of the same signature")
  void oneByOne(Mpi mpi) {
    oneByOne(mpi, 150);
  }

  @MpiVariant(name = "defaults")
  @MpiTest(ranks = 2, processes = true, timeout = 180)
  @DisplayName("S1-4.1.11-a: the same between processes")
  void betweenProcesses(Mpi mpi) {
    oneByOne(mpi, 60);
  }

  private void oneByOne(Mpi mpi, int rounds) {
    rounds(mpi, rounds, (random, arena) -> {
      Message message = Message.random(random);
      MemorySegment source = memory(mpi, random, arena, message.sent);
      MemorySegment target = memory(mpi, random, arena, message.received);
      Way way = Way.values()[random.nextInt(Way.values().length)];
      try {
        message.check(target, way.pass(mpi.world(), message.sent.in(source), message.received.in(target)));
      } catch (Throwable e) {
        throw new AssertionError(message + ", " + way + ": " + e, e);
      }
    });
  }

  @MpiTest(ranks = {1, 2, 3}, timeout = 180)
  void manyAtOnce(Mpi mpi) {
    rounds(mpi, 15, (random, arena) -> {
      List<Message> messages = new ArrayList<>();
      List<MemorySegment> targets = new ArrayList<>();
      List<Request> receives = new ArrayList<>();
      List<Request> sends = new ArrayList<>();
      Comm world = mpi.world();
      int number = random.nextInt(1, 15);
      for (int i = 0; i < number; i++) {
        Message message = Message.random(random);
        MemorySegment source = memory(mpi, random, arena, message.sent);
        MemorySegment target = memory(mpi, random, arena, message.received);
        messages.add(message);
        targets.add(target);
        boolean synchronous = random.nextBoolean();
        boolean receiveFirst = random.nextBoolean();
        if (receiveFirst) {
          receives.add(world.irecv(message.received.in(target), Way.previous(world), i));
        }
        Buf<?> sent = message.sent.in(source);
        sends.add(synchronous ? world.issend(sent, Way.next(world), i) : world.isend(sent, Way.next(world), i));
        if (!receiveFirst) {
          receives.add(world.irecv(message.received.in(target), Way.previous(world), i));
        }
      }
      Status[] statuses = new Status[number];
      Request.waitAll(receives, statuses);
      Request.waitAll(sends);
      for (int i = 0; i < number; i++) {
        messages.get(i).check(targets.get(i), statuses[i]);
      }
    });
  }

  @MpiTest(ranks = {1, 2}, timeout = 180)
  @DisplayName("S1-4.1.11-c: a message longer than the receive type has room for is an error and stays inside")
  void truncated(Mpi mpi) {
    Comm world = mpi.world();
    rounds(mpi, 50, (random, arena) -> {
      RandomTypes types = new RandomTypes(random);
      Sample send = types.next().commit();
      int count = random.nextInt(1, 20);
      int room = random.nextInt(count);
      if (send.map().size() == 0) {
        return;
      }
      Side sent = new Side(random, send, count);
      Side received = new Side(random, types.sameSignature(send.map(), room).commit(), 1);
      MemorySegment target = memory(mpi, random, arena, received);
      Request incoming = world.irecv(received.in(target), Way.previous(world), 1);
      Request outgoing = world.isend(sent.in(memory(mpi, random, arena, sent)), Way.next(world), 1);
      assertError(ErrorClass.ERR_TRUNCATE, incoming::await);
      outgoing.await();
      checkOnlyEntries(received, target);
      world.barrier();
    });
  }

  /** Whatever has arrived, bytes that are no entries of the type are as before. */
  private static void checkOnlyEntries(Side side, MemorySegment memory) {
    byte[] after = memory.asSlice(0, side.content.length).toArray(ValueLayout.JAVA_BYTE);
    byte[] before = side.content.clone();
    for (int i = 0; i < side.count * side.sample.map().size(); i++) {
      int at = side.origin + (int) side.sample.map().displacement(i);
      before[at] = after[at];
    }
    assertArrayEquals(before, after);
  }

  @MpiTest(ranks = {2, 3}, timeout = 180)
  void broadcast(Mpi mpi) {
    Comm world = mpi.world();
    rounds(mpi, 50, (random, arena) -> {
      Message message = Message.random(random);
      int root = random.nextInt(world.size());
      if (message.received.stream().length != message.sent.stream().length) {
        return; // a collective's counts agree exactly
      }
      if (world.rank() == root) {
        world.bcast(message.sent.in(memory(mpi, random, arena, message.sent)), root);
      } else {
        MemorySegment target = memory(mpi, random, arena, message.received);
        world.bcast(message.received.in(target), root);
        message.received.check(target, message.sent.stream());
      }
    });
  }

  @MpiTest(ranks = {2, 3}, timeout = 180)
  void gather(Mpi mpi) {
    Comm world = mpi.world();
    rounds(mpi, 50, (random, arena) -> {
      int root = random.nextInt(world.size());
      RandomTypes types = new RandomTypes(random);
      Sample send = types.next().commit();
      int count = random.nextInt(5);
      List<Side> sides = new ArrayList<>();
      for (int rank = 0; rank < world.size(); rank++) {
        sides.add(new Side(random, send, count));
      }
      Sample block = types.sameSignature(send.map(), count);
      Sample receive = new Sample(
          block.type().resized(0, block.map().trueUpperBound() + 3),
          block.map().resized(0, block.map().trueUpperBound() + 3), block + ".resized").commit();
      Side received = new Side(random, receive, world.size());
      Side mine = sides.get(world.rank());
      MemorySegment target = memory(mpi, random, arena, received);
      Buf<?> gathered = received.in(target);
      world.gather(mine.in(memory(mpi, random, arena, mine)), gathered, root);
      if (world.rank() == root) {
        byte[] all = new byte[world.size() * count * send.map().size()];
        for (int rank = 0; rank < world.size(); rank++) {
          byte[] stream = sides.get(rank).stream();
          System.arraycopy(stream, 0, all, rank * stream.length, stream.length);
        }
        received.check(target, all);
      }
    });
  }
}
