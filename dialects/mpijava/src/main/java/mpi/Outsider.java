// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.IntraComm;

/**
 * A communicator that this process is no member of, as MPJ Express has it: its programs ask such a one for their rank,
 * which is {@code MPI.UNDEFINED}, and free it. It reaches no other process. Programs of mpiJava get null instead.
 */
final class Outsider extends Intracomm {
  private final int members;

  /**
   * Makes the communicator.
   *
   * @param alone a communicator of this process
   * @param members number of processes that the communicator has elsewhere
   */
  Outsider(IntraComm alone, int members) {
    super(alone);
    this.members = members;
  }

  @Override
  public int Rank() {
    return MPI.UNDEFINED;
  }

  @Override
  public int Size() {
    return members;
  }
}
