// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.IntraComm;

/**
 * The null communicator of MPJ Express, whose programs ask it for their rank, which is {@code MPI.UNDEFINED}, and free
 * it. It reaches no other process. Programs of mpiJava get null instead.
 */
final class NonMemberComm extends Intracomm {
  private final int members;

  /**
   * Makes the communicator.
   *
   * @param alone a communicator of this process
   * @param members number of processes that the communicator has elsewhere
   */
  NonMemberComm(IntraComm alone, int members) {
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
