// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.time.Duration;
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
 *
 * <p>The processes of a communicator start others by {@code spawn}, and meet those of another program by {@code accept}
 * and {@code connect} (MPI-4.1 §11.8 and §11.9), all on one machine and of one user. The result is an {@link
 * InterComm}, whose ends are {@link Comm#disconnect}, {@link Comm#close} and {@link InterComm#merge}. Processes that it
 * connects end together when one of them fails; after {@code disconnect} they do not.
 */
public sealed interface IntraComm extends Comm, TopologyCalls, WindowCalls, FileCalls
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

  // ---- processes that come and meet

  /**
   * Starts processes, described by rank 0 ({@code MPI_Comm_spawn}, {@code MPI_Comm_spawn_multiple}, MPI-4.1 §11.8.2
   * and §11.8.3). As {@link #spawn(int, Spawn...)}.
   *
   * @param commands what to start; looked at by rank 0 only
   * @return the communicator with the new processes
   * @throws MpiException as {@link #spawn(int, Spawn...)}
   */
  @Standard({"MPI_Comm_spawn", "MPI_Comm_spawn_multiple"})
  InterComm spawn(Spawn... commands);

  /**
   * Starts processes ({@code MPI_Comm_spawn}, {@code MPI_Comm_spawn_multiple}, MPI-4.1 §11.8.2 and §11.8.3). The new
   * processes have a world of their own, with ranks in the order of the commands; the number of its command is the
   * {@link Comm#APPNUM} of each. They find this communicator by {@link Mpi#parent}. Collective; blocks until all new
   * processes have initialized MPI.
   *
   * <p>A launcher that has started this job also starts and watches the new processes; without one, a launcher is
   * started for them. Where ranks are threads, so are the new ones.
   *
   * @param root the rank that describes what to start
   * @param commands what to start; looked at by the root only, others may leave it out
   * @return the communicator with the new processes
   * @throws MpiException at all ranks ERR_SPAWN when a process cannot be started or ends before it has initialized MPI
   *     (none of them is left then), when a description is wrong, or when there would be more processes than
   *     {@code ffmpi.universe} allows; ERR_ROOT
   */
  @Standard({"MPI_Comm_spawn", "MPI_Comm_spawn_multiple"})
  InterComm spawn(int root, Spawn... commands);

  /**
   * Starts processes as {@link #spawn(int, Spawn...)} does, and reports each of them.
   *
   * @param errorCodes one entry for each process that is asked for, at least; set at every rank, also when the call
   *     fails: 0, or the code of ERR_SPAWN for a process that was not started; null to ignore
   * @param root the rank that describes what to start
   * @param commands what to start; looked at by the root only
   * @return the communicator with the new processes
   * @throws MpiException as {@link #spawn(int, Spawn...)}; ERR_ARG when the array is too short
   */
  @Standard({"MPI_Comm_spawn", "MPI_Comm_spawn_multiple"})
  InterComm spawn(int[] errorCodes, int root, Spawn... commands);

  /**
   * Accepts one connection at a port that rank 0 has open ({@code MPI_Comm_accept}, MPI-4.1 §11.9.2). Collective;
   * blocks until another group connects.
   *
   * @param port what {@link Mpi#openPort} has returned; looked at by rank 0 only
   * @return the communicator with the other group
   * @throws MpiException ERR_PORT when rank 0 has no such port open
   */
  @Standard({"MPI_Comm_accept"})
  InterComm accept(String port);

  /**
   * Accepts one connection at a port that the root has open ({@code MPI_Comm_accept}, MPI-4.1 §11.9.2).
   *
   * @param port what {@link Mpi#openPort} has returned; looked at by the root only
   * @param info hints, none of which is looked at; may be null
   * @param root the rank that has the port open
   * @return the communicator with the other group
   * @throws MpiException ERR_PORT when the root has no such port open, ERR_ROOT
   */
  @Standard({"MPI_Comm_accept"})
  InterComm accept(String port, Info info, int root);

  /**
   * Connects to a group that accepts at a port ({@code MPI_Comm_connect}, MPI-4.1 §11.9.3), which rank 0 names.
   * Collective; blocks until the other group accepts.
   *
   * @param port the name of the port; looked at by rank 0 only
   * @return the communicator with the other group
   * @throws MpiException ERR_PORT when no process of this user has such a port open, or it is closed meanwhile
   */
  @Standard({"MPI_Comm_connect"})
  InterComm connect(String port);

  /**
   * Connects to a group that accepts at a port within some time ({@code MPI_Comm_connect}, MPI-4.1 §11.9.3).
   *
   * @param port the name of the port; looked at by rank 0 only
   * @param timeout longest wait for the other group; looked at by rank 0 only
   * @return the communicator with the other group
   * @throws MpiException ERR_PORT as {@link #connect(String)}, and when the time is over; ERR_ARG when it is null or
   *     negative
   */
  @Standard({"MPI_Comm_connect"})
  InterComm connect(String port, Duration timeout);

  /**
   * Connects to a group that accepts at a port ({@code MPI_Comm_connect}, MPI-4.1 §11.9.3), which the root names.
   *
   * @param port the name of the port; looked at by the root only
   * @param info hints, none of which is looked at; may be null
   * @param root the rank that names the port
   * @return the communicator with the other group
   * @throws MpiException ERR_PORT as {@link #connect(String)}, ERR_ROOT
   */
  @Standard({"MPI_Comm_connect"})
  InterComm connect(String port, Info info, int root);

  // ---- out of groups

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
