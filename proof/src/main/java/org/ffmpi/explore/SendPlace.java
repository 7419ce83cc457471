// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

/**
 * A standard send of the program.
 *
 * @param rank the rank that sends
 * @param number its number among the standard sends of the rank, from 1
 */
record SendPlace(int rank, int number) implements Comparable<SendPlace> {
  @Override
  public int compareTo(SendPlace other) {
    return rank != other.rank ? Integer.compare(rank, other.rank) : Integer.compare(number, other.number);
  }

  /** Returns the send as it is written in a line of choices. */
  @Override
  public String toString() {
    return "r" + rank + "#" + number;
  }
}
