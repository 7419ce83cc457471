// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.reflect.Array;
import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Arguments;
import org.ffmpi.dialect.Job;

/**
 * A communicator of one group ({@code intracommunicator}), with the collective calls. An array that is both sent from
 * and received into is used in place where the elements are the same ones; otherwise what is sent is copied first.
 *
 * <p>This file is long because all collective calls are here, each with its Javadoc.
 */
public class Intracomm extends Comm {
  //text displs  where the items of each process begin, in extents of the type
  //text reorder  whether ranks may be others than here

  private final IntraComm intra;
  private final ObjectExchange exchange;

  Intracomm(IntraComm intra) {
    super(intra);
    this.intra = intra;
    this.exchange = new ObjectExchange(intra);
  }

  /**
   * Compares two communicators ({@code MPI_Comm_compare}).
   *
   * @param comm1 a communicator
   * @param comm2 another one
   * @return {@code MPI.IDENT}, {@code MPI.CONGRUENT}, {@code MPI.SIMILAR} or {@code MPI.UNEQUAL}
   * @throws MPIException when one is null or has been freed
   */
  public static int Compare(Comm comm1, Comm comm2) throws MPIException {
    return Comm.Compare(comm1, comm2);
  }

  // ---- making others

  //calls Errors.thrown(e)
  /**
   * Makes communicators of the processes with the same colour ({@code MPI_Comm_split}). Collective.
   *
   * @param color which one this process goes to, or {@code MPI.UNDEFINED}
   * @param key by which ranks are ordered
   * @return the new communicator; for {@code MPI.UNDEFINED} see {@link MPI#COMM_NULL}
   * @throws MPIException when the colour is negative
   */
  public Intracomm Split(int color, int key) throws MPIException {
    return memberOf(intra.split(Codes.color(color), key), org.ffmpi.Group.EMPTY);
  }

  //plain
  /**
   * Makes a communicator of the same processes ({@code MPI_Comm_dup}). Collective.
   *
   * @return the duplicate, of the class of this one
   * @throws MPIException when the communicator cannot be used
   */
  @Override
  public Object clone() throws MPIException {
    return super.clone();
  }

  /**
   * Makes a communicator of some processes ({@code MPI_Comm_create}). Collective over all processes of this one.
   *
   * @param group the processes, in the order of their new ranks
   * @return the new communicator; at processes that are not in the group see {@link MPI#COMM_NULL}
   * @throws MPIException when the group is no part of this communicator's
   */
  public Intracomm Create(Group group) throws MPIException {
    org.ffmpi.Group members;
    try {
      members = Group.of("group", group);
    } catch (MpiException e) {
      throw Errors.raised(comm, e);
    }
    try {
      return memberOf(intra.create(members), members);
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /** Returns the new communicator, or the result for a process that is not a member. */
  private Intracomm memberOf(IntraComm made, org.ffmpi.Group members) {
    return made == null && MPI.isMpjExpress ? new NonMemberComm(Job.mpi().self().dup(), members) : (Intracomm) of(made);
  }

  //calls Errors.thrown(e)
  /**
   * Makes a communicator whose processes form a grid ({@code MPI_Cart_create}). Collective.
   *
   * @param dims number of processes in each dimension
   * @param periods whether each dimension is periodic
   * @return the new communicator; null at processes that have no place in the grid
   * @throws MPIException when the grid is larger than the group
   */
  public Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
    boolean[] all = dims == null ? periods : first("periods", periods, dims.length);
    return (Cartcomm) of(intra.cartCreate(dims, all, reorder));
  }

  /**
   * Makes a communicator whose processes form a graph ({@code MPI_Graph_create}). Collective.
   *
   * @param index for each node, how many edges it and those before it have
   * @param edges the nodes that the edges lead to, node after node
   * @return the new communicator; null at processes that are no node of the graph
   */
  public Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) {
    return (Graphcomm) of(intra.graphCreate(index, Arguments.edges(index, edges), reorder));
  }

  // ---- buffers

