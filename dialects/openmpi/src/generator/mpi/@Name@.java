// SPDX-License-Identifier: Apache-2.0
//for-each Name Type type A kind mpi index
//| DoubleInt  Double  double  A double  DOUBLE_INT  DOUBLE_INT  8
//| FloatInt   Float   float   A float   FLOAT_INT   FLOAT_INT   4
//| LongInt    Long    long    A long    LONG_INT    LONG_INT    8
//| ShortInt   Short   short   A short   SHORT_INT   SHORT_INT   4
//| Int2       Int     int     An int    INT2        2INT        4
package mpi;

/** @A@ and an index, as {@link MPI#MINLOC} and {@link MPI#MAXLOC} take them ({@code MPI_@mpi@}). */
public final class @Name@ extends Struct {
  private final int value;
  private final int index;

  @Name@() {
    value = add@Type@();
    index = setOffset(@index@).addInt();
  }

  @Override
  Datatype predefined() {
    return MPI.@kind@;
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
    public @type@ getValue() {
      return get@Type@(value);
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
    public void putValue(@type@ v) {
      put@Type@(value, v);
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
