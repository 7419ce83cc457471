// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.Comm;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;
import mpi.Struct;

/** Structs of a program's own, as views of a buffer and as elements of messages. */
final class StructProgram {
  private StructProgram() {}

  /** Two fields without the gap that C would leave. */
  private static final class Tight extends Struct {
    private final int kind = addByte();
    private final int number = addInt();

    @Override
    protected Data newData() {
      return new Data();
    }

    private final class Data extends Struct.Data {
      byte kind() {
        return getByte(kind);
      }

      int number() {
        return getInt(number);
      }

      void set(byte k, int n) {
        putByte(kind, k);
        putInt(number, n);
      }
    }
  }

  /** A field of each kind, alone and as an array, at the offsets of a C struct. */
  private static final class All extends Struct {
    private final Tight tight = new Tight();
    private final int aByte;
    private final int bytes;
    private final int aChar;
    private final int chars;
    private final int aShort;
    private final int shorts;
    private final int anInt;
    private final int ints;
    private final int aLong;
    private final int longs;
    private final int aFloat;
    private final int floats;
    private final int aDouble;
    private final int doubles;
    private final int pair;
    private final int inner;
    private final int complex;
    private final int complexes;

    private All() throws MPIException {
      aByte = addByte();
      bytes = addByte(3);
      aChar = addChar();
      chars = addChar(2);
      aShort = addShort();
      shorts = addShort(2);
      anInt = setOffset(16).addInt();
      ints = addInt(3);
      aLong = setOffset(32).addLong();
      longs = addLong(2);
      aFloat = addFloat();
      floats = addFloat(3);
      aDouble = setOffset(72).addDouble();
      doubles = addDouble(2);
      pair = addStruct(MPI.doubleInt);
      inner = addStruct(tight, 2);
      complex = addData(MPI.DOUBLE_COMPLEX);
      complexes = addData(MPI.FLOAT_COMPLEX, 2);
    }

    @Override
    protected Data newData() {
      return new Data();
    }

    private final class Data extends Struct.Data {
      void fill(int seed) throws MPIException {
        putByte(aByte, (byte) seed);
        putChar(aChar, (char) ('a' + seed));
        putShort(aShort, (short) -seed);
        putInt(anInt, seed * 1000);
        putLong(aLong, seed * 10_000_000_000L);
        putFloat(aFloat, seed + 0.5f);
        putDouble(aDouble, seed + 0.25);
        for (int i = 0; i < 2; i++) {
          putByte(bytes, i + 1, (byte) (seed + i));
          putChar(chars, i, (char) (seed + i));
          putShort(shorts, i, (short) (seed + i));
          putInt(ints, i + 1, seed + i);
          putLong(longs, i, seed - i);
          putFloat(floats, i + 1, seed - i);
          putDouble(doubles, i, seed / (i + 2.0));
          Tight.Data data = getData(tight, inner, i);
          data.set((byte) i, seed + i);
        }
        mpi.DoubleInt.Data minimum = getData(MPI.doubleInt, pair);
        minimum.putValue(seed);
        minimum.putIndex(seed + 1);
        mpi.DoubleComplex.get(getBuffer(MPI.DOUBLE_COMPLEX, complex)).putImag(seed);
        mpi.FloatComplex.get(getBuffer(MPI.FLOAT_COMPLEX, complexes, 1)).putReal(seed);
      }

      void check(int seed, String what) throws MPIException {
        Check.equal((byte) seed, getByte(aByte), what + ": byte");
        Check.equal((char) ('a' + seed), getChar(aChar), what + ": char");
        Check.equal((short) -seed, getShort(aShort), what + ": short");
        Check.equal(seed * 1000, getInt(anInt), what + ": int");
        Check.equal(seed * 10_000_000_000L, getLong(aLong), what + ": long");
        Check.equal(seed + 0.5f, getFloat(aFloat), what + ": float");
        Check.equal(seed + 0.25, getDouble(aDouble), what + ": double");
        for (int i = 0; i < 2; i++) {
          Check.equal((byte) (seed + i), getByte(bytes, i + 1), what + ": bytes");
          Check.equal((char) (seed + i), getChar(chars, i), what + ": chars");
          Check.equal((short) (seed + i), getShort(shorts, i), what + ": shorts");
          Check.equal(seed + i, getInt(ints, i + 1), what + ": ints");
          Check.equal((long) seed - i, getLong(longs, i), what + ": longs");
          Check.equal((float) seed - i, getFloat(floats, i + 1), what + ": floats");
          Check.equal(seed / (i + 2.0), getDouble(doubles, i), what + ": doubles");
          Tight.Data data = getData(tight, inner, i);
          Check.equal((byte) i, data.kind(), what + ": kind of the inner struct");
          Check.equal(seed + i, data.number(), what + ": number of the inner struct");
        }
        mpi.DoubleInt.Data minimum = getData(MPI.doubleInt, pair);
        Check.equal((double) seed, minimum.getValue(), what + ": value of the pair");
        Check.equal(seed + 1, minimum.getIndex(), what + ": index of the pair");
        Check.equal((double) seed, mpi.DoubleComplex.get(getBuffer(MPI.DOUBLE_COMPLEX, complex)).getImag(), what);
        Check.equal((float) seed, mpi.FloatComplex.get(getBuffer(MPI.FLOAT_COMPLEX, complexes, 1)).getReal(), what);
      }
    }
  }

