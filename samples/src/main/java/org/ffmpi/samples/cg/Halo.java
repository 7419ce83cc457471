// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.cg;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.datatype.Datatype;

/**
 * The entries of a vector that a rank's rows need and other ranks have. A vector is an array of this rank's own
 * entries, and behind them those of the halo, in the order of their numbers.
 *
 * <p>The messages are always the same, so they are persistent requests. The entries that a rank sends lie scattered in
 * its array: an indexed type picks it up.
 */
final class Halo implements AutoCloseable {
  private static final int TAG = 0;

  private final int own;
  /** Numbers of the halo's entries, in order. */
  private final int[] needed;
  private final double[] vector;
  private final List<Persistent> messages = new ArrayList<>();
  private final List<Datatype<Double>> types = new ArrayList<>();

  /**
   * Finds the entries that the ranks need. All ranks call this together.
   *
   * @param comm the ranks whose rows, in rank order, make up the matrix
   * @param matrix this rank's rows
   */
  Halo(IntraComm comm, SparseRows matrix) {
    own = matrix.rows();
    int first = matrix.first();
    needed =
        IntStream.range(0, matrix.entries())
            .map(matrix::column)
            .filter(column -> column < first || column >= first + own)
            .sorted()
            .distinct()
            .toArray();
    vector = new double[own + needed.length];

    // Each rank sends the others the number of entries that it needs of them, and then their places.
    int ranks = comm.size();
    long[] wanted = new long[ranks];
    long[] wantedFrom = new long[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      wantedFrom[rank] = below(SparseRows.border(matrix.size(), ranks, rank));
      wanted[rank] = below(SparseRows.border(matrix.size(), ranks, rank + 1)) - wantedFrom[rank];
    }
    long[] given = new long[ranks];
    comm.alltoall(Buf.of(wanted), Buf.of(given));
    long[] givenFrom = new long[ranks];
    for (int rank = 1; rank < ranks; rank++) {
      givenFrom[rank] = givenFrom[rank - 1] + given[rank - 1];
    }
    int[] numbers = new int[(int) Arrays.stream(given).sum()];
    comm.alltoallv(Buf.of(needed), wanted, wantedFrom, Buf.of(numbers), given, givenFrom);

    for (int rank = 0; rank < ranks; rank++) {
      if (wanted[rank] > 0) {
        Buf<Double> into = Buf.of(vector, own + (int) wantedFrom[rank], (int) wanted[rank]);
        messages.add(comm.recvInit(into, rank, TAG));
      }
      if (given[rank] > 0) {
        long[] places =
            Arrays.stream(numbers, (int) givenFrom[rank], (int) (givenFrom[rank] + given[rank]))
                .mapToLong(number -> number - first)
                .toArray();
        Datatype<Double> type = Datatype.indexedBlock(1, places, Datatype.DOUBLE).commit();
        types.add(type);
        messages.add(comm.sendInit(Buf.of(vector, 1, type), rank, TAG));
      }
    }
  }

  /** Returns how many needed entries have a smaller number. */
  private int below(int number) {
    int place = Arrays.binarySearch(needed, number);
    return place < 0 ? -place - 1 : place;
  }

  /** Returns the vector that is exchanged: own entries, then the halo. */
  double[] vector() {
    return vector;
  }

  /** Returns the place in the vector of each entry's column. */
  int[] places(SparseRows matrix) {
    int first = matrix.first();
    return IntStream.range(0, matrix.entries())
        .map(matrix::column)
        .map(column -> column >= first && column < first + own ? column - first : own + below(column))
        .toArray();
  }

  /** Starts the exchange; own entries must not change, and the halo not be read, before {@link #finish}. */
  void start() {
    Persistent.startAll(messages);
  }

  /** Waits until the halo is there. */
  void finish() {
    Request.waitAll(messages);
  }

  @Override
  public void close() {
    messages.forEach(Persistent::close);
    types.forEach(Datatype::close);
  }
}
