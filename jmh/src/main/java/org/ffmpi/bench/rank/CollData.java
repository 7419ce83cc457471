// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

/**
 * The data that one rank sends to a collective and has to receive from it, in words of eight bytes that are doubles;
 * the same as in {@code coll.c}.
 *
 * @param name the collective, such as {@code bcast}
 * @param rank this rank
 * @param size number of ranks
 * @param bytes as OSU's benchmarks count them: a rank's buffer, or the block for one rank, or the whole vector of
 *     {@code reduce_scatter}
 */
record CollData(String name, int rank, int size, long bytes) {
  private static final long LARGEST = 16L << 20;

  /** Sums of numbers that repeat after so many words are exact. */
  private static final int PERIOD = 61;

  CollData {
    if (bytes < 0 || bytes > LARGEST || bytes % Double.BYTES != 0 || bytes == 0 && !name.equals("barrier")) {
      throw new IllegalArgumentException(name + "/" + bytes + ": 8.." + LARGEST + " bytes allowed, multiples of 8");
    }
  }

  /** Returns whether it adds numbers; the others move bytes. */
  boolean isReduction() {
    return switch (name) {
      case "reduce", "allreduce", "reduce_scatter_block", "reduce_scatter", "scan", "exscan" -> true;
      default -> false;
    };
  }

  /** Returns the words of a rank's buffer, or of the block for one rank. */
  long block() {
    return bytes / Double.BYTES;
  }

  /** Returns how many words of a vector each rank gets; at least one. */
  long share() {
    return Math.max(1, block() / size);
  }

  private boolean isScattered() {
    return name.startsWith("scatter");
  }

  private boolean isAllToAll() {
    return name.startsWith("alltoall");
  }

  private boolean isShared() {
    return name.startsWith("reduce_scatter");
  }

  /** Returns how many words the send buffer has where it is used. */
  long sendWords() {
    return isScattered() || isAllToAll() ? block() * size : isShared() ? share() * size : block();
  }

  /** Returns how many words the receive buffer has where it is used. */
  long receiveWords() {
    return name.contains("gather") || isAllToAll() ? block() * size : isShared() ? share() : block();
  }

  /** Returns how many words this rank sends. */
  long sentWords() {
    return rank != 0 && (name.equals("bcast") || isScattered()) ? 0 : sendWords();
  }

  /** Returns how many words this rank receives. */
  long receivedWords() {
    return switch (name) {
      case "bcast", "exscan" -> rank == 0 ? 0 : receiveWords();
      case "gather", "gatherv", "reduce" -> rank == 0 ? receiveWords() : 0;
      default -> receiveWords();
    };
  }

  /** Returns a word that this rank sends. */
  double sent(long word) {
    return isScattered() || isAllToAll()
        ? number(rank, word / block(), word % block())
        : number(rank, 0, word);
  }

  /** Returns a word that this rank has to receive. */
  double expected(long word) {
    return switch (name) {
      case "bcast" -> number(0, 0, word);
      case "scatter", "scatterv" -> number(0, rank, word);
      case "gather", "gatherv", "allgather", "allgatherv" -> number(word / block(), 0, word % block());
      case "alltoall", "alltoallv", "alltoallw" -> number(word / block(), rank, word % block());
      case "reduce", "allreduce" -> sum(size, word);
      case "reduce_scatter_block", "reduce_scatter" -> sum(size, rank * share() + word);
      case "scan" -> sum(rank + 1, word);
      case "exscan" -> sum(rank, word);
      default -> throw new IllegalArgumentException(name + ": receives nothing");
    };
  }

  private static double number(long from, long to, long word) {
    return 1 + from + 100.0 * to + 10_000.0 * (word % PERIOD);
  }

  private static double sum(int ranks, long word) {
    double sum = 0;
    for (int r = 0; r < ranks; r++) {
      sum += number(r, 0, word);
    }
    return sum;
  }
}
