// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

/** What all ranks of a job say about themselves in its segment, for those who only read. */
public interface RankBlocks {
  /**
   * Returns the number of ranks.
   *
   * @return number of ranks
   */
  int ranks();

  /**
   * Returns a rank's state.
   *
   * @param rank a rank of the job
   * @return one of the states of {@link RankLayout}
   */
  int state(int rank);

  /**
   * Returns the process of a rank that has joined.
   *
   * @param rank the rank
   * @return the kernel's number for it, 0 before
   */
  int process(int rank);

  /**
   * Returns the address of a rank's account of its long waits, whose content this room does not know.
   *
   * @param rank a rank of the job
   * @return absolute address
   */
  long stateBlock(int rank);
}