  /** Returns the buffer of items to send where others are received into: the marker where they are the same ones. */
  private Buf<?> sendBuffer(
      Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf, long ownoffset, int owncount,
      int recvoffset, long recvcount, Datatype recvtype) {
    if (sendbuf != recvbuf || sendbuf == null) {
      return in(sendbuf, sendoffset, sendcount, sendtype);
    }
    return sendoffset == ownoffset && sendcount == owncount && sendtype == recvtype
        ? Buf.inPlace()
        : unaliased(sendbuf, sendoffset, sendcount, sendtype, recvoffset, recvcount, recvtype);
  }

  /** Returns an array to send blocks from: a copy where it is also received into. */
  private static Object copyIfReceivedInto(Object sendbuf, Object recvbuf) {
    if (sendbuf != recvbuf || sendbuf == null || !sendbuf.getClass().isArray()) {
      return sendbuf;
    }
    return new ArrayRange(0, Array.getLength(sendbuf)).copyOf(sendbuf);
  }

  private static boolean isSame(int[] a, int[] b, int entries) {
    return a != null && b != null && a.length >= entries && b.length >= entries
        && Arrays.equals(a, 0, entries, b, 0, entries);
  }

  /** Returns ffmpi's operation. */
  private org.ffmpi.Op<Object> op(Op op, Datatype type) {
    try {
      if (op == null) {
        throw MpiException.argument(ErrorClass.ERR_OP, "op", null, "operations");
      }
      return op.of(type);
    } catch (MpiException e) {
      throw Errors.raised(comm, e);
    }
  }

  /** Returns a buffer of operands. */
  @SuppressWarnings("unchecked") // the Java type of the elements is not used here
  private Buf<Object> operands(Object buf, int offset, long count, Datatype type, Op op) {
    if (!op.isOnDensePairs(type)) {
      return (Buf<Object>) in(buf, offset, Math.toIntExact(count), type);
    }
    try {
      return (Buf<Object>) Pairs.in(buf, offset, count, type);
    } catch (MpiException e) {
      throw wrongBuffer(e, buf, offset, Math.toIntExact(count), type);
    }
  }

  /** Returns a buffer of operands that others are received for: the marker where they are the same elements. */
  private Buf<Object> operands(
      Object sendbuf, int sendoffset, long count, Object recvbuf, int recvoffset, long recvcount, Datatype type,
      Op op) {
    if (sendbuf != recvbuf || sendbuf == null) {
      return operands(sendbuf, sendoffset, count, type, op);
    }
    if (sendoffset == recvoffset) {
      return Buf.inPlace();
    }
    ArrayRange send = ArrayRange.of(sendoffset, count, type);
    if (!send.overlaps(ArrayRange.of(recvoffset, recvcount, type)) || !send.isIn(sendbuf)) {
      return operands(sendbuf, sendoffset, count, type, op);
    }
    return operands(send.copyOf(sendbuf), sendoffset - send.from(), count, type, op);
  }

  // ---- collective calls

  /**
   * Blocks until all processes have called it ({@code MPI_Barrier}).
   *
   * @throws MPIException when a process is gone
   */
  public void Barrier() throws MPIException {
    intra.barrier();
  }

  /**
   * Sends the root's elements to all processes ({@code MPI_Bcast}).
   *
   * @param buffer array of the elements
   */
  public void Bcast(Object buffer, int offset, int count, Datatype datatype, int root) throws MPIException {
    if (isOfObjects(datatype)) {
      exchange.bcast(buffer, offset, count, datatype, root);
      return;
    }
    Buf<?> elements = in(buffer, offset, count, datatype);
    intra.bcast(elements, root);
  }

  /**
   * Collects the elements of all processes at the root ({@code MPI_Gather}). The receive arguments matter at the root
   * only.
   *
   * @param recvbuf array that the elements are put into, process after process
   */
  public void Gather(
      Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf, int recvoffset, int recvcount,
      Datatype recvtype, int root) throws MPIException {
    if (isOfObjects(sendtype)) {
      exchange.gather(
          sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype, root);
      return;
    }
    Buf<?> send;
    Buf<?> recv = null;
    if (rank == root) {
      recv = blocks(recvbuf, recvoffset, recvcount, recvtype);
      send = sendBuffer(sendbuf, sendoffset, sendcount, sendtype, recvbuf, place(recvoffset, recvcount, recvtype),
          recvcount, recvoffset, (long) recvcount * size, recvtype);
    } else {
      send = in(sendbuf, sendoffset, sendcount, sendtype);
    }
    intra.gather(send, recv, root);
  }

