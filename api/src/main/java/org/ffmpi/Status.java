// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.Channel;
import org.ffmpi.request.StatusAccess;
import org.ffmpi.spi.Envelope;

/**
 * The result of a receive, a probe or a completed request ({@code MPI_Status}, MPI-4.1 §3.2.5). Mutable
 * and reusable: a program that keeps one and hands it to every receive allocates nothing.
 *
 * {@snippet :
 * Status status = new Status();
 * world.recv(data, Constants.ANY_SOURCE, Constants.ANY_TAG, status);
 * long elements = status.getCount(Datatype.DOUBLE);
 * }
 *
 * <p>A new status is the empty one: source {@code ANY_SOURCE}, tag {@code ANY_TAG}, no bytes, no error, not cancelled.
 * Calls that get no status skip filling one in ({@code MPI_STATUS_IGNORE}). One thread at a time may use a status.
 */
@Standard({"MPI_Status", "MPI_STATUS_IGNORE"})
public final class Status {
  static {
    StatusAccess.register(new Access());
  }

  private static final class Access extends StatusAccess {
    @Override
    protected Envelope envelopeOf(Status into) {
      return into.envelope;
    }

    @Override
    protected Status setReceived(Status into, Channel channel) {
      return into.received(channel);
    }

    @Override
    protected Status setMessage(Status into, int source, int tag, long bytes, boolean cancelled) {
      return into.set(source, tag, bytes, cancelled);
    }

    @Override
    protected Status setNothing(Status into) {
      return into.setEmpty();
    }

    @Override
    protected Status setNoSender(Status into) {
      return into.setNobody();
    }
  }

  private final Envelope envelope = new Envelope();
  private int source;
  private ErrorClass error = ErrorClass.SUCCESS;

  /** Creates an empty status. */
  public Status() {
    setEmpty();
  }

  /**
   * Returns the rank that sent the message.
   *
   * @return rank in the communicator of the call; {@code PROC_NULL} after a call with
   *     {@code PROC_NULL}, {@code ANY_SOURCE} in an empty status
   */
  @Standard({"MPI_SOURCE", "MPI_Status_get_source"})
  public int source() {
    return source;
  }

  /**
   * Returns the message's tag.
   *
   * @return the tag; {@code ANY_TAG} in an empty status and after a call with {@code PROC_NULL}
   */
  @Standard({"MPI_TAG", "MPI_Status_get_tag"})
  public int tag() {
    return envelope.tag();
  }

  /**
   * Returns how the operation ended, where a call returned several statuses and threw ERR_IN_STATUS, and in the
   * statuses of {@link Request#getStatus()}, {@code getStatusAll} and {@code getStatusSome}, which throw no error of an
   * operation. Calls that complete one operation throw its error and leave this field of the program's status as it is
   * (MPI-4.1 §3.2.5), as do those that look at one and calls of several that throw nothing. The empty status of a call
   * that had nothing to complete has SUCCESS.
   *
   * @return SUCCESS, or the class of the error with which it failed
   */
  @Standard({"MPI_ERROR", "MPI_Status_get_error"})
  public ErrorClass error() {
    return error;
  }

  /**
   * Returns how many elements were received ({@code MPI_Get_count}, MPI-4.1 §3.2.5).
   *
   * @param type the type that was received with
   * @return number of whole elements, or {@code UNDEFINED} when the last one is not complete
   * @throws MpiException ERR_TYPE when the type is null or freed
   */
  @Standard({"MPI_Get_count", "MPI_Get_count_c"})
  public long getCount(Datatype<?> type) {
    return check(type).count(envelope.bytes());
  }

  /**
   * Returns how many basic elements were received, those of an incomplete last element included
   * ({@code MPI_Get_elements}, MPI-4.1 §5.1.11).
   *
   * @param type the type that was received with
   * @return number of basic elements, or {@code UNDEFINED} when a basic element is not complete
   * @throws MpiException ERR_TYPE when the type is null or freed
   */
  @Standard({"MPI_Get_elements", "MPI_Get_elements_c", "MPI_Get_elements_x"})
  public long getElements(Datatype<?> type) {
    return check(type).elements(envelope.bytes());
  }

  /**
   * Returns {@link #getCount} as an {@code int}, as C's {@code MPI_Get_count} does.
   *
   * @param type the type that was received with
   * @return number of whole elements, or {@code UNDEFINED} when the last one is not complete or the number does not fit
   *     in an {@code int}
   * @throws MpiException ERR_TYPE when the type is null or freed
   */
  @Standard({"MPI_Get_count"})
  public int getCountInt(Datatype<?> type) {
    return fit(getCount(type));
  }

