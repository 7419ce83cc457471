// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToIntFunction;
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
import org.ffmpi.shm.ring.RingConsumer;
import org.ffmpi.shm.ring.RingLayout;
import org.ffmpi.shm.ring.RingProducer;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A peer that writes impossible words. The rank that reads them gets an error that names them, from the call that finds
 * them or at the receive that they concern, and neither hangs nor touches memory outside the segment.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BrokenPeerTest {
  private static final long CONTEXT = 0;
  private static final int TAG = 5;
  private static final int SLOTS = 8;
  private static final int BULK = 4096;
  private static final Plan PLAN = TypeHandle.planOf(Datatype.BYTE);

  private List<Engine> engines;
  private Engine rank;
  private JobSegment segment;
  private RingProducer ring;
  private long word;
  private long pipe;

  /** What the record claims. Each fills a slot and returns its form; the envelope is there already. */
  private enum Claim {
    NO_KIND(t -> 0),
    UNKNOWN_KIND(t -> 77),
    INLINE_TOO_LONG(t -> (int) EnvelopeLayout.inlineInfo(EnvelopeLayout.INLINE_BYTES + 1, 0)),
    INLINE_MUCH_TOO_LONG(t -> (int) EnvelopeLayout.inlineInfo(4_095, 0)),
    CHUNK_NEGATIVE(t -> t.eager(0, -1, 64, -1)),
    CHUNK_LONGER_THAN_MESSAGE(t -> t.eager(0, 32, 64, 64)),
    CHUNK_BEYOND_THE_RING(t -> t.eager(BULK - 32, 64, 64, 64)),
    CHUNK_BEFORE_THE_RING(t -> t.eager(-64, 64, 64, 64)),
    CHUNK_LONGER_THAN_THE_RING(t -> t.eager(0, Integer.MAX_VALUE, 64, Integer.MAX_VALUE)),
    PART_BEYOND_THE_RING(t -> t.eager(BULK - 32, 100, 64, 64)),
    BULK_GOES_BACK(t -> t.eager(0, 64, -64, 64)),
    BULK_GOES_FAR(t -> t.eager(0, 64, Long.MAX_VALUE, 64)),
    PART_GOES_BACK(t -> t.eager(0, 128, -64, 64)),
    TOTAL_NEGATIVE(t -> t.eager(0, -5, 64, 0)),
    TOTAL_ENORMOUS(t -> t.eager(0, 1L << 36, 64, 64)),
    TOTAL_BEYOND_ALL(t -> t.eager(0, Long.MAX_VALUE, 64, 64)),
    MORE_OF_NOTHING(t -> {
      t.eager(0, 64, 64, 64);
      return EnvelopeLayout.MORE;
    }),
    SYNCHRONOUS_WITHOUT_WORD(t -> t.eager(0, 64, 64, 64) | EnvelopeLayout.SYNCHRONOUS),
    SYNCHRONOUS_OFF_LINE(t -> {
      EnvelopeLayout.setPlainWord(t.slot, t.word + 4, 1, 0);
      return t.eager(0, 64, 64, 64) | EnvelopeLayout.SYNCHRONOUS;
    }),
    PIPED_WITHOUT_WORD(t -> t.rendezvous(EnvelopeLayout.PIPED, 100_000, 0, t.pipe)),
    PIPED_WORD_OUTSIDE(t -> t.rendezvous(EnvelopeLayout.PIPED, 100_000, Long.MAX_VALUE - 63, t.pipe)),
    PIPED_WORD_OFF_LINE(t -> t.rendezvous(EnvelopeLayout.PIPED, 100_000, t.word + 20, t.pipe)),
    PIPED_NEGATIVE(t -> t.rendezvous(EnvelopeLayout.PIPED, -1, t.word, t.pipe)),
    PIPE_OUTSIDE(t -> t.rendezvous(EnvelopeLayout.PIPED, 100_000, t.word, 1L << 50)),
    PIPE_OFF_LINE(t -> t.rendezvous(EnvelopeLayout.PIPED, 100_000, t.word, t.pipe + 8)),
    PIPE_THAT_IS_NONE(t -> t.rendezvous(EnvelopeLayout.PIPED, 100_000, t.word, t.word)),
    DIRECT_OUTSIDE(t -> t.rendezvous(EnvelopeLayout.DIRECT, 10_000, t.word, 1L << 50)),
    DIRECT_BEFORE(t -> t.rendezvous(EnvelopeLayout.DIRECT, 10_000, t.word, -4096)),
    DIRECT_PAST_THE_END(t -> t.rendezvous(EnvelopeLayout.DIRECT, 1L << 40, t.word, t.word)),
    STRIDED_PLAN_OUTSIDE(t -> t.strided(1L << 50, 100)),
    STRIDED_PLAN_THAT_IS_NONE(t -> t.strided(t.word, 100)),
    STRIDED_TOO_MANY(t -> t.strided(t.record(), Long.MAX_VALUE)),
    STRIDED_NONE(t -> t.strided(t.record(), 0)),
    STRIDED_NEGATIVE(t -> t.strided(t.record(), -7));

    private final ToIntFunction<BrokenPeerTest> fill;

    Claim(ToIntFunction<BrokenPeerTest> fill) {
      this.fill = fill;
    }
  }

  private long slot;
  private int tag = TAG;

  private int eager(int bulkAt, long total, long bulkEnd, int chunk) {
    EnvelopeLayout.setPlainChunk(slot, bulkAt, total, bulkEnd, chunk);
    return EnvelopeLayout.EAGER;
  }

  private int rendezvous(int kind, long total, long wordOffset, long at) {
    EnvelopeLayout.setPlainChunk(slot, 0, total, 0, 0);
    EnvelopeLayout.setPlainWord(slot, wordOffset, 1, at);
    return kind;
  }

  private int strided(long record, long count) {
    EnvelopeLayout.setPlainLayout(slot, record, count);
    return rendezvous(EnvelopeLayout.DIRECT, 10_000, word, word) | EnvelopeLayout.STRIDED;
  }

  /** A true record of a type, by the engine that knows how to write it. */
  private long record() {
    return EngineParts.endpoint(engines.get(1))
        .types().of(TypeHandle.planOf(Datatype.vector(10, 1, 2, Datatype.INT).commit()));
  }

  private void open(Map<String, String> settings) {
    engines = new ShmProvider().threads(2, Settings.of(settings));
    rank = engines.get(0);
    segment = EngineParts.endpoint(rank).segment();
    long address = segment.claim(RingLayout.bytes(SLOTS, BULK));
    RingLayout.format(address, SLOTS, BULK);
    ring = new RingProducer(address, SLOTS, BULK);
    word = segment.claim(CompletionWordLayout.BYTES) - segment.base();
    pipe = segment.claim(PipeLayout.bytes(4096)) - segment.base();
    PipeLayout.format(pipe + segment.base(), 4096);
    announce(address - segment.base());
  }

  private void announce(long ringOffset) {
    segment.setReleaseRing(1, 0, ringOffset);
    RankLayout.incrementRings(segment.rankBlock(0));
  }

  @AfterEach
  void leave() {
    if (engines != null) {
      rank.abort(1, "the peer is broken");
      engines.forEach(engine -> engine.leave(true));
    }
  }

  private void publish(ToIntFunction<BrokenPeerTest> fill) {
    slot = ring.claim();
    assertTrue(slot != 0);
    Raw.fill(slot + RingLayout.BODY_OFFSET, RingLayout.SLOT_BYTES - RingLayout.BODY_OFFSET, (byte) 0);
    EnvelopeLayout.setPlainContext(slot, CONTEXT);
    ring.publish(slot, EnvelopeLayout.info(fill.applyAsInt(this), tag));
  }

  private Operation irecv(byte[] into) {
    return rank.irecv(Memory.BYTES, into, 0, into.length, PLAN, 1, CONTEXT, TAG);
  }

  /** What goes wrong while the rank waits for an operation: thrown by the call, or the operation's error. */
  private MpiException errorOf(Operation op) {
    MpiException thrown = null;
    try {
      rank.await(op);
      thrown = op.error();
    } catch (MpiException e) {
      thrown = e;
    }
    assertTrue(thrown != null, "no error");
    assertEquals(ErrorClass.ERR_INTERN, thrown.errorClass(), thrown.toString());
    return thrown;
  }

  @ParameterizedTest
  @EnumSource(Claim.class)
  void atAPostedReceive(Claim claim) {
    open(Map.of());
    Operation receive = irecv(new byte[100_000]);
    publish(claim.fill);
    errorOf(receive);
  }

  @ParameterizedTest
  @EnumSource(Claim.class)
  void inABlockingReceive(Claim claim) {
    open(Map.of());
    publish(claim.fill);
    byte[] into = new byte[100_000];
    MpiException e = assertThrows(
        MpiException.class, () -> rank.recv(Memory.BYTES, into, 0, into.length, PLAN, 1, CONTEXT, TAG, null));
    assertEquals(ErrorClass.ERR_INTERN, e.errorClass(), e.toString());
  }

  @ParameterizedTest
  @EnumSource(Claim.class)
  void whenNobodyHasAskedForIt(Claim claim) {
    open(Map.of());
    publish(claim.fill);
    MpiException found = null;
    try {
      rank.progress();
    } catch (MpiException e) {
      found = e; // what can be seen in the envelope
    }
    if (found == null) {
      found = errorOf(irecv(new byte[100_000])); // words that are checked when the message is received
    }
    assertEquals(ErrorClass.ERR_INTERN, found.errorClass(), found.toString());
  }

  @Test
  void aMessageWithinAnother() {
    for (int second : new int[] {64, 128}) {
      open(Map.of());
      Operation receive = irecv(new byte[1_000]);
      publish(t -> t.eager(0, 128, 64, 64));
      publish(t -> t.eager(64, second, 128, 64));
      errorOf(receive);
      leave();
      engines = null;
    }
  }

  @Test
  void moreOfAMessageThanItHas() {
    open(Map.of());
    Operation receive = irecv(new byte[1_000]);
    publish(t -> t.eager(0, 100, 64, 64));
    publish(t -> {
      t.eager(64, 100, 128, 64);
      return EnvelopeLayout.MORE;
    });
    errorOf(receive);
  }

  @Test
  void ringsThatAreNone() {
    for (long offset : new long[] {1L << 50, -64, 36, 4}) {
      open(Map.of());
      announce(offset);
      Operation receive = irecv(new byte[10]);
      errorOf(receive);
      leave();
    }
    open(Map.of());
    long address = segment.claim(4096);
    RingLayout.format(address, 3, 77);
    announce(address - segment.base());
    assertTrue(errorOf(irecv(new byte[10])).getMessage().contains("3 slots, 77 bytes"));
  }

  @Test
  void marksAndTailsOfPipes() {
    for (int kind = 0; kind < 6; kind++) {
      open(Map.of());
      Operation receive = irecv(new byte[1_000]);
      publish(t -> t.rendezvous(EnvelopeLayout.PIPED, 1_000, t.word, t.pipe));
      rank.progress();
      long base = segment.base();
      long id = CompletionWordLayout.getPlainTransfer(word + base);
      assertEquals(CompletionWordLayout.MATCHED, CompletionWordLayout.getAcquireState(word + base, 1));
      long data = pipe + base + PipeLayout.DATA_OFFSET;
      PipeLayout.setPlainMark(data, kind == 0 ? id + 1 : id, kind == 1 ? -1 : kind == 5 ? 999 : 1_000);
      PipeLayout.setReleaseTail(pipe + base, switch (kind) {
        case 2 -> 4096 + 64;
        case 3 -> -64;
        case 4 -> 100;
        default -> 64;
      });
      errorOf(receive);
      leave();
    }
    engines = null;
  }

  @Test
  void signaturesThatAreNone() {
    for (long types : new long[] {1L << 50, -8, 4}) {
      open(Map.of("ffmpi.check", "full"));
      Operation receive = rank.irecv(
          Memory.INTS, new int[16], 0, 16, TypeHandle.planOf(Datatype.INT), 1, CONTEXT, TAG);
      publish(t -> {
        EnvelopeLayout.setPlainSignature(t.slot, 12345, types);
        return t.eager(0, 64, 64, 64) | EnvelopeLayout.SIGNED;
      });
      MpiException e = assertThrows(MpiException.class, () -> {
        rank.await(receive);
        throw receive.error();
      });
      assertTrue(
          e.errorClass() == ErrorClass.ERR_INTERN || e.errorClass() == ErrorClass.ERR_TYPE, e.toString());
      leave();
    }
    engines = null;
  }

  /** Whatever 96 bytes hold: an error, or a message that fits, or nothing to see; never a crash or a hang. */
  @Test
  void anythingAtAll() {
    long seed = Long.getLong("ffmpi.test.seed", System.nanoTime());
    System.out.println("BrokenPeerTest: seed " + seed);
    Random random = new Random(seed);
    int[] kinds = {
      EnvelopeLayout.INLINE, EnvelopeLayout.EAGER, EnvelopeLayout.MORE, EnvelopeLayout.PIPED, EnvelopeLayout.DIRECT
    };
    for (int i = 0; i < 500; i++) {
      open(Map.of("ffmpi.shm.limit", "1M"));
      long limit = segment.limit();
      byte[] before = new byte[64];
      for (int records = random.nextInt(3); records >= 0; records--) {
        publish(t -> {
          for (int at = RingLayout.BODY_OFFSET; at < RingLayout.SLOT_BYTES; at += 4) {
            if (random.nextInt(3) == 0) {
              Raw.putInt(t.slot + at, random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(4096) & -8);
            }
          }
          tag = random.nextInt();
          if (random.nextInt(3) != 0) {
            EnvelopeLayout.setPlainContext(t.slot, CONTEXT);
            tag = TAG;
          }
          if (random.nextBoolean()) {
            EnvelopeLayout.setPlainWord(t.slot, t.word, 1, random.nextLong(limit));
          }
          int kind = kinds[random.nextInt(kinds.length)];
          return kind == EnvelopeLayout.INLINE
              ? (int) EnvelopeLayout.inlineInfo(random.nextInt(200), 0)
              : kind | random.nextInt(32) << 4 & ~EnvelopeLayout.READABLE;
        });
      }
      Operation receive = random.nextBoolean() ? irecv(before) : null;
      try {
        rank.progress();
        rank.progress();
        Operation another = receive == null ? irecv(before) : receive;
        rank.progress();
        if (!rank.test(another)) {
          another.cancel();
        }
      } catch (MpiException e) {
        assertEquals(ErrorClass.ERR_INTERN, e.errorClass(), "seed " + seed + ", round " + i + ": " + e);
      }
      leave();
    }
    engines = null;
  }

  /** A rank continues to use the rings of its other peers, and its own memory is unchanged. */
  @Test
  void theBufferBeyondAMessageIsNotTouched() {
    open(Map.of());
    byte[] into = new byte[100];
    java.util.Arrays.fill(into, (byte) 7);
    Operation receive = rank.irecv(Memory.BYTES, into, 10, 20, PLAN, 1, CONTEXT, TAG);
    publish(t -> t.eager(0, 64, 64, 64));
    MpiException e = assertThrows(MpiException.class, () -> {
      rank.await(receive);
      throw receive.error();
    });
    assertEquals(ErrorClass.ERR_TRUNCATE, e.errorClass());
    byte[] expected = new byte[100];
    java.util.Arrays.fill(expected, (byte) 7);
    java.util.Arrays.fill(expected, 10, 30, (byte) 0);
    assertArrayEquals(expected, into);
  }

  /** The reader of a pipe publishes that it has read more than was written, or less than before. */
  @Test
  void headsOfPipes() {
    for (long head : new long[] {-64, 1L << 40, Long.MIN_VALUE}) {
      open(Map.of("ffmpi.pipe.bytes", "4K"));
      Operation send = rank.isend(
          Engine.STANDARD, Memory.BYTES, new byte[100_000], 0, 100_000, PLAN, 1, CONTEXT, TAG);
      RingConsumer reader = new RingConsumer(ringTo1(), 128, 256 << 10);
      long slot = reader.peek();
      long completion = segment.base() + EnvelopeLayout.getPlainWord(slot);
      long stream = segment.base() + EnvelopeLayout.getPlainAt(slot);
      PipeLayout.setReleaseHead(stream, head);
      CompletionWordLayout.setReleaseState(
          completion, EnvelopeLayout.getPlainGeneration(slot), CompletionWordLayout.MATCHED);
      errorOf(send);
      leave();
    }
    engines = null;
  }

  private long ringTo1() {
    return segment.base() + segment.getAcquireRing(0, 1);
  }

  /** The length of a flattened plan, or of a text, in a type record. */
  @Test
  void lengthsInTypeRecords() {
    for (long length : new long[] {-1, 0, 5L << 20, Long.MAX_VALUE}) {
      open(Map.of());
      long record = record();
      Raw.putLong(segment.base() + record, length);
      Operation receive = irecv(new byte[100_000]);
      publish(t -> t.strided(record, 100));
      errorOf(receive);
      leave();
    }
    engines = null;
  }

  /** How much of the segment is claimed. */
  @Test
  void claimsOfTheSegment() {
    open(Map.of());
    long top = segment.base() + 256;
    long claimed = Raw.getLong(top);
    for (long value : new long[] {0, -4096, claimed + 1, Long.MAX_VALUE & -4096}) {
      Raw.putLong(top, value);
      MpiException e = assertThrows(MpiException.class, () -> rank.allocateShared(1 << 20, 64, null));
      assertEquals(ErrorClass.ERR_INTERN, e.errorClass(), e.toString());
    }
    Raw.putLong(top, claimed);
    rank.allocateShared(1 << 20, 64, null);
  }
}
