// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.base.MpiException;
import org.ffmpi.shm.memory.TypeRecords;
import org.ffmpi.shm.progress.RankLock;
import org.ffmpi.shm.progress.Wakeups;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.spi.Incidents;

/**
 * One rank's end of the job's segment, which sending and receiving share.
 *
 * @param segment the job's segment
 * @param self the rank
 * @param options the rank's protocol options
 * @param types records of datatypes in the segment
 * @param wakeups the rank's wake-ups
 * @param incidents what happens to the rank, for those who listen
 */
public record Endpoint(
    JobSegment segment, int self, ProtocolOptions options, TypeRecords types, Wakeups wakeups,
    Incidents incidents) {
  /** Wakes a rank if it sleeps, after a store for which it may wait. */
  void wake(long block) {
    wakeups.wake(block);
  }

  /** Returns the segment offset of an address in it. */
  long offset(long address) {
    return address - segment.base();
  }

  /** Returns the error of a call after finalize. */
  MpiException finalizedError() {
    return RankLock.finalizedError(self);
  }
}
