// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.ByteBuffer;
import mpi.Comm;
import mpi.DoubleInt;
import mpi.FloatInt;
import mpi.Int2;
import mpi.LongInt;
import mpi.MPI;
import mpi.MPIException;
import mpi.ShortInt;

/** Minimum and maximum with their places, in all types of pairs. */
final class PairProgram {
  private PairProgram() {}

  private static Comm world;
  private static int rank;
  private static int size;

  static void run() throws MPIException {
    world = MPI.COMM_WORLD;
    rank = world.getRank();
    size = world.getSize();
    layouts();
    doubles();
    ints();
    others();
  }

  private static void layouts() throws MPIException {
    Check.equal(8, MPI.int2.getExtent(), "extent of Int2");
    Check.equal(8, MPI.shortInt.getExtent(), "extent of ShortInt");
    Check.equal(16, MPI.longInt.getExtent(), "extent of LongInt");
    Check.equal(8, MPI.floatInt.getExtent(), "extent of FloatInt");
    Check.equal(16, MPI.doubleInt.getExtent(), "extent of DoubleInt");
    Check.equal(12, MPI.doubleInt.getType().getSize(), "size of DoubleInt");
    ByteBuffer bytes = MPI.newByteBuffer(32);
    LongInt.Data data = MPI.longInt.getData(bytes, 1);
    data.putValue(-1L);
    data.putIndex(5);
    Check.equal(-1L, bytes.getLong(16), "value of LongInt");
    Check.equal(5, bytes.getInt(24), "index of LongInt");
    ShortInt.Data narrow = MPI.shortInt.getData(bytes);
    narrow.putValue((short) 7);
    narrow.putIndex(9);
    Check.equal((short) 7, bytes.getShort(0), "value of ShortInt");
    Check.equal(9, bytes.getInt(4), "index of ShortInt");
  }

  /** The value of rank r in place i: largest at a different rank for each place. */
  private static double value(int r, int i) {
    return -Math.abs(r - i % size) + 0.5;
  }

  private static void doubles() throws MPIException {
    int count = size + 2;
    ByteBuffer in = MPI.newByteBuffer(count * MPI.doubleInt.getExtent());
    ByteBuffer out = MPI.newByteBuffer(count * MPI.doubleInt.getExtent());
    for (int i = 0; i < count; i++) {
      DoubleInt.Data data = MPI.doubleInt.getData(in, i);
      data.putValue(value(rank, i));
      data.putIndex(rank);
    }
    world.allReduce(in, out, count, MPI.DOUBLE_INT, MPI.MAXLOC);
    for (int i = 0; i < count; i++) {
      DoubleInt.Data data = MPI.doubleInt.getData(out, i);
      Check.equal(0.5, data.getValue(), "maximum " + i);
      Check.equal(i % size, data.getIndex(), "place of maximum " + i);
    }
    world.reduce(in, out, count, MPI.doubleInt.getType(), MPI.MINLOC, 0);
    if (rank == 0) {
      for (int i = 0; i < count; i++) {
        DoubleInt.Data data = MPI.doubleInt.getData(out, i);
        double least = Math.min(value(0, i), value(size - 1, i));
        Check.equal(least, data.getValue(), "minimum " + i);
        int place = least == value(0, i) ? 0 : size - 1;
        Check.equal(place, data.getIndex(), "place of minimum " + i + ", the lower index");
      }
    }
  }

  private static void ints() throws MPIException {
    byte[] in = new byte[2 * 8];
    byte[] out = new byte[2 * 8];
    Int2.Data first = MPI.int2.getData(in);
    first.putValue(5);
    first.putIndex(rank);
    Int2.Data second = MPI.int2.getData(in, 1);
    second.putValue(rank);
    second.putIndex(rank + 100);
    world.allReduce(in, out, 2, MPI.INT2, MPI.MINLOC);
    Int2.Data equal = MPI.int2.getData(out);
    Check.equal(0, equal.getIndex(), "the lowest index of equal values");
    Check.equal(5, equal.getValue(), "equal values");
    world.allReduce(in, 2, MPI.INT2, MPI.MAXLOC);
    Int2.Data largest = MPI.int2.getData(in, 1);
    Check.equal(size - 1, largest.getValue(), "maximum in place");
    Check.equal(size + 99, largest.getIndex(), "place of the maximum in place");
  }

  private static void others() throws MPIException {
    ByteBuffer floats = MPI.newByteBuffer(8);
    FloatInt.Data f = MPI.floatInt.getData(floats);
    f.putValue(rank / 2f);
    f.putIndex(rank);
    world.allReduce(floats, 1, MPI.FLOAT_INT, MPI.MAXLOC);
    Check.equal((size - 1) / 2f, f.getValue(), "maximum of floats");
    Check.equal(size - 1, f.getIndex(), "place of the maximum of floats");

    ByteBuffer longs = MPI.newByteBuffer(16);
    LongInt.Data l = MPI.longInt.getData(longs);
    l.putValue(10_000_000_000L - rank);
    l.putIndex(rank);
    world.allReduce(longs, 1, MPI.LONG_INT, MPI.MINLOC);
    Check.equal(10_000_000_001L - size, l.getValue(), "minimum of longs");
    Check.equal(size - 1, l.getIndex(), "place of the minimum of longs");

    ByteBuffer shorts = MPI.newByteBuffer(8);
    ShortInt.Data s = MPI.shortInt.getData(shorts);
    s.putValue((short) (-rank));
    s.putIndex(rank);
    world.allReduce(shorts, 1, MPI.SHORT_INT, MPI.MAXLOC);
    Check.equal((short) 0, s.getValue(), "maximum of shorts");
    Check.equal(0, s.getIndex(), "place of the maximum of shorts");
  }
}
