// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.buffers;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Message;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Packer;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.CountedMemory;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.Test;

/** Memory with counted users has exactly as many as operations use it, in each kind of call and of end. */
@EveryTransport
class CountedMemoryTest {
  private static final int[] LENGTHS = {0, 8, 300, 15_000, 70_000, 1_000_000};

  /** Has one user, who made it, until it is given up; content goes with the last user. */
  private static final class Counted implements CountedMemory {
    private final MemorySegment segment;
    private final AtomicInteger users = new AtomicInteger(1);

    Counted(MemorySegment segment) {
      this.segment = segment;
    }

    static Counted filled(int length) {
      Counted memory = new Counted(Arena.ofAuto().allocate(Math.max(1, length)));
      Data.fill(memory.segment, length);
      return memory;
    }

    Buf<Byte> buf(int length) {
      return Buf.of(this, 0, length, Datatype.BYTE);
    }

    int users() {
      return users.get();
    }

    void giveUp() {
      int left = users.decrementAndGet();
      if (left < 0) {
        throw new MpiException(ErrorClass.ERR_BUFFER, "given up too often");
      } else if (left == 0) {
        segment.fill((byte) 0x7f);
      }
    }

    @Override
    public MemorySegment segment() {
      return segment;
    }

    @Override
    public String missing() {
      return users.get() == 0 ? "memory that is still there" : null;
    }

    @Override
    public Lease lease() {
      if (users.getAndIncrement() == 0) {
        users.set(0);
        throw new MpiException(ErrorClass.ERR_BUFFER, "memory: " + missing());
      }
      return this::giveUp;
    }
  }

  /** Ranks with counted memory and ranks without it make the same calls, also while a region is made for them. */
  @MpiTest(ranks = {2, 3})
  void countedAtOneRankOnly(Mpi mpi) {
    Comm world = mpi.world();
    for (int i = 0; i < 12; i++) {
      Counted memory = new Counted(Arena.ofAuto().allocate(1));
      memory.segment.set(ValueLayout.JAVA_BYTE, 0, (byte) i);
      byte[] array = {(byte) i};
      boolean isCounted = world.rank() == 0;
      world.allreduce(isCounted ? memory.buf(1) : Buf.of(MemorySegment.ofArray(array), 1, Datatype.BYTE), Op.BOR);
      assertEquals(i, isCounted ? memory.segment.get(ValueLayout.JAVA_BYTE, 0) : array[0]);
    }
  }

  /** The sender gives its memory up at once; the receiver its own before it waits. */
  @MpiTest(ranks = 2)
  void memoryGivenUpWhileARequestIsPending(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    for (int length : LENGTHS) {
      Counted out = Counted.filled(length);
      Counted in = new Counted(Arena.ofAuto().allocate(Math.max(1, length)));
      Request incoming = world.irecv(in.buf(length), other, 1);
      assertEquals(2, in.users());
      world.barrier();
      Request outgoing = world.issend(out.buf(length), other, 1);
      out.giveUp();
      Status status = incoming.await(new Status());
      assertEquals(1, in.users(), "given back by the wait");
      assertEquals(length, status.bytes());
      outgoing.await();
      assertEquals(0, out.users(), "freed by the wait");
      byte[] data = in.segment.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
      Data.check(data, 0, length, length);
      in.giveUp();
    }
  }

