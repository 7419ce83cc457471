// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

/** The blocks of a job's ranks in its segment, for readers. */
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
   * @return the kernel's process number; 0 before the rank joins
   */
  int process(int rank);

  /**
   * Returns the address of a rank's account of its long waits, whose content is not this room's matter.
   *
   * @param rank a rank of the job
   * @return absolute address
   */
  long accountBlock(int rank);
}
