// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;

/** Direct buffers, slices of buffers and arrays, in all kinds, with types that reach below a slice. */
final class BufferProgram {
  private static final int LENGTH = 10;

  private BufferProgram() {}

  static void run() throws MPIException {
    byOrder();
    direct();
    slicesOfDirectBuffers();
    slicesOfArrays();
    below();
    whole();
    bytesOfOtherArrays();
  }

  private static void byOrder() {
    Check.equal(ByteOrder.nativeOrder(), MPI.newByteBuffer(8).order(), "order of newByteBuffer");
    Check.equal(ByteOrder.nativeOrder(), MPI.newIntBuffer(8).order(), "order of newIntBuffer");
    Check.equal(ByteOrder.nativeOrder(), MPI.slice(MPI.newByteBuffer(8), 3).order(), "order of a slice");
    Check.equal(ByteOrder.nativeOrder(), MPI.slice(new byte[8], 3).order(), "order of a slice of an array");
  }

  private static void direct() {
    Buffer[] buffers = {MPI.newByteBuffer(LENGTH), MPI.newCharBuffer(LENGTH), MPI.newShortBuffer(LENGTH),
        MPI.newIntBuffer(LENGTH), MPI.newLongBuffer(LENGTH), MPI.newFloatBuffer(LENGTH), MPI.newDoubleBuffer(LENGTH)};
    for (Buffer buffer : buffers) {
      Check.that(buffer.isDirect(), "direct: " + buffer);
      Check.equal(LENGTH, buffer.capacity(), "capacity of " + buffer);
    }
  }

  /** What every rank sends to itself. */
  private static void exchange(Object from, Object to, int count, Datatype type) throws MPIException {
    int rank = MPI.COMM_WORLD.getRank();
    MPI.COMM_WORLD.sendRecv(from, count, type, rank, 1, to, count, type, rank, 1);
  }

  private static void slicesOfDirectBuffers() throws MPIException {
    ByteBuffer bytes = MPI.newByteBuffer(LENGTH);
    CharBuffer chars = MPI.newCharBuffer(LENGTH);
    ShortBuffer shorts = MPI.newShortBuffer(LENGTH);
    IntBuffer ints = MPI.newIntBuffer(LENGTH);
    LongBuffer longs = MPI.newLongBuffer(LENGTH);
    FloatBuffer floats = MPI.newFloatBuffer(LENGTH);
    DoubleBuffer doubles = MPI.newDoubleBuffer(LENGTH);
    for (int i = 0; i < LENGTH; i++) {
      bytes.put(i, (byte) (i - 3));
      chars.put(i, (char) ('a' + i));
      shorts.put(i, (short) (i * 100 - 300));
      ints.put(i, i * 100_000);
      longs.put(i, i * 10_000_000_000L);
      floats.put(i, i + 0.5f);
      doubles.put(i, i + 0.25);
    }
    exchange(MPI.slice(bytes, 1), MPI.slice(bytes, 6), 3, MPI.BYTE);
    exchange(MPI.slice(chars, 1), MPI.slice(chars, 6), 3, MPI.CHAR);
    exchange(MPI.slice(shorts, 1), MPI.slice(shorts, 6), 3, MPI.SHORT);
    exchange(MPI.slice(ints, 1), MPI.slice(ints, 6), 3, MPI.INT);
    exchange(MPI.slice(longs, 1), MPI.slice(longs, 6), 3, MPI.LONG);
    exchange(MPI.slice(floats, 1), MPI.slice(floats, 6), 3, MPI.FLOAT);
    exchange(MPI.slice(doubles, 1), MPI.slice(doubles, 6), 3, MPI.DOUBLE);
    int[] expected = {0, 1, 2, 3, 4, 5, 1, 2, 3, 9};
    for (int i = 0; i < LENGTH; i++) {
      int e = expected[i];
      Check.equal((byte) (e - 3), bytes.get(i), "byte " + i);
      Check.equal((char) ('a' + e), chars.get(i), "char " + i);
      Check.equal((short) (e * 100 - 300), shorts.get(i), "short " + i);
      Check.equal(e * 100_000, ints.get(i), "int " + i);
      Check.equal(e * 10_000_000_000L, longs.get(i), "long " + i);
      Check.equal(e + 0.5f, floats.get(i), "float " + i);
      Check.equal(e + 0.25, doubles.get(i), "double " + i);
    }
  }

