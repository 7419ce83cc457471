// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.spi.Members;

/** Which peers have finalized or died, as this rank has noticed. Guarded by the engine's lock. */
final class GonePeers {
  private final JobSegment segment;
  private final OpenChannels channels;
  private final int self;
  private final int[] states;
  private int count;
  private int deaths;

  GonePeers(JobSegment segment, OpenChannels channels, int self) {
    this.segment = segment;
    this.channels = channels;
    this.self = self;
    this.states = new int[segment.ranks()];
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Whether the peer's published state says that it has gone, and this rank has not noted it yet. */
  boolean isNew(int peer) {
    return peer != self && states[peer] == 0 && segment.state(peer) >= RankLayout.GONE;
  }

  /** Notes that the peer has gone; everything it sent before has been taken out of its ring. */
  void note(int peer) {
    states[peer] = segment.state(peer);
    count++;
    deaths += isDead(peer) ? 1 : 0;
  }

  boolean isGone(int peer) {
    return peer >= 0 && states[peer] != 0;
  }

  boolean isDead(int peer) {
    return peer >= 0 && states[peer] == RankLayout.DEAD;
  }

  /**
   * Whether nobody is left who could satisfy a receive or probe. One from any source is satisfied by the rank itself
   * only where there are no others.
   */
  boolean starves(long context, int peer) {
    if (peer >= 0) {
      return isGone(peer);
    }
    return count > 0 && goneIn(context) > 0;
  }

  /** Returns how many of those who may send in a context have gone, if all but this rank have; otherwise 0. */
  private int goneIn(long context) {
    Members senders = channels.sendersOf(context);
    if (senders == null) {
      return count == states.length - 1 ? count : 0;
    }
    int gone = 0;
    for (int r = 0; r < senders.size(); r++) {
      int peer = senders.peer(r);
      if (states[peer] != 0) {
        gone++;
      } else if (peer != self) {
        return 0;
      }
    }
    return gone;
  }

  private boolean hasDeadIn(long context) {
    Members senders = channels.sendersOf(context);
    if (senders == null) {
      return deaths > 0;
    }
    for (int r = 0; r < senders.size(); r++) {
      if (isDead(senders.peer(r))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether nobody is left who could satisfy a receive or probe, and not all of them went as they should. Who only
   * looks whether there is a message may do so after those who might have sent one have finalized.
   */
  boolean isBereft(long context, int peer) {
    return count > 0 && starves(context, peer) && (peer >= 0 ? isDead(peer) : deaths > 0 && hasDeadIn(context));
  }

  MpiException receiveError(int peer) {
    String who = peer < 0 ? "every other rank" : "rank " + peer;
    String what = peer >= 0 && isDead(peer) ? " has died" : " has finalized";
    return new MpiException(ErrorClass.ERR_PROC_ABORTED, who + what + " and can send nothing more");
  }

  MpiException sendError(int peer) {
    return new MpiException(
        ErrorClass.ERR_PROC_ABORTED,
        "rank " + peer + (isDead(peer) ? " has died" : " has finalized") + " and can receive nothing more");
  }
}
