// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A count that may be larger than an int ({@code MPI_Count}). */
public final class Count implements Comparable<Object> {
  private long count;

  /**
   * Creates a count.
   *
   * @param count its value
   */
  public Count(long count) {
    this.count = count;
  }

  /**
   * Returns the value.
   *
   * @return a number
   */
  public long getCount() {
    return count;
  }

  /**
   * Changes the value.
   *
   * @param count a number
   */
  public void setCount(long count) {
    this.count = count;
  }

  @Override
  public boolean equals(Object object) {
    return object instanceof Count other && other.count == count;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(count);
  }

  @Override
  public int compareTo(Object object) {
    return Long.compare(count, ((Count) object).count);
  }
}
