// SPDX-License-Identifier: Apache-2.0
package mpi;


/** Being written. */
public final class Prequest extends Request {
  Prequest(org.ffmpi.Persistent request) { super(request); }
  public void start() throws MPIException { throw new UnsupportedOperationException(); }
  public static void startAll(Prequest[] a0) throws MPIException { throw new UnsupportedOperationException(); }
}
