// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.survive;

import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.SurvivalLayout;

/**
 * One rank's view of the job's agreements. A lock in shared memory guards the assignment of agreements to channels. A
 * rank that waits for the lock acquires it from a holder that has failed: each store under the lock leaves the table
 * consistent. An agreement that all members have left is reused; a failed member counts as one that has left.
 */
final class AgreementTable {
  private final JobSegment segment;
  private final long block;
  private final int self;
  private final int peers;

  /**
   * Creates the view of one rank.
   *
   * @param segment the job's segment
   * @param self the rank
   */
  AgreementTable(JobSegment segment, int self) {
    this.segment = segment;
    this.block = segment.survivalBlock();
    this.self = self;
    this.peers = segment.ranks();
  }

  /**
   * Finds or makes the agreement of a channel.
   *
   * @param channel the channel's identity
   * @param number its number
   * @param shrinks its subject, if it has to be made
   * @param members its members
   * @return its address, which is valid until this rank has left it
   */
  synchronized long find(long channel, int number, boolean shrinks, int[] members) {
    lock();
    try {
      long free = 0;
      long word = SurvivalLayout.agreementsAddress(block);
      while (true) {
        long chunk = chunk(word, free == 0);
        if (chunk == 0) {
          break;
        }
        for (int i = 0; i < AgreementLayout.PER_CHUNK; i++) {
          long agreement = chunk + AgreementLayout.FIRST_OFFSET + i * AgreementLayout.bytes(peers);
          long key = AgreementLayout.getAcquireKey(agreement);
          if (key == channel + 1 && AgreementLayout.getPlainNumber(agreement) == number) {
            return agreement;
          }
          if (key != 0 && isOver(agreement)) {
            AgreementLayout.setReleaseKey(agreement, 0);
            key = 0;
          }
          free = free == 0 && key == 0 ? agreement : free;
        }
        word = AgreementLayout.nextAddress(chunk);
      }
      AgreementLayout.setPlainSubject(free, number, shrinks);
      for (int peer = 0; peer < peers; peer++) {
        AgreementLayout.setReleasePeer(free, peer, AgreementLayout.NO_MEMBER);
      }
      for (int peer : members) {
        AgreementLayout.setReleasePeer(free, peer, AgreementLayout.word(AgreementLayout.EXPECTED, 0, 0));
      }
      AgreementLayout.setReleaseKey(free, channel + 1);
      return free;
    } finally {
      SurvivalLayout.setReleaseLockFree(block);
    }
  }

  /** Returns the chunk that a word names, which is made on request, or 0. */
  private long chunk(long word, boolean make) {
    long bytes = AgreementLayout.chunkBytes(peers);
    long offset = Raw.getAcquireLong(word);
    if (offset == 0 && make) {
      offset = segment.claim(bytes) - segment.base();
      Raw.putReleaseLong(word, offset);
    }
    return offset == 0 ? 0 : segment.line(offset, bytes);
  }

  /** Returns whether each member has left or failed. */
  private boolean isOver(long agreement) {
    for (int peer = 0; peer < peers; peer++) {
      int state = AgreementLayout.state(AgreementLayout.getAcquirePeer(agreement, peer));
      if (state != AgreementLayout.NO_MEMBER && state != AgreementLayout.LEFT && !hasFailed(peer)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether a rank has failed. */
  boolean hasFailed(int peer) {
    int rank;
    for (int index = 0; (rank = segment.failed(index)) >= 0; index++) {
      if (rank == peer) {
        return true;
      }
    }
    return false;
  }

  private void lock() {
    while (!SurvivalLayout.casLock(block, 0, self + 1)) {
      int holder = SurvivalLayout.getAcquireLock(block);
      if (holder > 0 && hasFailed(holder - 1) && SurvivalLayout.casLock(block, holder, self + 1)) {
        return;
      }
      Thread.yield();
    }
  }
}
