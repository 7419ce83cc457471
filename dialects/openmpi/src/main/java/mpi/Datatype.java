// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.dialect.BaseKind;

/** A datatype ({@code MPI_Datatype}). */
public final class Datatype implements Freeable, Cloneable {
  private org.ffmpi.datatype.Datatype<?> type;
  private final BaseKind kind;

  /**
   * Wraps a type of ffmpi.
   *
   * @param type the type; null for {@code MPI_DATATYPE_NULL}
   * @param kind in what sizes and displacements count
   */
  Datatype(org.ffmpi.datatype.Datatype<?> type, BaseKind kind) {
    this.type = type;
    this.kind = kind;
  }

  /** Returns ffmpi's type; null for {@code MPI_DATATYPE_NULL} and once freed. */
  org.ffmpi.datatype.Datatype<?> type() {
    return type;
  }

  /** Returns in what sizes and displacements count. */
  BaseKind kind() {
    return kind;
  }

  public int getLb() throws MPIException { throw new UnsupportedOperationException(); }
  public int getExtent() throws MPIException { throw new UnsupportedOperationException(); }
  public int getTrueLb() throws MPIException { throw new UnsupportedOperationException(); }
  public int getTrueExtent() throws MPIException { throw new UnsupportedOperationException(); }
  public int getSize() throws MPIException { throw new UnsupportedOperationException(); }
  public void commit() throws MPIException { throw new UnsupportedOperationException(); }
  @Override public void free() throws MPIException { throw new UnsupportedOperationException(); }
  public boolean isNull()  { throw new UnsupportedOperationException(); }
  @Override public Datatype clone()  { throw new UnsupportedOperationException(); }
  public Datatype dup() throws MPIException { throw new UnsupportedOperationException(); }
  public static Datatype createContiguous(int a0, Datatype a1) throws MPIException { throw new UnsupportedOperationException(); }
  public static Datatype createVector(int a0, int a1, int a2, Datatype a3) throws MPIException { throw new UnsupportedOperationException(); }
  public static Datatype createHVector(int a0, int a1, int a2, Datatype a3) throws MPIException { throw new UnsupportedOperationException(); }
  public static Datatype createIndexed(int[] a0, int[] a1, Datatype a2) throws MPIException { throw new UnsupportedOperationException(); }
  public static Datatype createHIndexed(int[] a0, int[] a1, Datatype a2) throws MPIException { throw new UnsupportedOperationException(); }
  public static Datatype createStruct(int[] a0, int[] a1, Datatype[] a2) throws MPIException { throw new UnsupportedOperationException(); }
  public static Datatype createResized(Datatype a0, int a1, int a2) throws MPIException { throw new UnsupportedOperationException(); }
  public void setName(String a0) throws MPIException { throw new UnsupportedOperationException(); }
  public String getName() throws MPIException { throw new UnsupportedOperationException(); }
  public static int createKeyval() throws MPIException { throw new UnsupportedOperationException(); }
  public static void freeKeyval(int a0) throws MPIException { throw new UnsupportedOperationException(); }
  public void setAttr(int a0, Object a1) throws MPIException { throw new UnsupportedOperationException(); }
  public Object getAttr(int a0) throws MPIException { throw new UnsupportedOperationException(); }
  public void deleteAttr(int a0) throws MPIException { throw new UnsupportedOperationException(); }
}
