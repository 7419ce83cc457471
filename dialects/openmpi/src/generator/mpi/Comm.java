// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.CommRequest;
import org.ffmpi.DistGraphComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Packer;
import org.ffmpi.PropertyCalls;
import org.ffmpi.ThreadLevel;
import org.ffmpi.TopologyComm;
import org.ffmpi.Unpacker;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Arguments;
import org.ffmpi.dialect.Job;
import org.ffmpi.dialect.RecentBuffers;
import org.ffmpi.dialect.TypedMemory;

/**
 * Processes that communicate ({@code MPI_Comm}). Displacements count elements of the type. Arrays of arguments may be
 * longer than needed.
 *
 * <p>This file is long because programs call all of these methods on this class. Each is one call of ffmpi.
 */
public class Comm implements Freeable, Cloneable {
  //text inCount  number of elements
  //text return Comm  the duplicate
  //text return Status  its status
  //text return int  position behind them
  //text rtag  tag of the message that is received
  //text stag  tag of the message that is sent

  /** {@code MPI_COMM_TYPE_SHARED}. */
  public static final int TYPE_SHARED = Constants.COMM_TYPE_SHARED;

  private static final int[] NO_NUMBERS = {};

  private static final Keyvals<org.ffmpi.Comm> KEYS = new Keyvals<>(Map.of(
      Constants.TAG_UB, PropertyCalls.TAG_UB,
      Constants.HOST, PropertyCalls.HOST,
      Constants.IO, PropertyCalls.IO,
      Constants.WTIME_IS_GLOBAL, PropertyCalls.WTIME_IS_GLOBAL,
      Constants.APPNUM, PropertyCalls.APPNUM,
      Constants.UNIVERSE_SIZE, PropertyCalls.UNIVERSE_SIZE,
      Constants.LASTUSEDCODE, PropertyCalls.LASTUSEDCODE));

  private org.ffmpi.Comm comm;
  private int rank;
  private int size;
  /** Number of ranks of the group that messages go to: the remote one of an intercommunicator. */
  private int peers;
  private boolean between;
  /** Reused by each receive; null if threads may receive at the same time. */
  private org.ffmpi.Status scratch;
  private final RecentBuffers recent = new RecentBuffers();
  /** A duplicate that may not be complete yet. */
  private CommRequest<?> making;
  private Request request;

  /** Wraps a communicator of ffmpi; null is {@code MPI_COMM_NULL}. */
  Comm(org.ffmpi.Comm comm) {
    if (comm != null) {
      bind(comm);
    }
  }

  /** Wraps a communicator that is being made. */
  Comm(CommRequest<?> making) {
    this.making = making;
    this.request = new Request(making);
  }

  /** Sets the communicator of ffmpi behind this one. */
  final void bind(org.ffmpi.Comm made) {
    rank = made.rank();
    size = made.size();
    between = made instanceof org.ffmpi.InterComm;
    peers = made instanceof org.ffmpi.InterComm inter ? inter.remoteSize() : size;
    scratch = Job.mpi().threadLevel() == ThreadLevel.MULTIPLE ? null : new org.ffmpi.Status();
    comm = made;
  }

  /** Returns ffmpi's communicator; throws ERR_COMM without one. */
  final org.ffmpi.Comm comm() {
    org.ffmpi.Comm known = comm;
    return known != null ? known : made();
  }