  /** Returns where this process's block begins. */
  private long place(int offset, int count, Datatype type) {
    return offset + (long) rank * count * type.shape().extent();
  }

  /**
   * Collects blocks of different lengths at the root ({@code MPI_Gatherv}). The receive arguments matter at
   * the root only.
   *
   * @param recvoffset index that displacements count from
   */
  public void Gatherv(
      Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf, int recvoffset,
      int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
    if (isOfObjects(sendtype)) {
      exchange.gatherv(
          sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, displs, recvtype, root);
      return;
    }
    Buf<?> send;
    Buf<?> recv = null;
    int[] counts = null;
    int[] places = null;
    if (rank == root) {
      counts = first("recvcount", recvcount, size);
      places = first("displs", displs, size);
      recv = blocks(recvbuf, recvoffset, 0, recvtype);
      send = sendBufferOfBlock(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, counts, places, recvtype);
    } else {
      send = in(sendbuf, sendoffset, sendcount, sendtype);
    }
    intra.gatherv(send, recv, counts, places, root);
  }

  /** Returns the buffer of items to send where blocks are received into. */
  private Buf<?> sendBufferOfBlock(
      Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf, int recvoffset, int[] counts,
      int[] places, Datatype recvtype) {
    if (sendbuf == recvbuf && sendcount == counts[rank] && sendtype == recvtype
        && sendoffset == recvoffset + (long) places[rank] * recvtype.shape().extent()) {
      return Buf.inPlace();
    }
    return in(copyIfReceivedInto(sendbuf, recvbuf), sendoffset, sendcount, sendtype);
  }

  /**
   * Gives each process its part of what the root has ({@code MPI_Scatter}). The send arguments matter at the root only.
   *
   * @param sendbuf array of the elements to send, process after process
   * @param sendcount number of items for each process
   * @param recvcount number of items
   */
  public void Scatter(
      Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf, int recvoffset, int recvcount,
      Datatype recvtype, int root) throws MPIException {
    if (isOfObjects(recvtype)) {
      exchange.scatter(
          sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype, root);
      return;
    }
    Buf<?> send = null;
    Buf<?> recv;
    if (rank == root) {
      send = blocks(sendbuf, sendoffset, sendcount, sendtype);
      recv = in(recvbuf, recvoffset, recvcount, recvtype);
      if (sendbuf == recvbuf) {
        if (recvoffset == place(sendoffset, sendcount, sendtype) && recvcount == sendcount && recvtype == sendtype) {
          recv = Buf.inPlace();
        } else {
          send = blocks(copyIfReceivedInto(sendbuf, recvbuf), sendoffset, sendcount, sendtype);
        }
      }
    } else {
      recv = in(recvbuf, recvoffset, recvcount, recvtype);
    }
    intra.scatter(send, recv, root);
  }

  /**
   * Gives each process its part of what the root has, of different lengths ({@code MPI_Scatterv}). The send arguments
   * matter at the root only.
   *
   * @param sendoffset index that displacements count from
   * @param sendcount number of items for each process
   * @param recvcount number of items
   */
  public void Scatterv(
      Object sendbuf, int sendoffset, int[] sendcount, int[] displs, Datatype sendtype, Object recvbuf,
      int recvoffset, int recvcount, Datatype recvtype, int root) throws MPIException {
    if (isOfObjects(recvtype)) {
      exchange.scatterv(
          sendbuf, sendoffset, sendcount, displs, sendtype, recvbuf, recvoffset, recvcount, recvtype, root);
      return;
    }
    Buf<?> send = null;
    Buf<?> recv = in(recvbuf, recvoffset, recvcount, recvtype);
    int[] counts = null;
    int[] places = null;
    if (rank == root) {
      counts = first("sendcount", sendcount, size);
      places = first("displs", displs, size);
      boolean same = sendbuf == recvbuf && recvcount == counts[rank] && recvtype == sendtype && !isOfObjects(sendtype)
          && recvoffset == sendoffset + (long) places[rank] * sendtype.shape().extent();
      recv = same ? Buf.inPlace() : recv;
      send = blocks(same ? sendbuf : copyIfReceivedInto(sendbuf, recvbuf), sendoffset, 0, sendtype);
    }
    intra.scatterv(send, counts, places, recv, root);
  }

