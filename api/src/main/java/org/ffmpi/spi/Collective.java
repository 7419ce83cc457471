// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/**
 * The operations of a {@link CollectiveCall}. Calls that differ only in how a program describes its blocks are one
 * operation.
 */
public enum Collective {
  /** {@code MPI_Barrier}. */
  BARRIER("barrier"),
  /** {@code MPI_Bcast}. */
  BCAST("bcast"),
  /** {@code MPI_Gather}. */
  GATHER("gather"),
  /** {@code MPI_Gatherv}. */
  GATHERV("gatherv"),
  /** {@code MPI_Scatter}. */
  SCATTER("scatter"),
  /** {@code MPI_Scatterv}. */
  SCATTERV("scatterv"),
  /** {@code MPI_Allgather}. */
  ALLGATHER("allgather"),
  /** {@code MPI_Allgatherv}. */
  ALLGATHERV("allgatherv"),
  /** {@code MPI_Alltoall}. */
  ALLTOALL("alltoall"),
  /** {@code MPI_Alltoallv} and {@code MPI_Alltoallw}. */
  ALLTOALLV("alltoallv"),
  /** {@code MPI_Reduce}. */
  REDUCE("reduce"),
  /** {@code MPI_Allreduce}. */
  ALLREDUCE("allreduce"),
  /** {@code MPI_Reduce_scatter_block}. */
  REDUCE_SCATTER_BLOCK("reduce-scatter-block"),
  /** {@code MPI_Reduce_scatter}. */
  REDUCE_SCATTER("reduce-scatter"),
  /** {@code MPI_Scan}. */
  SCAN("scan"),
  /** {@code MPI_Exscan}. */
  EXSCAN("exscan"),
  /** {@code MPI_Neighbor_allgather} and {@code MPI_Neighbor_allgatherv}. */
  NEIGHBOR_ALLGATHER("neighbor-allgather"),
  /** {@code MPI_Neighbor_alltoall}, {@code MPI_Neighbor_alltoallv} and {@code MPI_Neighbor_alltoallw}. */
  NEIGHBOR_ALLTOALL("neighbor-alltoall");

  private final String label;

  Collective(String label) {
    this.label = label;
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
   * Returns whether a call says the length of each block, of which there is one for each rank or neighbour.
   *
   * @return true for the operations whose blocks are {@link FlatBlocks}
   */
  public boolean isOfBlocks() {
    return switch (this) {
      case GATHERV, SCATTERV, ALLGATHERV, ALLTOALLV, NEIGHBOR_ALLGATHER, NEIGHBOR_ALLTOALL -> true;
      default -> false;
    };
  }

  /**
   * Returns whether the operation combines elements.
   *
   * @return true for the operations that have a kernel
   */
  public boolean isReduction() {
    return switch (this) {
      case REDUCE, ALLREDUCE, REDUCE_SCATTER_BLOCK, REDUCE_SCATTER, SCAN, EXSCAN -> true;
      default -> false;
    };
  }

  @Override
  public String toString() {
    return label;
  }
}
