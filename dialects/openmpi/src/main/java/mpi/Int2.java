// SPDX-License-Identifier: Apache-2.0
package mpi;

/** An int and an index, as {@link MPI#MINLOC} and {@link MPI#MAXLOC} take them ({@code MPI_2INT}). */
public final class Int2 extends Struct {
  private final int value;
  private final int index;

  Int2() {
    value = addInt();
    index = setOffset(4).addInt();
  }

  @Override
  Datatype predefined() {
    return MPI.INT2;
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
    public int getValue() {
      return getInt(value);
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
    public void putValue(int v) {
      putInt(value, v);
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
