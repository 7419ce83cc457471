// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/**
 * The operations of a {@link CollectiveCall}. Calls that differ only in how a program describes its blocks are one
 * operation.
 */
public enum Collective {
  /** {@code MPI_Barrier}. */
  BARRIER("barrier", false, false),
  /** {@code MPI_Bcast}. */
  BCAST("bcast", false, false),
  /** {@code MPI_Gather}. */
  GATHER("gather", false, false),
  /** {@code MPI_Gatherv}. */
  GATHERV("gatherv", true, false),
  /** {@code MPI_Scatter}. */
  SCATTER("scatter", false, false),
  /** {@code MPI_Scatterv}. */
  SCATTERV("scatterv", true, false),
  /** {@code MPI_Allgather}. */
  ALLGATHER("allgather", false, false),
  /** {@code MPI_Allgatherv}. */
  ALLGATHERV("allgatherv", true, false),
  /** {@code MPI_Alltoall}. */
  ALLTOALL("alltoall", false, false),
  /** {@code MPI_Alltoallv} and {@code MPI_Alltoallw}. */
  ALLTOALLV("alltoallv", true, false),
  /** {@code MPI_Reduce}. */
  REDUCE("reduce", false, true),
  /** {@code MPI_Allreduce}. */
  ALLREDUCE("allreduce", false, true),
  /** {@code MPI_Reduce_scatter_block}. */
  REDUCE_SCATTER_BLOCK("reduce-scatter-block", false, true),
  /** {@code MPI_Reduce_scatter}. */
  REDUCE_SCATTER("reduce-scatter", false, true),
  /** {@code MPI_Scan}. */
  SCAN("scan", false, true),
  /** {@code MPI_Exscan}. */
  EXSCAN("exscan", false, true),
  /** {@code MPI_Neighbor_allgather} and {@code MPI_Neighbor_allgatherv}. */
  NEIGHBOR_ALLGATHER("neighbor-allgather", true, false),
  /** {@code MPI_Neighbor_alltoall}, {@code MPI_Neighbor_alltoallv} and {@code MPI_Neighbor_alltoallw}. */
  NEIGHBOR_ALLTOALL("neighbor-alltoall", true, false);

  private final String label;
  private final boolean ofBlocks;
  private final boolean reduction;

  Collective(String label, boolean ofBlocks, boolean reduction) {
    this.label = label;
    this.ofBlocks = ofBlocks;
    this.reduction = reduction;
  }

  /**
   * Returns the name used in settings, tables and error texts.
   *
   * @return for example {@code allreduce}
   */
  public String label() {
    return label;
  }

  /**
   * Returns whether a call has the length of each block, one for each rank or neighbour.
   *
   * @return true for the operations whose blocks are {@link FlatBlocks}
   */
  public boolean isOfBlocks() {
    return ofBlocks;
  }

  /**
   * Returns whether the operation combines elements.
   *
   * @return true for the operations that have a kernel
   */
  public boolean isReduction() {
    return reduction;
  }

  @Override
  public String toString() {
    return label;
  }
}
