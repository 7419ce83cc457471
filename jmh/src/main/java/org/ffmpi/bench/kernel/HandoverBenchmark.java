// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.kernel;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Control;

/**
 * Numbers of eight bytes from one thread to another through ffmpi's ring and through what could stand in its place: how
 * long one takes when they come as fast as they can, at either side.
 */
@State(Scope.Group)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = {
  "--enable-native-access=ALL-UNNAMED", "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
  "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED", "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
  "--sun-misc-unsafe-memory-access=allow"})
public class HandoverBenchmark {
  /** The ring or queue. */
  @Param({"ffmpi", "chronicle", "bytebuffer", "arrayblocking", "linked"})
  public String ring;

  private RingPeer peer;

  /** Makes an instance; JMH does. */
  public HandoverBenchmark() {}

  /** Makes the ring. */
  @Setup
  public void setUp() {
    peer = RingPeer.of(ring);
  }

  /** Offers a number, as soon as there is room. */
  @Benchmark
  @Group("handover")
  @GroupThreads(1)
  public void offer(Control control) {
    while (!peer.offer(1) && !control.stopMeasurement) {
      Thread.onSpinWait();
    }
  }

  /** Takes a number, as soon as there is one. */
  @Benchmark
  @Group("handover")
  @GroupThreads(1)
  public long poll(Control control) {
    long value = peer.poll();
    while (value == RingPeer.NOTHING && !control.stopMeasurement) {
      Thread.onSpinWait();
      value = peer.poll();
    }
    return value;
  }
}
