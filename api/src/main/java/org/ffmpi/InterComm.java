// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.communicator.InterCommImpl;
import org.ffmpi.communicator.Meeting;

/**
 * A communicator between two groups without a common process ({@code intercommunicator}, MPI-4.1 §7.6). Each process is
 * in one of them, its <em>local</em> group: {@link #rank}, {@link #size} and {@link #group} speak of that one. Messages
 * go to and come from the other, the <em>remote</em> group: destinations, sources and those in a {@link Status} are
 * ranks there.
 *
 * {@snippet :
 * boolean solver = world.rank() < world.size() - 1;
 * try (IntraComm half = world.split(solver ? 0 : 1, world.rank());
 *     InterComm other = half.intercomm(0, world, solver ? world.size() - 1 : 0, 99)) {
 *   if (solver && half.rank() == 0) {
 *     other.send(frame, 0, 1);
 *   } else if (!solver) {
 *     other.recv(frame, 0, 1);
 *   }
 * }
 * }
 *
 * <p>Intercommunicators are made by {@link IntraComm#intercomm}, {@link #createFromGroups}, and out of others.
 * {@link #merge} makes an ordinary communicator of both groups. All point-to-point calls work on them, and all
 * collective operations but scans, which have ERR_COMM for them; no buffer is in place then (MPI-4.1 §6.2.3).
 *
 * <p>Collective operations move data from one group to the other: blocks are those of the remote group's ranks, as many
 * as {@link #remoteSize}. Where all send to all, each group gets what the other has sent, and the amounts of the two
 * directions may differ, except in reductions. Where there is a root, data go from its group to the other or come from
 * there, and the other ranks of its group have no part: the root says {@code ROOT} (of {@link Constants}), the others
 * of its group {@code PROC_NULL}, which look at no other argument, and the ranks of the other group say which rank it
 * is. The root's own buffer for the other direction is not looked at.
 *
 * <p>The calls that make communicators are collective over both groups, and one thread at a time makes them out of one
 * communicator. An error that one group's rank 0 finds in its arguments is thrown at all ranks of both.
 */
public sealed interface InterComm extends Comm permits InterCommImpl {
  // ---- how they begin

  /**
   * Makes an intercommunicator of two groups, without a communicator that was there before, with the error handler that
   * communicators of the groups' environment begin with ({@code MPI_Intercomm_create_from_groups}, MPI-4.1 §7.6.2).
   *
   * @param localGroup as {@link #createFromGroups(Group, int, Group, int, String, Info, Errhandler)}
   * @param localLeader as there
   * @param remoteGroup as there
   * @param remoteLeader as there
   * @param stringtag as there
   * @return as there
   * @throws MpiException as there
   */
  @Standard({"MPI_Intercomm_create_from_groups"})
  static InterComm createFromGroups(
      Group localGroup, int localLeader, Group remoteGroup, int remoteLeader, String stringtag) {
    return createFromGroups(localGroup, localLeader, remoteGroup, remoteLeader, stringtag, null, null);
  }

  /**
   * Makes an intercommunicator of two groups, without a communicator that was there before
   * ({@code MPI_Intercomm_create_from_groups}, MPI-4.1 §7.6.2). Collective over both groups; blocks until both leaders
   * have called it.
   *
   * @param localGroup this process's group; the same at all its members
   * @param localLeader rank in it of the process that talks to the other group; the same at all members
   * @param remoteGroup the other group; looked at by the leader only
   * @param remoteLeader rank in the other group of its leader; looked at by the leader only
   * @param stringtag distinguishes what several threads make at the same time, the same everywhere; less than
   *     {@code MAX_STRINGTAG_LEN} characters
   * @param info hints, as {@link #setInfo}; null for none
   * @param errhandler the new communicator's error handler, also for this call (a function is given null then); null
   *     for the one that communicators of the groups' environment begin with
   * @return the new communicator, to be closed by the program; null when one of the groups is empty, which then has to
   *     be so at all processes
   * @throws MpiException ERR_GROUP when a group is null or closed, the local one is without this process, or both have
   *     a process in common; ERR_RANK when a leader is no rank of its group; ERR_ARG when the tag is null or too long;
   *     ERR_INFO, ERR_INFO_VALUE, ERR_ERRHANDLER
   */
  @Standard({"MPI_Intercomm_create_from_groups"})
  static InterComm createFromGroups(
      Group localGroup, int localLeader, Group remoteGroup, int remoteLeader, String stringtag, Info info,
      Errhandler<? super Comm> errhandler) {
    return Meeting.createFromGroups(
        localGroup, localLeader, remoteGroup, remoteLeader, stringtag, info, errhandler);
  }

