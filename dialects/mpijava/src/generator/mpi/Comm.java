// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Optional;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.GraphComm;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Packer;
import org.ffmpi.Topology;
import org.ffmpi.Unpacker;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Arguments;
import org.ffmpi.dialect.RecentBuffers;

/**
 * A communicator ({@code MPI_Comm}). A buffer is a Java array, with the index of its first element and a number of
 * items of some datatype.
 *
 * <p>This file is long because all calls of a communicator on messages are here, each with its Javadoc. Those of memory
 * are hot: what is not needed for an array of primitives lies in other methods.
 */
public class Comm {
  //text incount  number of items
  //text position  index of the first byte
  //text return Status  source, tag and length
  //text return int  index behind the last byte
  //text throws MPIException  when an argument is wrong

  /** The processes of the communicator. */
  public Group group;

  final org.ffmpi.Comm comm;
  final int rank;
  final int size;
  final ObjectLink objects;
  private final RecentBuffers recent = new RecentBuffers();

  Comm(org.ffmpi.Comm comm) {
    this.comm = comm;
    this.rank = comm.rank();
    this.size = comm.size();
    this.group = new Group(comm.group());
    this.objects = new ObjectLink(comm);
  }

  /** Returns this dialect's communicator of ffmpi's; null for null. */
  static Comm of(org.ffmpi.Comm comm) {
    return switch (comm) {
      case null -> null;
      case CartComm cart -> new Cartcomm(cart);
      case GraphComm graph -> new Graphcomm(graph);
      case IntraComm intra -> new Intracomm(intra);
      case InterComm inter -> new Intercomm(inter);
    };
  }

  // ---- buffers

  /** Returns whether elements of a type are objects; makes the type ready for use otherwise. */
  final boolean isOfObjects(Datatype type) {
    return (type == null || type.handle == null) && isOfObjectsAtFirst(type);
  }

  private boolean isOfObjectsAtFirst(Datatype type) {
    try {
      return Datatype.isOfObjects(type);
    } catch (MpiException e) {
      throw Errors.raised(comm, e);
    }
  }

  /** Returns a buffer of items in an array. */
  final Buf<?> in(Object buf, int offset, int count, Datatype type) {
    try {
      return recent.of(buf, (long) offset * type.width, count, type.handle);
    } catch (MpiException e) {
      throw wrongBuffer(e, buf, offset, count, type);
    }
  }

  /** Returns a buffer of so many items for each rank. */
  final Buf<?> blocks(Object buf, int offset, int count, Datatype type) {
    if (isOfObjects(type)) {
      throw Errors.raised(comm, MpiException.argument(
          ErrorClass.ERR_TYPE, "type", type, "types of primitive elements, as that of the other buffer"));
    }
    try {
      return recent.perRank(buf, (long) offset * type.width, count, type.handle);
    } catch (MpiException e) {
      throw wrongBuffer(e, buf, offset, count, type);
    }
  }

  /** Returns the first entries of an array of arguments. */
  final int[] first(String name, int[] entries, int needed) {
    try {
      return Arguments.first(name, entries, needed);
    } catch (MpiException e) {
      throw Errors.raised(comm, e);
    }
  }

  /** Returns the first entries of an array of arguments. */
  final boolean[] first(String name, boolean[] entries, int needed) {
    try {
      return Arguments.first(name, entries, needed);
    } catch (MpiException e) {
      throw Errors.raised(comm, e);
    }
  }

  final MPIException wrongBuffer(MpiException e, Object buf, int offset, int count, Datatype type) {
    return Errors.raised(comm, new MpiException(e.errorClass(), ArrayRange.describe(buf) + ", offset " + offset
        + ", count " + count + " of " + type + ": " + ArrayRange.withoutClass(e), e));
  }

  // ---- properties

  /**
   * Returns how many processes the communicator has ({@code MPI_Comm_size}).
   *
   * @return the number
   * @throws MPIException never
   */
  public int Size() throws MPIException {
    return size;
  }

  /**
   * Returns this process's rank ({@code MPI_Comm_rank}).
   *
   * @return from 0 to {@link #Size} - 1
   * @throws MPIException never
   */
  public int Rank() throws MPIException {
    return rank;
  }

