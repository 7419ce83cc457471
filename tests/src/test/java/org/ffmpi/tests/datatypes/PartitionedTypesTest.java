// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Status;
import org.ffmpi.datatype.oracle.RandomTypes;
import org.ffmpi.datatype.oracle.Sample;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;

/**
 * Random types and numbers of partitions at the sender, others of the same signature at the receiver, against the naive
 * typemap. All ranks derive both sides from one seed, so each knows what it has to get.
 */
@EveryTransport
@MpiVariant(name = "checked", settings = "ffmpi.check=full")
class PartitionedTypesTest {
  /** Numbers of elements that can be cut in many ways. */
  private static final int[] COUNTS = {1, 2, 4, 6, 12, 24};

  private final long seed = Seeds.next();

  /** The receiver's elements are each as much as {@code copies} of the sender's; it may have room for more. */
  private record Message(Side sent, int sendPartitions, Side received, int receivePartitions) {
    static Message random(RandomGenerator random) {
      RandomTypes types = new RandomTypes(random);
      Sample send = types.next().commit();
      int count = COUNTS[random.nextInt(COUNTS.length)];
      int copies = divisor(random, count);
      int room = count / copies * random.nextInt(1, 3);
      Sample block = types.sameSignature(send.map(), copies);
      Sample receive = new Sample(
          block.type().resized(0, block.map().trueUpperBound() + 5),
          block.map().resized(0, block.map().trueUpperBound() + 5), block + ".resized").commit();
      return new Message(
          new Side(random, send, count), divisor(random, count),
          new Side(random, receive, room), divisor(random, room));
    }

    private static int divisor(RandomGenerator random, int of) {
      while (true) {
        int d = random.nextInt(1, of + 1);
        if (of % d == 0) {
          return d;
        }
      }
    }

    @Override
    public String toString() {
      return sent.count + " x " + sent.sample + " in " + sendPartitions + " to " + received.count + " x "
          + received.sample + " in " + receivePartitions;
    }
  }

  @MpiTest(ranks = {1, 2, 3}, timeout = 180)
  @DisplayName("§4.2.3: other types and other partitions at the other end")
  void randomTypes(Mpi mpi) {
    Seeds.run(seed, () -> {
      RandomGenerator random = Seeds.random(seed);
      for (int i = 0; i < 60; i++) {
        Message message = Message.random(random);
        try (Arena arena = i % 2 == 0 ? Arena.ofConfined() : Arena.ofShared()) {
          MemorySegment source = memory(mpi, random, arena, message.sent);
          MemorySegment target = memory(mpi, random, arena, message.received);
          exchange(mpi.world(), message, source, target, random.nextLong());
        } catch (Throwable e) {
          throw new AssertionError(message + ": " + e, e);
        }
      }
    });
  }

  private static MemorySegment memory(Mpi mpi, RandomGenerator random, Arena arena, Side side) {
    Place place = Place.values()[random.nextInt(Place.values().length)];
    return place.allocate(mpi, arena, side.content.length);
  }

  private static void exchange(
      Comm world, Message message, MemorySegment source, MemorySegment target, long shuffle) {
    Buf<?> sent = message.sent.in(source);
    Buf<?> received = message.received.in(target);
    List<Integer> order = IntStream.range(0, message.sendPartitions).boxed().collect(Collectors.toList());
    Random random = new Random(shuffle);
    try (PartitionedSend out = world.psendInit(sent, message.sendPartitions, Way.next(world), 0);
        PartitionedRecv in = world.precvInit(received, message.receivePartitions, Way.previous(world), 0)) {
      for (int round = 0; round < 2; round++) {
        message.received.in(target);
        in.start();
        out.start();
        Collections.shuffle(order, random);
        for (int p : order) {
          out.pready(p);
          in.parrived(random.nextInt(message.receivePartitions));
        }
        for (int p = 0; p < message.receivePartitions; p++) {
          while (!in.parrived(p)) {
            Thread.yield();
          }
        }
        byte[] stream = message.sent.stream();
        message.received.check(target, stream);
        Status status = in.await(new Status());
        out.await();
        assertEquals(stream.length, status.bytes());
      }
    }
  }
}
