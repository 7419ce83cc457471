// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Message;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;

/**
 * Lengths of the arrays that {@link org.ffmpi.WholeArrayCalls} makes. What is wrong with the root's array alone is told
 * to all ranks, none of which then waits for the others.
 */
public final class ArrayLengths {
  /** Elements of the longest array that every JVM makes. */
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private ArrayLengths() {}

  /** Returns the communicator of a call that is defined within one group only. */
  public static Comm within(Object calls, String name) {
    Comm comm = (Comm) calls;
    if (comm.isInter()) {
      throw comm.callErrhandler(new MpiException(ErrorClass.ERR_COMM,
          name + " into an array of its own works within one group; between groups use the form with a Buf"));
    }
    return comm;
  }

  /** Fails when there is no status to fill, before a message is taken for it. */
  public static void checkStatus(Comm comm, Status into) {
    if (into == null) {
      throw comm.callErrhandler(MpiException.argument(ErrorClass.ERR_ARG, "into", null, "a status"));
    }
  }

  /**
   * Returns the length of a message in elements of a type. Where it has none, the message is received and dropped, so
   * that its sender does not wait for ever.
   */
  public static int ofMessage(Comm comm, Message message, Datatype<?> type) {
    long count = message.status().getCount(type);
    if (count < 0 || count > LONGEST) {
      try {
        message.mrecv(Buf.of(new byte[0]));
      } catch (MpiException truncated) {
        // What is wrong with the message is told below.
      }
      throw comm.callErrhandler(new MpiException(ErrorClass.ERR_TYPE, "a message of " + message.status().bytes()
          + " bytes, allowed is a whole number of " + type.size() + "-byte elements, as many as an array holds"));
    }
    return (int) count;
  }

  /** Returns the length of an array with as many elements of each rank. */
  public static int times(Comm comm, int each) {
    return fit(comm, (long) each * comm.size());
  }

  private static int fit(Comm comm, long total) {
    if (total > LONGEST) {
      throw comm.callErrhandler(new MpiException(ErrorClass.ERR_COUNT,
          "the result has " + total + " elements, allowed are as many as an array holds; more go with a Buf"));
    }
    return (int) total;
  }

  /** Fails when an array cannot be cut into equal blocks for all ranks. */
  public static void checkBlocks(Comm comm, int length) {
    if (fit(comm, length) % comm.size() != 0) {
      throw wrongLength(comm, length);
    }
  }

  private static MpiException wrongLength(Comm comm, int length) {
    return comm.callErrhandler(new MpiException(ErrorClass.ERR_COUNT,
        "length = " + length + ", allowed are multiples of the number of ranks, " + comm.size()));
  }

  /**
   * Sends all ranks the length and the kind of the root's array, which is to be cut into equal blocks.
   *
   * @param array at the root the array
   * @return length and kind
   */
  public static int[] ofRoot(Comm comm, Object array, int root, int blocks) {
    int[] told = new int[2];
    if (comm.rank() == root) {
      told[1] = ArrayBufs.kind(array);
      told[0] = told[1] < 0 ? 0 : ArrayBufs.length(array);
    }
    comm.bcast(Buf.of(told), root);
    if (told[1] < 0) {
      throw noArray(comm, root);
    }
    if (fit(comm, told[0]) % blocks != 0) {
      throw wrongLength(comm, told[0]);
    }
    return told;
  }

  private static MpiException noArray(Comm comm, int root) {
    return comm.callErrhandler(new MpiException(ErrorClass.ERR_BUFFER,
        "the root, rank " + root + ", has null or something else than an array of primitives"));
  }

  /** Returns the lengths of all ranks' arrays, in an array of the program's own if it has given one. */
  public static int[] ofAll(Comm comm, int mine, int[] counts) {
    int[] lengths = orNew(comm, counts);
    comm.allgather(Buf.of(new int[] {mine}), Buf.of(lengths));
    return lengths;
  }

  private static int[] orNew(Comm comm, int[] counts) {
    if (counts != null && counts.length != comm.size()) {
      throw comm.callErrhandler(new MpiException(ErrorClass.ERR_ARG,
          "counts has " + counts.length + " elements, allowed is one for each rank: " + comm.size()));
    }
    return counts == null ? new int[comm.size()] : counts;
  }

  /**
   * Sends each rank the length of its block, and the kind of the root's array.
   *
   * @param array at the root the array
   * @param counts at the root the lengths
   * @return length and kind
   */
  public static int[] ofBlock(Comm comm, Object array, int[] counts, int root) {
    int[] told = new int[2];
    int[] said = comm.rank() == root ? said(comm, array, counts) : null;
    comm.scatter(said == null ? null : Buf.of(said), Buf.of(told), root);
    if (told[1] < 0) {
      throw noArray(comm, root);
    }
    if (told[0] < 0) {
      throw comm.callErrhandler(new MpiException(ErrorClass.ERR_COUNT, "the counts of the root, rank " + root
          + ": allowed is one for each rank, not negative, together no more than its array has"));
    }
    return told;
  }

  private static int[] said(Comm comm, Object array, int[] counts) {
    int kind = ArrayBufs.kind(array);
    boolean wrong = kind >= 0 && isWrong(comm, counts, ArrayBufs.length(array));
    int[] said = new int[2 * comm.size()];
    for (int r = 0; r < comm.size(); r++) {
      said[2 * r] = kind < 0 ? 0 : wrong ? -1 : counts[r];
      said[2 * r + 1] = kind;
    }
    return said;
  }

  private static boolean isWrong(Comm comm, int[] counts, int length) {
    if (counts == null || counts.length != comm.size()) {
      return true;
    }
    long sum = 0;
    for (int count : counts) {
      if (count < 0) {
        return true;
      }
      sum += count;
    }
    return sum > length;
  }

  /** Returns the lengths of the blocks that all ranks send to this one. */
  public static int[] ofBlocks(Comm comm, int length, int[] sendCounts, int[] recvCounts) {
    int[] lengths = orNew(comm, recvCounts);
    if (isWrong(comm, sendCounts, length)) {
      throw comm.callErrhandler(new MpiException(ErrorClass.ERR_COUNT, "sendCounts = "
          + Arrays.toString(sendCounts) + ", allowed is one for each of " + comm.size()
          + " ranks, not negative, together no more than the array's " + length));
    }
    comm.alltoall(Buf.of(sendCounts), Buf.of(lengths));
    return lengths;
  }

  /** Returns the sum of lengths; all ranks that have the same fail alike where it is too large. */
  public static int sum(Comm comm, int[] lengths) {
    long sum = 0;
    for (int length : lengths) {
      sum += length;
    }
    return fit(comm, sum);
  }

  /** Returns where blocks of some lengths begin that follow one another. */
  public static int[] displacements(int[] lengths) {
    int[] displs = new int[lengths.length];
    for (int i = 1; i < lengths.length; i++) {
      displs[i] = displs[i - 1] + lengths[i - 1];
    }
    return displs;
  }
}