  //calls Errors.thrown(e)
  /**
   * Returns the group of the communicator ({@code MPI_Comm_group}).
   *
   * @return a new group
   * @throws MPIException when the communicator cannot be used
   */
  public Group Group() throws MPIException {
    return new Group(comm.group());
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
    if (comm1 == null || comm2 == null) {
      throw Errors.raised(MpiException.argument(
          ErrorClass.ERR_COMM, comm1 == null ? "comm1" : "comm2", null, "communicators"));
    }
    if (comm1.comm.isInter() != comm2.comm.isInter()) {
      return MPI.UNEQUAL;
    }
    return Codes.comparison(comm1.comm.compare(comm2.comm));
  }

  /**
   * Frees the communicator ({@code MPI_Comm_free}).
   *
   * @throws MPIException when it is predefined
   */
  public void Free() throws MPIException {
    comm.close();
  }

  //plain
  /**
   * Returns whether this stands for no communicator ({@code MPI_COMM_NULL}).
   *
   * @return false: calls return null for {@code MPI_COMM_NULL}
   * @throws MPIException never
   */
  public boolean Is_null() throws MPIException {
    return false;
  }

  /**
   * Returns whether the communicator lies between two groups ({@code MPI_Comm_test_inter}).
   *
   * @return true for an {@link Intercomm}
   * @throws MPIException never
   */
  public boolean Test_inter() throws MPIException {
    return comm.isInter();
  }

  /**
   * Returns the kind of topology ({@code MPI_Topo_test}).
   *
   * @return {@code MPI.CART}, {@code MPI.GRAPH} or {@code MPI.UNDEFINED}
   * @throws MPIException never
   */
  public int Topo_test() throws MPIException {
    Topology topology = comm.topology();
    return topology == Topology.CART ? MPI.CART : topology == Topology.GRAPH ? MPI.GRAPH : MPI.UNDEFINED;
  }

  //calls Errors.thrown(e)
  /**
   * Makes a communicator of the same processes ({@code MPI_Comm_dup}). Collective.
   *
   * @return the duplicate, of the class of this one
   * @throws MPIException when the communicator cannot be used
   */
  @Override
  public Object clone() throws MPIException {
    return of(comm.dup());
  }

  /**
   * Makes an intercommunicator ({@code MPI_Intercomm_create}); this communicator is that of the two leaders.
   * Collective over both groups.
   *
   * @param local_comm the group of this side
   * @param local_leader rank in it of its leader
   * @param remote_leader rank in this communicator of the other leader
   * @param tag for the leaders' messages
   * @return the intercommunicator
   */
  public Intercomm Create_intercomm(Comm local_comm, int local_leader, int remote_leader, int tag)
      throws MPIException {
    if (local_comm == null || !(local_comm.comm instanceof IntraComm local)) {
      throw Errors.raised(comm, MpiException.argument(
          ErrorClass.ERR_COMM, "local_comm", local_comm, "communicators of one group"));
    }
    return new Intercomm(local.intercomm(local_leader, comm, remote_leader, Codes.tag(tag)));
  }

  //plain
  /**
   * Ends the job ({@code MPI_Abort}).
   *
   * @param errorcode exit code of the job
   * @throws MPIException never
   */
  public void Abort(int errorcode) throws MPIException {
    comm.abort(errorcode);
  }

  /**
   * Sets what happens when a call fails, on any communicator ({@code MPI_Errhandler_set}).
   *
   * @param errhandler {@code MPI.ERRORS_RETURN} or {@code MPI.ERRORS_ARE_FATAL}
   * @throws MPIException when the handler is null
   */
  public static void Errorhandler_set(Errhandler errhandler) throws MPIException {
    MPI.Errorhandler_set(errhandler);
  }

  /**
   * Returns what happens when a call fails ({@code MPI_Errhandler_get}).
   *
   * @return {@code MPI.ERRORS_RETURN} or {@code MPI.ERRORS_ARE_FATAL}
   * @throws MPIException never
   */
  public static Errhandler Errorhandler_get() throws MPIException {
    return MPI.Errorhandler_get();
  }

  // ---- attributes

