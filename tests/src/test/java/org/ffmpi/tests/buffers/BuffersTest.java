// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.buffers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

/** All primitive types in all kinds of memory, sent from each kind into each other. */
@EveryTransport
class BuffersTest {
  /** Element counts that make messages of every protocol. */
  private static final int[] COUNTS = {0, 1, 3, 20, 700, 9_000};

  /** A place for elements: how to get at its bytes, and what to hand to a call. */
  private record Place(String name, MemorySegment bytes, Buf<?> buf) {}

  private static Object arrayOf(int kind, int length) {
    Class<?>[] types = {
      byte.class, boolean.class, char.class, short.class, int.class, long.class, float.class, double.class
    };
    return Array.newInstance(types[kind], length);
  }

  private static final int KINDS = 8;

  private static final Datatype<?>[] TYPES = {
    Datatype.INT8_T, Datatype.C_BOOL, Datatype.UINT16_T, Datatype.INT16_T, Datatype.INT32_T, Datatype.INT64_T,
    Datatype.FLOAT, Datatype.DOUBLE
  };

  /** Sets element i of an array to a value that depends on i. */
  private static void set(Object array, int i, long seed) {
    byte b = Data.at(seed, i);
    switch (array) {
      case byte[] a -> a[i] = b;
      case boolean[] a -> a[i] = (b & 1) != 0;
      case char[] a -> a[i] = (char) (b * 257);
      case short[] a -> a[i] = (short) (b * 255);
      case int[] a -> a[i] = b * 0x1234567;
      case long[] a -> a[i] = b * 0x123456789ABCDEFL;
      case float[] a -> a[i] = b * 1.5e10f;
      case double[] a -> a[i] = b * 1.25e200;
      default -> throw new AssertionError(array.getClass());
    }
  }

  private static Buf<?> whole(Object array) {
    return switch (array) {
      case byte[] a -> Buf.of(a);
      case boolean[] a -> Buf.of(a);
      case char[] a -> Buf.of(a);
      case short[] a -> Buf.of(a);
      case int[] a -> Buf.of(a);
      case long[] a -> Buf.of(a);
      case float[] a -> Buf.of(a);
      case double[] a -> Buf.of(a);
      default -> throw new AssertionError(array.getClass());
    };
  }

  private static Buf<?> slice(Object array, int from, int count) {
    return switch (array) {
      case byte[] a -> Buf.of(a, from, count);
      case boolean[] a -> Buf.of(a, from, count);
      case char[] a -> Buf.of(a, from, count);
      case short[] a -> Buf.of(a, from, count);
      case int[] a -> Buf.of(a, from, count);
      case long[] a -> Buf.of(a, from, count);
      case float[] a -> Buf.of(a, from, count);
      case double[] a -> Buf.of(a, from, count);
      default -> throw new AssertionError(array.getClass());
    };
  }

  private static void send(Comm world, Object array, int dest, int tag) {
    switch (array) {
      case byte[] a -> world.send(a, dest, tag);
      case boolean[] a -> world.send(a, dest, tag);
      case char[] a -> world.send(a, dest, tag);
      case short[] a -> world.send(a, dest, tag);
      case int[] a -> world.send(a, dest, tag);
      case long[] a -> world.send(a, dest, tag);
      case float[] a -> world.send(a, dest, tag);
      case double[] a -> world.send(a, dest, tag);
      default -> throw new AssertionError(array.getClass());
    }
  }

  private static void recv(Comm world, Object array, int source, int tag) {
    switch (array) {
      case byte[] a -> world.recv(a, source, tag);
      case boolean[] a -> world.recv(a, source, tag);
      case char[] a -> world.recv(a, source, tag);
      case short[] a -> world.recv(a, source, tag);
      case int[] a -> world.recv(a, source, tag);
      case long[] a -> world.recv(a, source, tag);
      case float[] a -> world.recv(a, source, tag);
      case double[] a -> world.recv(a, source, tag);
      default -> throw new AssertionError(array.getClass());
    }
  }

  private static Request isend(Comm world, Object array, int dest, int tag) {
    return switch (array) {
      case byte[] a -> world.isend(a, dest, tag);
      case boolean[] a -> world.isend(a, dest, tag);
      case char[] a -> world.isend(a, dest, tag);
      case short[] a -> world.isend(a, dest, tag);
      case int[] a -> world.isend(a, dest, tag);
      case long[] a -> world.isend(a, dest, tag);
      case float[] a -> world.isend(a, dest, tag);
      case double[] a -> world.isend(a, dest, tag);
      default -> throw new AssertionError(array.getClass());
    };
  }

