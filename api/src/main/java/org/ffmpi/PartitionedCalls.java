// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.communicator.CommImpl;

/** The calls of {@link Comm} whose messages are made of partitions. */
public sealed interface PartitionedCalls permits Comm {
  /**
   * Makes a persistent request of a send in partitions ({@code MPI_Psend_init}, MPI-4.1 §4.2.1). Local; sends nothing
   * of the buffer.
   *
   * <p>It matches a {@link #precvInit} at the receiver, and nothing else: of those of the same communicator, pair of
   * ranks and tag, the first made at one side that of the other, the second the second, and so on; also when one of
   * them is closed without ever having been started. The receive may have another number of partitions and another
   * type, but the basic types sent and received have to be the same in all.
   *
   * @param buf elements of all partitions together, one partition after the other; not at absolute addresses
   *     ({@link Buf#bottom}), where partitions could not follow one another
   * @param partitions number of equal partitions; 0 only of a buffer without elements
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_COUNT when the buffer's count is not a multiple of {@code partitions}, ERR_ARG when those
   *     are negative; as {@link Comm#send(Buf, int, int)}
   */
  @Standard({"MPI_Psend_init"})
  PartitionedSend psendInit(Buf<?> buf, int partitions, int dest, int tag);

  /**
   * Makes a persistent request of a receive in partitions ({@code MPI_Precv_init}, MPI-4.1 §4.2.1). Local; receives
   * nothing into the buffer. It matches as {@link #psendInit} says.
   *
   * @param buf room for the elements of all partitions together; not at absolute addresses ({@link Buf#bottom})
   * @param partitions number of equal partitions whose arrival {@link PartitionedRecv#parrived} reports; 0
   *     only of a buffer without elements
   * @param source rank of the sender, or {@code PROC_NULL}; not {@code ANY_SOURCE}
   * @param tag tag of the message; not {@code ANY_TAG}
   * @return an inactive request, to be started any number of times and closed at the end; a wait for it fails with
   *     ERR_TRUNCATE when the sender has more than there is room for, and its status shows when it had less
   * @throws MpiException ERR_COUNT when the buffer's count is not a multiple of {@code partitions}, ERR_ARG when those
   *     are negative; ERR_RANK and ERR_TAG also for wildcards; as {@link Comm#recv(Buf, int, int)}
   */
  @Standard({"MPI_Precv_init"})
  PartitionedRecv precvInit(Buf<?> buf, int partitions, int source, int tag);

  /**
   * Makes a persistent request of a send in partitions, with hints ({@code MPI_Psend_init}, MPI-4.1 §4.2.1). As
   * {@link #psendInit(Buf, int, int, int)}; there are no hints that make a difference here.
   *
   * @param buf as without hints
   * @param partitions as without hints
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @param info hints; null for none
   * @return an inactive request
   * @throws MpiException as without hints; ERR_INFO when the info has been freed
   */
  @Standard({"MPI_Psend_init"})
  PartitionedSend psendInit(Buf<?> buf, int partitions, int dest, int tag, Info info);

  /**
   * Makes a persistent request of a receive in partitions, with hints ({@code MPI_Precv_init}, MPI-4.1 §4.2.1). As
   * {@link #precvInit(Buf, int, int, int)}; there are no hints that make a difference here.
   *
   * @param buf as without hints
   * @param partitions as without hints
   * @param source rank of the sender, or {@code PROC_NULL}; not {@code ANY_SOURCE}
   * @param tag tag of the message; not {@code ANY_TAG}
   * @param info hints; null for none
   * @return an inactive request
   * @throws MpiException as without hints; ERR_INFO when the info has been freed
   */
  @Standard({"MPI_Precv_init"})
  PartitionedRecv precvInit(Buf<?> buf, int partitions, int source, int tag, Info info);
}
