// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.kernel;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.reduce.PredefinedOp;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.datatype.reduce.ReduceKernels;
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

/** Sums doubles; {@link ReduceVectorBenchmark} does with the Vector API. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class ReduceBenchmark {
  private static final int POLLUTING_ELEMENTS = 64;

  /** Number of elements. */
  @Param({"1", "16", "128", "8192", "131072"})
  public int count;

  /** Whether other operations and types went before, and short calls of all. */
  @Param({"clean", "polluted"})
  public String profile;

  private ReduceKernel kernel;
  private long in;
  private long inout;
  private long out;
  private double[] array;

  /** Makes an instance; JMH does. */
  public ReduceBenchmark() {}

  /** Makes the buffers, and pollutes if asked to. */
  @Setup
  public void setUp() {
    kernel = ReduceKernels.kernel(PredefinedOp.SUM, Datatype.DOUBLE);
    long bytes = Math.max(count, POLLUTING_ELEMENTS) * (long) Double.BYTES;
    in = Raw.address(Arena.global().allocate(bytes, 64));
    inout = Raw.address(Arena.global().allocate(bytes, 64));
    out = Raw.address(Arena.global().allocate(bytes, 64));
    array = new double[Math.max(count, POLLUTING_ELEMENTS)];
    if (profile.equals("polluted")) {
      for (Datatype<?> type : List.of(Datatype.DOUBLE, Datatype.FLOAT, Datatype.INT32_T, Datatype.INT64_T)) {
        for (PredefinedOp op : List.of(PredefinedOp.MIN, PredefinedOp.MAX, PredefinedOp.SUM)) {
          ReduceKernel other = ReduceKernels.kernel(op, type);
          for (int i = 0; i < Pollution.CALLS; i++) {
            other.reduce(in, inout, 1 + i % POLLUTING_ELEMENTS);
            other.combine(in, inout, out, 1 + i % POLLUTING_ELEMENTS);
            if (type == Datatype.DOUBLE) {
              other.reduce(in, array, Memory.DOUBLES, 0, 1 + i % POLLUTING_ELEMENTS);
            }
          }
        }
      }
    }
  }

  /** Adds native memory into native memory. */
  @Benchmark
  public void intoNative() {
    kernel.reduce(in, inout, count);
  }

  /** Adds native memory into an array. */
  @Benchmark
  public void intoArray() {
    kernel.reduce(in, array, Memory.DOUBLES, 0, count);
  }

  /** Adds native memory and native memory into a third place. */
  @Benchmark
  public void apart() {
    kernel.combine(in, inout, out, count);
  }

  /** The same in two steps. */
  @Benchmark
  public void copiedThenReduced() {
    Raw.copy(inout, out, count * (long) Double.BYTES);
    kernel.reduce(in, out, count);
  }
}
