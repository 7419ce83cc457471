// SPDX-License-Identifier: Apache-2.0
package mpi;


/** Being written. */
public class Request implements Freeable {
  /** Creates the request of a call that has begun; null is MPI_REQUEST_NULL. */
  Request(org.ffmpi.Request request) { }
  @Override public void free() throws MPIException { throw new UnsupportedOperationException(); }
  public final void cancel() throws MPIException { throw new UnsupportedOperationException(); }
  public final boolean isNull()  { throw new UnsupportedOperationException(); }
  public final Status waitStatus() throws MPIException { throw new UnsupportedOperationException(); }
  public final void waitFor() throws MPIException { throw new UnsupportedOperationException(); }
  public final Status testStatus() throws MPIException { throw new UnsupportedOperationException(); }
  public final Status getStatus() throws MPIException { throw new UnsupportedOperationException(); }
  public final boolean test() throws MPIException { throw new UnsupportedOperationException(); }
  public static Status waitAnyStatus(Request[] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public static int waitAny(Request[] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public static Status testAnyStatus(Request[] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public static int testAny(Request[] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public static Status[] waitAllStatus(Request[] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public static void waitAll(Request[] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public static Status[] testAllStatus(Request[] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public static boolean testAll(Request[] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public static Status[] waitSomeStatus(Request[] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public static int[] waitSome(Request[] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public static Status[] testSomeStatus(Request[] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public static int[] testSome(Request[] a0) throws MPIException { throw new UnsupportedOperationException(); }
}
