// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.libraries;

import java.util.List;
import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;

/**
 * Columns of Arrow, one per rank, are added up where they lie: values by SUM, and the bits that mark the entries that
 * are not null by BAND, so that an entry that is null at any rank is null in the sum. First in memory that Arrow has
 * allocated, then in memory of the shared heap ({@link SharedColumn}).
 *
 * <p>Takes the length of the columns as its argument, a million by default. Every rank checks the result.
 */
public final class ColumnSum {
  private static final int LENGTH = 1_000_000;

  private ColumnSum() {}

  /**
   * Runs one rank.
   *
   * @param args the length of the columns; may be missing
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      IntraComm world = mpi.world();
      int length = Blocks.size(mpi, args, LENGTH, 100_000_000);
      try (BufferAllocator allocator = new RootAllocator();
          Float8Vector own = new Float8Vector("own", allocator);
          Float8Vector shared = SharedColumn.allocate(mpi, allocator, "shared", length)) {
        own.allocateNew(length);
        for (Float8Vector column : List.of(own, shared)) {
          fill(column, world.rank(), length);
          addUp(world, column);
          int[] wrong = {wrong(column, world.size())};
          world.allreduce(Buf.of(wrong), Op.SUM);
          if (world.rank() == 0) {
            System.out.printf(Locale.ROOT, "%s memory: %d entries added up over %d ranks, %d null, %d wrong%n",
                column.getName(), length, world.size(), column.getNullCount(), wrong[0]);
          }
          if (wrong[0] != 0) {
            mpi.abort(1);
          }
        }
      }
    });
  }

  /** Fills the column of one rank, in which every seventh entry is null, from another one on at each rank. */
  static void fill(Float8Vector column, int rank, int length) {
    for (int i = 0; i < length; i++) {
      if (isNull(i, rank)) {
        column.setNull(i);
      } else {
        column.set(i, i + 0.25 * rank);
      }
    }
    column.setValueCount(length);
  }

  private static boolean isNull(int i, int rank) {
    return rank < 5 && i % 7 == rank;
  }

  /** Makes every rank's column the sum of all. All ranks call it together, with columns of one length. */
  static void addUp(IntraComm world, Float8Vector column) {
    world.allreduce(ArrowMemory.values(column), Op.SUM);
    world.allreduce(ArrowMemory.validity(column), Op.BAND);
  }

  /** Counts the wrong entries of a sum. */
  static int wrong(Float8Vector sum, int ranks) {
    int wrong = 0;
    for (int i = 0; i < sum.getValueCount(); i++) {
      boolean isNull = false;
      for (int rank = 0; rank < ranks; rank++) {
        isNull |= isNull(i, rank);
      }
      double expected = (double) ranks * i + 0.25 * ranks * (ranks - 1) / 2;
      if (sum.isNull(i) != isNull || !isNull && sum.get(i) != expected) {
        wrong++;
      }
    }
    return wrong;
  }
}
