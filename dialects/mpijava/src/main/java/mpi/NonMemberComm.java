// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.IntraComm;

/**
 * The null communicator of MPJ Express, whose programs ask it for their rank, which is {@code MPI.UNDEFINED}, and free
 * it. It reaches no other process. Programs of mpiJava get null instead.
 */
final class NonMemberComm extends Intracomm {
  private final org.ffmpi.Group members;
  private final int count;

  /**
   * Makes the communicator of processes that this one is none of.
   *
   * @param alone a communicator of this process
   * @param members the processes; empty when this one has asked for no communicator
   */
  NonMemberComm(IntraComm alone, org.ffmpi.Group members) {
    super(alone);
    this.members = copy(members);
    this.count = Math.max(1, members.size());
    this.group = Group();
  }

  /** Returns an equal group, which the program may free and use the other one. */
  private static org.ffmpi.Group copy(org.ffmpi.Group group) {
    return group == org.ffmpi.Group.EMPTY ? group : group.union(org.ffmpi.Group.EMPTY);
  }

  /** Returns the processes that have got the communicator, as MPJ Express does. */
  @Override
  public Group Group() {
    return new Group(copy(members));
  }

  @Override
  public int Rank() {
    return MPI.UNDEFINED;
  }

  @Override
  public int Size() {
    return count;
  }
}
