// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A short and an index, as {@link MPI#MINLOC} and {@link MPI#MAXLOC} take them ({@code MPI_SHORT_INT}). */
public final class ShortInt extends Struct {
  private final int value;
  private final int index;

  ShortInt() {
    value = addShort();
    index = setOffset(4).addInt();
  }

  @Override
  Datatype predefined() {
    return MPI.SHORT_INT;
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
    public short getValue() {
      return getShort(value);
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
    public void putValue(short v) {
      putShort(value, v);
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
