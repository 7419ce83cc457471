// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.spi.Collective;

/** All algorithms, by operation and name. */
public final class Algorithms {
  private static final Algorithm[] ALL = {
    new DisseminationBarrier(),
    new RegionMoves(Collective.BARRIER), new RegionMoves(Collective.BCAST), new RegionMoves(Collective.GATHER),
    new RegionMoves(Collective.SCATTER), new RegionMoves(Collective.ALLGATHER), new RegionMoves(Collective.ALLTOALL),
    new RegionReductions(Collective.REDUCE), new RegionReductions(Collective.ALLREDUCE),
    new RegionReductions(Collective.REDUCE_SCATTER_BLOCK), new RegionReductions(Collective.REDUCE_SCATTER),
    new RegionReductions(Collective.SCAN), new RegionReductions(Collective.EXSCAN),
    new RegionTree(Collective.BARRIER), new RegionTree(Collective.ALLGATHER), new RegionTree(Collective.ALLREDUCE),
    new RegionTree(Collective.REDUCE_SCATTER_BLOCK), new RegionTree(Collective.REDUCE_SCATTER),
    new RegionTree(Collective.SCAN), new RegionTree(Collective.EXSCAN),
    new PullMoves(Collective.BCAST), new PullMoves(Collective.ALLGATHER),
    new PullReductions(Collective.REDUCE), new PullReductions(Collective.ALLREDUCE),
    new PullReductions(Collective.REDUCE_SCATTER_BLOCK), new PullReductions(Collective.REDUCE_SCATTER),
    new PullReductions(Collective.SCAN),
    new DirectBlocks(Collective.GATHER), new DirectBlocks(Collective.GATHERV),
    new DirectBlocks(Collective.SCATTER), new DirectBlocks(Collective.SCATTERV),
    new DirectBlocks(Collective.ALLGATHERV),
    new DirectBlocks(Collective.ALLTOALL), new DirectBlocks(Collective.ALLTOALLV),
    new DirectBlocks(Collective.NEIGHBOR_ALLGATHER), new DirectBlocks(Collective.NEIGHBOR_ALLTOALL),
    new LeveledBarrier(), new LeveledBcast(),
    new LeveledBlocks(Collective.GATHER), new LeveledBlocks(Collective.SCATTER),
    new LeveledAllgather(Collective.ALLGATHER), new LeveledAllgather(Collective.ALLGATHERV),
    new LeveledAlltoall(),
    new LeveledReduce(), new LeveledAllreduce(),
    new LeveledReduceScatter(Collective.REDUCE_SCATTER_BLOCK), new LeveledReduceScatter(Collective.REDUCE_SCATTER),
    new LeveledScan(Collective.SCAN), new LeveledScan(Collective.EXSCAN),
    new BinomialBcast(), new ChainBcast(),
    new LinearGather(Collective.GATHER), new BinomialBlocks(Collective.GATHER),
    new LinearGather(Collective.GATHERV),
    new LinearScatter(Collective.SCATTER), new BinomialBlocks(Collective.SCATTER),
    new LinearScatter(Collective.SCATTERV),
    new LinearAllgather(Collective.ALLGATHER), new RingAllgather(), new BruckAllgather(),
    new LinearAllgather(Collective.ALLGATHERV),
    new LinearAlltoall(Collective.ALLTOALL), new PairwiseAlltoall(Collective.ALLTOALL), new BruckAlltoall(),
    new LinearAlltoall(Collective.ALLTOALLV), new PairwiseAlltoall(Collective.ALLTOALLV),
    new BinomialReduce(),
    new RecursiveDoublingAllreduce(), new HalvingAllreduce(), new RingAllreduce(),
    new PairwiseReduceScatter(Collective.REDUCE_SCATTER_BLOCK),
    new HalvingReduceScatter(Collective.REDUCE_SCATTER_BLOCK),
    new PairwiseReduceScatter(Collective.REDUCE_SCATTER), new HalvingReduceScatter(Collective.REDUCE_SCATTER),
    new LinearScan(Collective.SCAN), new DoublingScan(Collective.SCAN),
    new LinearScan(Collective.EXSCAN), new DoublingScan(Collective.EXSCAN),
    new NeighborExchange(Collective.NEIGHBOR_ALLGATHER),
    new NeighborExchange(Collective.NEIGHBOR_ALLTOALL),
  };

  private static final Map<Collective, Algorithm> BETWEEN_GROUPS = new EnumMap<>(Collective.class);

  static {
    for (Collective collective : Collective.values()) {
      BETWEEN_GROUPS.put(collective, new BetweenGroups(collective));
    }
  }

  private Algorithms() {}

  /** Returns the algorithm of an operation between two groups. */
  public static Algorithm betweenGroups(Collective collective) {
    return BETWEEN_GROUPS.get(collective);
  }

  /** Returns the algorithm with that name, or null. */
  public static Algorithm find(Collective collective, String name) {
    for (Algorithm algorithm : ALL) {
      if (algorithm.collective() == collective && algorithm.name().equals(name)) {
        return algorithm;
      }
    }
    return null;
  }

  /** Returns the algorithms of an operation. */
  public static List<Algorithm> of(Collective collective) {
    List<Algorithm> found = new ArrayList<>();
    for (Algorithm algorithm : ALL) {
      if (algorithm.collective() == collective) {
        found.add(algorithm);
      }
    }
    return found;
  }
}
