// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.fake.FakeEngine.Call;
import org.ffmpi.spi.Channel;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Arguments of the point-to-point calls, as they reach the engine, and refused ones. */
class PointToPointTest {
  private final Worlds w = Worlds.returning(1, 4);
  private final IntraComm world = w.world;
  private final double[] data = {1, 2, 3};
  private final Buf<Double> buf = Buf.of(data);

  /** Every call that has a destination. */
  private List<Executable> sends(int dest, int tag) {
    return List.of(
        () -> world.send(buf, dest, tag),
        () -> world.send(data, dest, tag),
        () -> world.ssend(buf, dest, tag),
        () -> world.isend(buf, dest, tag),
        () -> world.isend(data, dest, tag),
        () -> world.issend(buf, dest, tag),
        () -> world.sendrecv(buf, dest, tag, Buf.of(new int[1]), 0, 0),
        () -> world.requests().isend(data, dest, tag),
        () -> world.requests().isend(buf, dest, tag));
  }

  /** Every call that has a source and a buffer. */
  private List<Executable> receives(int source, int tag) {
    return List.of(
        () -> world.recv(buf, source, tag),
        () -> world.recv(buf, source, tag, new Status()),
        () -> world.recv(data, source, tag),
        () -> world.recv(data, source, tag, new Status()),
        () -> world.irecv(buf, source, tag),
        () -> world.irecv(data, source, tag),
        () -> world.sendrecv(Buf.of(new int[1]), 0, 0, buf, source, tag),
        () -> world.requests().irecv(data, source, tag),
        () -> world.requests().irecv(buf, source, tag));
  }

  private List<Executable> probes(int source, int tag) {
    return List.of(
        () -> world.probe(source, tag),
        () -> world.probe(source, tag, new Status()),
        () -> world.iprobe(source, tag),
        () -> world.iprobe(source, tag, new Status()));
  }

