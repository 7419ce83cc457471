// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.topology;

import java.util.Arrays;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Chooses the dimensions of a grid ({@code MPI_Dims_create}). Of all products of so many factors, it takes the one
 * whose largest and smallest factor differ least; of several such, the one with the smaller largest factor, and so on.
 * Exact, by a search that skips branches that cannot be better.
 */
public final class Dims {
  private final int[] divisors;
  private final int[] current;
  private int[] best;
  private int bestSpread = Integer.MAX_VALUE;

  private Dims(int number, int factors) {
    divisors = divisors(number);
    current = new int[factors];
  }

  /**
   * Fills in the entries that are 0.
   *
   * @param nodes number of places of the grid, at least 1
   * @param dims what each dimension shall be, 0 to have it chosen
   * @return a new array, whose chosen entries do not increase
   * @throws MpiException ERR_DIMS when no grid of so many places has these dimensions
   */
  public static int[] create(int nodes, int[] dims) {
    if (nodes < 1) {
      throw MpiException.argument(ErrorClass.ERR_DIMS, "nnodes", nodes, "1 or more");
    }
    if (dims == null) {
      throw MpiException.argument(ErrorClass.ERR_DIMS, "dims", null, "an array with one entry for each dimension");
    }
    long fixed = 1;
    int chosen = 0;
    for (int i = 0; i < dims.length; i++) {
      if (dims[i] < 0) {
        throw MpiException.argument(
            ErrorClass.ERR_DIMS, "dims[" + i + "]", dims[i], "0 for a length to be chosen, and more for a fixed one");
      }
      if (dims[i] == 0) {
        chosen++;
      } else {
        fixed = Math.min(fixed * dims[i], Integer.MAX_VALUE + 1L); // more than any number of nodes, and stays so
      }
    }
    if (nodes % fixed != 0 || chosen == 0 && nodes != fixed) {
      String allowed = chosen == 0 ? "entries whose product is nnodes" : "entries whose product divides nnodes";
      throw MpiException.argument(
          ErrorClass.ERR_DIMS, "dims", Arrays.toString(dims), allowed + " = " + nodes + ", but for those that are 0");
    }
    int[] result = dims.clone();
    if (chosen > 0) {
      int[] factors = balanced((int) (nodes / fixed), chosen);
      for (int i = 0, next = 0; i < result.length; i++) {
        if (result[i] == 0) {
          result[i] = factors[next++];
        }
      }
    }
    return result;
  }

  /** Returns the factors, none larger than the one before. */
  private static int[] balanced(int number, int factors) {
    Dims search = new Dims(number, factors);
    search.search(0, number, number);
    return search.best;
  }

  /** Tries all values of the other factors, whose product is {@code rest} and of which none exceeds {@code most}. */
  private void search(int level, int rest, int most) {
    int left = current.length - level;
    if (left == 1) {
      if (rest <= most) {
        current[level] = rest;
        keepIfBetter();
      }
      return;
    }
    for (int i = firstAtLeast(root(rest - 1, left) + 1); i < divisors.length && divisors[i] <= most; i++) {
      int factor = divisors[i]; // the largest of the rest: at least their geometric mean
      if (rest % factor == 0) {
        current[level] = factor;
        if (current[0] - root(rest / factor, left - 1) > bestSpread) {
          return; // the smallest is at most the geometric mean of the others; larger factors make that worse
        }
        search(level + 1, rest / factor, factor);
      }
    }
  }

  private void keepIfBetter() {
    int spread = current[0] - current[current.length - 1];
    if (spread < bestSpread || spread == bestSpread && Arrays.compare(current, best) < 0) {
      bestSpread = spread;
      best = current.clone();
    }
  }

  private int firstAtLeast(int value) {
    int found = Arrays.binarySearch(divisors, value);
    return found < 0 ? -found - 1 : found;
  }

  /** Returns the largest whole number whose power of that degree is not more than the number; 0 for 0. */
  private static int root(int number, int degree) {
    int root = (int) Math.round(Math.pow(number, 1.0 / degree));
    while (exceeds(root, degree, number)) {
      root--;
    }
    while (!exceeds(root + 1, degree, number)) {
      root++;
    }
    return root;
  }

  private static boolean exceeds(int base, int degree, int number) {
    long power = 1;
    for (int i = 0; i < degree && base > 1; i++) {
      power *= base;
      if (power > number) {
        return true;
      }
    }
    return Math.min(base, power) > number;
  }

  private static int[] divisors(int number) {
    int[] found = new int[2 * (int) Math.sqrt(number) + 2];
    int count = 0;
    for (long d = 1; d * d <= number; d++) {
      if (number % d == 0) {
        found[count++] = (int) d;
        if (d * d < number) {
          found[count++] = (int) (number / d);
        }
      }
    }
    int[] result = Arrays.copyOf(found, count);
    Arrays.sort(result);
    return result;
  }
}