  // ---- what it is

  /**
   * Returns how many processes the remote group has ({@code MPI_Comm_remote_size}, MPI-4.1 §7.6.1). Local.
   *
   * @return number of ranks that messages can be sent to, at least 1
   */
  @Standard({"MPI_Comm_remote_size"})
  int remoteSize();

  /**
   * Returns the remote group ({@code MPI_Comm_remote_group}, MPI-4.1 §7.6.1). Local. The group may be used after the
   * communicator has been closed.
   *
   * @return the processes in the order of their ranks
   */
  @Standard({"MPI_Comm_remote_group"})
  Group remoteGroup();

  // ---- others made of it

  /**
   * Makes a communicator of the processes of both groups ({@code MPI_Intercomm_merge}, MPI-4.1 §7.6.2). Collective;
   * blocks until rank 0 of both groups has called it.
   *
   * @param high whether this group's processes come behind the others; the same at all of the group. When both groups
   *     say the same, either may come first
   * @return the new communicator, to be closed by the program; within each group the order of ranks is kept
   * @throws MpiException ERR_ARG when rank 0 of the group passes another value
   */
  @Standard({"MPI_Intercomm_merge"})
  IntraComm merge(boolean high);

  @Override
  InterComm shrink();

  @Override
  CommRequest<? extends InterComm> ishrink();

  @Override
  @Standard({"MPI_Comm_dup"})
  InterComm dup();

  @Override
  @Standard({"MPI_Comm_idup"})
  CommRequest<? extends InterComm> idup();

  @Override
  @Standard({"MPI_Comm_dup_with_info"})
  InterComm dup(Info info);

  @Override
  @Standard({"MPI_Comm_idup_with_info"})
  CommRequest<? extends InterComm> idup(Info info);

  /**
   * Makes communicators of those of each group that have the same colour ({@code MPI_Comm_split}, MPI-4.1 §7.4.2): for
   * each colour an intercommunicator between the processes of that colour in this group and those in the other.
   * Collective; blocks until all ranks of both groups have called it.
   *
   * @param color which one this process goes to, not negative, or {@code UNDEFINED} for none
   * @param key by which ranks are ordered in the new local group; equal ones as here
   * @return the new communicator, to be closed by the program; null for {@code UNDEFINED}, and when no rank of the
   *     other group has the colour
   * @throws MpiException ERR_ARG when the colour is negative and not {@code UNDEFINED}
   */
  @Override
  @Standard({"MPI_Comm_split"})
  InterComm split(int color, int key);

  /**
   * Makes an intercommunicator of some of each group's processes ({@code MPI_Comm_create}, MPI-4.1 §7.4.2).
   * Collective: all ranks of both groups call it. Blocks until rank 0 of both groups has.
   *
   * @param group processes of the local group, in the order of their new ranks; the same at all of the local group
   * @return the new communicator, to be closed by the program; null at processes that are not in the group, and
   *     everywhere when one side names no process
   * @throws MpiException ERR_GROUP when the group is null, closed, not a subset, or another one than that of rank 0
   */
  @Override
  @Standard({"MPI_Comm_create"})
  InterComm create(Group group);

  /**
   * Describes the communicator for messages.
   *
   * @return name, rank and the sizes of both groups
   */
  @Override
  String toString();
}
