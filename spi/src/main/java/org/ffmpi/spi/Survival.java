// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/**
 * The port to the failures in a job that outlives its dead, to the revocation of channels, and to agreement between the
 * living members. Any thread may call.
 */
public interface Survival {
  /** Result of {@link #failed} when fewer peers have failed. */
  int NOBODY = -1;

  /**
   * Returns a peer that has failed, in an order that is the same for all ranks. One load.
   *
   * @param index from 0 on
   * @return the peer, or {@link #NOBODY} when fewer have failed
   */
  int failed(int index);

  /** Reads the failures and revocations since the last call. */
  void look();

  /** Reads the failures and revocations since the last call, and ends the operations concerned. */
  void refresh();

  /**
   * Revokes a channel: all its members learn of it, and end their pending operations on it. Never waits.
   *
   * @param channel a channel of this engine
   */
  void revoke(Channel channel);

  /**
   * Starts to agree with all members of a channel that live. Never waits; the operation is registered with the engine.
   *
   * @param channel the channel
   * @param number of this agreement, the same at all its members
   * @param shrinks whether the agreement is about a new channel of the survivors
   * @param flag what this rank contributes
   * @param acknowledged how many failures among the members this rank has acknowledged
   * @return the agreement
   */
  Agreement agree(Channel channel, int number, boolean shrinks, int flag, int acknowledged);

  /** An agreement of the living members of a channel; its result may be read once it is complete without error. */
  abstract class Agreement extends GatedOperation {
    /** Creates an agreement that is open. */
    protected Agreement() {}

    /**
     * Returns the bitwise and of all contributions.
     *
     * @return the same at all members
     */
    public abstract int flag();

    /**
     * Returns how many peers of the world had failed.
     *
     * @return a number of entries of {@link Survival#failed}, the same at all members
     */
    public abstract int failures();

    /**
     * Returns whether a member had failed that not all contributors had acknowledged.
     *
     * @return the same at all members
     */
    public abstract boolean isUnacknowledged();

    /**
     * Returns the number for the channel of the survivors.
     *
     * @return a number as of {@link Engine#claimContexts}, the same at all members
     */
    public abstract long context();
  }
}
