// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/**
 * The sources and destinations of a process in neighbourhood collectives. One object per communicator: two are equal
 * when they are the same.
 */
public final class Neighbors {
  private final int[] sources;
  private final int[] destinations;
  private final int[] receiveOrder;

  /**
   * Creates a neighbourhood.
   *
   * @param sources rank that each receive block comes from; may be PROC_NULL, and name a rank several times
   * @param destinations rank that each send block goes to, likewise
   * @param receiveOrder the receive blocks in the order in which they take the messages of one rank
   */
  public Neighbors(int[] sources, int[] destinations, int[] receiveOrder) {
    this.sources = sources.clone();
    this.destinations = destinations.clone();
    this.receiveOrder = receiveOrder.clone();
  }

  /**
   * Returns the senders of the blocks received. Not to be changed.
   *
   * @return ranks, or PROC_NULL
   */
  public int[] sources() {
    return sources;
  }

  /**
   * Returns the receivers of the blocks sent. Not to be changed.
   *
   * @return ranks, or PROC_NULL
   */
  public int[] destinations() {
    return destinations;
  }

  /**
   * Returns the order in which receive blocks take messages. Not to be changed.
   *
   * @return a permutation of the numbers of the receive blocks
   */
  public int[] receiveOrder() {
    return receiveOrder;
  }
}