  /**
   * Returns {@link #getElements} as an {@code int}, as C's {@code MPI_Get_elements} does.
   *
   * @param type the type that was received with
   * @return number of basic elements, or {@code UNDEFINED} when a basic element is not complete or the number does not
   *     fit in an {@code int}
   * @throws MpiException ERR_TYPE when the type is null or freed
   */
  @Standard({"MPI_Get_elements"})
  public int getElementsInt(Datatype<?> type) {
    return fit(getElements(type));
  }

  private static int fit(long number) {
    return number == (int) number ? (int) number : Constants.UNDEFINED;
  }

  /**
   * Returns the length of the message.
   *
   * @return bytes of data, gaps not counted
   */
  public long bytes() {
    return envelope.bytes();
  }

  /**
   * Returns whether the operation was cancelled ({@code MPI_Test_cancelled}, MPI-4.1 §3.8.4); nothing else in the
   * status means anything then.
   *
   * @return true when cancelled
   */
  @Standard({"MPI_Test_cancelled"})
  public boolean isCancelled() {
    return envelope.cancelled();
  }

  /**
   * Sets the rank that sent the message ({@code MPI_Status_set_source}, MPI-4.1 §3.2.5), for operations of the
   * program's own.
   *
   * @param rank what {@link #source} is to return
   */
  @Standard({"MPI_Status_set_source"})
  public void setSource(int rank) {
    source = rank;
  }

  /**
   * Sets the tag of the message ({@code MPI_Status_set_tag}, MPI-4.1 §3.2.5), for operations of the program's own.
   *
   * @param tag what {@link #tag} is to return
   */
  @Standard({"MPI_Status_set_tag"})
  public void setTag(int tag) {
    envelope.set(envelope.peer(), tag, bytes(), isCancelled());
  }

  /**
   * Sets the error of the operation ({@code MPI_Status_set_error}, MPI-4.1 §3.2.5), for operations of the program's
   * own.
   *
   * @param result what {@link #error} is to return
   * @throws MpiException ERR_ARG when it is null
   */
  @Standard({"MPI_Status_set_error"})
  public void setError(ErrorClass result) {
    if (result == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "result", null, "SUCCESS and the classes of errors");
    }
    error = result;
  }

  /**
   * Sets the number of received elements ({@code MPI_Status_set_elements}, MPI-4.1 §13.3), for operations of the
   * program's own. Afterwards {@link #getElements} returns {@code elements} for the same type, and {@link #getCount}
   * what fits it: {@code UNDEFINED} when the last element of {@code type} is not complete.
   *
   * @param type the type that was received with
   * @param elements number of basic elements
   * @throws MpiException ERR_TYPE when the type is null or freed, ERR_COUNT when the number is negative or so many
   *     bytes do not fit in 63 bits
   */
  @Standard({"MPI_Status_set_elements", "MPI_Status_set_elements_c", "MPI_Status_set_elements_x"})
  public void setElements(Datatype<?> type, long elements) {
    long bytes = check(type).bytesOf(elements);
    envelope.set(envelope.peer(), tag(), bytes, isCancelled());
  }

  /**
   * Sets whether the operation was cancelled ({@code MPI_Status_set_cancelled}, MPI-4.1 §13.3), for operations of the
   * program's own.
   *
   * @param cancelled what {@link #isCancelled} is to return
   */
  @Standard({"MPI_Status_set_cancelled"})
  public void setCancelled(boolean cancelled) {
    envelope.set(envelope.peer(), tag(), bytes(), cancelled);
  }

  private static Datatype<?> check(Datatype<?> type) {
    if (type == null) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", null, "a datatype");
    }
    if (type.isClosed()) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", type, "types that have not been freed");
    }
    return type;
  }

  /** Returns what an engine fills; {@link #received} has to follow. */
  Envelope envelope() {
    return envelope;
  }

  /** Copies the envelope that the engine has filled in; the error stays unchanged. */
  Status received(Channel channel) {
    source = channel.rankOf(envelope.peer());
    return this;
  }

  /** Makes this the status of a request that knows its own; the error stays as it is. */
  Status set(int rank, int tag, long bytes, boolean cancelled) {
    envelope.set(rank, tag, bytes, cancelled);
    source = rank;
    return this;
  }

  /** Makes this the status of a call that had nothing to do. */
  Status setEmpty() {
    error = ErrorClass.SUCCESS;
    return set(Constants.ANY_SOURCE, Constants.ANY_TAG, 0, false);
  }

  /** Makes this the status of a receive from PROC_NULL; the error stays as it is. */
  Status setNobody() {
    return set(Constants.PROC_NULL, Constants.ANY_TAG, 0, false);
  }

  /**
   * Describes the status.
   *
   * @return source, tag, bytes and what else is unusual
   */
  @Override
  public String toString() {
    return "Status[source=" + source + ", tag=" + tag() + ", bytes=" + bytes()
        + (isCancelled() ? ", cancelled" : "") + (error == ErrorClass.SUCCESS ? "" : ", " + error) + "]";
  }
}