  @MpiTest(ranks = {1, 2})
  void blockingCallsLeaveNothingBehind(Mpi mpi) {
    Comm world = mpi.world();
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int length : LENGTHS) {
      Counted out = Counted.filled(length);
      Counted in = new Counted(Arena.ofAuto().allocate(Math.max(1, length)));
      world.sendrecv(out.buf(length), next, 1, in.buf(length), previous, 1);
      check(in, length);
      Request sent = world.isend(out.buf(length), next, 2);
      world.recv(in.buf(length), previous, 2);
      sent.await();
      check(in, length);
      if (world.size() == 2) {
        if (world.rank() == 0) {
          world.send(out.buf(length), 1, 3);
          world.ssend(out.buf(length), 1, 3);
        } else {
          world.recv(in.buf(length), 0, 3);
          assertEquals(length, world.recv(in.buf(length), 0, 3, new Status()).bytes());
        }
      }
      world.send(out.buf(length), Constants.PROC_NULL, 4);
      world.recv(in.buf(length), Constants.PROC_NULL, 4);
      Packer packer = Packer.into(new byte[length]);
      packer.pack(out.buf(length));
      assertEquals(1, out.users());
      assertEquals(1, in.users());
    }
  }

  private static void check(Counted in, int length) {
    Data.check(in.segment.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), 0, length, length);
    assertEquals(1, in.users());
    in.segment.fill((byte) 0);
  }

  @MpiTest(ranks = {1, 2, 3})
  void collectives(Mpi mpi) {
    Comm world = mpi.world();
    Counted mine = new Counted(Arena.ofAuto().allocate(8 * 1000, 8));
    Counted all = new Counted(Arena.ofAuto().allocate(8L * 1000 * world.size(), 8));
    mine.segment.setAtIndex(ValueLayout.JAVA_LONG, 999, world.rank() + 1);
    Buf<Long> send = Buf.of(mine, 0, 1000, Datatype.INT64_T);
    Buf<Long> recv = Buf.of(all, 0, 1000, Datatype.INT64_T);
    world.allreduce(send, recv, Op.SUM);
    long sum = world.size() * (world.size() + 1L) / 2;
    assertEquals(sum, all.segment.getAtIndex(ValueLayout.JAVA_LONG, 999));
    Request pending = world.iallreduce(send, recv, Op.MAX);
    pending.await();
    assertEquals(world.size(), all.segment.getAtIndex(ValueLayout.JAVA_LONG, 999));
    Counted gone = new Counted(Arena.ofAuto().allocate(8));
    Buf<Long> notSignificant = Buf.of(gone, 0, 1, Datatype.INT64_T);
    gone.giveUp();
    boolean root = world.rank() == 0;
    world.gather(send, root ? Buf.of(all, 0, 1000L * world.size(), Datatype.INT64_T) : notSignificant, 0);
    if (root) {
      assertEquals(world.size(), all.segment.getAtIndex(ValueLayout.JAVA_LONG, 1000L * world.size() - 1));
    }
    world.bcast(send, 0);
    assertEquals(1, mine.segment.getAtIndex(ValueLayout.JAVA_LONG, 999));
    try (Persistent sums = world.allreduceInit(send, recv, Op.SUM, null)) {
      for (int round = 0; round < 3; round++) {
        assertEquals(1, mine.users(), "nothing is held while inactive");
        sums.start();
        sums.await();
        assertEquals(world.size(), all.segment.getAtIndex(ValueLayout.JAVA_LONG, 999));
      }
    }
    Buf<?>[] parts = new Buf<?>[world.size()];
    Arrays.fill(parts, Buf.of(mine, 0, 0, Datatype.INT64_T));
    parts[world.rank()] = send;
    Buf<?>[] places = parts.clone();
    places[world.rank()] = recv;
    world.alltoallw(parts, places);
    world.ialltoallw(parts, places).await();
    assertEquals(1, all.segment.getAtIndex(ValueLayout.JAVA_LONG, 999));
    Op.SUM.reduceLocal(send, recv);
    assertEquals(1, mine.users());
    assertEquals(1, all.users());
  }

  @MpiTest(ranks = 2)
  void persistentRequestsHoldWhileActive(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    for (int length : LENGTHS) {
      Counted out = Counted.filled(length);
      Counted in = new Counted(Arena.ofAuto().allocate(Math.max(1, length)));
      try (Persistent send = world.ssendInit(out.buf(length), other, 1);
          Persistent recv = world.recvInit(in.buf(length), other, 1)) {
        assertEquals(2, out.users() + in.users(), "nothing is held yet");
        for (int round = 0; round < 3; round++) {
          recv.start();
          assertEquals(2, in.users());
          world.barrier();
          send.start();
          Request.waitAll(List.of(send, recv));
          check(in, length);
          assertEquals(1, out.users());
          world.barrier();
        }
        out.giveUp();
        assertError(ErrorClass.ERR_BUFFER, send::start, "still there");
        assertFalse(send.isActive());
      }
      assertEquals(1, in.users());
    }
  }

  @MpiTest(ranks = {1, 2})
  void partitionedRequestsHoldWhileActive(Mpi mpi) {
    Comm world = mpi.world();
    int other = world.size() - 1 - world.rank();
    for (int part : LENGTHS) {
      int length = 4 * part;
      Counted out = Counted.filled(length);
      Counted in = new Counted(Arena.ofAuto().allocate(Math.max(1, length)));
      try (PartitionedSend send = world.psendInit(out.buf(length), 4, other, 1);
          PartitionedRecv recv = world.precvInit(in.buf(length), 2, other, 1)) {
        assertEquals(2, out.users() + in.users(), "nothing is held yet");
        for (int round = 0; round < 3; round++) {
          recv.start();
          send.start();
          send.preadyRange(1, 3);
          assertEquals(2, out.users());
          send.pready(0);
          Request.waitAll(List.of(send, recv));
          check(in, length);
          assertEquals(2, out.users() + in.users());
        }
        out.giveUp();
        assertError(ErrorClass.ERR_BUFFER, send::start, "still there");
        assertFalse(send.isActive());
      }
      assertEquals(1, in.users());
    }
  }

  /** Of what is buffered nothing is needed after the call; the memory messages are buffered in is, until detached. */
  @MpiTest(ranks = {1, 2})
  void bufferedMessagesAndMatchedProbes(Mpi mpi) {
    Comm world = mpi.world();
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int length : LENGTHS) {
      Counted out = Counted.filled(length);
      Counted in = new Counted(Arena.ofAuto().allocate(Math.max(1, length)));
      Counted space = new Counted(Arena.ofAuto().allocate(length + 4096));
      mpi.bufferAttach(space.buf(length + 4096));
      assertEquals(2, space.users());
      world.bsend(out.buf(length), next, 1);
      assertEquals(1, out.users());
      Message message = world.mprobe(previous, 1);
      Request incoming = message.imrecv(in.buf(length));
      incoming.await();
      check(in, length);
      mpi.bufferFlush();
      world.ibsend(out.buf(length), next, 2).await();
      world.mprobe(previous, 2).mrecv(in.buf(length));
      check(in, length);
      mpi.bufferDetach();
      assertEquals(1, space.users());
      world.isendrecv(out.buf(length), next, 3, in.buf(length), previous, 3).await();
      check(in, length);
      world.sendrecvReplace(out.buf(length), next, 4, previous, 4);
      check(out, length);
    }
  }

  @MpiTest(ranks = 2)
  void listsOfRequestsGiveBack(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    Counted[] in = new Counted[12];
    Request[] requests = new Request[in.length];
    for (int i = 0; i < in.length; i++) {
      in[i] = new Counted(Arena.ofAuto().allocate(5_000));
      requests[i] = world.irecv(in[i].buf(5_000), other, i);
    }
    world.barrier();
    for (int i = 0; i < in.length; i++) {
      world.isend(Counted.filled(5_000).buf(5_000), other, i).await();
    }
    List<Request> some = new ArrayList<>(Arrays.asList(requests).subList(0, 3));
    while (!Request.testAll(some)) {
      Thread.onSpinWait();
    }
    List<Request> any = new ArrayList<>(Arrays.asList(requests).subList(3, 6));
    for (int done = 0; done < 3; ) {
      done += Request.testAny(any).isPresent() ? 1 : 0;
    }
    List<Request> test = new ArrayList<>(Arrays.asList(requests).subList(6, 9));
    for (int done = 0; done < 3; ) {
      done += Request.testSome(test).length;
    }
    List<Request> rest = new ArrayList<>(Arrays.asList(requests).subList(9, 12));
    for (int done = 0; done < 2; ) {
      done += Request.waitSome(rest).length;
    }
    Request.waitAll(rest);
    for (Counted memory : in) {
      check(memory, 5_000);
    }
  }

  @MpiTest(ranks = 2)
  void failedAndCancelledOperationsGiveBack(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    Counted in = new Counted(Arena.ofAuto().allocate(100));
    Request truncated = world.irecv(in.buf(10), other, 1);
    world.sendrecv(Buf.of(new byte[100]), other, 1, Buf.of(new byte[1]), Constants.PROC_NULL, 1);
    assertError(ErrorClass.ERR_TRUNCATE, truncated::await);
    assertEquals(1, in.users());
    Request cancelled = world.irecv(in.buf(10), other, 2);
    assertEquals(2, in.users());
    cancelled.cancel();
    assertTrue(cancelled.await(new Status()).isCancelled());
    assertEquals(1, in.users());
    assertError(ErrorClass.ERR_RANK, () -> world.irecv(in.buf(10), 2, 2));
    assertError(ErrorClass.ERR_TAG, () -> world.isend(in.buf(10), other, -7));
    assertEquals(1, in.users());
    Buf<Byte> buf = in.buf(10);
    in.giveUp();
    for (Runnable call : List.<Runnable>of(
        () -> world.send(buf, other, 3), () -> world.isend(buf, other, 3), () -> world.recv(buf, other, 3),
        () -> world.irecv(buf, other, 3), () -> world.recv(buf, other, 3, new Status()), () -> world.bcast(buf, 0))) {
      assertError(ErrorClass.ERR_BUFFER, call::run, "buf", "memory that is still there");
    }
    assertError(ErrorClass.ERR_BUFFER, () -> in.buf(10), "memory that is still there");
    assertEquals(0, in.users());
    world.barrier();
  }

  /** Nobody waits for the requests; whoever makes progress gives back what they held. */
  @MpiTest(ranks = 2)
  void requestsGivenUpGiveBack(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    for (int length : LENGTHS) {
      Counted out = Counted.filled(length);
      Counted in = new Counted(Arena.ofAuto().allocate(Math.max(1, length)));
      world.irecv(in.buf(length), other, 1).close();
      assertEquals(2, in.users());
      world.barrier();
      world.issend(out.buf(length), other, 1).close();
      while (out.users() != 1 || in.users() != 1) {
        world.iprobe(other, 99);
      }
      check(in, length);
      world.barrier();
    }
  }

  /** A receive that no message comes for is dropped when the rank leaves. */
  @Test
  void nothingIsHeldAfterFinalize() throws Exception {
    Counted in = new Counted(Arena.ofAuto().allocate(100));
    Counted freed = new Counted(Arena.ofAuto().allocate(100));
    Mpi.run(new String[0], mpi -> {
      mpi.world().irecv(in.buf(100), 0, 1);
      mpi.world().irecv(freed.buf(100), 0, 1).close();
      assertEquals(2, in.users());
      assertEquals(2, freed.users());
    });
    assertEquals(1, in.users());
    assertEquals(1, freed.users());
  }

  /** What can be closed in spite of its users is not taken. */
  @MpiTest(ranks = 1)
  void onlyMemoryThatStays(Mpi mpi) {
    try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      for (Arena arena : List.of(confined, shared)) {
        Counted memory = new Counted(arena.allocate(8));
        assertError(ErrorClass.ERR_BUFFER, () -> memory.buf(8), "no arena can close");
      }
    }
    Counted array = new Counted(MemorySegment.ofArray(new double[4]));
    Request self = mpi.world().irecv(Buf.of(array, 8, 2, Datatype.DOUBLE), 0, 0);
    mpi.world().send(new double[] {3, 4}, 0, 0);
    self.await();
    assertEquals(3, array.segment.getAtIndex(ValueLayout.JAVA_DOUBLE, 1));
    assertEquals(1, array.users());
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((CountedMemory) null, 0, 1, Datatype.BYTE), "null");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(array, 8, 4, Datatype.DOUBLE), "too small");
  }
}
