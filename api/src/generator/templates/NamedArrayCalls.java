// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.collective.ArrayLengths;
import org.ffmpi.datatype.Datatype;

/**
 * The calls of {@link Comm} on whole arrays that exist once for each kind. Reductions, and calls with the kind in their
 * names, which return an array whose length the program need not know. Generated.
 */
public sealed interface NamedArrayCalls permits Comm {
  //for-each

  /**
   * Receives a message of any length, blocks until it is there, and returns it as a new array ({@code MPI_Mprobe} and
   * {@code MPI_Mrecv}, MPI-4.1 §3.8.2). Right also where several threads receive.
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return its elements; none from {@code PROC_NULL}
   * @throws MpiException ERR_TYPE when the message is no whole number of elements, ERR_RANK, ERR_TAG
   */
  default @array@[] recv@Kind@(int source, int tag) {
    return recv@Kind@(source, tag, new Status());
  }

  /**
   * Receives a message of any length as {@link #recv@Kind@(int, int)}, and fills a status.
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param into filled with source, tag and length
   * @return its elements; none from {@code PROC_NULL}
   * @throws MpiException ERR_TYPE when the message is no whole number of elements, ERR_RANK, ERR_TAG, ERR_ARG when
   *     {@code into} is null
   */
  default @array@[] recv@Kind@(int source, int tag, Status into) {
    Comm comm = (Comm) this;
    ArrayLengths.checkStatus(comm, into);
    Message message = comm.mprobe(source, tag);
    @array@[] data = new @array@[ArrayLengths.ofMessage(comm, message, Datatype.@type@)];
    message.mrecv(Buf.of(data), into);
    return data;
  }

  /**
   * Sends the root's array, whose length only the root knows, to all ranks, and blocks until it is here ({@code
   * MPI_Bcast} twice, MPI-4.1 §6.4). Within one group.
   *
   * @param data at the root what to send; not looked at elsewhere, null will do
   * @param root rank of the root, the same everywhere
   * @return {@code data} at the root, a new array at the others
   * @throws MpiException ERR_ROOT; ERR_BUFFER at all ranks when the root's array is null; ERR_COMM between groups
   */
  default @array@[] bcast@Kind@(@array@[] data, int root) {
    Comm comm = ArrayLengths.within(this, "bcast@Kind@");
    int[] told = ArrayLengths.ofRoot(comm, data, root, 1);
    @array@[] all = comm.rank() == root ? data : new @array@[told[0]];
    comm.bcast(Buf.of(all), root);
    return all;
  }

  /**
   * Combines the arrays of all ranks element by element, in place, and blocks until the result is here ({@code
   * MPI_Allreduce} with {@code MPI_IN_PLACE}, MPI-4.1 §6.9.6). Within one group.
   *
   * @param data this rank's elements, replaced by the result
   * @param op how to combine two elements
   * @throws MpiException ERR_BUFFER when an array is null; ERR_OP when the operation is null or not defined for the
   *     type; ERR_COUNT when lengths differ
   */
  @Standard({"MPI_Allreduce", "MPI_Allreduce_c"})
  default void allreduce(@array@[] data, Op<? super @box@> op) {
    ((Comm) this).allreduce(Buf.of(data), op);
  }

  /**
   * Combines the arrays of all ranks element by element, and blocks until the result is here ({@code MPI_Allreduce},
   * MPI-4.1 §6.9.6).
   *
   * @param send this rank's elements
   * @param recv the result, as long; another array
   * @param op how to combine two elements
   * @throws MpiException ERR_BUFFER when an array is null; ERR_OP when the operation is null or not defined for the
   *     type; ERR_COUNT when lengths differ
   */
  @Standard({"MPI_Allreduce", "MPI_Allreduce_c"})
  default void allreduce(@array@[] send, @array@[] recv, Op<? super @box@> op) {
    ((Comm) this).allreduce(Buf.of(send), Buf.of(recv), op);
  }

  /**
   * Combines the arrays of all ranks element by element, at the root in place ({@code MPI_Reduce} with {@code
   * MPI_IN_PLACE}, MPI-4.1 §6.9.1). Blocks until the result is there, at the others until {@code data} may be
   * changed. Within one group.
   *
   * @param data this rank's elements, at the root replaced by the result
   * @param op how to combine two elements
   * @param root rank of the root, the same everywhere
   * @throws MpiException ERR_BUFFER when an array is null; ERR_OP when the operation is null or not defined for the
   *     type; ERR_COUNT when lengths differ; ERR_ROOT
   */
  @Standard({"MPI_Reduce", "MPI_Reduce_c"})
  default void reduce(@array@[] data, Op<? super @box@> op, int root) {
    ((Comm) this).reduce(Buf.of(data), op, root);
  }

