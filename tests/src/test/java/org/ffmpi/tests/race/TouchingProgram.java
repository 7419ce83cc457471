// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.race;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Win;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.race.RaceFindings;

/** Loads and stores in all forms, each while a put or get has the buffer.*/
public final class TouchingProgram implements Mpi.Body {
  private static final int COUNT = 4;
  private static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();
  private static final StructLayout PAIR = MemoryLayout.structLayout(
      ValueLayout.JAVA_LONG.withName("first"), ValueLayout.JAVA_LONG.withName("second"));
  private static final long LIMIT_NANOS = 20_000_000_000L;

  private final List<String> wrong = new ArrayList<>();
  private final long[] a = new long[COUNT];
  private final long[] other = new long[COUNT];
  private final boolean[] flags = new boolean[COUNT];
  private final byte[] bytes = new byte[COUNT];
  private final char[] chars = new char[COUNT];
  private final short[] shorts = new short[COUNT];
  private final int[] ints = new int[COUNT];
  private final float[] floats = new float[COUNT];
  private final double[] doubles = new double[COUNT];
  private final MemorySegment segment = Arena.global().allocate(COUNT * Long.BYTES, Long.BYTES);
  private long sink;
  private Win win;

  /** A load or store. */
  private interface Touch {
    void run();
  }

  /** Returns the forms that were not found, and those that were found wrongly. */
  public List<String> wrong() {
    return wrong;
  }

  @Override
  public void run(Mpi mpi) {
    try (Win made = mpi.world().winAllocate(COUNT * Long.BYTES, 1)) {
      win = made;
      win.lockAll();
      storeElements();
      storeByCalls();
      storeByHandles();
      load();
      nativeMemory();
      check("other array", false, Buf.of(a), false, () -> other[0] = 1);
      check("load beside put", false, Buf.of(a), false, () -> sink += a[0]);
      win.unlockAll();
    }
    twoThreads(mpi.world());
  }

  /** A thread of the rank stores to the buffer in which another one receives. */
  private void twoThreads(IntraComm world) {
    Thread receiver = Thread.ofPlatform().start(() -> {
      try {
        world.recv(a, 0, 1);
      } catch (MpiException e) {
        // the finding, where this thread is the next to call
      }
    });
    long begin = System.nanoTime();
    boolean found = false;
    while (!found && System.nanoTime() - begin < LIMIT_NANOS) {
      a[0] = 1;
      found = !RaceFindings.take().isEmpty();
    }
    if (!found) {
      wrong.add("two threads");
    }
    try {
      world.send(other, 0, 1);
      receiver.join();
    } catch (MpiException | InterruptedException e) {
      // of the call that throws the finding
    }
  }

  private void storeElements() {
    stored("a[0] = 1", Buf.of(a), () -> a[0] = 1);
    stored("a[1] += 2", Buf.of(a), () -> a[1] += 2);
    stored("a[2]++", Buf.of(a), () -> a[2]++);
    stored("boolean", Buf.of(flags), () -> flags[0] = true);
    stored("byte", Buf.of(bytes), () -> bytes[0] = 1);
    stored("char", Buf.of(chars), () -> chars[0] = 'x');
    stored("short", Buf.of(shorts), () -> shorts[0] = 1);
    stored("int", Buf.of(ints), () -> ints[3] = 1);
    stored("float", Buf.of(floats), () -> floats[0] = 1);
    stored("double", Buf.of(doubles), () -> doubles[0] = 1);
  }

  private void storeByCalls() {
    MemorySegment heap = MemorySegment.ofArray(a);
    MemorySegment from = MemorySegment.ofArray(other);
    stored("fill", Buf.of(a), () -> Arrays.fill(a, 3));
    stored("fill range", Buf.of(a), () -> Arrays.fill(a, 1, 2, 3));
    stored("sort", Buf.of(a), () -> Arrays.sort(a));
    stored("setAll", Buf.of(a), () -> Arrays.setAll(a, i -> i));
    stored("arraycopy", Buf.of(a), () -> System.arraycopy(other, 0, a, 1, 2));
    stored("set", Buf.of(a), () -> heap.set(ValueLayout.JAVA_LONG, 8, 1));
    stored("setAtIndex", Buf.of(a), () -> heap.setAtIndex(ValueLayout.JAVA_LONG, 1, 1));
    stored("segment fill", Buf.of(a), () -> heap.fill((byte) 1));
    stored("slice", Buf.of(a), () -> heap.asSlice(8, 8).fill((byte) 1));
    stored("copyFrom", Buf.of(a), () -> heap.copyFrom(from));
    stored("copy bytes", Buf.of(a), () -> MemorySegment.copy(from, 0, heap, 8, 16));
    stored("copy elements", Buf.of(a),
        () -> MemorySegment.copy(from, ValueLayout.JAVA_LONG, 0, heap, ValueLayout.JAVA_LONG, 8, 2));
    stored("copy to array", Buf.of(a), () -> MemorySegment.copy(from, ValueLayout.JAVA_LONG, 0, a, 1, 2));
    stored("copy from array", Buf.of(a), () -> MemorySegment.copy(other, 1, heap, ValueLayout.JAVA_LONG, 8, 2));
    stored("buffer put at", Buf.of(a), () -> LongBuffer.wrap(a).put(1, 5));
    stored("buffer put", Buf.of(a), () -> LongBuffer.wrap(a).put(5));
    stored("buffer put array", Buf.of(a), () -> LongBuffer.wrap(a).put(new long[2]));
    stored("byte buffer", Buf.of(bytes), () -> ByteBuffer.wrap(bytes).putInt(0, 5));
  }