  /**
   * Returns a predefined attribute ({@code MPI_Attr_get}).
   *
   * @param keyval {@code MPI.TAG_UB}, {@code MPI.HOST} or {@code MPI.IO}
   * @return an Integer; null for a key without a value
   * @throws MPIException when the key does not exist
   */
  public Object Attr_get(int keyval) throws MPIException {
    try {
      Optional<Integer> value = comm.attributes().get(key(keyval));
      if (keyval == MPI.TAG_UB) {
        value = value.map(largest -> Math.min(largest, Codes.HIGHEST_TAG));
      } else if (keyval == MPI.IO) {
        value = value.map(Codes::sourceOf);
      }
      return value.orElse(null);
    } catch (MpiException e) {
      throw Errors.raised(comm, e);
    }
  }

  /**
   * Deletes an attribute ({@code MPI_Attr_delete}); all are predefined and cannot be deleted.
   *
   * @param keyval a key
   * @throws MPIException always
   */
  public void Attr_delete(int keyval) throws MPIException {
    try {
      comm.attributes().delete(key(keyval));
    } catch (MpiException e) {
      throw Errors.raised(comm, e);
    }
  }

  private static Keyval<org.ffmpi.Comm, Integer> key(int keyval) {
    if (keyval == MPI.TAG_UB) {
      return org.ffmpi.Comm.TAG_UB;
    } else if (keyval == MPI.HOST) {
      return org.ffmpi.Comm.HOST;
    } else if (keyval == MPI.IO) {
      return org.ffmpi.Comm.IO;
    }
    throw MpiException.argument(ErrorClass.ERR_KEYVAL, "keyval", keyval, "MPI.TAG_UB, MPI.HOST and MPI.IO");
  }

  // ---- blocking messages

  //calls Errors.thrown(e)
  /**
   * Sends ({@code MPI_Send}).
   *
   * @throws MPIException when an argument is wrong or the receiver is gone
   */
  public void Send(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
    if (isOfObjects(datatype)) {
      objects.send(buf, offset, count, datatype, dest, Codes.tag(tag), false);
      return;
    }
    if (offset == 0 && trySendWhole(buf, count, datatype.plain, dest, Codes.tag(tag))) {
      return;
    }
    Buf<?> elements = in(buf, offset, count, datatype);
    comm.send(elements, dest, Codes.tag(tag));
  }