  @Test
  @DisplayName("S1-3.2.3-d: destinations are 0..size-1 or PROC_NULL")
  void destinationsOutOfRange() {
    for (int dest : new int[] {4, 7, -4, Constants.ANY_SOURCE, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      for (Executable send : sends(dest, 0)) {
        assertError(ErrorClass.ERR_RANK, send, "dest = " + dest, "0..3 or PROC_NULL");
      }
    }
    assertTrue(w.engine.calls.stream().noneMatch(c -> c.name().contains("send")));
  }

  @Test
  @DisplayName("S1-2.5.4-b: sources are 0..size-1, ANY_SOURCE or PROC_NULL")
  void sourcesOutOfRange() {
    for (int source : new int[] {4, -2, -4, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      for (Executable call : concat(receives(source, 0), probes(source, 0))) {
        assertError(ErrorClass.ERR_RANK, call, "source = " + source, "0..3, ANY_SOURCE or PROC_NULL");
      }
    }
  }

  @Test
  @DisplayName("S1-3.2.3-b: tags are 0..TAG_UB, on receiving also ANY_TAG")
  void tagsOutOfRange() {
    for (int tag : new int[] {-1, Constants.ANY_TAG, Integer.MIN_VALUE}) {
      for (Executable send : sends(0, tag)) {
        assertError(ErrorClass.ERR_TAG, send, "tag = " + tag, "0..2147483647");
      }
    }
    for (int tag : new int[] {-1, -3, Integer.MIN_VALUE}) {
      for (Executable call : concat(receives(0, tag), probes(0, tag))) {
        assertError(ErrorClass.ERR_TAG, call, "tag = " + tag, "ANY_TAG");
      }
    }
    world.send(data, 0, Integer.MAX_VALUE);
    assertEquals(Integer.MAX_VALUE, w.engine.last().tag());
  }

  @Test
  void wrongTagsToNobodyAreErrorsToo() {
    assertError(ErrorClass.ERR_TAG, () -> world.send(data, Constants.PROC_NULL, -7), "tag = -7");
    assertError(ErrorClass.ERR_TAG, () -> world.irecv(data, Constants.PROC_NULL, -7), "tag = -7");
  }

  @Test
  void buffersThatCannotBeUsed() {
    Buf<Byte> readOnly = Buf.of(MemorySegment.ofArray(new byte[4]).asReadOnly(), 4, Datatype.BYTE);
    Buf<Byte> closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = Buf.of(arena.allocate(4), 4, Datatype.BYTE);
    }
    for (Buf<?> wrong : new Buf<?>[] {null, Buf.inPlace(), closed}) {
      assertError(ErrorClass.ERR_BUFFER, () -> world.send(wrong, 0, 0), "buffer = ");
      assertError(ErrorClass.ERR_BUFFER, () -> world.ssend(wrong, 0, 0), "buffer = ");
      assertError(ErrorClass.ERR_BUFFER, () -> world.isend(wrong, 0, 0), "buffer = ");
      assertError(ErrorClass.ERR_BUFFER, () -> world.issend(wrong, 0, 0), "buffer = ");
      assertError(ErrorClass.ERR_BUFFER, () -> world.sendrecv(wrong, 0, 0, buf, 0, 0), "buffer = ");
    }
    world.send(readOnly, 0, 0);
    for (Buf<?> wrong : new Buf<?>[] {null, Buf.inPlace(), closed, readOnly}) {
      assertError(ErrorClass.ERR_BUFFER, () -> world.recv(wrong, 0, 0), "buffer = ");
      assertError(ErrorClass.ERR_BUFFER, () -> world.recv(wrong, 0, 0, new Status()), "buffer = ");
      assertError(ErrorClass.ERR_BUFFER, () -> world.irecv(wrong, 0, 0), "buffer = ");
      assertError(ErrorClass.ERR_BUFFER, () -> world.sendrecv(buf, 0, 0, wrong, 0, 0), "buffer = ");
    }
    assertError(ErrorClass.ERR_BUFFER, () -> world.send((double[]) null, 0, 0), "buffer = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.recv((boolean[]) null, 0, 0), "buffer = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.recv((int[]) null, 0, 0, new Status()), "buffer = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.isend((char[]) null, 0, 0), "buffer = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.irecv((long[]) null, 0, 0), "buffer = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.sendrecv(buf, 0, 0, buf, 0, 0), "overlap");
    assertEquals(1, w.engine.calls.size(), "only the send of read-only memory reached the engine");
  }

  @Test
  void aStatusIsNeededWhereOneIsAskedFor() {
    assertError(ErrorClass.ERR_ARG, () -> world.recv(data, 0, 0, null), "into = null");
    assertError(ErrorClass.ERR_ARG, () -> world.recv(buf, 0, 0, null), "into = null");
    assertError(ErrorClass.ERR_ARG, () -> world.probe(0, 0, null), "into = null");
    assertError(ErrorClass.ERR_ARG, () -> world.iprobe(0, 0, null), "into = null");
    assertError(ErrorClass.ERR_ARG, () -> world.sendrecv(buf, 0, 0, Buf.of(new int[1]), 0, 0, null), "into = null");
  }

  @Test
  void flatArgumentsReachTheEngine() {
    world.send(data, 3, 9);
    assertEquals(
        new Call("send", Memory.DOUBLES, data, 0, 3, TypeHandle.planOf(Datatype.DOUBLE), 3, 0, 9), w.engine.last());
    world.ssend(Buf.of(data, 1, 2), 0, 8);
    assertEquals(
        new Call("ssend", Memory.DOUBLES, data, 8, 2, TypeHandle.planOf(Datatype.DOUBLE), 0, 0, 8), w.engine.last());
    MemorySegment s = Arena.ofAuto().allocate(64);
    world.recv(Buf.of(s, 3, Datatype.INT).at(4), Constants.ANY_SOURCE, Constants.ANY_TAG);
    assertEquals(
        new Call("recv", Memory.NATIVE, s, s.address() + 4, 3, TypeHandle.planOf(Datatype.INT), -1, 0, -2),
        w.engine.last());
    world.irecv(Buf.of(new byte[2]), 1, 7);
    assertEquals("irecv", w.engine.last().name());
    world.issend(buf, 1, 7);
    assertEquals("issend", w.engine.last().name());
  }

  @Test
  void eachKindOfArrayIsSentAsItsOwnType() {
    List<Object> arrays = List.of(new double[2], new float[2], new int[2], new long[2], new short[2], new char[2],
        new byte[2], new boolean[2]);
    world.send((double[]) arrays.get(0), 0, 0);
    world.isend((float[]) arrays.get(1), 0, 0);
    world.recv((int[]) arrays.get(2), 0, 0);
    world.recv((long[]) arrays.get(3), 0, 0, new Status());
    world.irecv((short[]) arrays.get(4), 0, 0);
    world.send((char[]) arrays.get(5), 0, 0);
    world.requests().isend((byte[]) arrays.get(6), 0, 0);
    world.requests().irecv((boolean[]) arrays.get(7), 0, 0);
    for (int i = 0; i < arrays.size(); i++) {
      Call call = w.engine.calls.get(i);
      assertSame(arrays.get(i), call.owner());
      assertEquals(Memory.kindOfArray(arrays.get(i)), call.kind());
      assertSame(TypeHandle.planOf(Datatype.ofArray(arrays.get(i).getClass())), call.plan());
      assertEquals(2, call.count());
    }
  }

  @Test
  @DisplayName("S1-3.2.2-b: a message may be empty")
  void emptyMessagesAreSent() {
    world.send(new double[0], 2, 5);
    assertEquals(0, w.engine.last().count());
    world.send(Buf.of(data, 3, 0), 2, 5);
    assertEquals(0, w.engine.last().count());
  }

  @Test
  @DisplayName("S1-3.1-c: PROC_NULL returns at once; source PROC_NULL, tag ANY_TAG, count 0")
  void nobodyTakesAndGivesNothing() {
    int nobody = Constants.PROC_NULL;
    world.send(data, nobody, 0);
    world.ssend(buf, nobody, 0);
    world.recv(data, nobody, 3);
    world.recv(buf, nobody, 3);
    world.sendrecv(buf, nobody, 0, Buf.of(new int[1]), nobody, 0);
    List<Status> statuses = new ArrayList<>();
    statuses.add(world.recv(data, nobody, 3, new Status()));
    statuses.add(world.recv(buf, nobody, Constants.ANY_TAG, new Status()));
    statuses.add(world.probe(nobody, 3));
    statuses.add(world.iprobe(nobody, 3).orElseThrow());
    statuses.add(world.irecv(data, nobody, 3).await(new Status()));
    Request test = world.irecv(buf, nobody, 3);
    statuses.add(test.getStatus().orElseThrow());
    assertTrue(test.test());
    statuses.add(world.sendrecv(buf, nobody, 0, Buf.of(new int[1]), nobody, 0, new Status()));
    for (Status s : statuses) {
      assertEquals(nobody, s.source());
      assertEquals(Constants.ANY_TAG, s.tag());
      assertEquals(0, s.getCount(Datatype.DOUBLE));
      assertEquals(ErrorClass.SUCCESS, s.error());
      assertFalse(s.isCancelled());
    }
    world.isend(data, nobody, 0).await();
    world.issend(buf, nobody, 0).await();
    assertTrue(w.engine.calls.isEmpty());
    assertArrayEquals(new double[] {1, 2, 3}, data);
  }

  @Test
  @DisplayName("S1-3.1-a: a status tells source, tag and count of a message shorter than its buffer")
  void statusOfAShorterMessage() {
    w.engine.foundPeer = 0;
    w.engine.foundTag = 99;
    w.engine.foundBytes = 13;
    Status status = new Status();
    assertSame(status, world.recv(Buf.of(new byte[20], 20, Datatype.CHAR), 0, 99, status));
    assertEquals(13, status.getCount(Datatype.CHAR));
    assertEquals(0, status.source());
    assertEquals(99, status.tag());
    assertEquals(13, world.probe(0, 99).bytes());
    assertEquals(13, world.iprobe(0, 99).orElseThrow().getElements(Datatype.BYTE));
    w.engine.found = false;
    assertTrue(world.iprobe(0, 99).isEmpty());
    assertFalse(world.iprobe(0, 99, status));
  }

  @Test
  void truncationIsThrownAndTheStatusFilled() {
    w.engine.foundPeer = 2;
    w.engine.foundTag = 5;
    w.engine.foundBytes = 24;
    MpiException truncated = new MpiException(ErrorClass.ERR_TRUNCATE, "message of 32 bytes");
    w.engine.failNext = truncated;
    Status status = new Status();
    status.setError(ErrorClass.ERR_OTHER);
    assertSame(truncated, assertError(ErrorClass.ERR_TRUNCATE, () -> world.recv(data, 2, 5, status)));
    assertEquals(ErrorClass.ERR_OTHER, status.error(), "not touched");
    assertEquals(2, status.source());
    assertEquals(3, status.getCount(Datatype.DOUBLE));
  }

  @Test
  void whatTheEngineThrowsBecomesAnMpiError() {
    w.engine.failNext = new IllegalStateException("Already closed");
    assertError(ErrorClass.ERR_BUFFER, () -> world.send(data, 0, 0), "the arena of this buffer has been closed");
    w.engine.failNext = new WrongThreadException("not yours");
    assertError(ErrorClass.ERR_BUFFER, () -> world.irecv(data, 0, 0), "not yours");
    w.engine.failNext = new ArrayIndexOutOfBoundsException("7");
    MpiException internal = assertError(ErrorClass.ERR_INTERN, () -> world.probe(0, 0), "7");
    assertTrue(internal.getCause() instanceof ArrayIndexOutOfBoundsException);
  }

  @Test
  void selfIsAWorldOfOne() {
    IntraComm self = w.mpi.self();
    assertEquals(0, self.rank());
    assertEquals(1, self.size());
    self.send(data, 0, 1);
    assertEquals(1, w.engine.last().peer(), "rank 0 of self is this process, peer 1");
    assertEquals(Channel.SELF_CONTEXT, w.engine.last().context());
    w.engine.foundPeer = 1;
    assertEquals(0, self.recv(data, 0, 1, new Status()).source(), "and back");
    assertError(ErrorClass.ERR_RANK, () -> self.send(data, 1, 1), "dest = 1", "allowed are 0 or");
  }

  @Test
  void sendsThatAreOverHaveRequestsOfTheirOwn() {
    Request first = world.isend(data, 0, 0);
    Request second = world.isend(buf, 0, 0);
    assertNotSame(first, second);
    first.await();
    assertFalse(first.isActive());
    assertTrue(second.isActive());
    second.await();
    assertTrue(first.test());
    assertEquals(Constants.ANY_SOURCE, first.await(new Status()).source());
    assertFalse(first.getStatus().isEmpty());
    w.engine.eager = false;
    assertNotSame(world.isend(data, 0, 0), world.isend(data, 0, 0));
  }

  @Test
  void sendrecvReceivesWhileItSends() {
    w.engine.eager = false;
    w.engine.onProgress = () -> w.engine.started.getFirst().finish(3, 6, 4);
    Status status = world.sendrecv(buf, 2, 5, Buf.of(new int[1]), 3, 6, new Status());
    assertEquals(List.of("trySend", "irecv", "send"), w.engine.calls.stream().map(Call::name).toList());
    assertEquals(3, status.source());
    assertEquals(1, status.getCount(Datatype.INT32_T));
  }

  @Test
  void sendrecvOfWhatLeavesAtOnceJustReceives() {
    world.sendrecv(buf, 2, 5, Buf.of(new int[1]), 3, 6);
    assertEquals(List.of("trySend", "recv"), w.engine.calls.stream().map(Call::name).toList());
  }

  @Test
  void sendrecvTakesTheReceiveBackWhenTheSendFails() {
    w.engine.eager = false;
    w.engine.failSends = new MpiException(ErrorClass.ERR_PROC_ABORTED, "gone");
    assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.sendrecv(buf, 2, 5, Buf.of(new int[1]), 3, 6), "gone");
    assertTrue(w.engine.started.getFirst().isDone(), "cancelled");
    assertTrue(w.told.isEmpty());
  }

  @Test
  void nothingWorksAfterFinalize() {
    Requests scope = world.requests();
    w.engine.eager = false;
    Request pending = world.isend(data, 0, 0);
    w.mpi.close();
    for (Executable call : concat(concat(sends(0, 0), receives(0, 0)), probes(0, 0))) {
      assertError(ErrorClass.ERR_OTHER, call, "finalized");
    }
    for (Executable call : List.<Executable>of(
        () -> world.send(data, Constants.PROC_NULL, 0),
        world::barrier,
        world::ibarrier,
        () -> world.bcast(buf, 0),
        () -> world.allreduce(buf, Op.SUM),
        () -> world.abort(3),
        () -> world.setName("x"),
        () -> world.setErrhandler(Errhandler.RETURN),
        () -> w.mpi.shared().allocate(8),
        pending::await,
        pending::test,
        () -> Request.waitAll(new ArrayList<>(List.of(pending))),
        () -> Request.testAny(new ArrayList<>(List.of(pending))))) {
      assertError(ErrorClass.ERR_OTHER, call, "finalized");
    }
    scope.close();
    assertEquals(0, w.engine.abortCode);
  }

  private static List<Executable> concat(List<Executable> a, List<Executable> b) {
    List<Executable> all = new ArrayList<>(a);
    all.addAll(b);
    return all;
  }
}
