// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Request;
import org.ffmpi.ThreadWorld;
import org.ffmpi.base.Attributes;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufBlocks;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Arguments for which the JVM has an exception of its own get one of MPI that names argument and value. */
class RawExceptionsTest {
  private static final Keyval<String, String> KEY = Keyval.shared();

  private static void refused(ErrorClass errorClass, String argument, Executable call) {
    MpiException e = assertThrows(MpiException.class, call);
    assertEquals(errorClass, e.errorClass(), e.getMessage());
    assertTrue(e.getMessage().contains(argument), e.getMessage());
  }

  @Test
  void elementsOfTypes() {
    MemorySegment segment = Arena.ofAuto().allocate(64, 8);
    refused(ErrorClass.ERR_TYPE, "arrayClass", () -> Datatype.ofArray(null));
    refused(ErrorClass.ERR_ARG, "value = null", () -> Datatype.INT.set(segment, 0, null));
    refused(ErrorClass.ERR_BUFFER, "segment = null", () -> Datatype.INT.set(null, 0, 1));
    refused(ErrorClass.ERR_BUFFER, "segment = null", () -> Datatype.INT.get(null, 0));
    refused(ErrorClass.ERR_BUFFER, "element 16", () -> Datatype.INT.get(segment, 16));
    refused(ErrorClass.ERR_ARG, "index = -1", () -> Datatype.INT.get(segment, -1));
    refused(ErrorClass.ERR_BUFFER, "element", () -> Datatype.INT.get(segment, Long.MAX_VALUE));
    refused(ErrorClass.ERR_BUFFER, "segment", () -> Datatype.INT.set(segment.asReadOnly(), 0, 1));
    refused(ErrorClass.ERR_BUFFER, "segment", () -> {
      MemorySegment closed;
      try (Arena arena = Arena.ofConfined()) {
        closed = arena.allocate(8);
      }
      Datatype.INT.get(closed, 0);
    });
    refused(ErrorClass.ERR_ARG, "value = text", () -> setRaw(Datatype.INT, segment, "text"));
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // as from code without generics
  private static void setRaw(Datatype type, MemorySegment segment, Object value) {
    type.set(segment, 0, value);
  }

  @Test
  void buffers() {
    Datatype<Integer> type = Datatype.INT;
    refused(ErrorClass.ERR_BUFFER, "segment = null", () -> Buf.of((MemorySegment) null, 1, type));
    refused(ErrorClass.ERR_BUFFER, "segment = null", () -> Buf.of((MemorySegment) null, 4, 1, type));
    refused(ErrorClass.ERR_BUFFER, "buffer = null", () -> Buf.of((ByteBuffer) null, 1, type));
    refused(ErrorClass.ERR_BUFFER, "segment = null", () -> Buf.of((MemorySegment) null, 4, 1, null));
    refused(ErrorClass.ERR_TYPE, "type = null", () -> Buf.of(Arena.ofAuto().allocate(8), 4, 1, null));
    Buf<?> buf = Buf.of(Arena.ofAuto().allocate(8), 2, type);
    refused(ErrorClass.ERR_ARG, "blocks of send = -1", () -> BufBlocks.equal("send", buf, -1));
  }

  @Test
  void attributes() {
    Attributes<String> attributes = new Attributes<>("object");
    refused(ErrorClass.ERR_ARG, "object = null", () -> new Attributes<>(null));
    refused(ErrorClass.ERR_ARG, "owner = null", () -> new Attributes<>("object", null));
    refused(ErrorClass.ERR_KEYVAL, "key = null", () -> attributes.get(null));
    refused(ErrorClass.ERR_KEYVAL, "key = null", () -> attributes.set(null, ""));
    refused(ErrorClass.ERR_ARG, "duplicate = null", () -> attributes.copyTo(null));
    attributes.set(KEY, "value");
    refused(ErrorClass.ERR_ARG, "duplicate = null", () -> attributes.copyTo(null));
    refused(ErrorClass.ERR_ARG, "duplicate = null", () -> attributes.copy().accept(null));
  }

  @Test
  void worldsOfThreads() {
    try (ThreadWorld world = ThreadWorld.start(1, Map.of(), mpi -> {})) {
      refused(ErrorClass.ERR_ARG, "limit = null", () -> world.await(null));
      assertTrue(world.await(Duration.ofSeconds(Long.MAX_VALUE)));
      assertTrue(world.await(Duration.ofSeconds(Long.MIN_VALUE)));
    }
    refused(ErrorClass.ERR_ARG, "body = null", () -> ThreadWorld.start(1, Map.of(), null).await());
    refused(ErrorClass.ERR_ARG, "settings = null", () -> ThreadWorld.start(1, null, mpi -> {}).await());
    try (ThreadWorld world = ThreadWorld.start(1, Map.of(), mpi -> mpi.world().recv(new int[1], 0, 0))) {
      assertFalse(world.await(Duration.ofSeconds(Long.MIN_VALUE)));
      world.abort(null);
      assertThrows(MpiException.class, world::await);
    }
  }

  @MpiTest(ranks = 2)
  void oneRequestAwaitedByTwoThreads(Comm world) throws InterruptedException {
    for (int round = 0; round < 200; round++) {
      if (world.rank() == 1) {
        world.recv(new int[1], 0, 1);
        world.send(new int[] {round}, 0, 2);
        continue;
      }
      Request request = world.irecv(new int[1], 1, 2);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      CountDownLatch begun = new CountDownLatch(2);
      List<Thread> threads = List.of(waiter(request, begun, failure), waiter(request, begun, failure));
      begun.await();
      world.send(new int[1], 1, 1);
      for (Thread thread : threads) {
        thread.join();
      }
      if (failure.get() instanceof MpiException e) {
        assertEquals(ErrorClass.ERR_REQUEST, e.errorClass(), e.toString());
      } else {
        assertEquals(null, failure.get());
      }
    }
  }

  private static Thread waiter(Request request, CountDownLatch begun, AtomicReference<Throwable> failure) {
    return Thread.ofPlatform().start(() -> {
      begun.countDown();
      try {
        request.await();
      } catch (Throwable e) {
        failure.set(e);
      }
    });
  }
}
