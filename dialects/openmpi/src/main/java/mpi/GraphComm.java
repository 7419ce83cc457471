// SPDX-License-Identifier: Apache-2.0
package mpi;


/** Being written. */
public final class GraphComm extends Intracomm {
  GraphComm() { }
  @Override public GraphComm clone()  { throw new UnsupportedOperationException(); }
  @Override public GraphComm dup() throws MPIException { throw new UnsupportedOperationException(); }
  @Override public GraphComm iDup() throws MPIException { throw new UnsupportedOperationException(); }
  @Override public GraphComm dupWithInfo(Info a0) throws MPIException { throw new UnsupportedOperationException(); }
  public GraphParms getDims() throws MPIException { throw new UnsupportedOperationException(); }
  public int[] getNeighbors(int a0) throws MPIException { throw new UnsupportedOperationException(); }
  public DistGraphNeighbors getDistGraphNeighbors() throws MPIException { throw new UnsupportedOperationException(); }
  public int map(int[] a0, int[] a1) throws MPIException { throw new UnsupportedOperationException(); }
}
