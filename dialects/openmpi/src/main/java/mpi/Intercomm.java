// SPDX-License-Identifier: Apache-2.0
package mpi;


/** Being written. */
public final class Intercomm extends Comm {
  Intercomm() { }
  @Override public Intercomm clone()  { throw new UnsupportedOperationException(); }
  @Override public Intercomm dup() throws MPIException { throw new UnsupportedOperationException(); }
  @Override public Intercomm iDup() throws MPIException { throw new UnsupportedOperationException(); }
  @Override public Intercomm dupWithInfo(Info a0) throws MPIException { throw new UnsupportedOperationException(); }
  public int getRemoteSize() throws MPIException { throw new UnsupportedOperationException(); }
  public Group getRemoteGroup() throws MPIException { throw new UnsupportedOperationException(); }
  public Intracomm merge(boolean a0) throws MPIException { throw new UnsupportedOperationException(); }
  public static Intercomm getParent() throws MPIException { throw new UnsupportedOperationException(); }
}
