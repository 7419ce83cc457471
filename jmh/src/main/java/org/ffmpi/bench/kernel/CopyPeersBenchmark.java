// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.bytes.BytesStore;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.bench.kernel.Pollution.Place;
import org.ffmpi.chronicle.ChronicleBuf;
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

/**
 * Contiguous bytes from one place in native memory to another, by what ffmpi copies messages with and by what programs
 * could copy with instead. Polluted means for each of them that it has met other kinds of memory before.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = {
  "--enable-native-access=ALL-UNNAMED", "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
  "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED", "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
  "--sun-misc-unsafe-memory-access=allow"})
public class CopyPeersBenchmark {
  private static final int LARGEST = 1 << 20;
  private static final int SMALL = 64;

  /** Payload. */
  @Param({"8", "64", "1024", "65536", "1048576"})
  public int bytes;

  /** Whether other kinds of memory went the same way before. */
  @Param({"clean", "polluted"})
  public String profile;

  private final Plan plan = TypeHandle.planOf(Datatype.BYTE);
  private MemorySegment from;
  private MemorySegment to;
  private Place place;
  private long target;
  private ByteBuffer fromBuffer;
  private ByteBuffer toBuffer;
  private BytesStore<?, ?> fromStore;
  private BytesStore<?, ?> toStore;
  private byte[] fromArray;
  private byte[] toArray;

  /** Makes an instance; JMH does. */
  public CopyPeersBenchmark() {}

  /** Makes the buffers, and pollutes if asked to. */
  @Setup
  public void setUp() {
    from = Arena.global().allocate(LARGEST, SMALL);
    to = Arena.global().allocate(LARGEST, SMALL);
    place = Place.of(from);
    target = Raw.address(to);
    fromBuffer = from.asByteBuffer();
    toBuffer = to.asByteBuffer();
    fromStore = ChronicleBuf.view(from);
    toStore = ChronicleBuf.view(to);
    fromArray = new byte[LARGEST];
    toArray = new byte[LARGEST];
    if (profile.equals("polluted")) {
      pollute();
    }
  }

  private void pollute() {
    List<MemorySegment> segments = new ArrayList<>();
    List<ByteBuffer> buffers = new ArrayList<>();
    for (Place p : Pollution.places(SMALL)) {
      if (p.owner() instanceof MemorySegment segment) {
        segments.add(segment);
      } else if (p.owner() instanceof byte[] array) {
        segments.add(MemorySegment.ofArray(array));
      } else if (p.owner() instanceof double[] array) {
        segments.add(MemorySegment.ofArray(array));
      }
      for (int i = 0; i < Pollution.CALLS; i++) {
        plan.pack(p.kind(), p.owner(), p.offset(), SMALL, 0, SMALL, target);
      }
    }
    buffers.add(ByteBuffer.allocate(SMALL));
    buffers.add(ByteBuffer.allocateDirect(SMALL).asReadOnlyBuffer());
    buffers.add(ByteBuffer.allocateDirect(SMALL));
    BytesStore<?, byte[]> onHeap = BytesStore.wrap(new byte[SMALL]);
    for (int i = 0; i < Pollution.CALLS; i++) {
      for (MemorySegment segment : segments) {
        MemorySegment.copy(segment, 0, to, 0, SMALL);
        MemorySegment.copy(to, 0, segment, 0, SMALL);
      }
      for (ByteBuffer buffer : buffers) {
        toBuffer.put(0, buffer, 0, SMALL);
      }
      toStore.write(0, onHeap, 0, SMALL);
      onHeap.write(0, fromStore, 0, SMALL);
    }
  }

  /** Packs by the plan of a contiguous type. */
  @Benchmark
  public void ffmpiPlan() {
    plan.pack(Memory.NATIVE, place.owner(), place.offset(), bytes, 0, bytes, target);
  }

  /** Copies by ffmpi's routine for absolute addresses. */
  @Benchmark
  public void ffmpiRaw() {
    Raw.copy(place.offset(), target, bytes);
  }

  /** Copies between segments. */
  @Benchmark
  public void memorySegment() {
    MemorySegment.copy(from, 0, to, 0, bytes);
  }

  /** Copies between direct buffers. */
  @Benchmark
  public void byteBuffer() {
    toBuffer.put(0, fromBuffer, 0, bytes);
  }

  /** Copies between stores of Chronicle Bytes. */
  @Benchmark
  public void chronicle() {
    toStore.write(0, fromStore, 0, bytes);
  }

  /** Copies between arrays, which no other process can see. */
  @Benchmark
  public void arraycopy() {
    System.arraycopy(fromArray, 0, toArray, 0, bytes);
  }
}
