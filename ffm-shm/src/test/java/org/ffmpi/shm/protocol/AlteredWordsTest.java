// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.engine.EngineParts;
import org.ffmpi.shm.engine.ShmProvider;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Alters the words by which two correct ranks find each other. A rank that waits for such a word gets an error that
 * names it, and does not sleep for ever.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AlteredWordsTest {
  private static final long SLOT_HEAD = 0;
  private static final long BULK_HEAD = 8;
  private static final long SLOTS = 128;
  private static final long FIRST_SLOT = 256;
  private static final long SLOT_BYTES = 128;
  private static final long CONTEXT = 0;
  private static final int TAG = 5;
  private static final Plan PLAN = TypeHandle.planOf(Datatype.BYTE);

  private List<Engine> engines = List.of();
  private Engine reader;
  private Engine writer;
  private JobSegment segment;

  private void open(Map<String, String> settings) {
    leave();
    engines = new ShmProvider().threads(2, Settings.of(settings));
    reader = engines.get(0);
    writer = engines.get(1);
    segment = EngineParts.endpoint(reader).segment();
  }

  @AfterEach
  void leave() {
    for (Engine engine : engines) {
      engine.abort(1, "words were altered");
    }
    engines.forEach(engine -> engine.leave(true));
    engines = List.of();
  }

  private Operation send(int mode, int bytes) {
    return writer.isend(mode, Memory.BYTES, new byte[bytes], 0, bytes, PLAN, 0, CONTEXT, TAG);
  }

  private Operation receive(int bytes) {
    return reader.irecv(Memory.BYTES, new byte[bytes], 0, bytes, PLAN, 1, CONTEXT, TAG);
  }

  /** The address of the ring from the writer to the reader. */
  private long ring() {
    return segment.base() + segment.getAcquireRing(1, 0);
  }

  private long slot(int index) {
    return ring() + FIRST_SLOT + index * SLOT_BYTES;
  }

  private static MpiException awaited(Engine engine, Operation op) {
    MpiException e = assertThrows(MpiException.class, () -> {
      engine.await(op);
      throw op.error() == null ? new AssertionError("no error") : op.error();
    });
    assertEquals(ErrorClass.ERR_INTERN, e.errorClass(), e.toString());
    return e;
  }

  private void exchange(int messages) {
    for (int i = 0; i < messages; i++) {
      Operation receive = receive(8);
      Operation send = send(Engine.STANDARD, 8);
      reader.await(receive);
      writer.await(send);
    }
  }

  /** Alters the sequence number in a slot's head. */
  private static void alterStamp(long slot, int stamp) {
    Raw.putLong(slot, Raw.getLong(slot) & ~0xffffL | stamp & 0xffff);
  }

  @Test
  void stampsOfSlotsThatTheReaderWaitsFor() {
    for (int stamp : new int[] {2, 7, -1, Short.MIN_VALUE}) {
      open(Map.of());
      exchange(3);
      alterStamp(slot(3), stamp);
      String error = awaited(reader, receive(8)).getMessage();
      assertTrue(error.contains("rank 1") && error.contains(" " + stamp), error);
    }
  }

  /** The stamp of a record that the slot held before: the reader takes it again, and would miss the true one. */
  @Test
  void aStampBeforeItsRecord() {
    open(Map.of("ffmpi.ring.slots", "4"));
    exchange(6);
    Operation receive = reader.irecv(Memory.BYTES, new byte[8], 0, 8, PLAN, 1, CONTEXT, TAG + 1);
    alterStamp(slot(2), 2);
    reader.progress();
    MpiException e = assertThrows(MpiException.class, () ->
        writer.isend(Engine.STANDARD, Memory.BYTES, new byte[8], 0, 8, PLAN, 0, CONTEXT, TAG + 1));
    assertEquals(ErrorClass.ERR_INTERN, e.errorClass(), e.toString());
    assertTrue(e.getMessage().contains("record 6 "), e.toString());
    assertTrue(!receive.isDone());
  }

  @Test
  void aStampTakenAway() {
    open(Map.of());
    exchange(3);
    send(Engine.STANDARD, 8);
    send(Engine.STANDARD, 8);
    alterStamp(slot(3), 0);
    String error = awaited(reader, receive(8)).getMessage();
    assertTrue(error.contains("rank 1") && error.contains("record 3 "), error);
  }

  @Test
  void stampsThatTheWriterHasWritten() {
    open(Map.of());
    Operation send = send(Engine.SYNCHRONOUS, 8);
    alterStamp(slot(0), 0);
    String error = awaited(writer, send).getMessage();
    assertTrue(error.contains("rank 0"), error);
  }

  @Test
  void creditThatTheWriterWaitsFor() {
    for (long head : new long[] {-1, 5, Long.MAX_VALUE, Long.MIN_VALUE}) {
      open(Map.of("ffmpi.ring.slots", "2"));
      exchange(1);
      send(Engine.STANDARD, 8);
      send(Engine.STANDARD, 8);
      Raw.putLong(ring() + SLOT_HEAD, head);
      MpiException e = assertThrows(MpiException.class, () -> {
        Operation send = send(Engine.STANDARD, 8);
        writer.await(send);
        throw send.error() == null ? new AssertionError("no error") : send.error();
      });
      assertEquals(ErrorClass.ERR_INTERN, e.errorClass(), e.toString());
      assertTrue(e.getMessage().contains("" + head), e.getMessage());
    }
  }

  @Test
  void creditThatTheReaderHasGiven() {
    for (long word : new long[] {SLOT_HEAD, BULK_HEAD}) {
      open(Map.of());
      exchange(3);
      Raw.putLong(ring() + word, word == SLOT_HEAD ? 2 : 4_096);
      awaited(reader, receive(8));
    }
  }

  @Test
  void whereTheWritersRingIs() {
    for (int kind = 0; kind < 3; kind++) {
      open(Map.of());
      Operation send = send(Engine.SYNCHRONOUS, 8);
      long ring = ring();
      switch (kind) {
        case 0 -> segment.setReleaseRing(1, 0, 0);
        case 1 -> Raw.putInt(ring + SLOTS, 4);
        default -> Raw.putInt(ring + SLOTS + 4, 64);
      }
      awaited(writer, send);
    }
  }

  @Test
  void theNumberOfOpenedRings() {
    open(Map.of());
    send(Engine.STANDARD, 8);
    Raw.putInt(segment.rankBlock(0) + 256, 0); // as if none had been opened
    reader.await(receive(8));
  }

  @Test
  void statesOfCompletionWords() {
    for (int bytes : new int[] {8, 100_000}) {
      for (long value : new long[] {0, 9L, 1L << 32 | 9, 1L << 32 | 4, 2L << 32 | 1, -1}) {
        open(Map.of());
        Operation send = send(Engine.SYNCHRONOUS, bytes);
        long word = segment.base() + EnvelopeLayout.getPlainWord(slot(0));
        Raw.putLong(word, value);
        String error = awaited(writer, send).getMessage();
        assertTrue(error.contains("rank 0"), error);
      }
    }
  }

  @Test
  void generationsOfCancellableMessages() {
    open(Map.of());
    Operation send = send(Engine.SYNCHRONOUS, 8);
    assertTrue(!send.isDone());
    Raw.putInt(slot(0) + EnvelopeLayout.GENERATION_OFFSET, EnvelopeLayout.getPlainGeneration(slot(0)) + 3);
    awaited(reader, receive(8));
  }

  @Test
  void contextsThatNobodyHas() {
    for (long context : new long[] {1 << 20, 1L << 31, 77 * 8}) {
      open(Map.of());
      send(Engine.STANDARD, 8);
      EnvelopeLayout.setPlainContext(slot(0), context);
      String error = awaited(reader, receive(8)).getMessage();
      assertTrue(error.contains("rank 1") && error.contains("" + context), error);
    }
  }

  @Test
  void endsOfPipes() {
    for (boolean atReader : new boolean[] {true, false}) {
      open(Map.of("ffmpi.pipe.bytes", "4K"));
      Operation send = send(Engine.STANDARD, 100_000);
      long pipe = segment.base() + EnvelopeLayout.getPlainAt(slot(0));
      Operation receive = receive(100_000);
      reader.progress();
      writer.progress();
      if (atReader) {
        reader.progress();
        Raw.putLong(pipe + 128, 0); // what it has read; nothing new comes
        awaited(reader, receive);
      } else {
        Raw.putLong(pipe, 64); // what it has written
        awaited(writer, send);
      }
    }
  }

  @Test
  void theWaitWord() {
    open(Map.of());
    exchange(1);
    Operation receive = receive(8);
    Thread nuisance = Thread.ofPlatform().daemon().start(() -> {
      while (!receive.isDone() && !Thread.interrupted()) {
        Raw.putInt(segment.rankBlock(0) + 128, 77);
        Thread.yield();
      }
    });
    try {
      assertTrue(awaited(reader, receive).getMessage().contains("77"));
    } finally {
      nuisance.interrupt();
      while (nuisance.isAlive()) {
        Thread.yield();
      }
    }
  }
}
