// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.tool;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.ffmpi.Comm;
import org.ffmpi.Info;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Incident;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tool.Binding;
import org.ffmpi.tool.CallbackSafety;
import org.ffmpi.tool.EventInstance;
import org.ffmpi.tool.EventRegistration;
import org.ffmpi.tool.EventSource;
import org.ffmpi.tool.EventType;
import org.ffmpi.tool.SourceOrdering;
import org.ffmpi.tool.Tool;
import org.junit.jupiter.api.Test;

/** Events, their sources, callbacks and elements (MPI-4.1 §15.3.8). */
class EventsTest {
  private final CountDownLatch sent = new CountDownLatch(1);

  @MpiTest(ranks = 2, settings = "ffmpi.ring.slots=8")
  void eachSendWithoutRoomIsReportedOnce(Comm world) throws InterruptedException {
    if (world.rank() == 1) {
      sent.await();
      for (int i = 0; i < 11; i++) {
        world.recv(new int[1], 0, 1);
      }
      return;
    }
    try (Tool tool = Tool.init(ThreadLevel.MULTIPLE)) {
      ConcurrentLinkedQueue<EventInstance> events = new ConcurrentLinkedQueue<>();
      EventRegistration full = tool.eventType("ffmpi.ring.full").allocate(null);
      full.register(CallbackSafety.THREAD_SAFE, null, (event, registration, safety) -> {
        assertSame(full, registration);
        assertEquals(CallbackSafety.THREAD_SAFE, safety);
        events.add(event);
      });
      long before = tool.source(0).timestamp();
      List<Request> sends = new ArrayList<>();
      for (int i = 0; i < 11; i++) {
        sends.add(world.isend(new int[1], 1, 1));
      }
      assertEquals(3, events.size(), "called in place");
      EventInstance first = events.peek();
      assertEquals(1, first.read(0));
      assertEquals(1, first.read(1));
      assertEquals(4, first.read(2));
      assertEquals("ffmpi.ring.full peer=1 tag=1 bytes=4", first.toString());
      assertEquals("ffmpi.engine", first.source().name());
      assertTrue(first.timestamp() - before >= 0 && tool.source(0).timestamp() - first.timestamp() >= 0);
      assertError(ErrorClass.T_ERR_INVALID_ITEM, () -> first.read(3), "index = 3: allowed are 0..2");
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment copy = arena.allocate(full.info().size() == 1 ? 24 : 0);
        first.copy(copy);
        assertEquals(4, copy.get(ValueLayout.JAVA_LONG_UNALIGNED, 16));
        assertError(ErrorClass.T_ERR_INVALID, () -> first.copy(copy.asSlice(0, 23)), "23 bytes: allowed are 24 bytes");
      }
      full.close();
      sent.countDown();
      Request.waitAll(sends);
      assertError(ErrorClass.T_ERR_INVALID_HANDLE, full::info, "ffmpi.ring.full");
    }
  }

  /** A callback that promises nothing runs in the thread of the tool, and may call MPI. */
  @MpiTest(ranks = 2, timeout = 120)
  void callbacksWithoutAPromiseRunInAThreadOfTheTool(Comm world) throws InterruptedException {
    if (world.rank() == 0) {
      world.send(new int[5], 1, 7);
      world.send(new int[1], 1, 8);
      assertEquals(20, receiveInt(world));
      return;
    }
    try (Tool tool = Tool.init(ThreadLevel.MULTIPLE)) {
      LinkedBlockingQueue<EventInstance> events = new LinkedBlockingQueue<>();
      Thread rank = Thread.currentThread();
      EventRegistration unexpected = tool.eventType("ffmpi.message.unexpected").allocate(new Info());
      unexpected.register(CallbackSafety.NONE, null, (event, registration, safety) -> {
        assertNotEquals(rank, Thread.currentThread());
        assertEquals(CallbackSafety.NONE, safety);
        world.send(new int[] {(int) event.read(2)}, 0, 9);
        events.add(event);
      });
      world.recv(new int[1], 0, 8);
      EventInstance event = events.poll(60, TimeUnit.SECONDS);
      assertEquals("ffmpi.message.unexpected peer=0 tag=7 bytes=20", String.valueOf(event));
      world.recv(new int[5], 0, 7);
      CountDownLatch freed = new CountDownLatch(1);
      unexpected.close(freed::countDown);
      assertTrue(freed.await(60, TimeUnit.SECONDS), "told that no call follows");
    }
  }

  private static int receiveInt(Comm world) {
    int[] data = new int[1];
    world.recv(data, 1, 9);
    return data[0];
  }

  @MpiTest(ranks = 2, timeout = 120)
  void lostEventsAreCounted(Comm world) throws InterruptedException {
    if (world.rank() == 0) {
      for (int i = 0; i < 10; i++) {
        world.send(new int[1], 1, i);
      }
      world.send(new int[1], 1, 99);
      return;
    }
    try (Tool tool = Tool.init(ThreadLevel.MULTIPLE)) {
      CountDownLatch first = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      AtomicLong called = new AtomicLong();
      AtomicLong lost = new AtomicLong();
      Info hints = new Info().set(EventRegistration.QUEUE, "2");
      EventRegistration unexpected = tool.eventType("ffmpi.message.unexpected").allocate(hints);
      unexpected.setDroppedHandler((count, registration, source, safety) -> {
        assertEquals("ffmpi.engine", source.name());
        lost.addAndGet(count);
      });
      unexpected.register(CallbackSafety.MPI_RESTRICTED, null, (event, registration, safety) -> {
        called.getAndIncrement();
        first.countDown();
        try {
          goOn.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
      world.recv(new int[1], 0, 99); // ten others are unexpected before it
      assertTrue(first.await(60, TimeUnit.SECONDS));
      goOn.countDown();
      CountDownLatch freed = new CountDownLatch(1);
      unexpected.close(freed::countDown);
      assertTrue(freed.await(60, TimeUnit.SECONDS));
      assertEquals(10, called.get() + lost.get());
      assertTrue(lost.get() >= 7 && called.get() >= 2, () -> called + " called, " + lost + " lost");
      for (int i = 0; i < 10; i++) {
        world.recv(new int[1], 0, i);
      }
    }
  }

  @MpiTest(ranks = 2)
  void departuresAreReported(Comm world) {
    if (world.rank() == 0) {
      return;
    }
    try (Tool tool = Tool.init(ThreadLevel.MULTIPLE)) {
      ConcurrentLinkedQueue<EventInstance> events = new ConcurrentLinkedQueue<>();
      tool.eventType("ffmpi.rank.departure").allocate(null)
          .register(CallbackSafety.ASYNC_SIGNAL_SAFE, null, (event, registration, safety) -> events.add(event));
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.recv(new int[1], 0, 1), "rank 0");
      assertEquals("[ffmpi.rank.departure peer=0 died=0]", events.toString());
    }
  }

  @MpiTest(ranks = 2, settings = "ffmpi.coll.region.after=2")
  void collectivesReportForTheirCommunicatorOnly(Comm world) {
    try (Tool tool = Tool.init(ThreadLevel.MULTIPLE); Comm dup = world.dup()) {
      ConcurrentLinkedQueue<EventInstance> events = new ConcurrentLinkedQueue<>();
      for (String name : List.of("ffmpi.schedule.made", "ffmpi.region.made")) {
        assertEquals(Binding.COMM, tool.eventType(name).binding());
        tool.eventType(name).allocate(dup, null)
            .register(CallbackSafety.THREAD_SAFE, null, (event, registration, safety) -> events.add(event));
      }
      long[] sum = new long[3];
      world.allreduce(new long[3], sum, Op.SUM);
      assertEquals(0, events.size());
      dup.allreduce(new long[3], sum, Op.SUM);
      EventInstance made = events.peek();
      assertTrue(made.toString().startsWith("ffmpi.schedule.made operation="), made::toString);
      assertEquals(3, made.read(1));
      assertTrue(made.read(2) > 0);
      dup.allreduce(new long[3], sum, Op.SUM);
      assertTrue(
          events.stream().anyMatch(event -> event.toString().matches("ffmpi.region.made bytes=\\d+ ranks=2")),
          events::toString);
      assertError(
          ErrorClass.T_ERR_INVALID, () -> tool.eventType("ffmpi.region.made").allocate(null), "comm = null");
      assertError(
          ErrorClass.T_ERR_INVALID, () -> tool.eventType("ffmpi.ring.full").allocate(world, null), "ffmpi.ring.full");
    }
  }

  @Test
  void typesAndSourcesDescribeThemselves() {
    try (Tool tool = Tool.init(ThreadLevel.MULTIPLE)) {
      assertEquals(Incident.values().length, tool.eventTypes().size());
      for (EventType type : tool.eventTypes()) {
        assertEquals(type, tool.eventType(type.index()));
        assertEquals(type, tool.eventType(type.name()));
        assertEquals(type.elements().size(), type.datatypes().size());
        assertEquals(Datatype.INT64_T, type.datatypes().getFirst());
        assertEquals(8L * (type.elements().size() - 1), type.displacements().getLast());
        assertEquals(8L * type.elements().size(), type.bytes());
        assertEquals(type.elements(), type.enumeration().items().stream().map(item -> item.name()).toList());
        String source = type.info().get("source").orElseThrow();
        assertTrue(tool.sources().stream().anyMatch(one -> one.name().equals(source)));
        assertTrue(type.description().length() > 10 && type.verbosity().code() != 0);
      }
      assertEquals(2, tool.sources().size());
      EventSource engine = tool.source(0);
      assertEquals(0, engine.index());
      assertEquals(SourceOrdering.UNORDERED, engine.ordering());
      assertEquals(1_000_000_000, engine.ticksPerSecond());
      assertEquals(Long.MAX_VALUE, engine.maxTicks());
      assertEquals("System.nanoTime", engine.info().get("clock").orElseThrow());
      assertError(ErrorClass.T_ERR_INVALID_INDEX, () -> tool.source(2), "index = 2: allowed are 0..1");
      assertError(ErrorClass.T_ERR_INVALID_INDEX, () -> tool.eventType(-1), "index = -1");
      assertError(ErrorClass.T_ERR_INVALID_NAME, () -> tool.eventType("ffmpi.party"), "name = ffmpi.party");
    }
  }

  @Test
  @SuppressWarnings("try") // closed before its end on purpose
  void hintsAreAcceptedAndShown() {
    try (Tool tool = Tool.init(ThreadLevel.MULTIPLE)) {
      EventRegistration registration = tool.eventType("ffmpi.ring.full").allocate(null);
      assertEquals("1024", registration.info().get(EventRegistration.QUEUE).orElseThrow());
      registration.setInfo(new Info().set(EventRegistration.QUEUE, "7").set("color", "red"));
      assertEquals("7", registration.info().get(EventRegistration.QUEUE).orElseThrow());
      assertEquals(1, registration.info().size());
      assertError(ErrorClass.T_ERR_INVALID, () -> registration.callbackInfo(CallbackSafety.NONE), "safety = NONE");
      registration.register(CallbackSafety.NONE, null, (event, same, safety) -> { });
      registration.register(CallbackSafety.THREAD_SAFE, null, (event, same, safety) -> { });
      registration.setCallbackInfo(CallbackSafety.NONE, new Info().set(EventRegistration.QUEUE, "9"));
      assertEquals("9", registration.callbackInfo(CallbackSafety.NONE).get(EventRegistration.QUEUE).orElseThrow());
      assertEquals(0, registration.callbackInfo(CallbackSafety.THREAD_SAFE).size());
      registration.register(CallbackSafety.NONE, null, null);
      assertError(ErrorClass.T_ERR_INVALID, () -> registration.callbackInfo(CallbackSafety.NONE));
      for (String wrong : List.of("0", "-1", "many", "99999999")) {
        assertError(
            ErrorClass.T_ERR_INVALID,
            () -> registration.setInfo(new Info().set(EventRegistration.QUEUE, wrong)), "ffmpi_event_queue = " + wrong);
      }
      assertError(ErrorClass.T_ERR_INVALID, () -> registration.register(null, null, null), "safety = null");
      tool.close();
      assertError(ErrorClass.T_ERR_NOT_INITIALIZED, registration::info);
    }
  }
}
