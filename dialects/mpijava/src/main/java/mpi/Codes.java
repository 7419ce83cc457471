// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.Comparison;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.Constants;

/** Converts numbers of this dialect that ffmpi has other numbers or types for. */
final class Codes {
  private static final int LOWEST_TAG = -1024;

  /** The highest tag that programs should use: those above stand for negative ones. */
  static final int HIGHEST_TAG = Integer.MAX_VALUE + LOWEST_TAG - 1;

  private Codes() {}

  /** Returns ffmpi's number of a source; the two numbers for any source change places. */
  static int source(int rank) {
    return rank == MPI.ANY_SOURCE ? Constants.ANY_SOURCE : rank == Constants.ANY_SOURCE ? MPI.ANY_SOURCE : rank;
  }

  /** Returns this dialect's number of a source that ffmpi has returned. */
  static int sourceOf(int rank) {
    return rank == Constants.ANY_SOURCE ? MPI.ANY_SOURCE : rank;
  }

  /**
   * Returns ffmpi's tag of a message to send. Those just below zero, which the standard does not allow and MPJ
   * Express carries as any other, have tags just below the highest one.
   */
  static int tag(int tag) {
    return tag < 0 && tag >= LOWEST_TAG ? Integer.MAX_VALUE + tag : tag;
  }

  /** Returns ffmpi's tag of a message to receive. */
  static int wantedTag(int tag) {
    return tag == MPI.ANY_TAG ? Constants.ANY_TAG : tag(tag);
  }

  /** Returns this dialect's tag of one of ffmpi's. */
  static int tagOf(int tag) {
    return tag < Integer.MAX_VALUE && tag > HIGHEST_TAG ? tag - Integer.MAX_VALUE : tag;
  }

  /** Returns this dialect's number for a count, rank or the like that may be undefined. */
  static int defined(long number) {
    return number == Constants.UNDEFINED || number != (int) number ? MPI.UNDEFINED : (int) number;
  }

  /** Returns ffmpi's number of a colour. */
  static int color(int color) {
    return color == MPI.UNDEFINED ? Constants.UNDEFINED : color;
  }

  static int comparison(Comparison result) {
    return switch (result) {
      case IDENT -> MPI.IDENT;
      case CONGRUENT -> MPI.CONGRUENT;
      case SIMILAR -> MPI.SIMILAR;
      case UNEQUAL -> MPI.UNEQUAL;
    };
  }

  static int level(ThreadLevel level) {
    return switch (level) {
      case SINGLE -> MPI.THREAD_SINGLE;
      case FUNNELED -> MPI.THREAD_FUNNELED;
      case SERIALIZED -> MPI.THREAD_SERIALIZED;
      case MULTIPLE -> MPI.THREAD_MULTIPLE;
    };
  }

  /** Returns the level of a number; the highest for an unknown one. */
  static ThreadLevel level(int level) {
    for (ThreadLevel known : ThreadLevel.values()) {
      if (level(known) == level) {
        return known;
      }
    }
    return ThreadLevel.MULTIPLE;
  }
}
