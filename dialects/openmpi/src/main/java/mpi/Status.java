// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** The status of a message that was received or probed, or of a completed request ({@code MPI_Status}). */
public final class Status {
  private final int source;
  private final int tag;
  private final int error;
  private final int index;
  private long bytes;
  private boolean cancelled;

  /** Copies a status of ffmpi. */
  Status(org.ffmpi.Status status) {
    this(status, 0);
  }

  /**
   * Copies a status of ffmpi.
   *
   * @param index index of the request in its array
   */
  Status(org.ffmpi.Status status, int index) {
    this.source = status.source();
    this.tag = status.tag();
    this.error = ErrorNumbers.of(status.error());
    this.bytes = status.bytes();
    this.cancelled = status.isCancelled();
    this.index = index;
  }

  private static org.ffmpi.datatype.Datatype<Object> open(Datatype type) {
    return Errors.present(ErrorClass.ERR_TYPE, "datatype", Datatype.typeOf(type));
  }

  private static int fit(long number) {
    return number == (int) number ? (int) number : Constants.UNDEFINED;
  }

  /**
   * Returns how many elements the message has ({@code MPI_Get_count}).
   *
   * @param datatype type of the elements
   * @return a number, or {@code MPI.UNDEFINED} when the last one is not whole
   */
  public int getCount(Datatype datatype) throws MPIException {
    try {
      return fit(open(datatype).count(bytes));
    } catch (MpiException e) {
      throw Errors.raise(e);
    }
  }

  /**
   * Returns whether the operation was cancelled ({@code MPI_Test_cancelled}).
   *
   * @return true when no message was moved
   */
  public boolean isCancelled() throws MPIException {
    return cancelled;
  }

  /**
   * Returns how many basic elements the message has ({@code MPI_Get_elements}).
   *
   * @param datatype type of the elements that these are part of
   * @return a number, or {@code MPI.UNDEFINED} when the last one is not whole
   */
  public int getElements(Datatype datatype) throws MPIException {
    return fit(elements(datatype));
  }

  /**
   * Returns how many basic elements the message has ({@code MPI_Get_elements_x}).
   *
   * @param datatype type of the elements that these are part of
   * @return a number, or {@code MPI.UNDEFINED} when the last one is not whole
   */
  public Count getElementsX(Datatype datatype) throws MPIException {
    return new Count(elements(datatype));
  }

  private long elements(Datatype datatype) {
    return Errors.call(() -> open(datatype).elements(bytes));
  }

  /**
   * Sets how many basic elements the message has ({@code MPI_Status_set_elements}).
   *
   * @param datatype type of the elements that these are part of
   * @param count a number
   */
  public void setElements(Datatype datatype, int count) throws MPIException {
    setElements(datatype, (long) count);
  }

  /**
   * Sets how many basic elements the message has ({@code MPI_Status_set_elements_x}).
   *
   * @param datatype type of the elements that these are part of
   * @param count a number
   */
  public void setElementsX(Datatype datatype, Count count) throws MPIException {
    setElements(datatype, count.getCount());
  }

  private void setElements(Datatype datatype, long count) {
    Errors.run(() -> bytes = open(datatype).bytesOf(count));
  }

  /**
   * Sets whether the operation was cancelled ({@code MPI_Status_set_cancelled}).
   *
   * @param flag true when it was
   */
  public void setCancelled(boolean flag) throws MPIException {
    cancelled = flag;
  }

  /**
   * Returns the rank of the sender ({@code MPI_SOURCE}).
   *
   * @return a rank
   */
  public int getSource() {
    return source;
  }

  /**
   * Returns the message's tag ({@code MPI_TAG}).
   *
   * @return a tag
   */
  public int getTag() {
    return tag;
  }

  /**
   * Returns the error of the operation ({@code MPI_ERROR}).
   *
   * @return {@code MPI.SUCCESS} or the class of an error
   */
  public int getError() {
    return error;
  }

  /**
   * Returns the index of the request in its array.
   *
   * @return its index, or {@code MPI.UNDEFINED} when none was active
   */
  public int getIndex() {
    return index;
  }
}