  /**
   * Gives all processes what all have ({@code MPI_Allgather}).
   *
   * @param recvbuf array that the elements are put into, process after process
   */
  public void Allgather(
      Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf, int recvoffset, int recvcount,
      Datatype recvtype) throws MPIException {
    if (isOfObjects(sendtype)) {
      exchange.allgather(
          sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype);
      return;
    }
    Buf<?> recv = blocks(recvbuf, recvoffset, recvcount, recvtype);
    Buf<?> send = sendBuffer(sendbuf, sendoffset, sendcount, sendtype, recvbuf, place(recvoffset, recvcount, recvtype),
        recvcount, recvoffset, (long) recvcount * size, recvtype);
    intra.allgather(send, recv);
  }

  /**
   * Gives all processes what all have, of different lengths ({@code MPI_Allgatherv}).
   *
   * @param recvoffset index that displacements count from
   */
  public void Allgatherv(
      Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf, int recvoffset,
      int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
    if (isOfObjects(sendtype)) {
      exchange.allgatherv(
          sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, displs, recvtype);
      return;
    }
    int[] counts = first("recvcount", recvcount, size);
    int[] places = first("displs", displs, size);
    Buf<?> recv = blocks(recvbuf, recvoffset, 0, recvtype);
    Buf<?> send =
        sendBufferOfBlock(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, counts, places, recvtype);
    intra.allgatherv(send, recv, counts, places);
  }

  /**
   * Gives each process a part of what each has ({@code MPI_Alltoall}).
   *
   * @param sendbuf array of the elements to send, process after process
   * @param sendcount number of items for each process
   * @param recvbuf array that the elements are put into, process after process
   */
  public void Alltoall(
      Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf, int recvoffset, int recvcount,
      Datatype recvtype) throws MPIException {
    if (isOfObjects(sendtype)) {
      exchange.alltoall(
          sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype);
      return;
    }
    boolean same = sendbuf == recvbuf && sendoffset == recvoffset && sendcount == recvcount && sendtype == recvtype;
    Buf<?> recv = blocks(recvbuf, recvoffset, recvcount, recvtype);
    Buf<?> send =
        same ? Buf.inPlace() : blocks(copyIfReceivedInto(sendbuf, recvbuf), sendoffset, sendcount, sendtype);
    intra.alltoall(send, recv);
  }

