// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.buffers;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Memory that is freed while a message is read from it or written to it causes an error at worst, never a crash. */
@EveryTransport
@Tag("long")
class LifetimeTest {
  private static final int[] LENGTHS = {30, 1_000, 15_000, 70_000};

  /** Nobody but the operation knows the segment any more. */
  @MpiTest(ranks = {2, 3})
  void aSegmentCollectedWhileItIsSent(Mpi mpi) {
    Comm world = mpi.world();
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    List<Request> sends = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (int length : LENGTHS) {
        sends.add(world.isend(collectable(Arena.ofAuto().allocate(length), length), next, length));
        sends.add(world.isend(collectable(mpi.shared().allocate(length), length), next, length));
        sends.add(world.issend(collectable(mpi.shared().allocate(length), length), next, length));
      }
    }
    makeGarbage(mpi);
    world.barrier();
    for (int round = 0; round < 9; round++) {
      for (int length : LENGTHS) {
        byte[] data = new byte[length];
        world.recv(data, previous, length);
        Data.check(data, 0, length, length);
      }
      if (round % 3 == 0) {
        makeGarbage(mpi);
      }
    }
    Request.waitAll(sends);
  }

  private static Buf<Byte> collectable(MemorySegment segment, int length) {
    Data.fill(segment, length);
    return Buf.of(segment, length, Datatype.BYTE);
  }

  /** Has unreachable segments freed, and uses what was freed for something else. */
  private static void makeGarbage(Mpi mpi) {
    for (int i = 0; i < 2; i++) {
      System.gc();
      for (int length : LENGTHS) {
        mpi.shared().allocate(length).fill((byte) 0x77);
        Arena.ofAuto().allocate(length).fill((byte) 0x77);
      }
    }
  }

  /** A receive into memory that nobody will look at. */
  @MpiTest(ranks = 2)
  void aSegmentCollectedWhileItIsReceived(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    List<Request> receives = new ArrayList<>();
    for (int length : LENGTHS) {
      receives.add(world.irecv(Buf.of(Arena.ofAuto().allocate(length), length, Datatype.BYTE), other, length));
      receives.add(world.irecv(Buf.of(mpi.shared().allocate(length), length, Datatype.BYTE), other, length));
    }
    makeGarbage(mpi);
    world.barrier();
    for (int length : LENGTHS) {
      world.send(Data.bytes(1, length), other, length);
      world.send(Data.bytes(1, length), other, length);
    }
    Request.waitAll(receives);
    world.barrier();
  }

  /** A block of the shared heap that is freed while a peer still reads it keeps its content until the peer is done. */
  @MpiTest(ranks = 2)
  void aBlockOfTheSharedHeapFreedWhileItIsSent(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    for (int length : LENGTHS) {
      Request send;
      try (Arena arena = Arena.ofShared()) {
        MemorySegment block = mpi.shared().within(arena).allocate(length, 64);
        Data.fill(block, length);
        send = world.isend(Buf.of(block, length, Datatype.BYTE), other, 1);
      }
      try (Arena arena = Arena.ofShared()) {
        mpi.shared().within(arena).allocate(length, 64).fill((byte) 0x55);
      }
      world.barrier();
      byte[] data = new byte[length];
      // Memory that was still with the sender is gone, which both ends are told; what was sent arrives.
      MpiException lost = outcome(() -> world.recv(data, other, 1));
      MpiException error = outcome(send::await);
      int[] wasSent = new int[1];
      world.sendrecv(Buf.of(new int[] {error == null ? 1 : 0}), other, 2, Buf.of(wasSent), other, 2);
      assertEquals(wasSent[0] == 1, lost == null);
      if (wasSent[0] == 1) {
        Data.check(data, 0, length, length);
      }
    }
  }

  /** Returns the error of a call, which is one of buffers, or null. */
  private static MpiException outcome(Runnable call) {
    try {
      call.run();
      return null;
    } catch (MpiException e) {
      assertEquals(ErrorClass.ERR_BUFFER, e.errorClass(), e.getMessage());
      return e;
    }
  }

  @MpiTest(ranks = 2)
  void aSharedArenaClosedWhileItIsSent(Comm world) {
    closedWhileSent(world, Arena::ofShared);
  }

  @MpiTest(ranks = 2)
  void aConfinedArenaClosedWhileItIsSent(Comm world) {
    closedWhileSent(world, Arena::ofConfined);
  }

  private static void closedWhileSent(Comm world, Supplier<Arena> arenas) {
    int other = 1 - world.rank();
    for (int length : new int[] {70_000, 300_000}) {
      Request send;
      try (Arena arena = arenas.get()) {
        send = world.issend(Buf.of(arena.allocate(length), length, Datatype.BYTE), other, 1);
      }
      Request alsoSent = world.isend(Data.bytes(2, length), other, 1);
      world.barrier();
      byte[] data = new byte[length];
      assertError(ErrorClass.ERR_BUFFER, () -> world.recv(data, other, 1), "rank " + other + " could not send all");
      assertError(ErrorClass.ERR_BUFFER, send::await, "buffer");
      world.recv(data, other, 1);
      Data.check(data, 0, 2, length); // the way is free for the next message
      alsoSent.await();
      world.barrier();
    }
  }

  @MpiTest(ranks = 2)
  void aSharedArenaClosedWhileItIsReceived(Comm world) {
    closedWhileReceived(world, Arena::ofShared);
  }

  @MpiTest(ranks = 2)
  void aConfinedArenaClosedWhileItIsReceived(Comm world) {
    closedWhileReceived(world, Arena::ofConfined);
  }

  private static void closedWhileReceived(Comm world, Supplier<Arena> arenas) {
    int other = 1 - world.rank();
    for (int length : LENGTHS) {
      Request receive;
      try (Arena arena = arenas.get()) {
        receive = world.irecv(Buf.of(arena.allocate(length), length, Datatype.BYTE), other, 1);
      }
      world.barrier();
      Request send = world.isend(Data.bytes(3, length), other, 1);
      assertError(ErrorClass.ERR_BUFFER, receive::await, "buffer");
      send.await();
      byte[] data = new byte[length];
      Request next = world.irecv(data, other, 1);
      world.send(Data.bytes(4, length), other, 1);
      next.await();
      Data.check(data, 0, 4, length);
      world.barrier();
    }
  }

  /** Another thread closes the arena in the middle of it. */
  @MpiTest(ranks = 2)
  void anArenaClosedByAnotherThread(Comm world) throws InterruptedException {
    int other = 1 - world.rank();
    int length = 100_000;
    for (int round = 0; round < 20; round++) {
      Arena mine = Arena.ofShared();
      MemorySegment segment = mine.allocate(length);
      Request receive = null;
      Request send = null;
      byte[] data = new byte[length];
      if (round % 2 == world.rank()) {
        send = world.isend(Buf.of(segment, length, Datatype.BYTE), other, 1);
      } else {
        receive = world.irecv(round % 4 < 2 ? Buf.of(data) : Buf.of(segment, length, Datatype.BYTE), other, 1);
      }
      int spins = round * 300;
      Thread closer = Thread.ofPlatform().daemon().start(() -> {
        for (int i = 0; i < spins; i++) {
          Thread.onSpinWait();
        }
        while (true) {
          try {
            mine.close();
            return;
          } catch (IllegalStateException e) {
            Thread.onSpinWait(); // a copy was running
          }
        }
      });
      try {
        (send != null ? send : receive).await();
      } catch (MpiException e) {
        assertEquals(ErrorClass.ERR_BUFFER, e.errorClass(), e.getMessage());
      }
      Thread.interrupted(); // closing a shared arena under a copy sometimes leaves the JVM's own interrupt behind
      closer.join();
    }
    world.barrier();
  }

  /** A mapped file that is unmapped while it is sent, and while it is received into. */
  @MpiTest(ranks = 2)
  void aFileUnmappedWhileInUse(Comm world, @TempDir Path directory) throws IOException {
    int other = 1 - world.rank();
    int length = 80_000;
    Path file = directory.resolve("rank-" + world.rank());
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      Request send;
      Request receive;
      try (Arena arena = Arena.ofShared()) {
        MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 2L * length, arena);
        send = world.isend(Buf.of(mapped.asSlice(0, length), length, Datatype.BYTE), other, 1);
        receive = world.irecv(Buf.of(mapped.asSlice(length), length, Datatype.BYTE), other, 2);
      }
      world.barrier();
      byte[] data = new byte[length];
      Request incoming = world.irecv(data, other, 1);
      Request outgoing = world.isend(data, other, 2);
      assertError(ErrorClass.ERR_BUFFER, send::await);
      assertError(ErrorClass.ERR_BUFFER, receive::await);
      assertError(ErrorClass.ERR_BUFFER, incoming::await, "rank " + other + " could not send all");
      outgoing.await();
    }
    world.barrier();
  }

  @MpiTest(ranks = 1)
  void closedArenasAreRefused(Comm world) {
    Buf<Byte> shared;
    Buf<Byte> confined;
    MemorySegment closed;
    try (Arena one = Arena.ofShared();
        Arena two = Arena.ofConfined()) {
      shared = Buf.of(one.allocate(64), 64, Datatype.BYTE);
      confined = Buf.of(two.allocate(64), 64, Datatype.BYTE);
      closed = one.allocate(8);
    }
    for (Buf<Byte> buf : List.of(shared, confined)) {
      assertError(ErrorClass.ERR_BUFFER, () -> world.send(buf, 0, 0), "arena");
      assertError(ErrorClass.ERR_BUFFER, () -> world.recv(buf, 0, 0), "arena");
      assertError(ErrorClass.ERR_BUFFER, () -> world.isend(buf, 0, 0), "arena");
      assertError(ErrorClass.ERR_BUFFER, () -> world.irecv(buf, 0, 0), "arena");
      assertError(ErrorClass.ERR_BUFFER, () -> world.bcast(buf, 0), "arena");
    }
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(closed, 8, Datatype.BYTE), "arena");
  }

  /** Memory of the shared heap may be used after its world has ended, until it is unreachable. */
  @MpiTest(ranks = {1, 2})
  void theSharedHeapOutlivesItsWorld(Mpi mpi) {
    MemorySegment block = mpi.shared().allocate(1 << 20);
    mpi.close();
    Data.fill(block, 5);
    System.gc();
    Data.check(block, 5, 1 << 20);
    assertTrue(block.scope().isAlive());
  }
}
