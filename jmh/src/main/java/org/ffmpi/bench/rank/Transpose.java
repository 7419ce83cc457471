// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.datatype.Datatype;

/**
 * Transposes a square matrix of doubles of which each rank has as many rows; {@code transpose.c} in Java. A case is
 * {@code alltoallw}, one call straight from the rows into the columns, or {@code packed}, loops and an alltoall; a bar;
 * and the kind of memory.
 */
public final class Transpose extends CollProgram {
  private static final String BENCH = "transpose";
  private static final String PACKED = "packed";
  private static final int TILE = 16;

  private Transpose(Mpi mpi) {
    super(mpi);
  }

  public static void main(String[] args) {
    start(args, Transpose::new);
  }

  @Override
  List<Work> warmUpWork() {
    long side = world.size();
    return Work.of(BENCH, List.of("alltoallw|native", "alltoallw|shared", "packed|native", "packed|shared"),
        Double.BYTES * 64 * side * side, Double.BYTES * 1024 * side * side);
  }

  /** One matrix, its transpose, and all that is needed to come from one to the other. */
  private final class Matrices implements Runnable {
    private final boolean isPacked;
    private final int n;
    private final int rows;
    private final MemorySegment matrix;
    private final MemorySegment transposed;
    private final Buf<Double> from;
    private final Buf<Double> to;

    private final long[] counts;
    private final long[] displs;
    private final Datatype<?>[] sendTypes;
    private final Datatype<?>[] recvTypes;

    private final MemorySegment packed;
    private final MemorySegment arrived;

    Matrices(Work work, boolean isPacked, String memory) {
      this.isPacked = isPacked;
      int size = world.size();
      n = (int) Math.round(Math.sqrt(work.bytes() / (double) Double.BYTES));
      rows = n / size;
      if ((long) Double.BYTES * n * n != work.bytes() || n % size != 0) {
        throw new IllegalArgumentException(work + ": no square matrix of as many rows for each rank");
      }
      long bytes = (long) Double.BYTES * rows * n;
      matrix = allocate(memory, Arena.ofAuto(), bytes);
      transposed = allocate(memory, Arena.ofAuto(), bytes);
      from = Buf.of(matrix, (long) rows * n, Datatype.DOUBLE);
      to = Buf.of(transposed, (long) rows * n, Datatype.DOUBLE);
      counts = LongStream.range(0, size).map(r -> 1).toArray();
      displs = LongStream.range(0, size).map(r -> Double.BYTES * r * rows).toArray();
      sendTypes = new Datatype<?>[size];
      recvTypes = new Datatype<?>[size];
      Datatype<?> column = Datatype.vector(rows, 1, n, Datatype.DOUBLE).resized(0, Double.BYTES);
      Arrays.fill(sendTypes, Datatype.vector(rows, rows, n, Datatype.DOUBLE).commit());
      Arrays.fill(recvTypes, Datatype.contiguous(rows, column).commit());
      packed = isPacked ? allocate(memory, Arena.ofAuto(), bytes) : null;
      arrived = isPacked ? allocate(memory, Arena.ofAuto(), bytes) : null;
    }

    @Override
    public void run() {
      if (!isPacked) {
        world.alltoallw(from, counts, displs, sendTypes, to, counts, displs, recvTypes);
        return;
      }
      for (int r = 0; r < world.size(); r++) {
        pack(r);
      }
      long words = (long) rows * n;
      world.alltoall(Buf.of(packed, words, Datatype.DOUBLE), Buf.of(arrived, words, Datatype.DOUBLE));
      for (int r = 0; r < world.size(); r++) {
        unpack(r);
      }
    }

    private void pack(int to) {
      for (int i = 0; i < rows; i += TILE) {
        for (int j = 0; j < rows; j += TILE) {
          packTile(to, i, Math.min(rows, i + TILE), j, Math.min(rows, j + TILE));
        }
      }
    }

    private void packTile(int to, int firstRow, int endRow, int firstColumn, int endColumn) {
      for (int j = firstColumn; j < endColumn; j++) {
        long at = ((long) to * rows + j) * rows;
        for (int i = firstRow; i < endRow; i++) {
          packed.setAtIndex(ValueLayout.JAVA_DOUBLE, at + i,
              matrix.getAtIndex(ValueLayout.JAVA_DOUBLE, (long) i * n + to * rows + j));
        }
      }
    }

    private void unpack(int from) {
      long bytes = (long) Double.BYTES * rows;
      for (int j = 0; j < rows; j++) {
        MemorySegment.copy(arrived, ((long) from * rows + j) * bytes, transposed,
            Double.BYTES * ((long) j * n + from * rows), bytes);
      }
    }

    void fill() {
      for (long w = 0; w < (long) rows * n; w++) {
        matrix.setAtIndex(ValueLayout.JAVA_DOUBLE, w, (double) ((long) rank * rows * n + w));
        transposed.setAtIndex(ValueLayout.JAVA_DOUBLE, w, -1);
      }
    }

    void check(Work work) {
      for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++) {
          double found = transposed.getAtIndex(ValueLayout.JAVA_DOUBLE, (long) i * n + j);
          if (found != (double) j * n + rank * rows + i) {
            throw new IllegalStateException(work + ": rank " + rank + " has " + found + " in row " + i + ", column "
                + j);
          }
        }
      }
    }
  }

  @Override
  Prepared prepare(Work work) {
    String[] parts = work.name().split("\\|");
    if (!work.bench().equals(BENCH) || parts.length != 2 || !List.of("alltoallw", PACKED).contains(parts[0])) {
      throw new IllegalArgumentException("unknown case: " + work);
    }
    Matrices matrices = new Matrices(work, parts[0].equals(PACKED), parts[1]);
    matrices.fill();
    Loop loop = n -> transpose(matrices, n);
    return Prepared.micros(loop, 1, () -> {
      matrices.fill();
      world.barrier();
      matrices.run();
      matrices.check(work);
    });
  }

  private void transpose(Matrices matrices, long iterations) {
    long nanos = 0;
    for (long i = 0; i < iterations; i++) {
      world.barrier();
      long start = System.nanoTime();
      matrices.run();
      nanos += System.nanoTime() - start;
    }
    spent = nanos * 1e-9;
  }
}
