// SPDX-License-Identifier: Apache-2.0
package mpi;


/** Being written. */
public final class Status {
  /** Takes over what ffmpi's status says. */
  Status(org.ffmpi.Status status) { }
  public int getCount(Datatype a0) throws MPIException { throw new UnsupportedOperationException(); }
  public boolean isCancelled() throws MPIException { throw new UnsupportedOperationException(); }
  public int getElements(Datatype a0) throws MPIException { throw new UnsupportedOperationException(); }
  public Count getElementsX(Datatype a0) throws MPIException { throw new UnsupportedOperationException(); }
  public void setElements(Datatype a0, int a1) throws MPIException { throw new UnsupportedOperationException(); }
  public void setElementsX(Datatype a0, Count a1) throws MPIException { throw new UnsupportedOperationException(); }
  public void setCancelled(boolean a0) throws MPIException { throw new UnsupportedOperationException(); }
  public int getSource()  { throw new UnsupportedOperationException(); }
  public int getTag()  { throw new UnsupportedOperationException(); }
  public int getError()  { throw new UnsupportedOperationException(); }
  public int getIndex()  { throw new UnsupportedOperationException(); }
}