  static void run() throws MPIException {
    tight();
    all();
    late();
  }

  private static void tight() throws MPIException {
    Tight tight = new Tight();
    Check.equal(8, tight.getExtent(), "extent of a byte and an int: 5 bytes, and a multiple of the int's alignment");
    Check.equal(5, tight.getType().getSize(), "size of a byte and an int");
    ByteBuffer buffer = MPI.newByteBuffer(3 * tight.getExtent());
    for (int i = 0; i < 3; i++) {
      Tight.Data data = tight.getData(buffer, i);
      data.set((byte) (i + 1), 100 * i);
    }
    Check.equal((byte) 3, buffer.get(16), "the third struct");
    Check.equal(200, buffer.getInt(17), "a field follows the one before it");
    byte[] copy = new byte[buffer.capacity()];
    int rank = MPI.COMM_WORLD.getRank();
    Tight.Data second = tight.getData(buffer, 1);
    MPI.COMM_WORLD.sendRecv(second.getBuffer(), 2, tight.getType(), rank, 1, copy, 2, tight.getType(), rank, 1);
    Tight.Data first = tight.getData(copy);
    Check.equal(100, first.number(), "the second struct has come first");
    Tight.Data last = tight.getData(copy, 1);
    Check.equal((byte) 3, last.kind(), "the third struct has come second");
    Check.equal((byte) 0, copy[5], "gaps are not sent");
    Tight.Data whole = tight.getData(buffer);
    Check.that(whole.getBuffer() == buffer, "the first struct begins where the buffer does");
  }

  private static void all() throws MPIException {
    Comm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    All all = new All();
    int extent = all.getExtent();
    Datatype type = all.getType();
    Check.equal(type.getExtent(), extent, "extent of struct and type");
    Check.that(extent % 8 == 0, "extent of a struct with doubles");
    ByteBuffer mine = MPI.newByteBuffer(3 * extent);
    for (int i = 0; i < 3; i++) {
      All.Data data = all.getData(mine, i);
      data.fill(10 * rank + i);
      data.check(10 * rank + i, "as it was put");
    }
    ByteBuffer got = ByteBuffer.allocateDirect(3 * extent).order(ByteOrder.nativeOrder());
    world.sendRecv(mine, 3, type, (rank + 1) % size, 2, got, 3, type, (rank + size - 1) % size, 2);
    for (int i = 0; i < 3; i++) {
      All.Data data = all.getData(got, i);
      data.check(10 * ((rank + size - 1) % size) + i, "as it has come");
    }
    byte[] everybody = new byte[size * extent];
    byte[] own = new byte[extent];
    All.Data ownData = all.getData(own);
    ownData.fill(rank);
    world.allGather(own, 1, type, everybody, 1, type);
    for (int i = 0; i < size; i++) {
      All.Data data = all.getData(everybody, i);
      data.check(i, "struct of rank " + i);
    }
  }

  private static void late() throws MPIException {
    Tight tight = new Tight();
    tight.getType();
    boolean thrown = false;
    try {
      tight.addInt();
    } catch (AssertionError _) {
      thrown = true;
    }
    Check.that(thrown, "no field can be added to a type that is in use");
    thrown = false;
    try {
      new Tight().setOffset(2);
    } catch (IllegalArgumentException _) {
      thrown = true;
    }
    Check.that(thrown, "an offset inside the fields so far");
    Struct more = new Tight().setOffset(8);
    Check.equal(8, more.addStruct(new Tight()), "a struct behind the fields");
    Check.equal(16, more.addData(MPI.LONG), "a type behind the struct");
  }
}
