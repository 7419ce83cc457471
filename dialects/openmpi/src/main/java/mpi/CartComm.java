// SPDX-License-Identifier: Apache-2.0
package mpi;


/** Being written. */
public final class CartComm extends Intracomm {
  CartComm() { }
  @Override public CartComm clone()  { throw new UnsupportedOperationException(); }
  @Override public CartComm dup() throws MPIException { throw new UnsupportedOperationException(); }
  @Override public CartComm iDup() throws MPIException { throw new UnsupportedOperationException(); }
  @Override public CartComm dupWithInfo(Info a0) throws MPIException { throw new UnsupportedOperationException(); }
  public CartParms getTopo() throws MPIException { throw new UnsupportedOperationException(); }
  public int getRank(int[] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public int[] getCoords(int a0) throws MPIException { throw new UnsupportedOperationException(); }
  public ShiftParms shift(int a0, int a1) throws MPIException { throw new UnsupportedOperationException(); }
  public CartComm sub(boolean[] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public int map(int[] a0, boolean[] a1) throws MPIException { throw new UnsupportedOperationException(); }
  public static void createDims(int a0, int[] a1) throws MPIException { throw new UnsupportedOperationException(); }
}