  private org.ffmpi.Comm made() {
    if (making == null) {
      throw Errors.raise(MpiException.argument(
          ErrorClass.ERR_COMM, "communicator", null, "communicators after MPI.Init, not freed"));
    }
    try {
      bind(making.comm());
      return comm;
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /** Returns ffmpi's communicator of an argument; throws ERR_COMM without one. */
  static org.ffmpi.Comm openOf(Comm comm) {
    if (comm == null) {
      throw Errors.raise(MpiException.argument(ErrorClass.ERR_COMM, "comm", null, "communicators"));
    }
    return comm.comm();
  }

  // ---- errors

  /** Returns the exception for an error that the handler has seen. */
  static MPIException error(MpiException raised) {
    return new MPIException(raised);
  }

  /** Passes an error to the handler and returns the exception to throw. */
  final MPIException raise(MpiException error) {
    try {
      return new MPIException(comm().callErrhandler(error));
    } catch (MpiException fatal) {
      return new MPIException(fatal);
    }
  }

  // ---- arguments

  /** Makes a buffer; passes an error to the handler. */
  final Buf<Object> buf(Object memory, long count, Datatype type) {
    try {
      return recent.of(memory, 0, count, Datatype.typeOf(type));
    } catch (MpiException e) {
      return otherwise(memory, 0, count, type, e);
    }
  }

  /** Makes a buffer where the arguments alone make none, or throws the error. */
  private Buf<Object> otherwise(Object memory, long offset, long count, Datatype type, MpiException why) {
    return isOfBytes(type, why)
        ? inBytes(memory, offset, count, type, false)
        : beyondSlice(memory, offset, count, type, why);
  }

  /** Returns whether elements are refused that may lie in any array: bytes and characters, as in Open MPI. */
  private static boolean isOfBytes(Datatype type, MpiException why) {
    return why.errorClass() == ErrorClass.ERR_TYPE && type != null && type.isOfBytes();
  }

  /** Makes a buffer in the bytes of an array of another kind. */
  private Buf<Object> inBytes(Object memory, long offset, long count, Datatype type, boolean perRank) {
    try {
      org.ffmpi.datatype.Datatype<Object> elements = Datatype.typeOf(type);
      Object bytes = TypedMemory.bytesOf(memory);
      return recent.remember(memory, offset, count, elements, perRank, perRank
          ? TypedMemory.perRank(bytes, offset, count, elements)
          : TypedMemory.of(bytes, offset, count, elements));
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /** Makes a buffer in the memory that a slice is a part of, or throws the error of the slice alone. */
  private Buf<Object> beyondSlice(Object memory, long offset, long count, Datatype type, MpiException why) {
    Slices.Place place = why.errorClass() == ErrorClass.ERR_BUFFER ? Slices.of(memory) : null;
    if (place == null) {
      throw raise(why);
    }
    try {
      return recent.of(place.memory(), place.byteOffset() + offset, count, Datatype.typeOf(type));
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /** Makes a buffer of blocks, one for each rank or neighbour, given the count of one. */
  private Buf<Object> blocks(Object memory, long count, Datatype type) {
    try {
      Slices.Place place = memory instanceof Buffer ? Slices.of(memory) : null;
      return place == null
          ? recent.perRank(memory, 0, count, Datatype.typeOf(type))
          : recent.perRank(place.memory(), place.byteOffset(), count, Datatype.typeOf(type));
    } catch (MpiException e) {
      if (isOfBytes(type, e)) {
        return inBytes(memory, 0, count, type, true);
      }
      throw raise(e);
    }
  }

  /** Makes a buffer of each rank's block, displacements being in bytes. */
  private Buf<?>[] parts(String side, Object memory, int[] counts, int[] displs, Datatype[] types) {
    int[] ours = perRank(side + "Count", counts);
    int[] begins = perRank(side + "Displs", displs);
    Buf<?>[] parts = new Buf<?>[peers];
    try {
      Datatype[] theirs = Arguments.first(side + "Types", types, peers);
      for (int r = 0; r < peers; r++) {
        parts[r] = ours[r] == 0 ? Buf.of(new byte[0]) : part(memory, begins[r], ours[r], theirs[r]);
      }
    } catch (MpiException e) {
      throw raise(e);
    }
    return parts;
  }

  private Buf<Object> part(Object memory, int byteOffset, int count, Datatype type) {
    try {
      return TypedMemory.of(memory, byteOffset, count, Datatype.typeOf(type));
    } catch (MpiException e) {
      return otherwise(memory, byteOffset, count, type, e);
    }
  }

  private IntraComm ofOneGroup(Comm localComm) {
    org.ffmpi.Comm open = openOf(localComm);
    if (open instanceof IntraComm local) {
      return local;
    }
    throw raise(MpiException.argument(ErrorClass.ERR_COMM, "localComm", open, "those of one group"));
  }

  /** Returns the memory to send from: a copy if the same memory is received into. */
  static Object unaliased(Object send, Object recv) {
    return send == recv && send != null ? TypedMemory.copy(send) : send;
  }

  static org.ffmpi.Op<Object> op(Op op, Datatype type) {
    return op == null ? null : op.of(type);
  }

  private org.ffmpi.Status scratch() {
    org.ffmpi.Status kept = scratch;
    return kept != null ? kept : new org.ffmpi.Status();
  }

  private int[] first(String name, int[] numbers, int needed) {
    try {
      return Arguments.first(name, numbers, needed);
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  private int[] perRank(String name, int[] numbers) {
    return first(name, numbers, peers);
  }

  private long sum(int[] counts) {
    long sum = 0;
    for (int count : first("counts", counts, size)) {
      sum += count;
    }
    return sum;
  }

  private int own(int[] counts) {
    return counts[rank];
  }

  private long[] longs(int[] counts) {
    return Arguments.longs("counts", counts, size);
  }

  // ---- arguments that are significant at some ranks only

  private boolean isRoot(int root) {
    return between ? root == Constants.ROOT : root == rank;
  }

  /** Returns whether this rank has a block. Between two groups, the root and the others of its group have none. */
  private boolean hasBlock(int root) {
    return !between || root >= 0;
  }

  private int[] atRoot(String name, int[] numbers, int root) {
    return isRoot(root) ? perRank(name, numbers) : null;
  }

  private Buf<Object> bufOfParticipant(Object memory, int count, Datatype type, int root) {
    return between && root == Constants.PROC_NULL ? null : buf(memory, count, type);
  }

  private Buf<Object> sendToRoot(Object memory, Object recv, int count, Datatype type, int root) {
    return hasBlock(root) ? buf(isRoot(root) ? unaliased(memory, recv) : memory, count, type) : null;
  }

  private Buf<Object> blocksAtRoot(Object memory, int count, Datatype type, int root) {
    return isRoot(root) ? blocks(memory, count, type) : null;
  }

  private Buf<Object> bufAtRoot(Object memory, int count, Datatype type, int root) {
    return isRoot(root) ? buf(memory, count, type) : null;
  }

  private Buf<Object> recvFromRoot(Object memory, int count, Datatype type, int root) {
    return hasBlock(root) ? buf(memory, count, type) : null;
  }

  // ---- neighbours

  private TopologyComm neighbors() {
    if (comm() instanceof TopologyComm known) {
      return known;
    }
    throw raise(new MpiException(ErrorClass.ERR_TOPOLOGY, "communicator: it has no topology, so no neighbours"));
  }

  private int[] perSource(String name, int[] numbers) {
    return first(name, numbers, degree(true));
  }

  private int[] perDestination(String name, int[] numbers) {
    return first(name, numbers, degree(false));
  }

  private int degree(boolean sources) {
    return switch (neighbors()) {
      case org.ffmpi.CartComm grid -> 2 * grid.ndims();
      case org.ffmpi.GraphComm graph -> graph.neighborsCount(rank);
      case DistGraphComm graph -> sources ? graph.neighborsCount().indegree() : graph.neighborsCount().outdegree();
    };
  }

  // ---- properties

  /** Duplicates the communicator ({@code MPI_Comm_dup}). */
  @Override
  public Comm clone() throws MPIException {
    return dup();
  }

  //calls error(e)
  /** Duplicates the communicator ({@code MPI_Comm_dup}). */
  public Comm dup() throws MPIException {
    return new Comm(comm().dup());
  }

  /**
   * Starts duplicating the communicator ({@code MPI_Comm_idup}).
   *
   * @return the duplicate, which can be used once its request is complete
   */
  public Comm iDup() throws MPIException {
    return new Comm(comm().idup());
  }

  /** Duplicates the communicator with other hints ({@code MPI_Comm_dup_with_info}). */
  public Comm dupWithInfo(Info info) throws MPIException {
    return new Comm(comm().dup(Info.infoOf(info)));
  }

  //plain
  /**
   * Returns the request of {@link #iDup}.
   *
   * @return the request; null for other communicators
   */
  public final Request getRequest() throws MPIException {
    return request;
  }

  /**
   * Returns the number of ranks ({@code MPI_Comm_size}).
   *
   * @return 1 or more
   */
  public final int getSize() throws MPIException {
    comm();
    return size;
  }

  /**
   * Returns this process's rank ({@code MPI_Comm_rank}).
   *
   * @return 0 or more
   */
  public final int getRank() throws MPIException {
    comm();
    return rank;
  }

  //calls error(e)
  /**
   * Compares two communicators ({@code MPI_Comm_compare}).
   *
   * @param comm1 a communicator
   * @param comm2 another one
   * @return {@code MPI.IDENT}, {@code MPI.CONGRUENT}, {@code MPI.SIMILAR} or {@code MPI.UNEQUAL}
   */
  public static int compare(Comm comm1, Comm comm2) throws MPIException {
    return openOf(comm1).compare(openOf(comm2)).code();
  }

  /** Ends the use of the communicator ({@code MPI_Comm_free}). */
  @Override
  public final void free() throws MPIException {
    comm().close();
    invalidate();
  }

  private void invalidate() {
    comm = null;
    making = null;
  }

  //plain
  /**
   * Returns whether this is {@code MPI_COMM_NULL}.
   *
   * @return true once freed, and for processes that are not in the group
   */
  public final boolean isNull() throws MPIException {
    return comm == null && making == null;
  }

  //calls error(e)
  /** Sets hints ({@code MPI_Comm_set_info}). */
  public final void setInfo(Info info) throws MPIException {
    comm().setInfo(Info.infoOf(info));
  }

  /**
   * Returns the hints in use ({@code MPI_Comm_get_info}).
   *
   * @return a new info
   */
  public final Info getInfo() throws MPIException {
    return new Info(comm().info());
  }

  /** Ends the use of the communicator when all of its messages have arrived ({@code MPI_Comm_disconnect}). */
  public final void disconnect() throws MPIException {
    comm().disconnect();
    invalidate();
  }

  /**
   * Returns the group ({@code MPI_Comm_group}).
   *
   * @return the local one between two groups
   */
  public final Group getGroup() throws MPIException {
    return new Group(comm().group());
  }

  //plain
  /**
   * Returns whether this is between two groups ({@code MPI_Comm_test_inter}).
   *
   * @return true for an {@link Intercomm}
   */
  public final boolean isInter() throws MPIException {
    comm();
    return between;
  }

  //calls error(e)
  /**
   * Makes a communicator between two groups whose leaders are ranks of this one ({@code MPI_Intercomm_create}).
   *
   * @param localComm this process's group
   * @param localLeader rank of the leader there
   * @param remoteLeader rank of the other leader here
   * @param tag distinguishes concurrent calls
   * @return the communicator
   */
  public final Intercomm createIntercomm(
      Comm localComm, int localLeader, int remoteLeader, int tag) throws MPIException {
    return new Intercomm(ofOneGroup(localComm).intercomm(localLeader, comm(), remoteLeader, tag));
  }

  /**
   * Returns the kind of topology ({@code MPI_Topo_test}).
   *
   * @return {@code MPI.CART}, {@code MPI.GRAPH}, {@code MPI.DIST_GRAPH} or {@code MPI.UNDEFINED}
   */
  public final int getTopology() throws MPIException {
    return comm().topology().code();
  }

  /**
   * Ends the job ({@code MPI_Abort}).
   *
   * @param code exit code
   */
  public final void abort(int code) throws MPIException {
    comm().abort(code);
  }

  /**
   * Names the communicator ({@code MPI_Comm_set_name}).
   *
   * @param name the name
   */
  public final void setName(String name) throws MPIException {
    comm().setName(name);
  }

  /**
   * Returns the name ({@code MPI_Comm_get_name}).
   *
   * @return the name; empty without one
   */
  public final String getName() throws MPIException {
    return comm().name();
  }

  // ---- errors

  /**
   * Sets the reaction to failures of calls ({@code MPI_Comm_set_errhandler}).
   *
   * @param errhandler {@code MPI.ERRORS_ARE_FATAL} or {@code MPI.ERRORS_RETURN}
   */
  public final void setErrhandler(Errhandler errhandler) throws MPIException {
    org.ffmpi.Errhandler<Object> handler = Errhandler.handlerOf(errhandler);
    comm().setErrhandler(handler);
    if (this == MPI.COMM_WORLD) {
      Job.mpi().self().setErrhandler(handler); // where ffmpi puts errors without a communicator
    }
  }

  /**
   * Returns the reaction to failures of calls ({@code MPI_Comm_get_errhandler}).
   *
   * @return the handler
   */
  public final Errhandler getErrhandler() throws MPIException {
    return Errhandler.of(comm().errhandler());
  }

  /**
   * Passes an error to the handler ({@code MPI_Comm_call_errhandler}).
   *
   * @param errorCode code of the error
   */
  public void callErrhandler(int errorCode) throws MPIException {
    comm().callErrhandler(ErrorNumbers.codeOf(errorCode));
  }

  // ---- attributes

  //plain
  /**
   * Makes a key for attributes of communicators ({@code MPI_Comm_create_keyval}).
   *
   * @return the key
   */
  public static int createKeyval() throws MPIException {
    return KEYS.create();
  }

  /** Frees a key ({@code MPI_Comm_free_keyval}). */
  public static void freeKeyval(int keyval) throws MPIException {
    Errors.run(() -> KEYS.free(keyval));
  }

  /**
   * Sets an attribute ({@code MPI_Comm_set_attr}).
   *
   * @param value the value
   */
  public final void setAttr(int keyval, Object value) throws MPIException {
    try {
      KEYS.set(comm().attributes(), keyval, value);
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /**
   * Returns an attribute ({@code MPI_Comm_get_attr}).
   *
   * @return the value, or null without one
   */
  public final Object getAttr(int keyval) throws MPIException {
    try {
      return KEYS.get(comm().attributes(), keyval);
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /** Removes an attribute ({@code MPI_Comm_delete_attr}). */
  public final void deleteAttr(int keyval) throws MPIException {
    try {
      KEYS.delete(comm().attributes(), keyval);
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  // ---- messages

  //calls error(e)
  //for-each mode send isend call Call
  //| standard     send   iSend   send   Send
  //| buffered     bSend  ibSend  bsend  Bsend
  //| synchronous  sSend  isSend  ssend  Ssend
  //| ready        rSend  irSend  rsend  Rsend
  /** Sends a message in @mode@ mode ({@code MPI_@Call@}). */
  public final void @send@(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
    comm().@call@(buf(buf, count, type), dest, tag);
  }

  /** Starts sending a message in @mode@ mode ({@code MPI_I@call@}). */
  public final Request @isend@(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
    return new Request(comm().i@call@(buf(buf, count, type), dest, tag));
  }

  /** Prepares messages to be sent in @mode@ mode ({@code MPI_@Call@_init}). */
  public final Prequest @send@Init(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
    return new Prequest(comm().@call@Init(buf(buf, count, type), dest, tag));
  }

  //end
  //plain
  /** Receives a message ({@code MPI_Recv}). */
  public final Status recv(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
    return new Status(receive(buf, count, type, source, tag));
  }

  /**
   * Receives a message, whole arrays without a buffer in between. So long that the JIT compiler leaves it out of
   * {@link #recv}: that is short, is inlined, and makes no status for callers that ignore it.
   */
  private org.ffmpi.Status receive(Object memory, int count, Datatype type, int source, int tag) {
    org.ffmpi.Comm from = comm();
    org.ffmpi.Status into = scratch();
    try {
      if (type == MPI.INT && memory instanceof int[] values && values.length == count) {
        return from.recv(values, source, tag, into);
      } else if (type == MPI.DOUBLE && memory instanceof double[] values && values.length == count) {
        return from.recv(values, source, tag, into);
      } else if (type == MPI.FLOAT && memory instanceof float[] values && values.length == count) {
        return from.recv(values, source, tag, into);
      } else if (type == MPI.LONG && memory instanceof long[] values && values.length == count) {
        return from.recv(values, source, tag, into);
      } else if (type == MPI.CHAR && memory instanceof char[] values && values.length == count) {
        return from.recv(values, source, tag, into);
      } else if (type == MPI.SHORT && memory instanceof short[] values && values.length == count) {
        return from.recv(values, source, tag, into);
      } else if (type == MPI.BOOLEAN && memory instanceof boolean[] values && values.length == count) {
        return from.recv(values, source, tag, into);
      }
      return from.recv(buf(memory, count, type), source, tag, into);
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /**
   * Sends one message and receives another ({@code MPI_Sendrecv}).
   *
   * @return status of the received message
   */
  public final Status sendRecv(
      Object sendBuf, int sendCount, Datatype sendType, int dest, int stag, Object recvBuf, int recvCount,
      Datatype recvType, int source, int rtag) throws MPIException {
    Buf<Object> send = unaliasedBuf(sendBuf, recvBuf, sendCount, sendType);
    return new Status(exchange(send, dest, stag, recvBuf, recvCount, recvType, source, rtag));
  }

  private Buf<Object> unaliasedBuf(Object send, Object recv, int count, Datatype type) {
    return buf(unaliased(send, recv), count, type);
  }

  private org.ffmpi.Status exchange(
      Buf<Object> send, int dest, int stag, Object recv, int count, Datatype type, int source, int rtag) {
    try {
      return comm().sendrecv(send, dest, stag, buf(recv, count, type), source, rtag, scratch());
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /**
   * Sends a message and receives another in its place ({@code MPI_Sendrecv_replace}).
   *
   * @return status of the received message
   */
  public final Status sendRecvReplace(
      Object buf, int count, Datatype type, int dest, int stag, int source, int rtag) throws MPIException {
    return new Status(exchangeInPlace(buf, count, type, dest, stag, source, rtag));
  }

  private org.ffmpi.Status exchangeInPlace(
      Object buf, int count, Datatype type, int dest, int stag, int source, int rtag) {
    try {
      return comm().sendrecvReplace(buf(buf, count, type), dest, stag, source, rtag, scratch());
    } catch (MpiException e) {
      throw error(e);
    }
  }

  //calls error(e)
  /** Starts receiving a message ({@code MPI_Irecv}). */
  public final Request iRecv(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
    return new Request(comm().irecv(buf(buf, count, type), source, tag));
  }

  /** Prepares messages to be received ({@code MPI_Recv_init}). */
  public final Prequest recvInit(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
    return new Prequest(comm().recvInit(buf(buf, count, type), source, tag));
  }

  //plain
  /**
   * Packs elements ({@code MPI_Pack}).
   *
   * @param inBuf the elements
   * @param outBuf memory to pack into
   * @param position first byte there
   */
  public final int pack(Object inBuf, int inCount, Datatype type, byte[] outBuf, int position) throws MPIException {
    try {
      return (int) Packer.into(outBuf).position(position).pack(buf(inBuf, inCount, type)).position();
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /**
   * Unpacks elements ({@code MPI_Unpack}).
   *
   * @param inBuf packed elements
   * @param position first byte of the first one
   * @param outBuf memory to unpack into
   * @param outCount number of elements
   */
  public final int unpack(byte[] inBuf, int position, Object outBuf, int outCount, Datatype type) throws MPIException {
    try {
      Unpacker from = Unpacker.from(inBuf).position(position);
      from.unpack(buf(outBuf, outCount, type));
      return (int) from.position();
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /**
   * Returns how many bytes packed elements have ({@code MPI_Pack_size}).
   *
   * @return a number of bytes
   */
  public final int packSize(int inCount, Datatype type) throws MPIException {
    try {
      return Packer.sizeInt(inCount, Datatype.typeOf(type));
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  //calls error(e)
  /**
   * Tests for a message ({@code MPI_Iprobe}).
   *
   * @return its status, or null without a message
   */
  public final Status iProbe(int source, int tag) throws MPIException {
    org.ffmpi.Status into = new org.ffmpi.Status();
    return comm().iprobe(source, tag, into) ? new Status(into) : null;
  }

  /** Waits for a message ({@code MPI_Probe}). */
  public final Status probe(int source, int tag) throws MPIException {
    return new Status(comm().probe(source, tag));
  }

  // ---- collective calls

  //collectives error(e)
  /** Waits for all ranks ({@code MPI_Barrier}). */
  public final void barrier() throws MPIException {
    comm().barrier();
  }

  /** Sends the root's elements to all ranks ({@code MPI_Bcast}). */
  public final void bcast(Object buf, int count, Datatype type, int root) throws MPIException {
    comm().bcast(bufOfParticipant(buf, count, type, root), root);
  }

  /** Collects equal blocks of all ranks at the root ({@code MPI_Gather}). */
  public final void gather(
      Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount, Datatype recvType, int root)
      throws MPIException {
    comm().gather(sendToRoot(sendBuf, recvBuf, sendCount, sendType, root), blocksAtRoot(recvBuf, recvCount, recvType,
        root), root);
  }

  /** Collects equal blocks, where the root has its own in place ({@code MPI_Gather}). */
  public final void gather(Object buf, int count, Datatype type, int root) throws MPIException {
    comm().gather(blocks(buf, count, type), root);
  }

  /** Collects blocks of all ranks at the root ({@code MPI_Gatherv}). */
  public final void gatherv(
      Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int[] recvCounts, int[] displs, Datatype
      recvType, int root) throws MPIException {
    comm().gatherv(sendToRoot(sendBuf, recvBuf, sendCount, sendType, root), blocksAtRoot(recvBuf, 0, recvType, root),
        atRoot("recvCount", recvCounts, root), atRoot("displs", displs, root), root);
  }

  /** Collects blocks at the root, which has its own in place, and calls this ({@code MPI_Gatherv}). */
  public final void gatherv(
      Object recvBuf, int[] recvCounts, int[] displs, Datatype recvType, int root) throws MPIException {
    comm().gatherv(Buf.inPlace(), blocksAtRoot(recvBuf, 0, recvType, root), atRoot("recvCount", recvCounts, root),
        atRoot("displs", displs, root), root);
  }

  /** Collects blocks at the root, at the other ranks ({@code MPI_Gatherv}). */
  public final void gatherv(Object sendBuf, int sendCount, Datatype sendType, int root) throws MPIException {
    comm().gatherv(sendToRoot(sendBuf, null, sendCount, sendType, root), (Buf<?>) null, NO_NUMBERS, NO_NUMBERS, root);
  }

  /** Gives all ranks equal blocks of the root's ({@code MPI_Scatter}). */
  public final void scatter(
      Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount, Datatype recvType, int root)
      throws MPIException {
    comm().scatter(blocksAtRoot(unaliased(sendBuf, recvBuf), sendCount, sendType, root),
        recvFromRoot(recvBuf, recvCount, recvType, root), root);
  }

  /** Gives all ranks equal blocks, where the root has its own in place ({@code MPI_Scatter}). */
  public final void scatter(Object buf, int count, Datatype type, int root) throws MPIException {
    comm().scatter(blocks(buf, count, type), root);
  }

  /** Gives all ranks blocks of the root's ({@code MPI_Scatterv}). */
  public final void scatterv(
      Object sendBuf, int[] sendCounts, int[] displs, Datatype sendType, Object recvBuf, int recvCount, Datatype
      recvType, int root) throws MPIException {
    comm().scatterv(blocksAtRoot(unaliased(sendBuf, recvBuf), 0, sendType, root), atRoot("sendCount", sendCounts, root),
        atRoot("displs", displs, root), recvFromRoot(recvBuf, recvCount, recvType, root), root);
  }

  /** Gives all ranks blocks of the root's, which has its own in place, and calls this ({@code MPI_Scatterv}). */
  public final void scatterv(
      Object sendBuf, int[] sendCounts, int[] displs, Datatype sendType, int root) throws MPIException {
    comm().scatterv(blocksAtRoot(sendBuf, 0, sendType, root), atRoot("sendCount", sendCounts, root), atRoot("displs",
        displs, root), Buf.inPlace(), root);
  }

  /** Gives all ranks blocks of the root's, at the other ranks ({@code MPI_Scatterv}). */
  public final void scatterv(Object recvBuf, int recvCount, Datatype recvType, int root) throws MPIException {
    comm().scatterv((Buf<?>) null, NO_NUMBERS, NO_NUMBERS, recvFromRoot(recvBuf, recvCount, recvType, root), root);
  }

  /** Gives all ranks equal blocks of all ({@code MPI_Allgather}). */
  public final void allGather(
      Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount, Datatype recvType)
      throws MPIException {
    comm().allgather(buf(unaliased(sendBuf, recvBuf), sendCount, sendType), blocks(recvBuf, recvCount, recvType));
  }

  /** Gives all ranks equal blocks of all, each of which is in place ({@code MPI_Allgather}). */
  public final void allGather(Object buf, int count, Datatype type) throws MPIException {
    comm().allgather(blocks(buf, count, type));
  }

  /** Gives all ranks blocks of all ({@code MPI_Allgatherv}). */
  public final void allGatherv(
      Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int[] recvCounts, int[] displs, Datatype
      recvType) throws MPIException {
    comm().allgatherv(buf(unaliased(sendBuf, recvBuf), sendCount, sendType), blocks(recvBuf, 0, recvType),
        perRank("recvCount", recvCounts), perRank("displs", displs));
  }

  //calls error(e)
  /** Gives all ranks blocks of all, each of which is in place ({@code MPI_Allgatherv}). */
  public final void allGatherv(Object recvBuf, int[] recvCounts, int[] displs, Datatype recvType) throws MPIException {
    comm().allgatherv(blocks(recvBuf, 0, recvType), perRank("recvCount", recvCounts), perRank("displs", displs));
  }

  /** Starts what {@link #allGatherv} does ({@code MPI_Iallgatherv}). */
  public final Request iAllGatherv(
      Buffer recvBuf, int[] recvCounts, int[] displs, Datatype recvType) throws MPIException {
    return new Request(comm().iallgatherv(blocks(recvBuf, 0, recvType), perRank("recvCount", recvCounts),
        perRank("displs", displs)));
  }

  //collectives error(e)
  /** Exchanges equal blocks between all ranks ({@code MPI_Alltoall}). */
  public final void allToAll(
      Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount, Datatype recvType)
      throws MPIException {
    comm().alltoall(blocks(unaliased(sendBuf, recvBuf), sendCount, sendType), blocks(recvBuf, recvCount, recvType));
  }

  /** Exchanges blocks between all ranks ({@code MPI_Alltoallv}). */
  public final void allToAllv(
      Object sendBuf, int[] sendCounts, int[] sdispls, Datatype sendType, Object recvBuf, int[] recvCounts, int[]
      rdispls, Datatype recvType) throws MPIException {
    comm().alltoallv(blocks(unaliased(sendBuf, recvBuf), 0, sendType), perRank("sendCount", sendCounts),
        perRank("sdispls", sdispls), blocks(recvBuf, 0, recvType), perRank("recvCount", recvCounts),
        perRank("rdispls", rdispls));
  }

  /**
   * Exchanges blocks of different types between all ranks ({@code MPI_Alltoallw}).
   *
   * @param sendTypes types of those for each rank
   * @param recvTypes types of those from each rank
   */
  public final void allToAllw(
      Buffer sendBuf, int[] sendCounts, int[] sdispls, Datatype[] sendTypes, Buffer recvBuf, int[] recvCounts,
      int[] rdispls, Datatype[] recvTypes) throws MPIException {
    comm().alltoallw(parts("send", unaliased(sendBuf, recvBuf), sendCounts, sdispls, sendTypes), parts("recv", recvBuf,
        recvCounts, rdispls, recvTypes));
  }

  // ---- neighbours

  /** Gives all neighbours a block, and gets one of each ({@code MPI_Neighbor_allgather}). */
  public final void neighborAllGather(
      Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount, Datatype recvType)
      throws MPIException {
    neighbors().neighborAllgather(buf(unaliased(sendBuf, recvBuf), sendCount, sendType), blocks(recvBuf, recvCount,
        recvType));
  }

  /** Gives all neighbours a block, and gets one of each ({@code MPI_Neighbor_allgatherv}). */
  public final void neighborAllGatherv(
      Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int[] recvCounts, int[] displs, Datatype
      recvType) throws MPIException {
    neighbors().neighborAllgatherv(buf(unaliased(sendBuf, recvBuf), sendCount, sendType), blocks(recvBuf, 0, recvType),
        perSource("recvCount", recvCounts), perSource("displs", displs));
  }

  /** Exchanges equal blocks with all neighbours ({@code MPI_Neighbor_alltoall}). */
  public final void neighborAllToAll(
      Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount, Datatype recvType)
      throws MPIException {
    neighbors().neighborAlltoall(blocks(unaliased(sendBuf, recvBuf), sendCount, sendType), blocks(recvBuf, recvCount,
        recvType));
  }

  /** Exchanges blocks with all neighbours ({@code MPI_Neighbor_alltoallv}). */
  public final void neighborAllToAllv(
      Object sendBuf, int[] sendCounts, int[] sdispls, Datatype sendType, Object recvBuf, int[] recvCounts, int[]
      rdispls, Datatype recvType) throws MPIException {
    neighbors().neighborAlltoallv(blocks(unaliased(sendBuf, recvBuf), 0, sendType), perDestination("sendCount",
        sendCounts), perDestination("sdispls", sdispls), blocks(recvBuf, 0, recvType), perSource("recvCount",
        recvCounts), perSource("rdispls", rdispls));
  }

  // ---- reductions

  /** Combines elements of all ranks at the root ({@code MPI_Reduce}). */
  public final void reduce(
      Object sendBuf, Object recvBuf, int count, Datatype type, Op op, int root) throws MPIException {
    comm().reduce(sendToRoot(sendBuf, recvBuf, count, type, root), bufAtRoot(recvBuf, count, type, root), op(op,
        type), root);
  }

  /** Combines elements of all ranks at the root, which has its own in place ({@code MPI_Reduce}). */
  public final void reduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
    comm().reduce(bufOfParticipant(buf, count, type, root), op(op, type), root);
  }

  /** Gives all ranks the combined elements of all ({@code MPI_Allreduce}). */
  public final void allReduce(Object sendBuf, Object recvBuf, int count, Datatype type, Op op) throws MPIException {
    comm().allreduce(buf(unaliased(sendBuf, recvBuf), count, type), buf(recvBuf, count, type), op(op, type));
  }

  /** Gives all ranks the combined elements of all, each of which has its own in place ({@code MPI_Allreduce}). */
  public final void allReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
    comm().allreduce(buf(buf, count, type), op(op, type));
  }

  /** Gives each rank a part of the combined elements of all ({@code MPI_Reduce_scatter}). */
  public final void reduceScatter(
      Object sendBuf, Object recvBuf, int[] counts, Datatype type, Op op) throws MPIException {
    comm().reduceScatter(buf(unaliased(sendBuf, recvBuf), sum(counts), type), buf(recvBuf, own(counts), type),
        longs(counts), op(op, type));
  }

  /** Gives each rank a part of the combined elements, which each has in place ({@code MPI_Reduce_scatter}). */
  public final void reduceScatter(Object buf, int[] counts, Datatype type, Op op) throws MPIException {
    comm().reduceScatter(buf(buf, sum(counts), type), longs(counts), op(op, type));
  }

  /** Gives each rank an equal part of the combined elements of all ({@code MPI_Reduce_scatter_block}). */
  public final void reduceScatterBlock(
      Object sendBuf, Object recvBuf, int recvCount, Datatype type, Op op) throws MPIException {
    comm().reduceScatterBlock(blocks(unaliased(sendBuf, recvBuf), recvCount, type), buf(recvBuf, recvCount, type),
        op(op, type));
  }

  /** Gives each rank an equal part of the combined elements, each in place ({@code MPI_Reduce_scatter_block}). */
  public final void reduceScatterBlock(Object buf, int count, Datatype type, Op op) throws MPIException {
    comm().reduceScatterBlock(blocks(buf, count, type), op(op, type));
  }

  //plain
  /**
   * Combines elements of this process ({@code MPI_Reduce_local}).
   *
   * @param inBuf first operands
   * @param inOutBuf second operands, replaced by the results
   */
  public static void reduceLocal(Object inBuf, Object inOutBuf, int count, Datatype type, Op op) throws MPIException {
    Errors.run(() -> {
      org.ffmpi.Op<Object> combines = Errors.present(ErrorClass.ERR_OP, "op", op == null ? null : op.of(type));
      org.ffmpi.datatype.Datatype<Object> open = Datatype.typeOf(type);
      combines.reduceLocal(
          TypedMemory.of(unaliased(inBuf, inOutBuf), 0, count, open), TypedMemory.of(inOutBuf, 0, count, open));
    });
  }
}
