// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

/** The collective operations there are schedules for. */
public enum Collective {
  /** {@code MPI_Barrier} and its other forms. */
  BARRIER("barrier"),
  /** {@code MPI_Bcast} and its other forms. */
  BCAST("bcast"),
  /** {@code MPI_Gather} and its other forms. */
  GATHER("gather"),
  /** {@code MPI_Allgather} and its other forms. */
  ALLGATHER("allgather"),
  /** {@code MPI_Reduce} and its other forms. */
  REDUCE("reduce"),
  /** {@code MPI_Allreduce} and its other forms. */
  ALLREDUCE("allreduce");

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

  @Override
  public String toString() {
    return label;
  }
}
