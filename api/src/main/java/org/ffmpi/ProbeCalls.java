// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.Optional;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;

/** The calls of {@link Comm} that look at messages before they are received. */
public sealed interface ProbeCalls permits Comm {
  /**
   * Blocks until a message that matches is there and describes it without receiving it ({@code MPI_Probe}, MPI-4.1
   * §3.8.1).
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return source, tag and length of the message
   * @throws MpiException ERR_RANK, ERR_TAG, ERR_OTHER after finalize, ERR_PROC_ABORTED when the only possible sender is
   *     gone
   */
  @Standard({"MPI_Probe"})
  Status probe(int source, int tag);

  /**
   * Blocks until a message that matches is there and describes it without receiving it ({@code MPI_Probe}, MPI-4.1
   * §3.8.1). Allocates nothing.
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param into filled with source, tag and length of the message
   * @return {@code into}
   * @throws MpiException as {@link #probe(int, int)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Probe"})
  Status probe(int source, int tag, Status into);

  /**
   * Looks for a message that matches, without blocking and without receiving it ({@code MPI_Iprobe}, MPI-4.1 §3.8.1). A
   * program that repeats the call will see a message that was sent.
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return source, tag and length of the message; empty when there is none, also when the sender has finalized
   * @throws MpiException ERR_RANK, ERR_TAG, ERR_OTHER after finalize, ERR_PROC_ABORTED when the only possible sender
   *     has died
   */
  @Standard({"MPI_Iprobe"})
  Optional<Status> iprobe(int source, int tag);

  /**
   * Looks for a message that matches, without blocking and without receiving it ({@code MPI_Iprobe}, MPI-4.1 §3.8.1).
   * Allocates nothing.
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param into filled with source, tag and length when the call returns true
   * @return true when there is such a message
   * @throws MpiException as {@link #iprobe(int, int)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Iprobe"})
  boolean iprobe(int source, int tag, Status into);

  // ---- matched probes

  /**
   * Blocks until a message that matches is there and sets it apart, so that only the caller can receive it
   * ({@code MPI_Mprobe} without a status, MPI-4.1 §3.8.2).
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return the message, which has to be received
   * @throws MpiException ERR_RANK, ERR_TAG, ERR_OTHER after finalize, ERR_PROC_ABORTED when the only possible sender is
   *     gone
   */
  @Standard({"MPI_Mprobe"})
  Message mprobe(int source, int tag);

  /**
   * Blocks until a message that matches is there, sets it apart and describes it ({@code MPI_Mprobe}, MPI-4.1 §3.8.2).
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param into filled with source, tag and length of the message
   * @return the message, which has to be received
   * @throws MpiException as {@link #mprobe(int, int)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Mprobe"})
  Message mprobe(int source, int tag, Status into);

  /**
   * Looks for a message that matches, without blocking, and sets it apart ({@code MPI_Improbe} without a status,
   * MPI-4.1 §3.8.2). A program that repeats the call will get a message that was sent.
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return the message, which has to be received; empty when there is none
   * @throws MpiException as {@link #iprobe(int, int)}
   */
  @Standard({"MPI_Improbe"})
  Optional<Message> improbe(int source, int tag);

  /**
   * Looks for a message that matches, without blocking, sets it apart and describes it ({@code MPI_Improbe}, MPI-4.1
   * §3.8.2).
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param into filled with source, tag and length when there is a message, otherwise left as it is
   * @return the message, which has to be received; empty when there is none
   * @throws MpiException as {@link #iprobe(int, int)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Improbe"})
  Optional<Message> improbe(int source, int tag, Status into);
}
