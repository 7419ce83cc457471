// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.spi.Members;

/** The peers whose departure this rank has noted. Guarded by the rank's lock. */
public final class Departures {
  private final JobSegment segment;
  private final OpenChannels channels;
  private final int self;
  private final boolean survives;
  private final int[] states;
  private int count;
  private int deaths;

  /**
   * Creates the record of one rank.
   *
   * @param segment the job's segment
   * @param channels the rank's channels
   * @param self the rank
   */
  public Departures(JobSegment segment, OpenChannels channels, int self) {
    this.segment = segment;
    this.channels = channels;
    this.self = self;
    this.survives = segment.survives();
    this.states = new int[segment.ranks()];
  }

  /**
   * Returns whether no departure is noted.
   *
   * @return true while all peers take part
   */
  public boolean isEmpty() {
    return count == 0;
  }

  /** Returns whether the peer has published a departure that this rank has not noted. */
  boolean isNew(int peer) {
    return peer != self && states[peer] == 0 && segment.ends().hasDeparted(peer);
  }

  /** Notes the departure of a peer, after all that it has sent is consumed. */
  void add(int peer) {
    boolean died = segment.state(peer) == RankLayout.DEAD;
    states[peer] = died ? RankLayout.DEAD : RankLayout.FINALIZED;
    count++;
    deaths += died ? 1 : 0;
  }

  /**
   * Returns whether a peer has departed.
   *
   * @param peer a rank, or ANY_SOURCE
   * @return true when its departure is noted
   */
  public boolean hasDeparted(int peer) {
    return peer >= 0 && states[peer] != 0;
  }

  /**
   * Returns whether a peer has died.
   *
   * @param peer a rank, or ANY_SOURCE
   * @return true when its death is noted
   */
  public boolean isDead(int peer) {
    return peer >= 0 && states[peer] == RankLayout.DEAD;
  }

  /**
   * Returns whether no rank is left that could satisfy a receive or probe. A receive from any source that the rank
   * itself may send to waits for the rank's own threads when all others have finalized. It ends when one of the others
   * has died.
   *
   * @param context matching context
   * @param peer wanted sender, or ANY_SOURCE
   * @return true when none is left
   */
  public boolean isUnsatisfiable(long context, int peer) {
    if (peer >= 0) {
      return hasDeparted(peer);
    }
    return count > 0 && haveAllDeparted(context);
  }

  /** Returns whether all senders of a context have departed; or all but this rank, at least one by death. */
  private boolean haveAllDeparted(long context) {
    Members senders = channels.sendersOf(context);
    if (senders == null) {
      return deaths > 0 && count == states.length - 1;
    }
    boolean maySendItself = false;
    boolean anyDead = false;
    for (int r = 0; r < senders.size(); r++) {
      int peer = senders.peer(r);
      if (states[peer] != 0) {
        anyDead |= isDead(peer);
      } else if (peer == self) {
        maySendItself = true;
      } else {
        return false;
      }
    }
    return anyDead || !maySendItself;
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
   * Returns whether no rank is left that could satisfy a receive or probe, and one of them has died. A program that
   * only tests may do so after all possible senders have finalized.
   *
   * @param context matching context
   * @param peer wanted sender, or ANY_SOURCE
   * @return true when none is left because of a death
   */
  public boolean isUnsatisfiableByDeath(long context, int peer) {
    return count > 0 && isUnsatisfiable(context, peer)
        && (peer >= 0 ? isDead(peer) : deaths > 0 && hasDeadIn(context));
  }

  private ErrorClass errorClass(boolean byDeath) {
    return byDeath && survives ? ErrorClass.ERR_PROC_FAILED : ErrorClass.ERR_PROC_ABORTED;
  }

  /**
   * Returns the error of a receive from a departed peer.
   *
   * @param peer the rank, or ANY_SOURCE
   * @return an exception of class ERR_PROC_ABORTED, or ERR_PROC_FAILED in a job that outlives its dead
   */
  public MpiException receiveError(int peer) {
    String who = peer < 0 ? "every other rank" : segment.name(peer, self);
    String what = peer < 0 && deaths > 0 ? " has died or finalized" : isDead(peer) ? " has died" : " has finalized";
    return new MpiException(
        errorClass(peer < 0 ? deaths > 0 : isDead(peer)), who + what + " and can send nothing more");
  }

  /**
   * Returns the error of a send to a departed peer.
   *
   * @param peer the rank
   * @return an exception of class ERR_PROC_ABORTED, or ERR_PROC_FAILED in a job that outlives its dead
   */
  public MpiException sendError(int peer) {
    return new MpiException(
        errorClass(isDead(peer)),
        segment.name(peer, self) + (isDead(peer) ? " has died" : " has finalized") + " and can receive nothing more");
  }
}
