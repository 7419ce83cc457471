// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.communicator.IntraCommImpl;
import org.ffmpi.communicator.IntraMaking;

/**
 * A communicator whose ranks all belong to one group ({@code intracommunicator}, MPI-4.1 §7.1): {@link Mpi#world} and
 * {@link Mpi#self} are such, and what is made out of them.
 *
 * {@snippet :
 * try (IntraComm rows = world.split(world.rank() / columns, world.rank())) {
 *   rows.allreduce(Buf.of(sums), Op.SUM);
 * }
 * }
 *
 * <p>The calls that make communicators are collective, so one thread at a time makes them out of one communicator;
 * different communicators are independent of each other.
 */
public sealed interface IntraComm extends Comm, ConnectCalls, TopologyCalls, WindowCalls, FileCalls
    permits IntraCommImpl, TopologyComm {
  // ---- making others

  @Override
  IntraComm shrink();

  @Override
  CommRequest<? extends IntraComm> ishrink();

  @Override
  @Standard({"MPI_Comm_dup"})
  IntraComm dup();

  @Override
  @Standard({"MPI_Comm_idup"})
  CommRequest<? extends IntraComm> idup();

  @Override
  @Standard({"MPI_Comm_dup_with_info"})
  IntraComm dup(Info info);

  @Override
  @Standard({"MPI_Comm_idup_with_info"})
  CommRequest<? extends IntraComm> idup(Info info);

  @Override
  @Standard({"MPI_Comm_create"})
  IntraComm create(Group group);

  @Override
  @Standard({"MPI_Comm_split"})
  IntraComm split(int color, int key);

  /**
   * Makes a communicator of some of this one's processes, without the others taking part
   * ({@code MPI_Comm_create_group}, MPI-4.1 §7.4.2). Collective over the group; may block until its first member has
   * called it.
   *
   * @param group processes of this communicator, in the order of their new ranks; at all of them the same
   * @param tag not negative; distinguishes what several threads make at the same time
   * @return the new communicator, to be closed by the program; null for the empty group
   * @throws MpiException ERR_GROUP when the group is null, closed, not a subset, or without this process; ERR_TAG
   */
  @Standard({"MPI_Comm_create_group"})
  IntraComm createGroup(Group group, int tag);

  /**
   * Makes an intercommunicator between this group and another one ({@code MPI_Intercomm_create}, MPI-4.1 §7.6.2): the
   * two <em>leaders</em>, one process of each group, meet in a communicator that both are in. Collective over both
   * groups; blocks until both leaders have called it.
   *
   * @param localLeader rank in this communicator of the leader; the same at all ranks
   * @param peerComm communicator of both leaders; looked at by the leader only, null elsewhere
   * @param remoteLeader rank in {@code peerComm} of the other group's leader; looked at by the leader only
   * @param tag not negative, the same at both leaders: distinguishes what several threads make with the same
   *     {@code peerComm}; looked at by the leader only. Messages of the program with that tag are not disturbed
   * @return the new communicator, to be closed by the program
   * @throws MpiException at all ranks of this group, when its leader's arguments are wrong (the other group then waits
   *     for it): ERR_RANK when a leader is no rank, or the remote one belongs to this group; ERR_COMM when
   *     {@code peerComm} is null or closed, or both groups have a process in common; ERR_TAG
   */
  @Standard({"MPI_Intercomm_create"})
  InterComm intercomm(int localLeader, Comm peerComm, int remoteLeader, int tag);

  /**
   * Makes a communicator out of a group, without one that was there before ({@code MPI_Comm_create_from_group}, MPI-4.1
   * §7.4.2). Collective over the group; may block until its first member has called it.
   *
   * @param group processes in the order of their ranks; at all of them the same
   * @param stringtag distinguishes what several threads make at the same time; less than {@code MAX_STRINGTAG_LEN}
   *     characters
   * @return the new communicator, to be closed by the program
   * @throws MpiException as {@link #createFromGroup(Group, String, Info, Errhandler)}, through the error handler that
   *     new communicators of the group's environment begin with
   */
  @Standard({"MPI_Comm_create_from_group"})
  static IntraComm createFromGroup(Group group, String stringtag) {
    return createFromGroup(group, stringtag, null, null);
  }

  /**
   * Makes a communicator out of a group, without one that was there before ({@code MPI_Comm_create_from_group}, MPI-4.1
   * §7.4.2). Collective over the group; may block until its first member has called it.
   *
   * @param group processes in the order of their ranks; at all of them the same
   * @param stringtag distinguishes what several threads make at the same time; less than {@code MAX_STRINGTAG_LEN}
   *     characters
   * @param info hints, as {@link #setInfo}; null for none
   * @param errhandler the new communicator's error handler, also for this call (a function is given null then); null
   *     for the one that communicators of the group's environment begin with
   * @return the new communicator, to be closed by the program; null for an empty group
   * @throws MpiException ERR_GROUP when the group is null, closed, or without this process; ERR_ARG when the tag
   *     is null or too long; ERR_INFO, ERR_INFO_VALUE, ERR_ERRHANDLER
   */
  @Standard({"MPI_Comm_create_from_group"})
  static IntraComm createFromGroup(
      Group group, String stringtag, Info info, Errhandler<? super Comm> errhandler) {
    return IntraMaking.createFromGroup(group, stringtag, info, errhandler);
  }
}
