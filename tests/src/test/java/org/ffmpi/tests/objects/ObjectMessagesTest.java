// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.objects;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Codec;
import org.ffmpi.IntraComm;
import org.ffmpi.Message;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Requests;
import org.ffmpi.Status;
import org.ffmpi.ValueRequest;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;

/** Objects between two ranks. */
class ObjectMessagesTest {
  private static final int ROUNDS = 32;

  private final long seed = Seeds.next();

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void randomObjectsGoRound(IntraComm world) {
    Seeds.run(seed, () -> goRound(world, ROUNDS / world.size()));
  }

  @MpiTest(ranks = 2)
  @EveryTransport
  void randomObjectsGoByEveryTransport(IntraComm world) {
    Seeds.run(seed, () -> goRound(world, 9));
  }

  private void goRound(IntraComm world, int rounds) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    RandomGenerator sent = Seeds.random(seed + world.rank());
    RandomGenerator expected = Seeds.random(seed + previous);
    Codec<Particle> own = new Particle.OwnCodec();
    Status status = new Status();
    for (int i = 0; i < rounds; i++) {
      Codec<Particle> codec = i % 3 == 2 ? own : Codec.objects();
      Request sending = world.isendObject(Particle.of(sent), next, i, codec);
      Particle received;
      if (i % 2 == 0) {
        received = world.recvObject(previous, i, status, codec);
      } else {
        received = world.irecvObject(previous, i, codec).awaitValue(status);
      }
      Particle wanted = Particle.of(expected);
      assertEquals(wanted, received);
      assertEquals(previous, status.source());
      assertEquals(i, status.tag());
      assertTrue(status.bytes() > 8L * wanted.data().length, "" + status);
      sending.await();
    }
  }

  @MpiTest(ranks = 2)
  void theObviousProgramWorks(IntraComm world) {
    if (world.rank() == 0) {
      world.sendObject(Particle.of(7, 10_000), 1, 3);
      world.ssendObject("text", 1, 3);
      world.sendObject(null, 1, 3);
      world.sendObject(new int[][] {{1, 2}, {3}, new int[5_000]}, 1, 3);
    } else {
      Particle particle = world.recvObject(0, 3);
      assertEquals(Particle.of(7, 10_000), particle);
      String text = world.recvObject(0, 3);
      assertEquals("text", text);
      assertNull(world.recvObject(0, 3));
      int[][] rows = world.recvObject(0, 3);
      assertArrayEquals(new int[] {1, 2}, rows[0]);
      assertEquals(5_000, rows[2].length);
    }
  }

  @MpiTest(ranks = 3)
  void postedReceivesMatchInOrder(IntraComm world) {
    if (world.rank() == 0) {
      List<ValueRequest<Particle>> posted = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        posted.add(world.irecvObject(1, 5));
      }
      int[] bare = new int[3];
      Request last = world.irecv(bare, 1, 5);
      world.barrier();
      for (int i = 7; i >= 0; i--) { // values may be asked for in any order
        assertEquals(Particle.of(i, i % 2 == 0 ? 3_000 : 3), posted.get(i).awaitValue());
        assertSame(posted.get(i).value(), posted.get(i).value());
      }
      last.await();
      assertArrayEquals(new int[] {1, 2, 3}, bare);
    } else {
      world.barrier();
      if (world.rank() == 1) {
        for (int i = 0; i < 8; i++) {
          world.sendObject(Particle.of(i, i % 2 == 0 ? 3_000 : 3), 0, 5);
        }
        world.send(new int[] {1, 2, 3}, 0, 5);
      }
    }
  }

  @MpiTest(ranks = 2)
  void aSenderNeedNotWaitForTheValueToBeAskedFor(IntraComm world) {
    if (world.rank() == 0) {
      ValueRequest<double[]> request = world.irecvObject(1, 0);
      assertEquals(1, (int) world.<Integer>recvObject(1, 1)); // sent when the array has left
      assertEquals(100_000, request.awaitValue().length);
    } else {
      world.sendObject(new double[100_000], 0, 0);
      world.sendObject(1, 0, 1);
    }
  }

  @MpiTest(ranks = 4)
  void wildcardsAndProbesFindObjects(IntraComm world) {
    if (world.rank() == 0) {
      int[] seen = new int[4];
      for (int i = 0; i < 9; i++) {
        Status found = new Status();
        Particle particle;
        switch (i % 3) {
          case 0 -> {
            found = world.probe(Constants.ANY_SOURCE, Constants.ANY_TAG);
            particle = world.recvObject(found.source(), found.tag());
          }
          case 1 -> {
            Message message = world.mprobe(Constants.ANY_SOURCE, Constants.ANY_TAG, found);
            particle = message.mrecvObject();
            assertTrue(message.isConsumed());
          }
          default -> particle = world.recvObject(Constants.ANY_SOURCE, Constants.ANY_TAG, found);
        }
        assertEquals(Particle.of(found.tag(), 500 * found.source()), particle);
        seen[found.source()]++;
      }
      assertArrayEquals(new int[] {0, 3, 3, 3}, seen);
    } else {
      for (int i = 0; i < 3; i++) {
        world.sendObject(Particle.of(i, 500 * world.rank()), 0, i);
      }
    }
  }

  @MpiTest(ranks = 2)
  void objectsAndArraysKeepTheirOrder(IntraComm world) {
    double[] array = new double[5_000];
    for (int i = 0; i < 20; i++) {
      if (world.rank() == 0) {
        array[0] = i;
        world.sendObject(List.of(i, array), 1, 0);
        world.send(array, 1, 0);
        world.sendObject("after " + i, 1, 0);
      } else {
        List<Object> first = world.recvObject(0, 0);
        assertEquals(i, first.get(0));
        assertEquals(i, ((double[]) first.get(1))[0]);
        Status status = new Status();
        world.recv(array, 0, 0, status);
        assertEquals(5_000, status.getCount(Datatype.DOUBLE));
        assertEquals("after " + i, world.recvObject(0, 0));
      }
    }
    double[] sum = {1};
    world.allreduce(Buf.of(sum), Op.SUM);
    assertEquals(2, sum[0]);
  }

  @MpiTest(ranks = 2)
  void requestsOfObjectsAreRequests(IntraComm world) {
    if (world.rank() == 0) {
      ValueRequest<String> early = world.irecvObject(1, 0);
      assertError(ErrorClass.ERR_REQUEST, early::value, "not complete");
      world.barrier();
      while (!early.test()) {
        Thread.onSpinWait();
      }
      assertEquals("one", early.value());
      assertFalse(early.isActive());
      try (Requests scope = world.requests()) {
        ValueRequest<Particle> a = world.irecvObject(1, 1);
        ValueRequest<Particle> b = world.irecvObject(1, 1);
        scope.add(a);
        scope.add(b);
        scope.await();
        assertEquals(Particle.of(1, 1_000), a.value());
        assertEquals(Particle.of(2, 2), b.value());
      }
      ValueRequest<String> none = world.irecvObject(Constants.PROC_NULL, 0);
      assertNull(none.awaitValue());
      assertNull(world.recvObject(Constants.PROC_NULL, 0));
      world.sendObject("nobody", Constants.PROC_NULL, 0);
      world.isendObject("nobody", Constants.PROC_NULL, 0).await();
      assertNull(world.mprobe(Constants.PROC_NULL, 0).mrecvObject());
      ValueRequest<String> unwanted = world.irecvObject(1, 9);
      unwanted.cancel();
      assertTrue(unwanted.await(new Status()).isCancelled());
      assertError(ErrorClass.ERR_REQUEST, unwanted::value, "cancelled");
      try (Requests left = world.requests()) {
        left.add(world.irecvObject(1, 9)); // cancelled when the scope is left
      }
      world.irecvObject(1, 9).close();
    } else {
      world.barrier();
      world.sendObject("one", 0, 0);
      List<Request> list = new ArrayList<>();
      list.add(world.isendObject(Particle.of(1, 1_000), 0, 1));
      list.add(world.isendObject(Particle.of(2, 2), 0, 1));
      Request.waitAll(list);
    }
  }

  @MpiTest(ranks = 2)
  void whatIsWrongIsSaid(IntraComm world) {
    if (world.rank() == 0) {
      assertError(
          ErrorClass.ERR_CONVERSION, () -> world.sendObject(new Object(), 1, 0), "java.lang.Object", "Serializable");
      assertError(ErrorClass.ERR_CONVERSION, () -> world.isendObject(List.of(new Object()), 1, 0), "Serializable");
      assertError(ErrorClass.ERR_RANK, () -> world.sendObject("x", 2, 0), "dest");
      assertError(ErrorClass.ERR_TAG, () -> world.sendObject("x", 1, -1), "tag");
      assertError(ErrorClass.ERR_RANK, () -> world.recvObject(7, 0), "source");
      assertError(ErrorClass.ERR_ARG, () -> world.sendObject("x", 1, 0, null), "codec");
      assertError(ErrorClass.ERR_ARG, () -> world.recvObject(1, 0, (Codec<String>) null), "codec");
      assertError(ErrorClass.ERR_ARG, () -> world.recvObject(1, 0, (Status) null), "into");
      world.sendObject(URI.create("a:b"), 1, 0);
      world.send(new int[2], 1, 0);
      world.send(new int[100], 1, 0);
      world.send(new int[10_000], 1, 0);
      world.sendObject(URI.create("a:b"), 1, 0);
      world.send(new int[100], 1, 0);
      world.sendObject("end", 1, 0);
    } else {
      assertError(ErrorClass.ERR_CONVERSION, () -> world.recvObject(0, 0), "java.net.URI", "ffmpi.objects.allow");
      assertError(ErrorClass.ERR_TYPE, () -> world.recvObject(0, 0), "is no object");
      assertError(ErrorClass.ERR_TYPE, () -> world.recvObject(0, 0), "is no object");
      assertError(ErrorClass.ERR_TYPE, () -> world.recvObject(0, 0), "is no object");
      ValueRequest<Object> refused = world.irecvObject(0, 0);
      refused.await();
      assertError(ErrorClass.ERR_CONVERSION, refused::value, "java.net.URI");
      ValueRequest<Object> noObject = world.irecvObject(0, 0);
      assertError(ErrorClass.ERR_TYPE, noObject::await, "is no object");
      assertError(ErrorClass.ERR_TYPE, noObject::value, "is no object");
      assertEquals("end", world.recvObject(0, 0));
    }
  }

  @MpiTest(ranks = 2)
  void aReceiveOfNumbersRefusesAnObject(IntraComm world) {
    if (world.rank() == 0) {
      for (int i = 0; i < 5; i++) {
        world.sendObject("a word of some length", 1, i);
      }
      world.ssendObject("a word", 1, 5);
      world.sendObject("x".repeat(1_000), 1, 6);
      world.send(new int[] {7}, 1, 7);
    } else {
      String text = "is an object";
      assertError(ErrorClass.ERR_TYPE, () -> world.recv(new int[1], 0, 0), text, "tag 0");
      assertError(ErrorClass.ERR_TYPE, () -> world.recv(new byte[1_000], 0, 1), text);
      assertError(ErrorClass.ERR_TYPE, () -> world.recv(Buf.of(new double[100]), 0, 2), text);
      assertError(ErrorClass.ERR_TYPE, () -> world.irecv(new long[100], 0, 3).await(), text);
      assertError(ErrorClass.ERR_TYPE, () -> world.mprobe(0, 4).mrecv(Buf.of(new int[100])), text);
      assertError(ErrorClass.ERR_TYPE, () -> world.recv(new int[100], 0, 5), text);
      assertError(ErrorClass.ERR_TYPE, () -> world.recv(new byte[10], 0, 6), text);
      world.recv(new int[1], 0, 7);
    }
    Request sent = world.isendObject("to oneself", world.rank(), 1);
    assertError(ErrorClass.ERR_TYPE, () -> world.recv(new int[100], world.rank(), 1), "is an object");
    sent.await();
  }

  @MpiTest(ranks = 2, settings = "ffmpi.objects.allow=java.net.URI;!java.math.*")
  void theSettingSaysWhatIsRead(IntraComm world) {
    if (world.rank() == 0) {
      world.sendObject(URI.create("a:b"), 1, 0);
      world.sendObject(BigInteger.ONE, 1, 0);
    } else {
      assertEquals(URI.create("a:b"), world.recvObject(0, 0));
      assertError(ErrorClass.ERR_CONVERSION, () -> world.recvObject(0, 0), "java.math.BigInteger");
    }
  }

  @MpiTest(ranks = 2)
  void forgedLengthsTakeNoMemory(IntraComm world) {
    if (world.rank() == 0) {
      // A head that announces two gibibytes, then a message of 16 bytes.
      ByteBuffer head = ByteBuffer.allocate(16);
      head.putInt(0x66664f31).putInt(0).putInt(Integer.MAX_VALUE - 100).putInt(0);
      world.send(head.array(), 1, 0);
      world.send(new byte[16], 1, 0);
    } else {
      ValueRequest<Object> request = world.irecvObject(0, 0);
      assertFalse(request.test()); // no part follows, and nothing is allocated for it
      assertError(ErrorClass.ERR_TYPE, () -> world.recvObject(0, 0), "is no object");
      request.cancel();
      assertFalse(request.test());
    }
  }

  @MpiTest(ranks = 1)
  void anObjectToOneselfIsACopy(IntraComm self) {
    Particle particle = Particle.of(3, 1_000);
    Request sending = self.isendObject(particle, 0, 0);
    Particle copy = self.recvObject(0, 0);
    sending.await();
    assertEquals(particle, copy);
    assertNotSame(particle, copy);
    assertNotSame(particle.data(), copy.data());
  }
}
