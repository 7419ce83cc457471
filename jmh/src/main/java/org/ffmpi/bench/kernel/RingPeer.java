// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import net.openhft.chronicle.bytes.BytesStore;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.chronicle.ChronicleBuf;
import org.ffmpi.shm.ring.RingConsumer;
import org.ffmpi.shm.ring.RingLayout;
import org.ffmpi.shm.ring.RingProducer;

/**
 * A ring or queue that hands numbers from one thread to another, ffmpi's ring, the same ring as one would write it with
 * other means, and queues of the JDK, which hold objects and cannot leave their JVM. One thread offers, one polls.
 */
interface RingPeer {
  /** The result of {@link #poll} on an empty ring. */
  long NOTHING = -1;

  /** Records that fit. */
  int SLOTS = 256;

  /** Hands a number over; false when there is no room. */
  boolean offer(long value);

  /** Takes the next number; {@link #NOTHING} from an empty ring. */
  long poll();

  /** Makes a peer by its name in the benchmarks' parameters. */
  static RingPeer of(String name) {
    return switch (name) {
      case "ffmpi" -> new Ours();
      case "chronicle" -> new OverChronicle();
      case "bytebuffer" -> new OverByteBuffer();
      case "arrayblocking" -> new OverQueue(new ArrayBlockingQueue<>(SLOTS));
      case "linked" -> new OverQueue(new ConcurrentLinkedQueue<>());
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** The ring between two ranks. */
  final class Ours implements RingPeer {
    private static final int BULK = 64 << 10;

    private final RingProducer producer;
    private final RingConsumer consumer;

    Ours() {
      MemorySegment memory = Arena.global().allocate(RingLayout.bytes(SLOTS, BULK), RingLayout.SLOT_BYTES);
      long ring = Raw.address(memory);
      RingLayout.format(ring, SLOTS, BULK);
      producer = new RingProducer(ring, SLOTS, BULK);
      consumer = new RingConsumer(ring, SLOTS, BULK);
    }

    @Override
    public boolean offer(long value) {
      long slot = producer.claim();
      if (slot == 0) {
        return false;
      }
      Raw.putLong(slot + RingLayout.BODY_OFFSET, value);
      producer.publish(slot, 0);
      return true;
    }

    @Override
    public long poll() {
      long slot = consumer.peek();
      if (slot == 0) {
        return NOTHING;
      }
      long value = Raw.getLong(slot + RingLayout.BODY_OFFSET);
      consumer.pop();
      if (consumer.owedSlots() >= SLOTS / 4) { // as the engine does: not for each record
        consumer.credit();
      }
      return value;
    }
  }

  /** The private state of the two sides of a ring with a stamp in each slot. */
  abstract class Stamped implements RingPeer {
    static final int SLOT_BYTES = RingLayout.SLOT_BYTES;
    static final int HEAD = 0;
    static final int FIRST_SLOT = 2 * SLOT_BYTES;
    static final int BYTES = FIRST_SLOT + SLOTS * SLOT_BYTES;

    /** In the middle of arrays: neither side shall write to a line that the other one reads. */
    private static final int PADDING = 16;

    private static final int TAIL = PADDING;
    private static final int KNOWN_HEAD = PADDING + 1;
    private static final int READ = PADDING;

    private final long[] offering = new long[2 * PADDING];
    private final long[] polling = new long[2 * PADDING];

    abstract long acquire(int offset);

    abstract void release(int offset, long value);

    abstract long get(int offset);

    abstract void put(int offset, long value);

    private static int slot(long number) {
      return FIRST_SLOT + (int) (number % SLOTS) * SLOT_BYTES;
    }

    private static long stamp(long number) {
      return number / SLOTS + 1;
    }

    @Override
    public final boolean offer(long value) {
      long tail = offering[TAIL];
      if (tail - offering[KNOWN_HEAD] == SLOTS) {
        offering[KNOWN_HEAD] = acquire(HEAD);
        if (tail - offering[KNOWN_HEAD] == SLOTS) {
          return false;
        }
      }
      int slot = slot(tail);
      put(slot + Long.BYTES, value);
      release(slot, stamp(tail));
      offering[TAIL] = tail + 1;
      return true;
    }

    @Override
    public final long poll() {
      long head = polling[READ];
      int slot = slot(head);
      if (acquire(slot) != stamp(head)) {
        return NOTHING;
      }
      long value = get(slot + Long.BYTES);
      polling[READ] = head + 1;
      if ((head + 1) % (SLOTS / 4) == 0) {
        release(HEAD, head + 1);
      }
      return value;
    }
  }

  /** The ring over a store of Chronicle Bytes, by its ordered writes and volatile reads. */
  final class OverChronicle extends Stamped {
    private final BytesStore<?, Void> store =
        ChronicleBuf.view(Arena.global().allocate(BYTES, SLOT_BYTES)); // aligned, as its own allocation is not

    @Override
    long acquire(int offset) {
      return store.readVolatileLong(offset);
    }

    @Override
    void release(int offset, long value) {
      store.writeOrderedLong(offset, value);
    }

    @Override
    long get(int offset) {
      return store.readLong(offset);
    }

    @Override
    void put(int offset, long value) {
      store.writeLong(offset, value);
    }
  }

  /** The ring over a direct buffer, by handles for access modes. */
  final class OverByteBuffer extends Stamped {
    private static final VarHandle LONG =
        MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder()).withInvokeExactBehavior();

    private final ByteBuffer buffer =
        ByteBuffer.allocateDirect(BYTES + SLOT_BYTES).alignedSlice(SLOT_BYTES).order(ByteOrder.nativeOrder());

    @Override
    long acquire(int offset) {
      return (long) LONG.getAcquire(buffer, offset);
    }

    @Override
    void release(int offset, long value) {
      LONG.setRelease(buffer, offset, value);
    }

    @Override
    long get(int offset) {
      return buffer.getLong(offset);
    }

    @Override
    void put(int offset, long value) {
      buffer.putLong(offset, value);
    }
  }

  /** A queue of objects. */
  record OverQueue(Queue<Long> queue) implements RingPeer {
    @Override
    public boolean offer(long value) {
      return queue.offer(value);
    }

    @Override
    public long poll() {
      Long value = queue.poll();
      return value == null ? NOTHING : value;
    }
  }
}