  /**
   * Combines the arrays of all ranks element by element at the root ({@code MPI_Reduce}, MPI-4.1 §6.9.1). Blocks
   * until the result is there, at the others until {@code send} may be changed.
   *
   * @param send this rank's elements
   * @param recv at the root the result, as long; not looked at elsewhere, null will do
   * @param op how to combine two elements
   * @param root rank of the root, the same everywhere
   * @throws MpiException ERR_BUFFER when an array is null; ERR_OP when the operation is null or not defined for the
   *     type; ERR_COUNT when lengths differ; ERR_ROOT
   */
  @Standard({"MPI_Reduce", "MPI_Reduce_c"})
  default void reduce(@array@[] send, @array@[] recv, Op<? super @box@> op, int root) {
    ((Comm) this).reduce(Buf.of(send), recv == null ? null : Buf.of(recv), op, root);
  }

  /**
   * Combines the arrays of the ranks up to and including this one, element by element and in place ({@code MPI_Scan}
   * with {@code MPI_IN_PLACE}, MPI-4.1 §6.11.1). Blocks until the result is here.
   *
   * @param data this rank's elements, replaced by the result
   * @param op how to combine two elements
   * @throws MpiException ERR_BUFFER when an array is null; ERR_OP when the operation is null or not defined for the
   *     type; ERR_COUNT when lengths differ
   */
  @Standard({"MPI_Scan", "MPI_Scan_c"})
  default void scan(@array@[] data, Op<? super @box@> op) {
    ((Comm) this).scan(Buf.of(data), op);
  }

  /**
   * Combines the arrays of the ranks up to and including this one, element by element ({@code MPI_Scan}, MPI-4.1
   * §6.11.1). Blocks until the result is here.
   *
   * @param send this rank's elements
   * @param recv the result, as long; another array
   * @param op how to combine two elements
   * @throws MpiException ERR_BUFFER when an array is null; ERR_OP when the operation is null or not defined for the
   *     type; ERR_COUNT when lengths differ
   */
  @Standard({"MPI_Scan", "MPI_Scan_c"})
  default void scan(@array@[] send, @array@[] recv, Op<? super @box@> op) {
    ((Comm) this).scan(Buf.of(send), Buf.of(recv), op);
  }

  /**
   * Combines the arrays of the ranks before this one; rank 0 has no result, element by element and in place ({@code
   * MPI_Exscan} with {@code MPI_IN_PLACE}, MPI-4.1 §6.11.2). Blocks until the result is here.
   *
   * @param data this rank's elements, replaced by the result
   * @param op how to combine two elements
   * @throws MpiException ERR_BUFFER when an array is null; ERR_OP when the operation is null or not defined for the
   *     type; ERR_COUNT when lengths differ
   */
  @Standard({"MPI_Exscan", "MPI_Exscan_c"})
  default void exscan(@array@[] data, Op<? super @box@> op) {
    ((Comm) this).exscan(Buf.of(data), op);
  }

  /**
   * Combines the arrays of the ranks before this one; rank 0 has no result, element by element ({@code MPI_Exscan},
   * MPI-4.1 §6.11.2). Blocks until the result is here.
   *
   * @param send this rank's elements
   * @param recv the result, as long; another array
   * @param op how to combine two elements
   * @throws MpiException ERR_BUFFER when an array is null; ERR_OP when the operation is null or not defined for the
   *     type; ERR_COUNT when lengths differ
   */
  @Standard({"MPI_Exscan", "MPI_Exscan_c"})
  default void exscan(@array@[] send, @array@[] recv, Op<? super @box@> op) {
    ((Comm) this).exscan(Buf.of(send), Buf.of(recv), op);
  }

  /**
   * Starts what {@link #allreduce(@array@[], Op)} does, and returns at once ({@code MPI_Iallreduce} with {@code
   * MPI_IN_PLACE}, MPI-4.1 §6.12.8).
   *
   * @param data this rank's elements, replaced by the result; not to be touched until the request is complete
   * @param op how to combine two elements
   * @return the request
   * @throws MpiException as {@link #allreduce(@array@[], Op)}
   */
  @Standard({"MPI_Iallreduce", "MPI_Iallreduce_c"})
  default Request iallreduce(@array@[] data, Op<? super @box@> op) {
    return ((Comm) this).iallreduce(Buf.of(data), op);
  }

