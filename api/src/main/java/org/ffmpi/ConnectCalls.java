// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.time.Duration;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;

/**
 * The calls by which the processes of a communicator start others, or meet those of another program (MPI-4.1 §11.8 and
 * §11.9). All are collective; the result is an {@link InterComm}, whose ends are {@link Comm#disconnect},
 * {@link Comm#close} and {@link InterComm#merge}. Processes that it connects end together when one of them fails; after
 * {@code disconnect} they do not.
 *
 * <p>The groups are on one machine and belong to one user.
 */
public interface ConnectCalls {
  /**
   * Starts processes, described by rank 0 ({@code MPI_Comm_spawn}, {@code MPI_Comm_spawn_multiple}, MPI-4.1 §11.8.2 and
   * §11.8.3). As {@link #spawn(int, Spawn...)}.
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
}
