// SPDX-License-Identifier: Apache-2.0
package mpi;


/** Being written. */
public final class Info implements Freeable, Cloneable {
  /** Wraps an info; null is MPI_INFO_NULL. */
  Info(org.ffmpi.Info info) { }

  /** Returns ffmpi's info, null for MPI_INFO_NULL. */
  org.ffmpi.Info info() { throw new UnsupportedOperationException(); }
  public Info() throws MPIException { }
  public void set(String a0, String a1) throws MPIException { throw new UnsupportedOperationException(); }
  public String get(String a0) throws MPIException { throw new UnsupportedOperationException(); }
  public void delete(String a0) throws MPIException { throw new UnsupportedOperationException(); }
  public int size() throws MPIException { throw new UnsupportedOperationException(); }
  public String getKey(int a0) throws MPIException { throw new UnsupportedOperationException(); }
  @Override public Info clone()  { throw new UnsupportedOperationException(); }
  public Info dup() throws MPIException { throw new UnsupportedOperationException(); }
  @Override public void free() throws MPIException { throw new UnsupportedOperationException(); }
  public boolean isNull()  { throw new UnsupportedOperationException(); }
}
