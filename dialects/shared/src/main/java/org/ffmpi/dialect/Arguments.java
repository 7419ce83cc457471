// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect;

import java.util.Arrays;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Arrays of arguments. As in C, where an array has no length, a call ignores entries beyond those that it needs.
 */
public final class Arguments {
  private Arguments() {}

  /**
   * Returns the first numbers of an array.
   *
   * @param name name of the argument
   * @param numbers an array
   * @param needed how many numbers the call reads
   * @return the array when it has that length, otherwise a copy
   * @throws MpiException ERR_ARG when the array is null or shorter
   */
  public static int[] first(String name, int[] numbers, int needed) {
    check(name, numbers == null ? -1 : numbers.length, needed);
    return numbers.length == needed ? numbers : Arrays.copyOf(numbers, needed);
  }

  /** Returns the first numbers of an array as longs; as {@link #first(String, int[], int)}. */
  public static long[] longs(String name, int[] numbers, int needed) {
    check(name, numbers == null ? -1 : numbers.length, needed);
    long[] longs = new long[needed];
    for (int i = 0; i < needed; i++) {
      longs[i] = numbers[i];
    }
    return longs;
  }

  /** Returns the first entries of an array; as {@link #first(String, int[], int)}. */
  public static boolean[] first(String name, boolean[] entries, int needed) {
    check(name, entries == null ? -1 : entries.length, needed);
    return entries.length == needed ? entries : Arrays.copyOf(entries, needed);
  }

  /** Returns the first entries of an array; as {@link #first(String, int[], int)}. */
  public static <T> T[] first(String name, T[] entries, int needed) {
    check(name, entries == null ? -1 : entries.length, needed);
    return entries.length == needed ? entries : Arrays.copyOf(entries, needed);
  }

  /**
   * Returns no more than the first numbers of an array. One that is null or shorter is returned as it is, for the
   * call that reads it to report.
   *
   * @param numbers an array
   * @param needed how many numbers the call reads; negative when that is not known
   * @return the array, or a copy of its beginning
   */
  public static int[] atMost(int[] numbers, long needed) {
    return numbers != null && needed >= 0 && numbers.length > needed ? Arrays.copyOf(numbers, (int) needed) : numbers;
  }

  /** Returns the edges of a graph, of which {@code index} counts those up to and including each node. */
  public static int[] edges(int[] index, int[] edges) {
    return atMost(edges, index == null ? -1 : index.length == 0 ? 0 : index[index.length - 1]);
  }

  private static void check(String name, int length, int needed) {
    if (length < needed) {
      throw MpiException.argument(ErrorClass.ERR_ARG, length < 0 ? name : name + ".length",
          length < 0 ? null : length, "arrays with at least " + needed + " entries");
    }
  }

  /** Access to the request of ffmpi in a dialect's request, for calls on arrays of requests. */
  public interface RequestHolder<R> {
    /** Returns ffmpi's request; null after its completion. */
    Request open(R holder);

    /** Replaces ffmpi's request after a call: by null if it is complete and not persistent. */
    void close(R holder, Request left);
  }

  /** Returns the requests behind those of an array, with null for null. */
  public static <R> Request[] open(R[] holders, RequestHolder<R> how) {
    if (holders == null) {
      throw MpiException.argument(ErrorClass.ERR_REQUEST, "requests", null, "an array of requests");
    }
    Request[] requests = new Request[holders.length];
    for (int i = 0; i < holders.length; i++) {
      requests[i] = holders[i] == null ? null : how.open(holders[i]);
    }
    return requests;
  }

  /** Stores the requests that a call has left in an array. */
  public static <R> void close(R[] holders, Request[] left, RequestHolder<R> how) {
    for (int i = 0; i < holders.length; i++) {
      if (holders[i] != null) {
        how.close(holders[i], left[i]);
      }
    }
  }
}