  private static Request irecv(Comm world, Object array, int source, int tag) {
    return switch (array) {
      case byte[] a -> world.irecv(a, source, tag);
      case boolean[] a -> world.irecv(a, source, tag);
      case char[] a -> world.irecv(a, source, tag);
      case short[] a -> world.irecv(a, source, tag);
      case int[] a -> world.irecv(a, source, tag);
      case long[] a -> world.irecv(a, source, tag);
      case float[] a -> world.irecv(a, source, tag);
      case double[] a -> world.irecv(a, source, tag);
      default -> throw new AssertionError(array.getClass());
    };
  }

  private static void assertSame(Object expected, Object actual, String what) {
    switch (expected) {
      case byte[] a -> assertArrayEquals(a, (byte[]) actual, what);
      case boolean[] a -> assertArrayEquals(a, (boolean[]) actual, what);
      case char[] a -> assertArrayEquals(a, (char[]) actual, what);
      case short[] a -> assertArrayEquals(a, (short[]) actual, what);
      case int[] a -> assertArrayEquals(a, (int[]) actual, what);
      case long[] a -> assertArrayEquals(a, (long[]) actual, what);
      case float[] a -> assertArrayEquals(a, (float[]) actual, what);
      case double[] a -> assertArrayEquals(a, (double[]) actual, what);
      default -> throw new AssertionError(expected.getClass());
    }
  }