  private static void slicesOfArrays() throws MPIException {
    byte[] bytes = new byte[LENGTH];
    char[] chars = new char[LENGTH];
    short[] shorts = new short[LENGTH];
    int[] ints = new int[LENGTH];
    long[] longs = new long[LENGTH];
    float[] floats = new float[LENGTH];
    double[] doubles = new double[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      bytes[i] = (byte) i;
      chars[i] = (char) i;
      shorts[i] = (short) i;
      ints[i] = i;
      longs[i] = i;
      floats[i] = i;
      doubles[i] = i;
    }
    exchange(MPI.slice(bytes, 2), MPI.slice(bytes, 7), 2, MPI.BYTE);
    exchange(MPI.slice(chars, 2), MPI.slice(chars, 7), 2, MPI.CHAR);
    exchange(MPI.slice(shorts, 2), MPI.slice(shorts, 7), 2, MPI.SHORT);
    exchange(MPI.slice(ints, 2), MPI.slice(ints, 7), 2, MPI.INT);
    exchange(MPI.slice(longs, 2), MPI.slice(longs, 7), 2, MPI.LONG);
    exchange(MPI.slice(floats, 2), MPI.slice(floats, 7), 2, MPI.FLOAT);
    exchange(MPI.slice(doubles, 2), MPI.slice(doubles, 7), 2, MPI.DOUBLE);
    int[] expected = {0, 1, 2, 3, 4, 5, 6, 2, 3, 9};
    for (int i = 0; i < LENGTH; i++) {
      Check.that(bytes[i] == expected[i] && chars[i] == expected[i] && shorts[i] == expected[i]
          && ints[i] == expected[i] && longs[i] == expected[i] && floats[i] == expected[i]
          && doubles[i] == expected[i], "element " + i + " of an array of some kind");
    }
    boolean[] flags = {true, false, true};
    boolean[] copies = new boolean[3];
    exchange(flags, copies, 3, MPI.BOOLEAN);
    Check.equal(flags, copies, "booleans");
    IntBuffer slice = MPI.slice(MPI.slice(ints, 2), 3);
    Check.equal(5, slice.get(0), "a slice of a slice");
  }

  /** Bytes and characters may lie in an array of any kind. */
  private static void bytesOfOtherArrays() throws MPIException {
    int[] numbers = {0x04030201, 0x08070605, -1};
    int[] copies = new int[3];
    exchange(numbers, copies, 8, MPI.BYTE);
    Check.ints("ints as bytes", copies, 0x04030201, 0x08070605, 0);
    exchange(numbers, copies, 6, MPI.CHAR);
    Check.ints("ints as characters", copies, numbers);
    double[] doubles = new double[2];
    exchange(new double[] {1.5, 2.5}, doubles, 16, MPI.BYTE);
    Check.equal(new double[] {1.5, 2.5}, doubles, "doubles as bytes");
    int size = MPI.COMM_WORLD.getSize();
    int rank = MPI.COMM_WORLD.getRank();
    int[] all = new int[size];
    int[] expected = new int[size];
    for (int r = 0; r < size; r++) {
      expected[r] = r + 1;
    }
    for (int turn = 0; turn < 2; turn++) {
      all[0] = 0;
      MPI.COMM_WORLD.allGather(new int[] {rank + 1}, 4, MPI.BYTE, all, 4, MPI.BYTE);
      Check.ints("gathered bytes of ints", all, expected);
    }
    int[] sent = {rank == 0 ? 77 : 0};
    MPI.COMM_WORLD.bcast(sent, 2, MPI.CHAR, 0);
    Check.ints("broadcast characters of an int", sent, 77);
    Datatype spread = Datatype.createVector(2, 2, 4, MPI.BYTE);
    spread.commit();
    int[] low = new int[2];
    MPI.COMM_WORLD.sendRecv(numbers, 1, spread, rank, 1, low, 4, MPI.BYTE, rank, 1);
    Check.ints("some bytes of ints", low, 0x06050201, 0);
    spread.free();
  }

  /** Elements of a vector with a negative stride lie before the beginning of the slice. */
  private static void below() throws MPIException {
    Datatype[] kinds = {MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE};
    for (Datatype kind : kinds) {
      Datatype backwards = Datatype.createVector(3, 1, -2, kind);
      backwards.commit();
      below(kind, backwards);
      backwards.free();
    }
  }

