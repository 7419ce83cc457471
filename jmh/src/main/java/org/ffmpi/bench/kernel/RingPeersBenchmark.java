// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.kernel;

import java.util.concurrent.TimeUnit;
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

/** A number of eight bytes through ffmpi's ring and through what could stand in its place, within one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = {
  "--enable-native-access=ALL-UNNAMED", "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
  "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED", "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
  "--sun-misc-unsafe-memory-access=allow"})
public class RingPeersBenchmark {
  /** The ring or queue. */
  @Param({"ffmpi", "chronicle", "bytebuffer", "arrayblocking", "linked"})
  public String ring;

  private RingPeer peer;
  private long next;

  /** Makes an instance; JMH does. */
  public RingPeersBenchmark() {}

  /** Makes the ring. */
  @Setup
  public void setUp() {
    peer = RingPeer.of(ring);
  }

  /** Offers a number and takes it out again. */
  @Benchmark
  public long record() {
    peer.offer(next++);
    return peer.poll();
  }
}