  /** Sends a whole array without a buffer; returns false if it is not of the type. */
  private boolean trySendWhole(Object buf, int count, int plain, int dest, int tag) {
    try {
      if (plain == TypeCodes.DOUBLE && buf instanceof double[] array && array.length == count) {
        comm.send(array, dest, tag);
      } else if (plain == TypeCodes.INT && buf instanceof int[] array && array.length == count) {
        comm.send(array, dest, tag);
      } else if (plain == TypeCodes.BYTE && buf instanceof byte[] array && array.length == count) {
        comm.send(array, dest, tag);
      } else if (plain == TypeCodes.FLOAT && buf instanceof float[] array && array.length == count) {
        comm.send(array, dest, tag);
      } else if (plain == TypeCodes.LONG && buf instanceof long[] array && array.length == count) {
        comm.send(array, dest, tag);
      } else if (plain == TypeCodes.CHAR && buf instanceof char[] array && array.length == count) {
        comm.send(array, dest, tag);
      } else if (plain == TypeCodes.SHORT && buf instanceof short[] array && array.length == count) {
        comm.send(array, dest, tag);
      } else if (plain == TypeCodes.BOOLEAN && buf instanceof boolean[] array && array.length == count) {
        comm.send(array, dest, tag);
      } else {
        return false;
      }
      return true;
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  //for-each Name call mode waits
  //| Ssend  ssend  synchronous  true
  //| Rsend  rsend  ready        false
  /**
   * Sends in @mode@ mode ({@code MPI_@Name@}).
   *
   * @throws MPIException when an argument is wrong or the receiver is gone
   */
  public void @Name@(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
    if (isOfObjects(datatype)) {
      objects.send(buf, offset, count, datatype, dest, Codes.tag(tag), @waits@);
      return;
    }
    Buf<?> elements = in(buf, offset, count, datatype);
    comm.@call@(elements, dest, Codes.tag(tag));
  }

  //end
  /**
   * Sends out of the attached buffer ({@code MPI_Bsend}); objects have memory of their own.
   *
   * @throws MPIException when an argument is wrong or the buffer has no room
   */
  public void Bsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
    if (isOfObjects(datatype)) {
      BufferedObjects.add(objects.isend(buf, offset, count, datatype, dest, Codes.tag(tag), false));
      return;
    }
    Buf<?> elements = in(buf, offset, count, datatype);
    comm.bsend(elements, dest, Codes.tag(tag));
  }

  //plain
  /**
   * Receives ({@code MPI_Recv}).
   *
   * @param buf array that the elements are put into
   * @param count maximal number of items
   * @param tag tag of the message, or {@code MPI.ANY_TAG}
   * @throws MPIException when an argument is wrong, the message is too long or the sender is gone
   */
  public Status Recv(Object buf, int offset, int count, Datatype datatype, int source, int tag) throws MPIException {
    if (isOfObjects(datatype)) {
      return objects.recv(buf, offset, count, datatype, Codes.source(source), Codes.wantedTag(tag));
    }
    return Status.of(receive(buf, offset, count, datatype, Codes.source(source), Codes.wantedTag(tag)));
  }

  /**
   * Receives elements, whole arrays without a buffer in between. So long that the JIT compiler leaves it out of
   * {@link #Recv}: that is short, is inlined, and makes no status for callers that ignore it.
   */
  private org.ffmpi.Status receive(Object buf, int offset, int count, Datatype type, int source, int tag) {
    org.ffmpi.Status into = SpareStatus.get();
    int plain = offset == 0 ? type.plain : 0;
    if (plain == 0) {
      return receiveInto(in(buf, offset, count, type), source, tag, into);
    }
    try {
      if (plain == TypeCodes.DOUBLE && buf instanceof double[] array && array.length == count) {
        return comm.recv(array, source, tag, into);
      } else if (plain == TypeCodes.INT && buf instanceof int[] array && array.length == count) {
        return comm.recv(array, source, tag, into);
      } else if (plain == TypeCodes.BYTE && buf instanceof byte[] array && array.length == count) {
        return comm.recv(array, source, tag, into);
      } else if (plain == TypeCodes.FLOAT && buf instanceof float[] array && array.length == count) {
        return comm.recv(array, source, tag, into);
      } else if (plain == TypeCodes.LONG && buf instanceof long[] array && array.length == count) {
        return comm.recv(array, source, tag, into);
      } else if (plain == TypeCodes.CHAR && buf instanceof char[] array && array.length == count) {
        return comm.recv(array, source, tag, into);
      } else if (plain == TypeCodes.SHORT && buf instanceof short[] array && array.length == count) {
        return comm.recv(array, source, tag, into);
      } else if (plain == TypeCodes.BOOLEAN && buf instanceof boolean[] array && array.length == count) {
        return comm.recv(array, source, tag, into);
      }
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
    return receiveInto(in(buf, offset, count, type), source, tag, into);
  }

  private org.ffmpi.Status receiveInto(Buf<?> elements, int source, int tag, org.ffmpi.Status into) {
    try {
      return comm.recv(elements, source, tag, into);
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  //calls Errors.thrown(e)
  /**
   * Sends and receives ({@code MPI_Sendrecv}); what is sent out of elements that are received into is copied before.
   *
   * @param recvbuf array that elements are put into
   * @param recvcount maximal number of items
   * @return source, tag and length of the received message
   * @throws MPIException when an argument is wrong, the message is too long or a peer is gone
   */
  public Status Sendrecv(
      Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, int dest, int sendtag, Object recvbuf,
      int recvoffset, int recvcount, Datatype recvtype, int source, int recvtag) throws MPIException {
    if (isOfObjects(sendtype) | isOfObjects(recvtype)) {
      Request sent = Isend(sendbuf, sendoffset, sendcount, sendtype, dest, sendtag);
      Status status = Recv(recvbuf, recvoffset, recvcount, recvtype, source, recvtag);
      sent.Wait();
      return status;
    }
    Buf<?> send = sendbuf == recvbuf
        ? unaliased(sendbuf, sendoffset, sendcount, sendtype, recvoffset, recvcount, recvtype)
        : in(sendbuf, sendoffset, sendcount, sendtype);
    Buf<?> recv = in(recvbuf, recvoffset, recvcount, recvtype);
    return Status.of(comm.sendrecv(send, dest, Codes.tag(sendtag), recv, Codes.source(source),
        Codes.wantedTag(recvtag), SpareStatus.get()));
  }

  /** Returns a buffer of items to send, or of copies of them when elements are received into the same places. */
  final Buf<?> unaliased(
      Object buf, int sendoffset, int sendcount, Datatype sendtype, int recvoffset, long recvcount,
      Datatype recvtype) {
    ArrayRange send = ArrayRange.of(sendoffset, sendcount, sendtype);
    if (!send.overlaps(ArrayRange.of(recvoffset, recvcount, recvtype)) || !send.isIn(buf)) {
      return in(buf, sendoffset, sendcount, sendtype);
    }
    return in(send.copyOf(buf), sendoffset - send.from(), sendcount, sendtype);
  }

  /**
   * Sends and receives in the same elements ({@code MPI_Sendrecv_replace}).
   *
   * @return source, tag and length of the received message
   * @throws MPIException when an argument is wrong, the message is too long or a peer is gone
   */
  public Status Sendrecv_replace(
      Object buf, int offset, int count, Datatype datatype, int dest, int sendtag, int source, int recvtag)
      throws MPIException {
    if (isOfObjects(datatype)) {
      return Sendrecv(buf, offset, count, datatype, dest, sendtag, buf, offset, count, datatype, source, recvtag);
    }
    Buf<?> elements = in(buf, offset, count, datatype);
    return Status.of(comm.sendrecvReplace(elements, dest, Codes.tag(sendtag), Codes.source(source),
        Codes.wantedTag(recvtag), SpareStatus.get()));
  }

  // ---- nonblocking messages

  //for-each call mode waits
  //| send   standard     false
  //| ssend  synchronous  true
  //| rsend  ready        false
  /**
   * Starts to send in @mode@ mode ({@code MPI_I@call@}).
   *
   * @throws MPIException when an argument is wrong or the receiver is gone
   */
  public Request I@call@(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
    if (isOfObjects(datatype)) {
      return new Request(objects.isend(buf, offset, count, datatype, dest, Codes.tag(tag), @waits@));
    }
    Buf<?> elements = in(buf, offset, count, datatype);
    return new Request(comm.i@call@(elements, dest, Codes.tag(tag)));
  }

  //end
  /**
   * Starts to send out of the attached buffer ({@code MPI_Ibsend}); objects have memory of their own.
   *
   * @throws MPIException when an argument is wrong or the buffer has no room
   */
  public Request Ibsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
    if (isOfObjects(datatype)) {
      BufferedObjects.add(objects.isend(buf, offset, count, datatype, dest, Codes.tag(tag), false));
      return new Request(objects.completedRequest());
    }
    Buf<?> elements = in(buf, offset, count, datatype);
    return new Request(comm.ibsend(elements, dest, Codes.tag(tag)));
  }

  /**
   * Starts to receive ({@code MPI_Irecv}); objects are in the array after completion.
   *
   * @param buf array that the elements are put into
   * @param count maximal number of items
   * @param tag tag of the message, or {@code MPI.ANY_TAG}
   */
  public Request Irecv(Object buf, int offset, int count, Datatype datatype, int source, int tag)
      throws MPIException {
    if (isOfObjects(datatype)) {
      return objects.irecv(buf, offset, count, datatype, Codes.source(source), Codes.wantedTag(tag));
    }
    Buf<?> elements = in(buf, offset, count, datatype);
    return new Request(comm.irecv(elements, Codes.source(source), Codes.wantedTag(tag)));
  }

  // ---- probes

  /**
   * Tests for a message ({@code MPI_Iprobe}).
   *
   * @param tag tag of the message, or {@code MPI.ANY_TAG}
   * @return source, tag and length; null without a message
   */
  public Status Iprobe(int source, int tag) throws MPIException {
    Status waiting = objects.waiting(Codes.source(source), Codes.wantedTag(tag));
    org.ffmpi.Status status = SpareStatus.get();
    return waiting != null ? waiting
        : comm.iprobe(Codes.source(source), Codes.wantedTag(tag), status) ? objects.probed(status) : null;
  }

  /**
   * Blocks until a message arrives ({@code MPI_Probe}).
   *
   * @param tag tag of the message, or {@code MPI.ANY_TAG}
   */
  public Status Probe(int source, int tag) throws MPIException {
    Status waiting = objects.waiting(Codes.source(source), Codes.wantedTag(tag));
    return waiting != null
        ? waiting : objects.probed(comm.probe(Codes.source(source), Codes.wantedTag(tag), SpareStatus.get()));
  }

  // ---- packing

  //plain
  /**
   * Returns how many bytes packed items need ({@code MPI_Pack_size}).
   *
   * @param datatype their type, whose elements are not objects
   * @return bytes
   */
  public int Pack_size(int incount, Datatype datatype) throws MPIException {
    if (isOfObjects(datatype)) {
      throw Errors.raised(comm, MpiException.argument(ErrorClass.ERR_TYPE, "datatype", datatype,
          "types of primitive elements: how long objects are, only packing shows"));
    }
    try {
      return Codes.defined(Packer.sizeInt(incount, datatype.handle));
    } catch (MpiException e) {
      throw Errors.raised(comm, e);
    }
  }

  /**
   * Packs items into bytes ({@code MPI_Pack}).
   *
   * @param inbuf array of the elements
   * @param outbuf receives the bytes
   * @throws MPIException when an argument is wrong or the room is too small
   */
  public int Pack(Object inbuf, int offset, int incount, Datatype datatype, byte[] outbuf, int position)
      throws MPIException {
    if (isOfObjects(datatype)) {
      return objects.pack(inbuf, offset, incount, datatype, outbuf, position);
    }
    Buf<?> elements = in(inbuf, offset, incount, datatype);
    try {
      return (int) Packer.into(outbuf).position(position).pack(elements).position();
    } catch (MpiException e) {
      throw Errors.raised(comm, e);
    }
  }

  /**
   * Unpacks items out of bytes ({@code MPI_Unpack}).
   *
   * @param inbuf the bytes
   * @param outbuf array that the elements are put into
   * @param outcount number of items
   * @throws MPIException when an argument is wrong or the bytes are too few
   */
  public int Unpack(byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype)
      throws MPIException {
    if (isOfObjects(datatype)) {
      return objects.unpack(inbuf, position, outbuf, offset, outcount, datatype);
    }
    Buf<?> elements = in(outbuf, offset, outcount, datatype);
    try {
      return (int) Unpacker.from(inbuf).position(position).unpack(elements).position();
    } catch (MpiException e) {
      throw Errors.raised(comm, e);
    }
  }

  // ---- persistent messages

  //calls Errors.thrown(e)
  //for-each Name call mode waits
  //| Send   send   standard     false
  //| Ssend  ssend  synchronous  true
  //| Rsend  rsend  ready        false
  /** Makes a send in @mode@ mode that can be started any number of times ({@code MPI_@Name@_init}). */
  public Prequest @Name@_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPIException {
    if (isOfObjects(datatype)) {
      return objects.sendInit(buf, offset, count, datatype, dest, Codes.tag(tag), @waits@);
    }
    Buf<?> elements = in(buf, offset, count, datatype);
    return new Prequest(comm.@call@Init(elements, dest, Codes.tag(tag)));
  }

  //end
  /** Makes a send out of the attached buffer that can be started any number of times ({@code MPI_Bsend_init}). */
  public Prequest Bsend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPIException {
    if (isOfObjects(datatype)) {
      return objects.bsendInit(buf, offset, count, datatype, dest, Codes.tag(tag));
    }
    Buf<?> elements = in(buf, offset, count, datatype);
    return new Prequest(comm.bsendInit(elements, dest, Codes.tag(tag)));
  }

  /**
   * Makes a receive that can be started any number of times ({@code MPI_Recv_init}).
   *
   * @param buf array that the elements are put into
   * @param count maximal number of items
   * @param tag tag of the message, or {@code MPI.ANY_TAG}
   */
  public Prequest Recv_init(Object buf, int offset, int count, Datatype datatype, int source, int tag)
      throws MPIException {
    if (isOfObjects(datatype)) {
      return objects.recvInit(buf, offset, count, datatype, Codes.source(source), Codes.wantedTag(tag));
    }
    Buf<?> elements = in(buf, offset, count, datatype);
    return new Prequest(comm.recvInit(elements, Codes.source(source), Codes.wantedTag(tag)));
  }

  //plain
  /**
   * Describes the communicator for messages.
   *
   * @return name, rank and size
   */
  @Override
  public String toString() {
    return comm.toString();
  }
}