  private void storeByHandles() {
    MemorySegment heap = MemorySegment.ofArray(a);
    VarHandle second = MethodHandles.insertCoordinates(PAIR.varHandle(PathElement.groupElement("second")), 1, 0L);
    VarHandle each = PAIR.arrayElementVarHandle(PathElement.groupElement("second"));
    VarHandle element = MethodHandles.arrayElementVarHandle(long[].class);
    VarHandle view = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());
    stored("handle", Buf.of(a), () -> LONGS.set(heap, 8L, 1L));
    stored("handle volatile", Buf.of(a), () -> LONGS.setVolatile(heap, 8L, 1L));
    stored("handle add", Buf.of(a), () -> LONGS.getAndAdd(heap, 8L, 1L));
    stored("exact handle", Buf.of(a), () -> LONGS.withInvokeExactBehavior().set(heap, 8L, 1L));
    stored("handle of a field", Buf.of(a, 1, 1), () -> second.set(heap, 1L));
    stored("handle of an element", Buf.of(a, 3, 1), () -> each.set(heap, 0L, 1L, 1L));
    stored("handle of an array", Buf.of(a, 3, 1), () -> element.set(a, 3, 1L));
    stored("handle of bytes", Buf.of(bytes, 3, 1), () -> view.set(bytes, 2, (short) 1));
    check("handle of another field", false, Buf.of(a, 0, 1), false, () -> second.set(heap, 1L));
    check("handle of another element", false, Buf.of(a, 2, 1), false, () -> each.set(heap, 0L, 1L, 1L));
    loaded("handle get", () -> sink += (long) LONGS.get(heap, 8L));
    loaded("handle getAcquire", () -> sink += (long) LONGS.getAcquire(heap, 8L));
  }

  private void load() {
    MemorySegment heap = MemorySegment.ofArray(a);
    loaded("a[0]", () -> sink += a[0]);
    loaded("clone", () -> sink += a.clone().length);
    loaded("copyOf", () -> sink += Arrays.copyOf(a, 1).length);
    loaded("stream", () -> sink += Arrays.stream(a).sum());
    loaded("arraycopy from", () -> System.arraycopy(a, 0, other, 1, 2));
    loaded("get", () -> sink += heap.get(ValueLayout.JAVA_LONG, 8));
    loaded("getAtIndex", () -> sink += heap.getAtIndex(ValueLayout.JAVA_LONG, 1));
    loaded("toArray", () -> sink += heap.toArray(ValueLayout.JAVA_LONG).length);
    loaded("copyFrom it", () -> MemorySegment.ofArray(other).copyFrom(heap));
    loaded("buffer get at", () -> sink += LongBuffer.wrap(a).get(1));
    loaded("buffer get", () -> sink += LongBuffer.wrap(a).get());
    loaded("buffer get array", () -> LongBuffer.wrap(a).get(new long[2]));
  }

  private void nativeMemory() {
    Buf<?> buf = Buf.of(segment, COUNT, Datatype.INT64_T);
    ByteBuffer view = segment.asByteBuffer().order(ByteOrder.nativeOrder());
    stored("native set", buf, () -> segment.set(ValueLayout.JAVA_LONG, 8, 1));
    stored("native byte buffer", buf, () -> view.putLong(8, 1));
    stored("native long buffer", buf, () -> view.asLongBuffer().put(1, 1));
    stored("native fill", buf, () -> segment.fill((byte) 2));
  }

  private void stored(String name, Buf<?> buf, Touch touch) {
    check(name, true, buf, false, touch);
  }

  private void loaded(String name, Touch touch) {
    check(name, true, Buf.of(a), true, touch);
  }

  private void check(String name, boolean races, Buf<?> buf, boolean gets, Touch touch) {
    if (gets) {
      win.get(buf, 0, 0);
    } else {
      win.put(buf, 0, 0);
    }
    touch.run();
    if (RaceFindings.take().isEmpty() == races) {
      wrong.add(name);
    }
    win.flush(0);
    try {
      win.put(Buf.of(new byte[0]), 0, 0); // throws the finding
    } catch (MpiException e) {
      win.flush(0);
    }
  }
}
