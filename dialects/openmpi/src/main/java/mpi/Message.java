// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.util.Optional;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** A message that a probe has matched, for this object alone to receive ({@code MPI_Message}). */
public final class Message {
  private org.ffmpi.Message message;
  private Comm comm;

  /** Creates a message that is {@code MPI_MESSAGE_NULL}. */
  public Message() {}

  /**
   * Returns whether this is {@code MPI_MESSAGE_NULL}.
   *
   * @return true before a message was found, and once it has been received
   */
  public boolean isNull() {
    return message == null;
  }

  /**
   * Returns whether this is {@code MPI_MESSAGE_NO_PROC}.
   *
   * @return true after a probe of {@code MPI.PROC_NULL}
   */
  public boolean isNoProc() {
    return message != null && message.isNoProc();
  }

  /**
   * Waits for a message and claims it ({@code MPI_Mprobe}).
   *
   * @param source rank of the sender, or {@code MPI.ANY_SOURCE}
   * @param tag its tag, or {@code MPI.ANY_TAG}
   * @param from the communicator
   * @return its status
   */
  public Status mProbe(int source, int tag, Comm from) throws MPIException {
    org.ffmpi.Comm open = Comm.openOf(from);
    try {
      org.ffmpi.Status into = new org.ffmpi.Status();
      message = open.mprobe(source, tag, into);
      comm = from;
      return new Status(into);
    } catch (MpiException e) {
      throw new MPIException(e);
    }
  }

  /**
   * Claims a message that has arrived ({@code MPI_Improbe}).
   *
   * @param source rank of the sender, or {@code MPI.ANY_SOURCE}
   * @param tag its tag, or {@code MPI.ANY_TAG}
   * @param from the communicator
   * @return its status, or null without a message
   */
  public Status imProbe(int source, int tag, Comm from) throws MPIException {
    org.ffmpi.Comm open = Comm.openOf(from);
    try {
      org.ffmpi.Status into = new org.ffmpi.Status();
      Optional<org.ffmpi.Message> found = open.improbe(source, tag, into);
      if (found.isEmpty()) {
        return null;
      }
      message = found.get();
      comm = from;
      return new Status(into);
    } catch (MpiException e) {
      throw new MPIException(e);
    }
  }

  /** Claims the message for one receive: this object is {@code MPI_MESSAGE_NULL} afterwards. */
  private org.ffmpi.Message claim() {
    org.ffmpi.Message claimed = message;
    if (claimed == null) {
      throw Errors.raise(MpiException.argument(
          ErrorClass.ERR_REQUEST, "message", null, "messages that mProbe or imProbe has found, not received yet"));
    }
    message = null;
    return claimed;
  }

  /**
   * Receives the message ({@code MPI_Mrecv}).
   *
   * @param buf memory to receive into
   * @param count maximal number of elements
   * @param type their type
   * @return its status
   */
  public Status mRecv(Object buf, int count, Datatype type) throws MPIException {
    org.ffmpi.Message claimed = claim();
    try {
      org.ffmpi.Status into = new org.ffmpi.Status();
      claimed.mrecv(comm.buf(buf, count, type), into);
      return new Status(into);
    } catch (MpiException e) {
      throw new MPIException(e);
    }
  }

  /**
   * Starts receiving the message ({@code MPI_Imrecv}).
   *
   * @param buf memory to receive into
   * @param count maximal number of elements
   * @param type their type
   * @return the request
   */
  public Request imRecv(Buffer buf, int count, Datatype type) throws MPIException {
    org.ffmpi.Message claimed = claim();
    try {
      return new Request(claimed.imrecv(comm.buf(buf, count, type)));
    } catch (MpiException e) {
      throw new MPIException(e);
    }
  }
}
