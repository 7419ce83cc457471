// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;

/** Being written. */
public class Intracomm extends Comm {
  Intracomm() { }
  @Override public Intracomm clone()  { throw new UnsupportedOperationException(); }
  @Override public Intracomm dup() throws MPIException { throw new UnsupportedOperationException(); }
  @Override public Intracomm iDup() throws MPIException { throw new UnsupportedOperationException(); }
  @Override public Intracomm dupWithInfo(Info a0) throws MPIException { throw new UnsupportedOperationException(); }
  public final Intracomm split(int a0, int a1) throws MPIException { throw new UnsupportedOperationException(); }
  public final Intracomm splitType(int a0, int a1, Info a2) throws MPIException { throw new UnsupportedOperationException(); }
  public final Intracomm create(Group a0) throws MPIException { throw new UnsupportedOperationException(); }
  public final Intracomm createGroup(Group a0, int a1) throws MPIException { throw new UnsupportedOperationException(); }
  public final CartComm createCart(int[] a0, boolean[] a1, boolean a2) throws MPIException { throw new UnsupportedOperationException(); }
  public final GraphComm createGraph(int[] a0, int[] a1, boolean a2) throws MPIException { throw new UnsupportedOperationException(); }
  public final GraphComm createDistGraph(int[] a0, int[] a1, int[] a2, int[] a3, Info a4, boolean a5) throws MPIException { throw new UnsupportedOperationException(); }
  public final GraphComm createDistGraph(int[] a0, int[] a1, int[] a2, Info a3, boolean a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final GraphComm createDistGraphAdjacent(int[] a0, int[] a1, int[] a2, int[] a3, Info a4, boolean a5) throws MPIException { throw new UnsupportedOperationException(); }
  public final GraphComm createDistGraphAdjacent(int[] a0, int[] a1, Info a2, boolean a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final void scan(Object a0, Object a1, int a2, Datatype a3, Op a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final void scan(Object a0, int a1, Datatype a2, Op a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iScan(Buffer a0, Buffer a1, int a2, Datatype a3, Op a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iScan(Buffer a0, int a1, Datatype a2, Op a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final void exScan(Object a0, Object a1, int a2, Datatype a3, Op a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final void exScan(Object a0, int a1, Datatype a2, Op a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iExScan(Buffer a0, Buffer a1, int a2, Datatype a3, Op a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iExScan(Buffer a0, int a1, Datatype a2, Op a3) throws MPIException { throw new UnsupportedOperationException(); }
  public static String openPort() throws MPIException { throw new UnsupportedOperationException(); }
  public static String openPort(Info a0) throws MPIException { throw new UnsupportedOperationException(); }
  public static void closePort(String a0) throws MPIException { throw new UnsupportedOperationException(); }
  public final Intercomm accept(String a0, int a1) throws MPIException { throw new UnsupportedOperationException(); }
  public final Intercomm accept(String a0, Info a1, int a2) throws MPIException { throw new UnsupportedOperationException(); }
  public final Intercomm connect(String a0, int a1) throws MPIException { throw new UnsupportedOperationException(); }
  public final Intercomm connect(String a0, Info a1, int a2) throws MPIException { throw new UnsupportedOperationException(); }
  public static void publishName(String a0, String a1) throws MPIException { throw new UnsupportedOperationException(); }
  public static void publishName(String a0, Info a1, String a2) throws MPIException { throw new UnsupportedOperationException(); }
  public static void unpublishName(String a0, String a1) throws MPIException { throw new UnsupportedOperationException(); }
  public static void unpublishName(String a0, Info a1, String a2) throws MPIException { throw new UnsupportedOperationException(); }
  public static String lookupName(String a0) throws MPIException { throw new UnsupportedOperationException(); }
  public static String lookupName(String a0, Info a1) throws MPIException { throw new UnsupportedOperationException(); }
  public final Intercomm spawn(String a0, String[] a1, int a2, Info a3, int a4, int[] a5) throws MPIException { throw new UnsupportedOperationException(); }
  public final Intercomm spawnMultiple(String[] a0, String[][] a1, int[] a2, Info[] a3, int a4, int[] a5) throws MPIException { throw new UnsupportedOperationException(); }
}
