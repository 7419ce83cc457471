// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.kernel;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.bench.kernel.Pollution.Place;
import org.ffmpi.bench.type.TypeCase;
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

/**
 * Packs and unpacks derived types, with the Vector API ({@code -jvmArgsAppend} cannot take it away again; {@code
 * scripts/bench pack} measures both, beside C).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "--add-modules=jdk.incubator.vector"})
public class DerivedPackBenchmark {
  /** Type and payload in bytes; the faces are of a cube of 256 doubles, the transposes of edge 100, 300 and 1000. */
  @Param({"vec1s2/65536", "vec8s16/65536", "indexed/65536", "face_xy/524288", "face_xz/524288", "face_yz/524288",
      "partstruct/59000", "transpose/80000", "transpose/720000", "transpose/8000000"})
  public String type;

  /** The memory of the elements, off-heap, or a {@code double[]} ({@code byte[]} for structs). */
  @Param({"native", "heap"})
  public String memory;

  /** Whether other types and kinds of memory went the same way before. */
  @Param({"clean", "polluted"})
  public String profile;

  private Plan plan;
  private Place place;
  private long count;
  private long bytes;
  private long stream;

  /** Makes an instance; JMH does. */
  public DerivedPackBenchmark() {}

  /** Makes type and buffers, and pollutes if asked to. */
  @Setup
  public void setUp() {
    String[] f = type.split("/");
    TypeCase t = TypeCase.of(f[0], Long.parseLong(f[1]));
    PackBuffers.Piece piece = new PackBuffers().get(memory, t);
    MemorySegment packed = PackBuffers.offHeap(t.payload());
    t.fill(piece.segment());
    plan = TypeHandle.planOf(t.type());
    place = piece.place();
    count = t.count();
    bytes = t.payload();
    stream = Raw.address(packed);
    if (profile.equals("polluted")) {
      Pollution.ofTypes();
    }
  }

  /** Packs. */
  @Benchmark
  public void pack() {
    plan.pack(place.kind(), place.owner(), place.offset(), count, 0, bytes, stream);
  }

  /** Unpacks. */
  @Benchmark
  public void unpack() {
    plan.unpack(stream, place.kind(), place.owner(), place.offset(), count, 0, bytes);
  }
}
