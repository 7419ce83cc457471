// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import org.ffmpi.explore.Results;

/**
 * A parameter of a test that runs in several orders of its messages, which compares the results of these orders.
 *
 * {@snippet :
 * @MpiTest(ranks = 3, orders = MpiTest.ALL)
 * void sumIsTheSame(Comm world, Orders orders) {
 *   double sum = collect(world);
 *   orders.same("sum", sum);
 * }
 * }
 *
 * <p>Each rank has its own. In a test of one run it compares nothing.
 */
public final class Orders {
  private static final Orders ONE_RUN = new Orders(null, 0);

  private final Results results;
  private final int rank;

  private Orders(Results results, int rank) {
    this.results = results;
    this.rank = rank;
  }

  static Orders ofOneRun() {
    return ONE_RUN;
  }

  static Orders of(Results results, int rank) {
    return new Orders(results, rank);
  }

  /**
   * Asserts that this rank has the same result in every order. Results of one name are compared in the order in which
   * the rank passes them.
   *
   * @param label name of the result
   * @param value the result; arrays are compared by their elements
   * @throws AssertionError when another order gave another result; it names both orders
   */
  public void same(String label, Object value) {
    if (results != null) {
      results.same(rank, label, value);
    }
  }
}
