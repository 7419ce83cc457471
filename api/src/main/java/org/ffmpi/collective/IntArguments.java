// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.Arrays;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** Turns the arguments of the forms with arrays of int into those of the forms with arrays of long. */
public final class IntArguments {
  private IntArguments() {}

  /** Returns the same numbers; null for null, which the call refuses where the array matters. */
  public static long[] longs(int[] numbers) {
    return numbers == null ? null : Arrays.stream(numbers).asLongStream().toArray();
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