  //plain
  /**
   * Gives each process a part of what each has, of different lengths ({@code MPI_Alltoallv}).
   *
   * @param sendoffset index that displacements count from
   * @param sendcount number of items for each process
   * @param sdispls where the items for each process begin, in extents of the type
   * @param recvoffset index that displacements count from
   * @param rdispls where the items of each process begin, in extents of the type
   */
  public void Alltoallv(
      Object sendbuf, int sendoffset, int[] sendcount, int[] sdispls, Datatype sendtype, Object recvbuf,
      int recvoffset, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
    if (isOfObjects(sendtype)) {
      exchange.alltoallv(
          sendbuf, sendoffset, sendcount, sdispls, sendtype, recvbuf, recvoffset, recvcount, rdispls, recvtype);
      return;
    }
    boolean same = sendbuf == recvbuf && sendoffset == recvoffset && sendtype == recvtype
        && isSame(sendcount, recvcount, size) && isSame(sdispls, rdispls, size);
    int[] counts = first("recvcount", recvcount, size);
    int[] places = first("rdispls", rdispls, size);
    Buf<?> recv = blocks(recvbuf, recvoffset, 0, recvtype);
    if (same) {
      try {
        intra.alltoallv(recv, counts, places);
        return;
      } catch (MpiException e) {
        throw Errors.thrown(e);
      }
    }
    int[] sendcounts = first("sendcount", sendcount, size);
    int[] sendplaces = first("sdispls", sdispls, size);
    Buf<?> send = blocks(copyIfReceivedInto(sendbuf, recvbuf), sendoffset, 0, sendtype);
    try {
      intra.alltoallv(send, sendcounts, sendplaces, recv, counts, places);
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  // ---- reductions

  /** A call that leaves results at all processes, one for each item. */
  @FunctionalInterface
  private interface Reduction {
    void run(IntraComm comm, Buf<Object> send, Buf<Object> recv, org.ffmpi.Op<Object> op);
  }

  private void reduce(
      Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op,
      Reduction call) {
    org.ffmpi.Op<Object> operation = op(op, datatype);
    Buf<Object> recv = operands(recvbuf, recvoffset, count, datatype, op);
    Buf<Object> send = operands(sendbuf, sendoffset, count, recvbuf, recvoffset, count, datatype, op);
    try {
      call.run(intra, send, recv, operation);
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  //calls Errors.thrown(e)
  /**
   * Gives the root what an operation makes of the elements of all processes ({@code MPI_Reduce}). The receive array
   * matters at the root only.
   *
   * @param recvbuf array that the results are put into
   */
  public void Reduce(
      Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op, int root)
      throws MPIException {
    if (isOfObjects(datatype)) {
      exchange.reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op, root);
      return;
    }
    org.ffmpi.Op<Object> operation = op(op, datatype);
    Buf<Object> recv = rank == root ? operands(recvbuf, recvoffset, count, datatype, op) : null;
    Buf<Object> send = rank == root
        ? operands(sendbuf, sendoffset, count, recvbuf, recvoffset, count, datatype, op)
        : operands(sendbuf, sendoffset, count, datatype, op);
    intra.reduce(send, recv, operation, root);
  }

  //plain
  /**
   * Gives all processes what an operation makes of the elements of all ({@code MPI_Allreduce}).
   *
   * @param recvbuf array that the results are put into
   */
  public void Allreduce(
      Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
      throws MPIException {
    if (isOfObjects(datatype)) {
      exchange.allreduce(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op);
      return;
    }
    reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op, IntraComm::allreduce);
  }

  //calls Errors.thrown(e)
  /**
   * Gives each process its part of what an operation makes of the elements of all ({@code MPI_Reduce_scatter}).
   *
   * @param recvbuf array that the results are put into
   * @param recvcounts number of items of each process
   */
  public void Reduce_scatter(
      Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int[] recvcounts, Datatype datatype, Op op)
      throws MPIException {
    if (isOfObjects(datatype)) {
      exchange.reduceScatter(sendbuf, sendoffset, recvbuf, recvoffset, recvcounts, datatype, op);
      return;
    }
    org.ffmpi.Op<Object> operation = op(op, datatype);
    int[] counts = first("recvcounts", recvcounts, size);
    long all = Arrays.stream(counts).asLongStream().sum();
    Buf<Object> send = operands(sendbuf, sendoffset, all, recvbuf, recvoffset, counts[rank], datatype, op);
    Buf<Object> recv = operands(recvbuf, recvoffset, send.isInPlace() ? all : counts[rank], datatype, op);
    long each = op.isOnDensePairs(datatype) ? Pairs.in(datatype) : 1;
    intra.reduceScatter(send, recv, Arrays.stream(counts).mapToLong(n -> n * each).toArray(), operation);
  }

  //plain
  /**
   * Gives each process what an operation makes of the elements of all up to it ({@code MPI_Scan}).
   *
   * @param recvbuf array that the results are put into
   */
  public void Scan(
      Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
      throws MPIException {
    if (isOfObjects(datatype)) {
      exchange.scan(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op);
      return;
    }
    reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op, IntraComm::scan);
  }
}