  /** The array forms of the four hot calls. */
  @MpiTest(ranks = {1, 2, 3})
  void arraysOfAllTypes(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int kind = 0; kind < KINDS; kind++) {
      for (int count : COUNTS) {
        Object expected = arrayOf(kind, count);
        for (int i = 0; i < count; i++) {
          set(expected, i, kind);
        }
        Object received = arrayOf(kind, count);
        Request receive = irecv(world, received, previous, kind);
        send(world, expected, next, kind);
        receive.await();
        assertSame(expected, received, "send, irecv");

        received = arrayOf(kind, count);
        Request send = isend(world, expected, next, kind);
        recv(world, received, previous, kind);
        send.await();
        assertSame(expected, received, "isend, recv");

        received = arrayOf(kind, count + 5);
        receive = world.irecv(slice(received, 2, count), previous, kind);
        world.ssend(whole(expected), next, kind);
        receive.await();
        Object wanted = arrayOf(kind, count + 5);
        System.arraycopy(expected, 0, wanted, 2, count);
        assertSame(wanted, received, "into a slice");
      }
    }
  }

  /** Every kind of memory a buffer can lie in, with room for some bytes. */
  private static List<Place> places(Mpi mpi, Arena confined, Arena shared, Path file, int bytes) throws IOException {
    List<Place> all = new ArrayList<>();
    all.add(ofSegment("confined", confined.allocate(bytes, 8), bytes));
    all.add(ofSegment("shared arena", shared.allocate(bytes, 8), bytes));
    all.add(ofSegment("automatic", Arena.ofAuto().allocate(bytes, 8), bytes));
    all.add(ofSegment("unaligned slice", Arena.ofAuto().allocate(bytes + 9, 8).asSlice(3, bytes), bytes));
    all.add(ofSegment("shared heap", mpi.shared().allocate(bytes, 8), bytes));
    all.add(ofSegment("shared heap slice", mpi.shared().allocate(bytes + 100, 8).asSlice(60, bytes), bytes));
    all.add(ofSegment("heap segment", MemorySegment.ofArray(new byte[bytes + 16]).asSlice(8, bytes), bytes));
    MemorySegment longs = MemorySegment.ofArray(new long[bytes / 8 + 3]);
    all.add(ofSegment("heap segment of longs", longs.asSlice(8, bytes), bytes));
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      all.add(ofSegment(
          "mapped, automatic",
          channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes + 1L, Arena.ofAuto()).asSlice(0, bytes), bytes));
      all.add(ofSegment(
          "mapped, shared arena",
          channel.map(FileChannel.MapMode.READ_WRITE, 1 << 20, bytes + 1L, shared).asSlice(0, bytes), bytes));
    }
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes + 24).order(ByteOrder.nativeOrder());
    direct.position(8).limit(8 + bytes);
    all.add(new Place("direct NIO", MemorySegment.ofBuffer(direct), Buf.of(direct, bytes, Datatype.BYTE)));
    ByteBuffer heap = ByteBuffer.allocate(bytes + 24).order(ByteOrder.nativeOrder());
    heap.position(5).limit(5 + bytes);
    all.add(new Place("heap NIO", MemorySegment.ofBuffer(heap), Buf.of(heap, bytes, Datatype.BYTE)));
    assertEquals(8, direct.position());
    assertEquals(5, heap.position());
    return all;
  }

  private static Place ofSegment(String name, MemorySegment segment, int bytes) {
    return new Place(name, segment, Buf.of(segment, bytes, Datatype.BYTE));
  }

  /** From every kind of memory into every other. */
  @MpiTest(ranks = {1, 2})
  void allKindsOfMemory(Mpi mpi, @TempDir Path directory) throws IOException {
    Comm world = mpi.world();
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    Path out = directory.resolve("out" + world.rank());
    Path in = directory.resolve("in" + world.rank());
    try (Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared()) {
      for (int bytes : new int[] {0, 8, 33, 300, 4_001, 40_000}) {
        List<Place> sources = places(mpi, confined, shared, out, bytes);
        List<Place> targets = places(mpi, confined, shared, in, bytes);
        for (int s = 0; s < sources.size(); s++) {
          Data.fill(sources.get(s).bytes(), s);
          for (int t = 0; t < targets.size(); t++) {
            // With long messages only some pairs, all of them in the course of the tests.
            if (bytes > 1_000 && (s + t + world.size()) % 3 != 0) {
              continue;
            }
            targets.get(t).bytes().fill((byte) 0);
            Request receive = world.irecv(targets.get(t).buf(), previous, t);
            Request send = world.isend(sources.get(s).buf(), next, t);
            assertEquals(bytes, receive.await(new Status()).bytes());
            send.await();
            String way = sources.get(s).name() + " to " + targets.get(t).name();
            try {
              Data.check(targets.get(t).bytes(), s, bytes);
            } catch (AssertionError e) {
              throw new AssertionError(way + ": " + e.getMessage(), e);
            }
          }
        }
      }
    }
  }

  /** The typed forms over NIO views and segments. */
  @MpiTest(ranks = {1, 2})
  void typedBuffersOffHeap(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int kind = 0; kind < KINDS; kind++) {
      int width = (int) TYPES[kind].size();
      for (int count : COUNTS) {
        MemorySegment out = Arena.ofAuto().allocate(Math.max(1, (long) count * width), 8);
        MemorySegment in = Arena.ofAuto().allocate(Math.max(1, (long) count * width + 16), 8);
        for (long i = 0; i < (long) count * width; i++) {
          // A boolean is 0 or 1
          out.set(ValueLayout.JAVA_BYTE, i, kind == 1 ? (byte) (i & 1) : Data.at(kind, i));
        }
        Request receive = world.irecv(Buf.of(in, count, TYPES[kind]).at(16), previous, 0);
        world.send(Buf.of(out, count, TYPES[kind]), next, 0);
        Status status = receive.await(new Status());
        assertEquals(count, status.getCount(TYPES[kind]));
        assertEquals(-1, out.asSlice(0, (long) count * width).mismatch(in.asSlice(16, (long) count * width)));
      }
    }
    double[] numbers = {1, 2, 3, 4, 5};
    ByteBuffer room = ByteBuffer.allocateDirect(48).order(ByteOrder.nativeOrder());
    Request receive = world.irecv(Buf.of(room.asDoubleBuffer().position(1).limit(4)), previous, 1);
    world.send(Buf.of(DoubleBuffer.wrap(numbers).position(2)), next, 1);
    receive.await();
    assertEquals(0, room.getDouble(0));
    assertEquals(3, room.getDouble(8));
    assertEquals(5, room.getDouble(24));
    assertEquals(0, room.getDouble(32));
    assertTrue(room.position() == 0 && room.limit() == 48);
  }

  /** Elements cross from one type of array into another of the same width, as bytes do. */
  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.8-h: types need not match unless they are checked")
  void typesNeedNotMatch(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int count : new int[] {1, 12, 5_000}) {
      float[] sent = new float[count];
      for (int i = 0; i < count; i++) {
        sent[i] = i * 0.5f;
      }
      int[] received = new int[count];
      Request receive = world.irecv(received, previous, 0);
      world.send(sent, next, 0);
      assertEquals(count, receive.await(new Status()).getCount(Datatype.FLOAT));
      for (int i = 0; i < count; i++) {
        assertEquals(Float.floatToRawIntBits(sent[i]), received[i]);
      }
    }
  }
}
