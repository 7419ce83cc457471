// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.kernel;

import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.ring.RingConsumer;
import org.ffmpi.shm.ring.RingLayout;
import org.ffmpi.shm.ring.RingProducer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A record through a ring within one thread, for the cost of the ring itself when no cache line has to travel. Rings
 * know one kind of memory only; a polluted profile adds rings of other sizes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class RingBenchmark {
  private static final int INFO = 7;
  private static final int SLOTS = 256;
  private static final int BULK = 64 << 10;

  /** Bulk bytes of a record; they are claimed and given back, not written. */
  @Param({"0", "1024"})
  public int bulk;

  /** Whether other rings were used before. */
  @Param({"clean", "polluted"})
  public String profile;

  private RingProducer producer;
  private RingConsumer consumer;

  /** Makes an instance; JMH does. */
  public RingBenchmark() {}

  /** Makes the ring, and pollutes if asked to. */
  @Setup
  public void setUp() {
    if (profile.equals("polluted")) {
      for (int slots = RingLayout.MIN_SLOTS; slots <= SLOTS; slots *= 2) {
        open(slots, slots * RingLayout.SLOT_BYTES * 2);
        for (int i = 0; i < Pollution.CALLS; i++) {
          pass(i % 2 * RingLayout.SLOT_BYTES);
        }
      }
    }
    open(SLOTS, BULK);
  }

  private void open(int slots, int bulkBytes) {
    long ring = Raw.address(Arena.global().allocate(RingLayout.bytes(slots, bulkBytes), 128));
    RingLayout.format(ring, slots, bulkBytes);
    producer = new RingProducer(ring, slots, bulkBytes);
    consumer = new RingConsumer(ring, slots, bulkBytes);
  }

  private boolean pass(int bytes) {
    long slot = bytes == 0 ? producer.claim() : producer.claim(bytes);
    long end = producer.bulkEnd();
    producer.publish(slot, INFO);
    boolean there = consumer.peek() != 0 && consumer.pop(end);
    consumer.credit();
    return there;
  }

  /** Claims, publishes, reads and gives back one record. */
  @Benchmark
  public boolean record() {
    return pass(bulk);
  }
}
