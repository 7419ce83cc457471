// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.buffers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.ffmpi.Buf;
import org.ffmpi.Errhandler;
import org.ffmpi.IntraComm;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;

/** Receives whose memory is asked for when their message is matched. */
class MemoryAtMatchTest {
  private static final int[] LENGTHS = {0, 1, 60, 5_000, 16 << 10, 70_001, 1 << 20};

  /** Remembers the segments that it has given. */
  private static final class Room implements LongFunction<MemorySegment> {
    final List<MemorySegment> given = new ArrayList<>();
    private final boolean inNativeMemory;

    Room(boolean inNativeMemory) {
      this.inNativeMemory = inNativeMemory;
    }

    @Override
    public MemorySegment apply(long bytes) {
      MemorySegment segment =
          inNativeMemory ? Arena.ofAuto().allocate(bytes) : MemorySegment.ofArray(new byte[(int) bytes]);
      given.add(segment);
      return segment;
    }
  }

  private static byte[] message(int length, int seed) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 31 + seed + (i >> 8));
    }
    return bytes;
  }

  @EveryTransport
  @MpiTest(ranks = 2)
  void anyLengthArrivesPostedBeforeAndAfter(IntraComm world) {
    int other = 1 - world.rank();
    for (int length : LENGTHS) {
      Room first = new Room(length % 2 == 0);
      Room second = new Room(length % 2 != 0);
      Request before = world.irecv(other, 1, first);
      world.barrier();
      Request sentFirst = world.isend(message(length, 1), other, 1);
      Request sentSecond = world.issend(Buf.of(message(length, 2)), other, 2);
      Status status = new Status();
      before.await(status);
      assertEquals(length, status.bytes());
      Request after = world.irecv(Constants.ANY_SOURCE, 2, second);
      after.await(status);
      assertEquals(other, status.source());
      sentFirst.await();
      sentSecond.await();
      assertArrayEquals(message(length, 1), first.given.getFirst().toArray(ValueLayout.JAVA_BYTE));
      assertArrayEquals(message(length, 2), second.given.getFirst().toArray(ValueLayout.JAVA_BYTE));
      assertEquals(List.of(1, 1), List.of(first.given.size(), second.given.size()), "how often it was asked");
    }
  }

  @MpiTest(ranks = 2)
  void itKeepsItsPlaceAmongTheReceives(IntraComm world) {
    if (world.rank() == 0) {
      world.send(new int[] {1}, 1, 0);
      world.send(new int[] {2, 2}, 1, 0);
      world.send(new int[] {3}, 1, 0);
    } else {
      int[] first = new int[1];
      int[] third = new int[1];
      Room room = new Room(false);
      Request[] all = {world.irecv(first, 0, 0), world.irecv(0, 0, room), world.irecv(third, 0, 0)};
      Request.waitAll(List.of(all));
      assertEquals(1, first[0]);
      assertEquals(8, room.given.getFirst().byteSize());
      assertEquals(3, third[0]);
    }
  }

  @MpiTest(ranks = 2)
  void elementsOfAnyTypeCome(IntraComm world) {
    Datatype<Integer> every = Datatype.vector(3, 1, 2, Datatype.INT32_T).commit();
    if (world.rank() == 0) {
      world.send(Buf.of(new int[] {1, 0, 2, 0, 3}, 1, every), 1, 0);
    } else {
      Room room = new Room(false);
      world.irecv(0, 0, room).await();
      assertArrayEquals(new int[] {1, 2, 3}, room.given.getFirst().toArray(ValueLayout.JAVA_INT_UNALIGNED));
    }
  }

  @MpiTest(ranks = 1)
  void aRankSendsToItself(IntraComm world) {
    for (int length : LENGTHS) {
      Room room = new Room(true);
      Request receive = world.irecv(0, 5, room);
      world.send(message(length, 9), 0, 5);
      receive.await();
      assertArrayEquals(message(length, 9), room.given.getFirst().toArray(ValueLayout.JAVA_BYTE));
    }
  }

  @MpiTest(ranks = 2)
  void whatGoesWrongIsTheErrorOfTheReceive(IntraComm world) {
    world.setErrhandler(Errhandler.RETURN);
    List<LongFunction<MemorySegment>> bad = List.of(
        length -> null,
        length -> MemorySegment.ofArray(new byte[(int) length - 1]),
        length -> MemorySegment.ofArray(new byte[(int) length]).asReadOnly(),
        length -> Arena.ofConfined().allocate(length),
        length -> {
          throw new IllegalStateException("no room");
        },
        length -> {
          throw new OutOfMemoryError("none left");
        });
    for (int length : new int[] {8, 70_000}) {
      for (int i = 0; i < bad.size(); i++) {
        if (world.rank() == 0) {
          world.send(message(length, i), 1, i);
        } else {
          Request receive = world.irecv(0, i, bad.get(i));
          MpiException error = assertThrows(MpiException.class, receive::await);
          assertEquals(i < 4 ? ErrorClass.ERR_BUFFER : ErrorClass.ERR_OTHER, error.errorClass());
          assertTrue(error.getMessage().contains("memory for a message of " + length + " bytes"), error.getMessage());
        }
      }
      if (world.rank() == 0) {
        world.send(new int[] {7}, 1, 99);
      } else {
        int[] next = new int[1];
        world.recv(next, 0, 99);
        assertEquals(7, next[0], "the messages after them");
      }
    }
  }

  @MpiTest(ranks = 1)
  void nobodyAsksForMemoryThatIsNotNeeded(IntraComm world) {
    Room room = new Room(false);
    Status status = new Status();
    world.irecv(Constants.PROC_NULL, 0, room).await(status);
    assertEquals(Constants.PROC_NULL, status.source());
    Request receive = world.irecv(0, 0, room);
    receive.cancel();
    receive.await(status);
    assertTrue(status.isCancelled());
    assertEquals(List.of(), room.given);
    world.setErrhandler(Errhandler.RETURN);
    MpiException error = assertThrows(MpiException.class, () -> world.irecv(0, 0, null));
    assertEquals(ErrorClass.ERR_BUFFER, error.errorClass());
    assertNull(error.getCause());
  }
}
