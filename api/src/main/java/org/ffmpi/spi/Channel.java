// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How one communicator reaches its members: an engine, a context, and which peer each rank is. Immutable but for the
 * sequence of collective calls.
 */
public final class Channel {
  /** Context of the communicator of all ranks. */
  public static final long WORLD_CONTEXT = 0;

  /** Context of the communicators of one rank alone. */
  public static final long SELF_CONTEXT = 4;

  /** The first number that {@link Engine#takeContexts} may give out. */
  public static final long FIRST_FREE_CONTEXT = 16;

  private final Engine engine;
  private final long context;
  private final int rank;
  private final int size;
  private final int[] peerOfRank;
  private final int[] rankOfPeer;
  private final AtomicInteger collectives = new AtomicInteger();

  /**
   * Creates a channel over all peers, ranked as the engine numbers them.
   *
   * @param engine the engine
   * @param context a number from {@link Engine#takeContexts}, or a fixed one for predefined communicators
   */
  public Channel(Engine engine, long context) {
    this.engine = engine;
    this.context = context;
    this.rank = engine.self();
    this.size = engine.peers();
    this.peerOfRank = null;
    this.rankOfPeer = null;
  }

  /**
   * Creates a channel over some peers.
   *
   * @param engine the engine
   * @param context a number from {@link Engine#takeContexts}, or a fixed one for predefined communicators
   * @param peers peer number of each rank; this process is among them
   */
  public Channel(Engine engine, long context, int[] peers) {
    this.engine = engine;
    this.context = context;
    this.size = peers.length;
    this.peerOfRank = peers.clone();
    this.rankOfPeer = new int[engine.peers()];
    java.util.Arrays.fill(rankOfPeer, org.ffmpi.base.Constants.UNDEFINED);
    for (int r = 0; r < peers.length; r++) {
      rankOfPeer[peers[r]] = r;
    }
    this.rank = rankOfPeer[engine.self()];
  }

  /**
   * Returns the engine.
   *
   * @return the engine
   */
  public Engine engine() {
    return engine;
  }

  /**
   * Returns this process's rank.
   *
   * @return own rank
   */
  public int rank() {
    return rank;
  }

  /**
   * Returns the number of ranks.
   *
   * @return size of the group
   */
  public int size() {
    return size;
  }

  /**
   * Turns a rank into a peer number.
   *
   * @param rank a rank from 0 to size-1, or a negative special value, which is returned unchanged
   * @return the peer
   */
  public int peer(int rank) {
    return peerOfRank == null || rank < 0 ? rank : peerOfRank[rank];
  }

  /**
   * Turns a peer number into a rank.
   *
   * @param peer a peer, or a negative special value, which is returned unchanged
   * @return the rank, or UNDEFINED when the peer is no member
   */
  public int rankOf(int peer) {
    return rankOfPeer == null || peer < 0 ? peer : rankOfPeer[peer];
  }

  /**
   * Returns the context of the user's point-to-point messages.
   *
   * @return a matching context
   */
  public long pointToPoint() {
    return context;
  }

  /**
   * Returns the context of blocking and nonblocking collectives.
   *
   * @return a matching context
   */
  public long collective() {
    return context + 1;
  }

  /**
   * Returns the context of persistent collectives, whose tags are a space of their own.
   *
   * @return a matching context
   */
  public long persistent() {
    return context + 2;
  }

  /**
   * Returns the context of the library's own messages: those that set up partitioned communication, under the tags that
   * programs give them.
   *
   * @return a matching context
   */
  public long internal() {
    return context + 3;
  }

  /**
   * Takes the tag of the next collective call. All ranks call collectives in the same order, so that all get the same.
   *
   * @return a tag, not negative
   */
  public int nextCollectiveTag() {
    return collectives.getAndIncrement() & Integer.MAX_VALUE;
  }
}
