// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/**
 * A window at one rank, which lists its open epochs in the account of a rank that waits for long. Called by any thread
 * while others open and close epochs; neither waits nor throws.
 */
public interface EpochSource {
  /** The kinds of epochs that other ranks may wait for. */
  enum Kind {
    /** This rank holds the lock of a part together with others. */
    SHARED,
    /** This rank alone holds the lock of a part. */
    EXCLUSIVE,
    /** This rank has started an access epoch to the part of another one, or waits in the start for its post. */
    START,
    /** This rank has posted its part to another one. */
    POST
  }

  /** A list of epochs. */
  interface Sink {
    /**
     * Adds an epoch.
     *
     * @param kind its kind
     * @param peer the other rank, or ANY_SOURCE for all ranks of the window
     */
    void add(Kind kind, int peer);
  }

  /**
   * Lists the open epochs.
   *
   * @param sink gets them
   */
  void list(Sink sink);

  /**
   * Turns the description of a message into that of the synchronization call that it belongs to, if it is one of the
   * window's own messages.
   *
   * @param note the description of a receive in a context of the window's channel
   */
  void describe(WaitNote note);

  /**
   * Returns whether a message to this rank is a request whose place among those of other ranks can make a difference.
   *
   * @param context context of the message
   * @param tag its tag
   * @param request address of its bytes
   * @return false for all other messages, whose order is fixed or is of no effect
   */
  default boolean isOrdered(long context, int tag, long request) {
    return false;
  }

  /**
   * Returns whether two requests of different ranks may have another effect in the other order.
   *
   * @param first address of a request for which {@link #isOrdered} holds
   * @param second address of another one
   * @return false when they commute
   */
  default boolean conflict(long first, long second) {
    return true;
  }

  /**
   * Returns whether a request changes no bytes of this rank's part, whenever it is served.
   *
   * @param request address of a request for which {@link #isOrdered} holds
   * @return true for those that read, and for locks
   */
  default boolean isLook(long request) {
    return false;
  }

  /**
   * Returns whether a message of this rank answers a request that has changed nothing, such as a swap that found
   * another value than it expected.
   *
   * @param request address of the request
   * @param tag tag of the message
   * @param bytes length of the message
   * @param answer address of the message
   * @return false for all other messages
   */
  default boolean isVain(long request, int tag, long bytes, long answer) {
    return false;
  }

  /**
   * Returns whether two requests ask for the same.
   *
   * @param first address of a request
   * @param firstBytes its length
   * @param second address of another one
   * @param secondBytes its length
   * @return false when they differ in more than their tags and the ranks that ask
   */
  default boolean isSame(long first, long firstBytes, long second, long secondBytes) {
    return false;
  }

  /**
   * Returns whether a message of this rank grants another one the lock of this rank's part.
   *
   * @param context context of the message
   * @param tag its tag
   * @return false for all other messages
   */
  default boolean isGrant(long context, int tag) {
    return false;
  }
}
