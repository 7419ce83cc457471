// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.util.Optional;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** A message that has been found and can be received by this object only ({@code MPI_Message}). */
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
   * @return true when it was looked for at {@code MPI.PROC_NULL}
   */
  public boolean isNoProc() {
    return message != null && message.isNoProc();
  }

  /**
   * Waits for a message and takes it ({@code MPI_Mprobe}).
   *
   * @param source who sends it, or {@code MPI.ANY_SOURCE}
   * @param tag its tag, or {@code MPI.ANY_TAG}
   * @param from the communicator
   * @return what is known about it
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
   * Takes a message if there is one ({@code MPI_Improbe}).
   *
   * @param source who sends it, or {@code MPI.ANY_SOURCE}
   * @param tag its tag, or {@code MPI.ANY_TAG}
   * @param from the communicator
   * @return what is known about it, or null when there is none
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

  /** Returns the message, which is not here any more. */
  private org.ffmpi.Message take() {
    org.ffmpi.Message taken = message;
    if (taken == null) {
      throw Errors.raise(MpiException.argument(
          ErrorClass.ERR_REQUEST, "message", null, "messages that mProbe or imProbe has found, not received yet"));
    }
    message = null;
    return taken;
  }

  /**
   * Receives the message ({@code MPI_Mrecv}).
   *
   * @param buf where it goes
   * @param count most elements
   * @param type their type
   * @return what is known about it
   */
  public Status mRecv(Object buf, int count, Datatype type) throws MPIException {
    org.ffmpi.Message taken = take();
    try {
      org.ffmpi.Status into = new org.ffmpi.Status();
      taken.mrecv(comm.buf(buf, count, type), into);
      return new Status(into);
    } catch (MpiException e) {
      throw new MPIException(e);
    }
  }

  /**
   * Starts receiving the message ({@code MPI_Imrecv}).
   *
   * @param buf where it goes
   * @param count most elements
   * @param type their type
   * @return the request
   */
  public Request imRecv(Buffer buf, int count, Datatype type) throws MPIException {
    org.ffmpi.Message taken = take();
    try {
      return new Request(taken.imrecv(comm.buf(buf, count, type)));
    } catch (MpiException e) {
      throw new MPIException(e);
    }
  }
}
