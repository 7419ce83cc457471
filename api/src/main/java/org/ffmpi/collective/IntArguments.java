// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** Conversions from the arguments of the forms with arrays of int to those of the forms with arrays of long. */
public final class IntArguments {
  private IntArguments() {}

  /** Returns the same numbers; null for null, which the call refuses where the array is significant. */
  public static long[] longs(int[] numbers) {
    if (numbers == null) {
      return null;
    }
    long[] longs = new long[numbers.length]; // no stream: this is done in each call
    for (int i = 0; i < longs.length; i++) {
      longs[i] = numbers[i];
    }
    return longs;
  }

  /** Returns the one root. */
  public static int root(int[] root) {
    if (root == null || root.length != 1) {
      throw MpiException.argument(
          ErrorClass.ERR_ROOT, "number of roots", root == null ? null : root.length, "one rank");
    }
    return root[0];
  }
}
