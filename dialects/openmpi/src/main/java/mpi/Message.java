// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;

/** Being written. */
public final class Message {
  public Message()  { }
  public boolean isNull()  { throw new UnsupportedOperationException(); }
  public boolean isNoProc()  { throw new UnsupportedOperationException(); }
  public Status mProbe(int a0, int a1, Comm a2) throws MPIException { throw new UnsupportedOperationException(); }
  public Status imProbe(int a0, int a1, Comm a2) throws MPIException { throw new UnsupportedOperationException(); }
  public Status mRecv(Object a0, int a1, Datatype a2) throws MPIException { throw new UnsupportedOperationException(); }
  public Request imRecv(Buffer a0, int a1, Datatype a2) throws MPIException { throw new UnsupportedOperationException(); }
}
