// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;

/**
 * The collective calls, by their methods in blocking form: one row for each, with the ranks at which its two buffers
 * are significant and those of the buffers that have a block for each peer. The ranks compare calls by ordinal.
 */
public enum CollectiveMethod {
  BARRIER("barrier", Collective.BARRIER, Ranks.NONE, Shape.ONE, Ranks.NONE, Shape.ONE),
  BCAST("bcast", Collective.BCAST, Ranks.ROOT, Shape.ONE, Ranks.NOT_ROOT, Shape.ONE),
  GATHER("gather", Collective.GATHER, Ranks.ROOTS_REMOTE, Shape.ONE, Ranks.ROOT, Shape.BLOCKS),
  GATHERV("gatherv", Collective.GATHERV, Ranks.ROOTS_REMOTE, Shape.ONE, Ranks.ROOT, Shape.BLOCKS),
  SCATTER("scatter", Collective.SCATTER, Ranks.ROOT, Shape.BLOCKS, Ranks.ROOTS_REMOTE, Shape.ONE),
  SCATTERV("scatterv", Collective.SCATTERV, Ranks.ROOT, Shape.BLOCKS, Ranks.ROOTS_REMOTE, Shape.ONE),
  ALLGATHER("allgather", Collective.ALLGATHER, Ranks.ALL, Shape.ONE, Ranks.ALL, Shape.BLOCKS),
  ALLGATHERV("allgatherv", Collective.ALLGATHERV, Ranks.ALL, Shape.ONE, Ranks.ALL, Shape.BLOCKS),
  ALLTOALL("alltoall", Collective.ALLTOALL, Ranks.ALL, Shape.BLOCKS, Ranks.ALL, Shape.BLOCKS),
  ALLTOALLV("alltoallv", Collective.ALLTOALLV, Ranks.ALL, Shape.BLOCKS, Ranks.ALL, Shape.BLOCKS),
  ALLTOALLW("alltoallw", Collective.ALLTOALLV, Ranks.ALL, Shape.BLOCKS, Ranks.ALL, Shape.BLOCKS),
  REDUCE("reduce", Collective.REDUCE, Ranks.ROOTS_REMOTE, Shape.ONE, Ranks.ROOT, Shape.ONE),
  ALLREDUCE("allreduce", Collective.ALLREDUCE, Ranks.ALL, Shape.ONE, Ranks.ALL, Shape.ONE),
  REDUCE_SCATTER_BLOCK(
      "reduceScatterBlock", Collective.REDUCE_SCATTER_BLOCK, Ranks.ALL, Shape.BLOCKS, Ranks.ALL, Shape.ONE),
  REDUCE_SCATTER("reduceScatter", Collective.REDUCE_SCATTER, Ranks.ALL, Shape.BLOCKS, Ranks.ALL, Shape.ONE),
  SCAN("scan", Collective.SCAN, Ranks.ALL, Shape.ONE, Ranks.ALL, Shape.ONE),
  EXSCAN("exscan", Collective.EXSCAN, Ranks.ALL, Shape.ONE, Ranks.NOT_FIRST, Shape.ONE),
  NEIGHBOR_ALLGATHER(
      "neighborAllgather", Collective.NEIGHBOR_ALLGATHER, Ranks.ALL, Shape.ONE, Ranks.ALL, Shape.BLOCKS),
  NEIGHBOR_ALLGATHERV(
      "neighborAllgatherv", Collective.NEIGHBOR_ALLGATHER, Ranks.ALL, Shape.ONE, Ranks.ALL, Shape.BLOCKS),
  NEIGHBOR_ALLTOALL(
      "neighborAlltoall", Collective.NEIGHBOR_ALLTOALL, Ranks.ALL, Shape.BLOCKS, Ranks.ALL, Shape.BLOCKS),
  NEIGHBOR_ALLTOALLV(
      "neighborAlltoallv", Collective.NEIGHBOR_ALLTOALL, Ranks.ALL, Shape.BLOCKS, Ranks.ALL, Shape.BLOCKS),
  NEIGHBOR_ALLTOALLW(
      "neighborAlltoallw", Collective.NEIGHBOR_ALLTOALL, Ranks.ALL, Shape.BLOCKS, Ranks.ALL, Shape.BLOCKS);

  /** The ranks at which a buffer is significant. */
  private enum Ranks {
    NONE(false, false),
    ALL(true, true),
    ROOT(true, false),
    /** All but the root, and between groups but the root's group. */
    NOT_ROOT(false, true),
    /** All ranks of the root's remote group, which within one group is that group. */
    ROOTS_REMOTE(true, true),
    /** All but rank 0, which is the root of calls without one. */
    NOT_FIRST(false, true);

    private final boolean atRoot;
    private final boolean elsewhere;

    Ranks(boolean atRoot, boolean elsewhere) {
      this.atRoot = atRoot;
      this.elsewhere = elsewhere;
    }

    boolean include(Channel channel, int root) {
      return switch (this) {
        case NONE -> false;
        case ALL -> true;
        case ROOT -> CollectiveChecks.isRoot(channel, root);
        case NOT_ROOT -> root >= 0 && !CollectiveChecks.isRoot(channel, root);
        case ROOTS_REMOTE -> root >= 0 || !CollectiveChecks.isBetweenGroups(channel);
        case NOT_FIRST -> channel.rank() != 0;
      };
    }
  }

  private enum Shape { ONE, BLOCKS }

  final String methodName;

  /** The port's operation within one group. */
  final Collective within;

  /** Where the buffers are significant within one group; the root of calls without one is rank 0. */
  final boolean sendsAtRoot;
  final boolean sendsElsewhere;
  final boolean receivesAtRoot;
  final boolean receivesElsewhere;

  private final Ranks sendRanks;
  private final Ranks recvRanks;
  final boolean sendsBlocks;
  final boolean receivesBlocks;

  CollectiveMethod(
      String methodName, Collective operation, Ranks sendRanks, Shape send, Ranks recvRanks, Shape recv) {
    this.methodName = methodName;
    this.within = operation;
    this.sendsAtRoot = sendRanks.atRoot;
    this.sendsElsewhere = sendRanks.elsewhere;
    this.receivesAtRoot = recvRanks.atRoot;
    this.receivesElsewhere = recvRanks.elsewhere;
    this.sendRanks = sendRanks;
    this.sendsBlocks = send == Shape.BLOCKS;
    this.recvRanks = recvRanks;
    this.receivesBlocks = recv == Shape.BLOCKS;
  }

  /** Returns the port's operation: between groups equal blocks are described one by one. */
  Collective operation(boolean isBetweenGroups) {
    if (!isBetweenGroups) {
      return within;
    }
    return switch (this) {
      case GATHER -> Collective.GATHERV;
      case SCATTER -> Collective.SCATTERV;
      case ALLGATHER -> Collective.ALLGATHERV;
      case ALLTOALL -> Collective.ALLTOALLV;
      default -> within;
    };
  }

  boolean isRooted() {
    return sendRanks == Ranks.ROOT || recvRanks == Ranks.ROOT;
  }

  boolean isSendUsed(Channel channel, int root) {
    return sendRanks.include(channel, root);
  }

  boolean isRecvUsed(Channel channel, int root) {
    return recvRanks.include(channel, root);
  }

  /** Returns whether the send buffer has a block for each peer. */
  boolean sendsBlocks() {
    return sendsBlocks;
  }

  /** Returns whether the receive buffer has a block for each peer. */
  boolean receivesBlocks() {
    return receivesBlocks;
  }
}
