// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** The status of a completed operation ({@code MPI_Status}). */
public class Status extends mpjdev.Status implements Freeable {
  private final long bytes;
  private final boolean cancelled;

  /** Number of objects that have come; -1 when they were no objects, or it is not known. */
  private final int objects;

  /** Finds the number of objects in a message that a probe has found; otherwise null. */
  private final ObjectLink link;

  /** Makes the status of no message. */
  public Status() {
    this(MPI.ANY_SOURCE, MPI.ANY_TAG, 0, false, 0, null);
  }

  private Status(int source, int tag, long bytes, boolean cancelled, int objects, ObjectLink link) {
    this.source = source;
    this.tag = Codes.tagOf(tag);
    this.bytes = bytes;
    this.cancelled = cancelled;
    this.objects = objects;
    this.link = link;
  }

  /** Returns the status of a message that is no objects. */
  static Status of(org.ffmpi.Status from) {
    return new Status(Codes.sourceOf(from.source()), from.tag(), from.bytes(), from.isCancelled(), -1, null);
  }

  /** Returns the status of a message that a probe has found. */
  static Status probed(org.ffmpi.Status from, ObjectLink link) {
    return new Status(Codes.sourceOf(from.source()), from.tag(), from.bytes(), from.isCancelled(), -1, link);
  }

  /** Returns the status of objects that have come. */
  static Status of(int source, int tag, byte[] message) {
    return new Status(source, tag, message.length, false, ObjectBytes.count(message), null);
  }

  /** Returns the status of objects that have come. */
  static Status of(org.ffmpi.Status from, int objects) {
    return new Status(Codes.sourceOf(from.source()), from.tag(), from.bytes(), from.isCancelled(), objects, null);
  }

  /**
   * Returns how many items a message has ({@code MPI_Get_count}).
   *
   * @param datatype type of the items
   * @return their number, or {@code MPI.UNDEFINED} when the last one is not complete
   * @throws MPIException when the type is null or has been freed
   */
  public int Get_count(Datatype datatype) throws MPIException {
    try {
      if (!Datatype.isOfObjects(datatype)) {
        return Codes.defined(datatype.handle.count(bytes));
      }
      int size = datatype.shape().size;
      int elements = objects();
      return size == 0 ? elements == 0 ? 0 : MPI.UNDEFINED : elements % size == 0 ? elements / size : MPI.UNDEFINED;
    } catch (MpiException e) {
      throw Errors.raised(e);
    }
  }

  /**
   * Returns how many elements of the base type a message has ({@code MPI_Get_elements}).
   *
   * @param datatype type of the items
   * @return the number, or {@code MPI.UNDEFINED} when the last one is not complete
   * @throws MPIException when the type is null or has been freed
   */
  public int Get_elements(Datatype datatype) throws MPIException {
    try {
      return Datatype.isOfObjects(datatype) ? objects() : Codes.defined(datatype.handle.elements(bytes));
    } catch (MpiException e) {
      throw Errors.raised(e);
    }
  }

  private int objects() {
    if (link != null && source != MPI.PROC_NULL) {
      int told = ObjectBytes.countIn(bytes);
      return told >= 0 ? told : link.count(source, Codes.tag(tag));
    }
    if (objects < 0 && bytes > 0) {
      throw MpiException.argument(
          ErrorClass.ERR_TYPE, "datatype", MPI.OBJECT, "types of primitive elements, which the message is of");
    }
    return Math.max(objects, 0);
  }

  /**
   * Returns whether the operation was cancelled ({@code MPI_Test_cancelled}).
   *
   * @return true when there was no message because of {@link Request#Cancel}
   * @throws MPIException never
   */
  public boolean Test_cancelled() throws MPIException {
    return cancelled;
  }

  /** Does nothing: a status that the program has forgotten needs no end. */
  @Override
  public void free() {}

  /**
   * Describes the status for messages.
   *
   * @return source, tag and length
   */
  @Override
  public String toString() {
    return "Status[source=" + source + ", tag=" + tag + (objects < 0 ? ", bytes=" + bytes : ", objects=" + objects)
        + (cancelled ? ", cancelled" : "") + "]";
  }
}
