// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A double and an index, as {@link MPI#MINLOC} and {@link MPI#MAXLOC} take them ({@code MPI_DOUBLE_INT}). */
public final class DoubleInt extends Struct {
  private final int value;
  private final int index;

  DoubleInt() {
    value = addDouble();
    index = setOffset(8).addInt();
  }

  @Override
  Datatype predefined() {
    return MPI.DOUBLE_INT;
  }

  @Override
  protected Data newData() {
    return new Data();
  }

  /** A view of one pair in memory. */
  public final class Data extends Struct.Data {
    /** Creates a view; programs get it from {@code getData}. */
    public Data() {}

    /**
     * Returns the value.
     *
     * @return the value
     */
    public double getValue() {
      return getDouble(value);
    }

    /**
     * Returns the index.
     *
     * @return the index
     */
    public int getIndex() {
      return getInt(index);
    }

    /**
     * Sets the value.
     *
     * @param v the value
     */
    public void putValue(double v) {
      putDouble(value, v);
    }

    /**
     * Sets the index.
     *
     * @param v the index
     */
    public void putIndex(int v) {
      putInt(index, v);
    }
  }
}
