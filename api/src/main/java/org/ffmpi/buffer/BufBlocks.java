// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;

/**
 * Cuts buffers into blocks, one for each rank or neighbour, as the collective operations need them. Errors name the
 * argument and the entry, and are thrown for the caller to pass to an error handler.
 *
 * <p>Arguments have the names {@code sendCounts}, {@code recvDispls} and so on: {@code side} is {@code send} or
 * {@code recv}.
 */
public final class BufBlocks {
  /** Most pairs of blocks that are checked for common memory; beyond, only the whole buffers are checked. */
  private static final long MOST_PAIRS = 1024;

  private BufBlocks() {}

  /**
   * Cuts a buffer into equal blocks.
   *
   * @param argument name of the argument
   * @param given has memory and a type
   * @throws MpiException ERR_COUNT when the elements cannot be shared out equally
   */
  public static Buf<?>[] equal(String argument, Buf<?> given, int blocks) {
    if (blocks < 0) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "number of blocks of " + argument, blocks, "0 and more");
    }
    Buf<?> buf = BufImpl.all(given, blocks);
    if (blocks > 0 && buf.count() % blocks != 0) {
      throw MpiException.argument(
          ErrorClass.ERR_COUNT, "count of " + argument, buf.count(),
          "multiples of the number of blocks, " + blocks);
    }
    Buf<?>[] result = new Buf<?>[blocks];
    for (int i = 0; i < blocks; i++) {
      long each = buf.count() / blocks;
      result[i] = BufImpl.of(buf).part(i * each, each);
    }
    return result;
  }

  /**
   * Cuts a buffer into blocks of different lengths.
   *
   * @param buf has memory and a type; all blocks lie within its elements, or before them where there is memory
   * @param counts number of elements of each block
   * @param displs element of {@code buf} that each block begins with; those before the first one are negative
   * @throws MpiException ERR_COUNT, ERR_ARG when an array is null or has not {@code blocks} entries; ERR_COUNT when a
   *     count is negative, ERR_BUFFER when a block reaches beyond the elements or the memory before them
   */
  public static Buf<?>[] of(String side, Buf<?> buf, int blocks, long[] counts, long[] displs) {
    checkCounts(side, blocks, counts);
    checkDispls(side, blocks, displs);
    Buf<?>[] result = new Buf<?>[blocks];
    boolean ends = !BufImpl.of(buf).isPerRank(); // else the blocks end where the memory does
    for (int i = 0; i < blocks; i++) {
      long count = counts[i];
      long displ = displs[i];
      if (ends && count > 0 && displ > buf.count() - count) {
        throw outside(side, buf, i, count, displ, null);
      }
      try {
        result[i] = BufImpl.of(buf).part(count == 0 ? 0 : displ, count);
      } catch (MpiException e) {
        throw outside(side, buf, i, count, displ, e);
      }
    }
    return result;
  }

  private static MpiException outside(
      String side, Buf<?> buf, int block, long count, long displ, MpiException cause) {
    return new MpiException(
        ErrorClass.ERR_BUFFER, side + "Displs[" + block + "] = " + displ + " with " + side + "Counts[" + block + "] = "
            + count + ": allowed are blocks within the " + buf.count() + " elements of " + side
            + " and the memory before them", cause);
  }

  /**
   * Cuts a buffer into blocks of different lengths and types.
   *
   * @param buf has memory; all blocks lie in the bytes that its elements span, or before them
   * @param counts number of elements of each block
   * @param byteDispls where each block begins, in bytes from the buffer's beginning
   * @param types type of each block's elements
   * @throws MpiException ERR_COUNT, ERR_ARG, ERR_TYPE when an array is null or has not {@code blocks} entries;
   *     ERR_COUNT when a count is negative, ERR_TYPE when a type is null, freed or not committed, ERR_BUFFER when a
   *     block reaches beyond the memory
   */
  public static Buf<?>[] of(
      String side, Buf<?> buf, int blocks, long[] counts, long[] byteDispls, Datatype<?>[] types) {
    checkCounts(side, blocks, counts);
    checkDispls(side, blocks, byteDispls);
    if (types == null || types.length != blocks) {
      throw wrongArray(ErrorClass.ERR_TYPE, side + "Types", types == null ? null : types.length, blocks);
    }
    Buf<?>[] result = new Buf<?>[blocks];
    for (int i = 0; i < blocks; i++) {
      checkType(side + "Types[" + i + "]", types[i]);
      try {
        result[i] = BufImpl.of(buf).within(counts[i] == 0 ? 0 : byteDispls[i], counts[i], types[i]);
      } catch (MpiException e) {
        throw new MpiException(
            e.errorClass(), side + "Displs[" + i + "] = " + byteDispls[i] + " with " + side + "Counts[" + i + "] = "
                + counts[i] + " of " + types[i] + ": allowed are blocks within " + buf, e);
      }
    }
    return result;
  }

  /**
   * Uses blocks that the program has made.
   *
   * @return a copy of the array
   * @throws MpiException ERR_ARG when the array is null or has not {@code blocks} entries, ERR_BUFFER when one is null
   *     or has no memory
   */
  public static Buf<?>[] of(String side, Buf<?>[] bufs, int blocks) {
    if (bufs == null || bufs.length != blocks) {
      throw wrongArray(ErrorClass.ERR_ARG, side, bufs == null ? null : bufs.length, blocks);
    }
    Buf<?>[] result = bufs.clone();
    for (int i = 0; i < blocks; i++) {
      if (result[i] == null || result[i].isInPlace() || result[i].isAutomatic()) {
        throw MpiException.argument(
            ErrorClass.ERR_BUFFER, side + "[" + i + "]", result[i], "buffers with memory of their own");
      }
    }
    return result;
  }

  /** Checks properties of blocks that depend on time and thread; returns why one cannot be used, or null. */
  public static MpiException unusable(String side, Buf<?>[] blocks, boolean receive) {
    for (int i = 0; i < blocks.length; i++) {
      boolean usable = receive ? BufImpl.of(blocks[i]).isReceivable() : BufImpl.of(blocks[i]).isSendable();
      MpiException wrong = usable ? null : BufImpl.of(blocks[i]).unusable(side + "[" + i + "]", receive);
      if (wrong != null) {
        return wrong;
      }
    }
    return null;
  }

  /** Returns which two blocks certainly share memory that must not, or null; null entries share nothing. */
  public static MpiException overlap(Buf<?>[] send, Buf<?>[] recv) {
    if ((long) send.length * recv.length > MOST_PAIRS) {
      return null;
    }
    for (int r = 0; r < recv.length; r++) {
      for (int s = 0; s < send.length; s++) {
        if (send[s] != null && recv[r] != null && BufImpl.of(send[s]).overlaps(recv[r])) {
          return MpiException.argument(
              ErrorClass.ERR_BUFFER, "recv[" + r + "]", recv[r], "memory that does not overlap send[" + s + "]");
        }
      }
    }
    return null;
  }

  private static void checkCounts(String side, int blocks, long[] counts) {
    if (counts == null || counts.length != blocks) {
      throw wrongArray(ErrorClass.ERR_COUNT, side + "Counts", counts == null ? null : counts.length, blocks);
    }
    for (int i = 0; i < blocks; i++) {
      if (counts[i] < 0) {
        throw MpiException.argument(
            ErrorClass.ERR_COUNT, side + "Counts[" + i + "]", counts[i], "0 or more elements");
      }
    }
  }

  private static void checkDispls(String side, int blocks, long[] displs) {
    if (displs == null || displs.length != blocks) {
      throw wrongArray(ErrorClass.ERR_ARG, side + "Displs", displs == null ? null : displs.length, blocks);
    }
  }

  private static void checkType(String argument, Datatype<?> type) {
    if (type == null || type.isClosed() || !type.isCommitted()) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, argument, type, "committed types that have not been freed");
    }
  }

  private static MpiException wrongArray(ErrorClass errorClass, String argument, Integer length, int blocks) {
    return MpiException.argument(
        errorClass, length == null ? argument : argument + ".length", length,
        "arrays with one entry for each of the " + blocks + " blocks");
  }
}