  private static void below(Datatype kind, Datatype backwards) throws MPIException {
    int rank = MPI.COMM_WORLD.getRank();
    IntBuffer ints = MPI.newIntBuffer(LENGTH);
    int[] array = new int[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      ints.put(i, i);
      array[i] = i;
    }
    if (kind == MPI.INT) {
      int[] got = new int[3];
      MPI.COMM_WORLD.sendRecv(MPI.slice(ints, 6), 1, backwards, rank, 2, got, 3, MPI.INT, rank, 2);
      Check.ints("below a slice of a direct buffer", got, 6, 4, 2);
      MPI.COMM_WORLD.sendRecv(MPI.slice(array, 5), 1, backwards, rank, 2, got, 3, MPI.INT, rank, 2);
      Check.ints("below a slice of an array", got, 5, 3, 1);
      MPI.COMM_WORLD.sendRecv(MPI.slice(MPI.slice(ints, 3), 2), 1, backwards, rank, 2, got, 3, MPI.INT, rank, 2);
      Check.ints("below a slice of a slice", got, 5, 3, 1);
      MPI.COMM_WORLD.sendRecv(got, 3, MPI.INT, rank, 2, MPI.slice(array, 9), 1, backwards, rank, 2);
      Check.ints("received below a slice", array, 0, 1, 2, 3, 4, 1, 6, 3, 8, 5);
    } else if (kind == MPI.BYTE) {
      ByteBuffer bytes = ByteBuffer.wrap(new byte[] {0, 1, 2, 3, 4, 5, 6});
      exchangeBelow(MPI.slice(bytes, 4), backwards, new byte[3], kind, new byte[] {4, 2, 0});
      exchangeBelow(MPI.slice(new byte[] {0, 1, 2, 3, 4}, 4), backwards, new byte[3], kind, new byte[] {4, 2, 0});
    } else if (kind == MPI.CHAR) {
      exchangeBelow(MPI.slice("abcdefg".toCharArray(), 6), backwards, new char[3], kind, "gec".toCharArray());
      exchangeBelow(MPI.slice(MPI.newCharBuffer(7).put("abcdefg").clear(), 4), backwards, new char[3], kind,
          "eca".toCharArray());
    } else if (kind == MPI.SHORT) {
      exchangeBelow(MPI.slice(new short[] {0, 1, 2, 3, 4}, 4), backwards, new short[3], kind, new short[] {4, 2, 0});
      exchangeBelow(MPI.slice(MPI.newShortBuffer(5).put(new short[] {9, 8, 7, 6, 5}), 4), backwards, new short[3], kind,
          new short[] {5, 7, 9});
    } else if (kind == MPI.LONG) {
      exchangeBelow(MPI.slice(new long[] {0, 1, 2, 3, 4}, 4), backwards, new long[3], kind, new long[] {4, 2, 0});
      exchangeBelow(MPI.slice(MPI.newLongBuffer(5).put(new long[] {9, 8, 7, 6, 5}), 4), backwards, new long[3], kind,
          new long[] {5, 7, 9});
    } else if (kind == MPI.FLOAT) {
      exchangeBelow(MPI.slice(new float[] {0, 1, 2, 3, 4}, 4), backwards, new float[3], kind, new float[] {4, 2, 0});
      exchangeBelow(MPI.slice(MPI.newFloatBuffer(5).put(new float[] {9, 8, 7, 6, 5}), 4), backwards, new float[3], kind,
          new float[] {5, 7, 9});
    } else {
      exchangeBelow(MPI.slice(new double[] {0, 1, 2, 3, 4}, 4), backwards, new double[3], kind, new double[] {4, 2, 0});
      exchangeBelow(MPI.slice(MPI.newDoubleBuffer(5).put(new double[] {9, 8, 7, 6, 5}), 4), backwards, new double[3],
          kind, new double[] {5, 7, 9});
    }
  }

  private static void exchangeBelow(Object slice, Datatype backwards, Object got, Datatype kind, Object expected)
      throws MPIException {
    int rank = MPI.COMM_WORLD.getRank();
    MPI.COMM_WORLD.sendRecv(slice, 1, backwards, rank, 3, got, 3, kind, rank, 3);
    Check.equal(expected, got, "below a slice of " + slice);
  }

  /** Of a buffer all memory counts, wherever its position and limit are. */
  private static void whole() throws MPIException {
    IntBuffer ints = MPI.newIntBuffer(4);
    ints.put(new int[] {7, 8, 9, 10});
    IntBuffer heap = IntBuffer.allocate(4);
    heap.put(0, 1).limit(2);
    exchange(ints, heap, 4, MPI.INT);
    Check.ints("a buffer that has been filled by put", heap.array(), 7, 8, 9, 10);
    Check.equal(4, ints.position(), "position of the source");
  }
}