  /**
   * Starts what {@link #allreduce(@array@[], @array@[], Op)} does, and returns at once ({@code MPI_Iallreduce}, MPI-4.1
   * §6.12.8).
   *
   * @param send this rank's elements; not to be changed until the request is complete
   * @param recv the result, as long; another array, not to be touched until then
   * @param op how to combine two elements
   * @return the request
   * @throws MpiException as {@link #allreduce(@array@[], @array@[], Op)}
   */
  @Standard({"MPI_Iallreduce", "MPI_Iallreduce_c"})
  default Request iallreduce(@array@[] send, @array@[] recv, Op<? super @box@> op) {
    return ((Comm) this).iallreduce(Buf.of(send), Buf.of(recv), op);
  }

  /**
   * Prepares what {@link #allreduce(@array@[], Op)} does ({@code MPI_Allreduce_init} with {@code MPI_IN_PLACE}, MPI-4.1
   * §6.13.8).
   *
   * @param data this rank's elements, replaced by the result of each start
   * @param op how to combine two elements
   * @return the request, inactive
   * @throws MpiException as {@link #allreduce(@array@[], Op)}
   */
  @Standard({"MPI_Allreduce_init", "MPI_Allreduce_init_c"})
  default Persistent allreduceInit(@array@[] data, Op<? super @box@> op) {
    return ((Comm) this).allreduceInit(Buf.of(data), op, null);
  }

  /**
   * Prepares what {@link #allreduce(@array@[], @array@[], Op)} does ({@code MPI_Allreduce_init}, MPI-4.1 §6.13.8).
   *
   * @param send this rank's elements, as they are at each start
   * @param recv the result, as long; another array
   * @param op how to combine two elements
   * @return the request, inactive
   * @throws MpiException as {@link #allreduce(@array@[], @array@[], Op)}
   */
  @Standard({"MPI_Allreduce_init", "MPI_Allreduce_init_c"})
  default Persistent allreduceInit(@array@[] send, @array@[] recv, Op<? super @box@> op) {
    return ((Comm) this).allreduceInit(Buf.of(send), Buf.of(recv), op, null);
  }

  /**
   * Starts what {@link #reduce(@array@[], Op, int)} does, and returns at once ({@code MPI_Ireduce} with {@code
   * MPI_IN_PLACE} at the root, MPI-4.1 §6.12.7).
   *
   * @param data this rank's elements, at the root replaced by the result; not to be touched until the request is
   *     complete
   * @param op how to combine two elements
   * @param root rank of the root, the same everywhere
   * @return the request
   * @throws MpiException as {@link #reduce(@array@[], Op, int)}
   */
  @Standard({"MPI_Ireduce", "MPI_Ireduce_c"})
  default Request ireduce(@array@[] data, Op<? super @box@> op, int root) {
    return ((Comm) this).ireduce(Buf.of(data), op, root);
  }
  //end

  /**
   * Receives a message of any length, blocks until it is there, and returns its bytes in new off-heap memory ({@code
   * MPI_Mprobe} and {@code MPI_Mrecv}, MPI-4.1 §3.8.2). Right also where several threads receive.
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return its bytes, which live as long as the segment is referred to; none from {@code PROC_NULL}
   * @throws MpiException ERR_RANK, ERR_TAG
   */
  default MemorySegment recvSegment(int source, int tag) {
    return recvSegment(source, tag, new Status());
  }

  /**
   * Receives a message of any length as {@link #recvSegment(int, int)}, and fills a status.
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param into filled with source, tag and length
   * @return its bytes, which live as long as the segment is referred to; none from {@code PROC_NULL}
   * @throws MpiException ERR_RANK, ERR_TAG, ERR_ARG when {@code into} is null
   */
  default MemorySegment recvSegment(int source, int tag, Status into) {
    Comm comm = (Comm) this;
    ArrayLengths.checkStatus(comm, into);
    Message message = comm.mprobe(source, tag);
    MemorySegment data = Arena.ofAuto().allocate(message.status().bytes(), Long.BYTES);
    message.mrecv(Buf.of(data, data.byteSize(), Datatype.BYTE), into);
    return data;
  }
}
