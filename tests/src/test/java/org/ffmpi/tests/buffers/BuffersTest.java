// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.buffers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
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

  /** Sets an element of an array to a value that depends on a byte. */
  private interface Setter<A> {
    void set(A array, int i, byte value);
  }

  private interface Part<A> {
    Buf<?> of(A array, int offset, int count);
  }

  private interface Call<A> {
    void run(Comm comm, A array, int peer, int tag);
  }

  private interface Start<A> {
    Request run(Comm comm, A array, int peer, int tag);
  }

  /** A type of arrays, with the overloads of the calls that take it. */
  private record Kind<A>(
      Datatype<?> type, IntFunction<A> make, Setter<A> setter, Function<A, Buf<?>> whole, Part<A> part, Call<A> send,
      Call<A> recv, Start<A> isend, Start<A> irecv) {
    A array(int length, long seed) {
      A array = make.apply(length);
      for (int i = 0; i < length; i++) {
        setter.set(array, i, Data.at(seed, i));
      }
      return array;
    }
  }

  private static final List<Kind<?>> KINDS = List.of(
      new Kind<byte[]>(
          Datatype.INT8_T, byte[]::new, (a, i, b) -> a[i] = b,
          Buf::of, Buf::of, Comm::send, Comm::recv, Comm::isend, Comm::irecv),
      new Kind<boolean[]>(
          Datatype.C_BOOL, boolean[]::new, (a, i, b) -> a[i] = (b & 1) != 0,
          Buf::of, Buf::of, Comm::send, Comm::recv, Comm::isend, Comm::irecv),
      new Kind<char[]>(
          Datatype.UINT16_T, char[]::new, (a, i, b) -> a[i] = (char) (b * 257),
          Buf::of, Buf::of, Comm::send, Comm::recv, Comm::isend, Comm::irecv),
      new Kind<short[]>(
          Datatype.INT16_T, short[]::new, (a, i, b) -> a[i] = (short) (b * 255),
          Buf::of, Buf::of, Comm::send, Comm::recv, Comm::isend, Comm::irecv),
      new Kind<int[]>(
          Datatype.INT32_T, int[]::new, (a, i, b) -> a[i] = b * 0x1234567,
          Buf::of, Buf::of, Comm::send, Comm::recv, Comm::isend, Comm::irecv),
      new Kind<long[]>(
          Datatype.INT64_T, long[]::new, (a, i, b) -> a[i] = b * 0x123456789ABCDEFL,
          Buf::of, Buf::of, Comm::send, Comm::recv, Comm::isend, Comm::irecv),
      new Kind<float[]>(
          Datatype.FLOAT, float[]::new, (a, i, b) -> a[i] = b * 1.5e10f,
          Buf::of, Buf::of, Comm::send, Comm::recv, Comm::isend, Comm::irecv),
      new Kind<double[]>(
          Datatype.DOUBLE, double[]::new, (a, i, b) -> a[i] = b * 1.25e200,
          Buf::of, Buf::of, Comm::send, Comm::recv, Comm::isend, Comm::irecv));

  private static void assertSame(Object expected, Object actual, String what) {
    assertArrayEquals(new Object[] {expected}, new Object[] {actual}, what);
  }

  /** The array forms of the four hot calls. */
  @MpiTest(ranks = {1, 2, 3})
  void arraysOfAllTypes(Comm world) {
    for (int kind = 0; kind < KINDS.size(); kind++) {
      for (int count : COUNTS) {
        arrays(world, KINDS.get(kind), kind, count);
      }
    }
  }

  private static <A> void arrays(Comm world, Kind<A> kind, int tag, int count) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    A expected = kind.array(count, tag);
    A received = kind.make().apply(count);
    Request receive = kind.irecv().run(world, received, previous, tag);
    kind.send().run(world, expected, next, tag);
    receive.await();
    assertSame(expected, received, "send, irecv");

    received = kind.make().apply(count);
    Request send = kind.isend().run(world, expected, next, tag);
    kind.recv().run(world, received, previous, tag);
    send.await();
    assertSame(expected, received, "isend, recv");

    received = kind.make().apply(count + 5);
    receive = world.irecv(kind.part().of(received, 2, count), previous, tag);
    world.ssend(kind.whole().apply(expected), next, tag);
    receive.await();
    A wanted = kind.make().apply(count + 5);
    System.arraycopy(expected, 0, wanted, 2, count);
    assertSame(wanted, received, "into a slice");
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
    for (int kind = 0; kind < KINDS.size(); kind++) {
      Datatype<?> type = KINDS.get(kind).type();
      int width = (int) type.size();
      for (int count : COUNTS) {
        MemorySegment out = Arena.ofAuto().allocate(Math.max(1, (long) count * width), 8);
        MemorySegment in = Arena.ofAuto().allocate(Math.max(1, (long) count * width + 16), 8);
        for (long i = 0; i < (long) count * width; i++) {
          // A boolean is 0 or 1
          out.set(ValueLayout.JAVA_BYTE, i, type == Datatype.C_BOOL ? (byte) (i & 1) : Data.at(kind, i));
        }
        Request receive = world.irecv(Buf.of(in, count, type).at(16), previous, 0);
        world.send(Buf.of(out, count, type), next, 0);
        Status status = receive.await(new Status());
        assertEquals(count, status.getCount(type));
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
