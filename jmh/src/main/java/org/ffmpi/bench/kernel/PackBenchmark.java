// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.kernel;

import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.bench.kernel.Pollution.Place;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
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

/** Copies between the user's memory and a packed stream. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class PackBenchmark {
  private static final int LARGEST = 1 << 20;

  /** Payload. */
  @Param({"8", "64", "1024", "65536", "1048576"})
  public int bytes;

  /** The memory of the user's buffer. */
  @Param({"native", "double[]"})
  public String memory;

  /** Whether other kinds of memory went the same way before. */
  @Param({"clean", "polluted"})
  public String profile;

  private Plan plan;
  private Place place;
  private long stream;

  /** Makes an instance; JMH does. */
  public PackBenchmark() {}

  /** Makes the buffers, and pollutes if asked to. */
  @Setup
  public void setUp() {
    plan = TypeHandle.planOf(Datatype.DOUBLE);
    place = memory.equals("native")
        ? Place.of(Arena.global().allocate(LARGEST, 64))
        : Place.of((Object) new double[LARGEST / Double.BYTES]);
    stream = Raw.address(Arena.global().allocate(LARGEST, 64));
    if (profile.equals("polluted")) {
      for (Place p : Pollution.places(64)) {
        for (int i = 0; i < Pollution.CALLS; i++) {
          plan.pack(p.kind(), p.owner(), p.offset(), 8, 0, 64, stream);
          plan.unpack(stream, p.kind(), p.owner(), p.offset(), 8, 0, 64);
        }
      }
    }
  }

  /** Packs contiguous doubles. */
  @Benchmark
  public void pack() {
    plan.pack(place.kind(), place.owner(), place.offset(), bytes / Double.BYTES, 0, bytes, stream);
  }

  /** Unpacks contiguous doubles. */
  @Benchmark
  public void unpack() {
    plan.unpack(stream, place.kind(), place.owner(), place.offset(), bytes / Double.BYTES, 0, bytes);
  }
}
