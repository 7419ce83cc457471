// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.type;

import java.util.Locale;
import org.ffmpi.datatype.Datatype;

/** The derived types of the benchmarks; {@code types.h} describes the same ones in C. */
public enum TypeKind {
  /** Doubles side by side. */
  CONTIG {
    @Override
    Datatype<?> build(long payload) {
      return Datatype.contiguous(payload / DOUBLE, Datatype.DOUBLE);
    }

    @Override
    long span(long payload) {
      return payload;
    }

    @Override
    void forEachRun(long payload, Runs runs) {
      runs.run(0, payload);
    }
  },

  /** Every second double. */
  VEC1S2 {
    @Override
    Datatype<?> build(long payload) {
      return Datatype.vector(payload / DOUBLE, 1, 2, Datatype.DOUBLE);
    }

    @Override
    long span(long payload) {
      return 2 * payload;
    }

    @Override
    void forEachRun(long payload, Runs runs) {
      for (long i = 0; i < payload; i += DOUBLE) {
        runs.run(2 * i, DOUBLE);
      }
    }
  },

  /** 8 doubles, 8 left out. */
  VEC8S16 {
    @Override
    Datatype<?> build(long payload) {
      return Datatype.vector(payload / (8 * DOUBLE), 8, 16, Datatype.DOUBLE);
    }

    @Override
    long span(long payload) {
      return 2 * payload;
    }

    @Override
    void forEachRun(long payload, Runs runs) {
      for (long i = 0; i < payload; i += 8 * DOUBLE) {
        runs.run(2 * i, 8 * DOUBLE);
      }
    }
  },

  /** Blocks of 1 to 8 doubles, gaps of 1 to 8. */
  INDEXED {
    @Override
    Datatype<?> build(long payload) {
      IndexedBlocks b = blocks(payload);
      return Datatype.indexed(b.lengths, b.starts, Datatype.DOUBLE);
    }

    @Override
    long span(long payload) {
      return blocks(payload).span * DOUBLE;
    }

    @Override
    void forEachRun(long payload, Runs runs) {
      IndexedBlocks b = blocks(payload);
      for (int i = 0; i < b.lengths.length; i++) {
        runs.run(b.starts[i] * DOUBLE, b.lengths[i] * DOUBLE);
      }
    }

    private IndexedBlocks blocks(long payload) {
      return new IndexedBlocks(payload / DOUBLE, 1);
    }
  },

  /** An array of {@code struct { int; double[6]; char[7] }}, of whose 64 bytes 59 are data. */
  PARTSTRUCT {
    private static final long EXTENT = 64;
    private static final long DATA = 59;
    private static final long[] LENGTHS = {1, 6, 7};
    private static final long[] DISPLACEMENTS = {0, 8, 56};

    @Override
    Datatype<?> build(long payload) {
      Datatype<?>[] members = {Datatype.INT, Datatype.DOUBLE, Datatype.CHAR};
      return Datatype.struct(LENGTHS, DISPLACEMENTS, members).resized(0, EXTENT);
    }

    @Override
    long count(long payload) {
      return payload / DATA;
    }

    @Override
    long span(long payload) {
      return count(payload) * EXTENT;
    }

    @Override
    boolean ofDoubles() {
      return false;
    }

    @Override
    void forEachRun(long payload, Runs runs) {
      for (long at = 0; at < span(payload); at += EXTENT) {
        runs.run(at, 4);
        runs.run(at + 8, 48);
        runs.run(at + 56, 7);
      }
    }
  },

  /** Of a cube of doubles in C order: one plane, contiguous. */
  FACE_XY {
    @Override
    Datatype<?> build(long payload) {
      long n = edge(payload);
      return face(n, 1, n, n);
    }

    @Override
    long span(long payload) {
      return cube(payload);
    }

    @Override
    void forEachRun(long payload, Runs runs) {
      runs.run(0, payload);
    }
  },

  /** Of a cube of doubles in C order: one row of each plane. */
  FACE_XZ {
    @Override
    Datatype<?> build(long payload) {
      long n = edge(payload);
      return face(n, n, 1, n);
    }

    @Override
    long span(long payload) {
      return cube(payload);
    }

    @Override
    void forEachRun(long payload, Runs runs) {
      long row = edge(payload) * DOUBLE;
      for (long at = 0; at < cube(payload); at += payload) {
        runs.run(at, row);
      }
    }
  },

  /** Of a cube of doubles in C order: one double of each row. */
  FACE_YZ {
    @Override
    Datatype<?> build(long payload) {
      long n = edge(payload);
      return face(n, n, n, 1);
    }

    @Override
    long span(long payload) {
      return cube(payload);
    }

    @Override
    void forEachRun(long payload, Runs runs) {
      long row = edge(payload) * DOUBLE;
      for (long at = 0; at < cube(payload); at += row) {
        runs.run(at, DOUBLE);
      }
    }
  },

  /** A square matrix of doubles, read by columns. */
  TRANSPOSE {
    @Override
    Datatype<?> build(long payload) {
      long n = edge(payload);
      return Datatype.contiguous(n, Datatype.vector(n, 1, n, Datatype.DOUBLE).resized(0, DOUBLE));
    }

    @Override
    long span(long payload) {
      return payload;
    }

    @Override
    void forEachRun(long payload, Runs runs) {
      long row = edge(payload) * DOUBLE;
      for (long column = 0; column < row; column += DOUBLE) {
        for (long at = column; at < payload; at += row) {
          runs.run(at, DOUBLE);
        }
      }
    }
  };

  private static final long DOUBLE = Double.BYTES;

  /** Takes the runs of bytes that a type names, in its order. */
  interface Runs {
    void run(long displacement, long bytes);
  }

  /** Makes the type; a payload may take several elements of it, see {@link #count}. */
  abstract Datatype<?> build(long payload);

  /** Returns how many elements of the type have that payload. */
  long count(long payload) {
    return 1;
  }

  /** Returns the bytes of memory that elements of that payload need. */
  abstract long span(long payload);

  /** Returns whether the elements may lie in a {@code double[]}; otherwise in a {@code byte[]}. */
  boolean ofDoubles() {
    return true;
  }

  /** Names all bytes of data; written without the type algebra, as a check of it. */
  abstract void forEachRun(long payload, Runs runs);

  /** Returns the name in command lines and tables. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  static long edge(long payload) {
    long n = Math.round(Math.sqrt(payload / DOUBLE));
    if (n * n * DOUBLE != payload) {
      throw new IllegalArgumentException(payload + " bytes are no square of doubles");
    }
    return n;
  }

  static long cube(long payload) {
    return payload * edge(payload);
  }

  static Datatype<Double> face(long n, long x, long y, long z) {
    return Datatype.subarray(
        new long[] {n, n, n}, new long[] {x, y, z}, new long[3], Datatype.Order.C, Datatype.DOUBLE);
  }
}
