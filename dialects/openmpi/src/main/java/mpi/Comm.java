// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;

/** Being written. */
public class Comm implements Freeable, Cloneable {
  Comm() { }

  /** Returns ffmpi's communicator. */
  org.ffmpi.Comm comm() { throw new UnsupportedOperationException(); }
  public static final int TYPE_SHARED = 0;
  @Override public Comm clone()  { throw new UnsupportedOperationException(); }
  public Comm dup() throws MPIException { throw new UnsupportedOperationException(); }
  public Comm iDup() throws MPIException { throw new UnsupportedOperationException(); }
  public Comm dupWithInfo(Info a0) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request getRequest()  { throw new UnsupportedOperationException(); }
  public final int getSize() throws MPIException { throw new UnsupportedOperationException(); }
  public final int getRank() throws MPIException { throw new UnsupportedOperationException(); }
  public static int compare(Comm a0, Comm a1) throws MPIException { throw new UnsupportedOperationException(); }
  @Override public final void free() throws MPIException { throw new UnsupportedOperationException(); }
  public final boolean isNull()  { throw new UnsupportedOperationException(); }
  public final void setInfo(Info a0) throws MPIException { throw new UnsupportedOperationException(); }
  public final Info getInfo() throws MPIException { throw new UnsupportedOperationException(); }
  public final void disconnect() throws MPIException { throw new UnsupportedOperationException(); }
  public final Group getGroup() throws MPIException { throw new UnsupportedOperationException(); }
  public final boolean isInter() throws MPIException { throw new UnsupportedOperationException(); }
  public final Intercomm createIntercomm(Comm a0, int a1, int a2, int a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final void send(Object a0, int a1, Datatype a2, int a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Status recv(Object a0, int a1, Datatype a2, int a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Status sendRecv(Object a0, int a1, Datatype a2, int a3, int a4, Object a5, int a6, Datatype a7, int a8, int a9) throws MPIException { throw new UnsupportedOperationException(); }
  public final Status sendRecvReplace(Object a0, int a1, Datatype a2, int a3, int a4, int a5, int a6) throws MPIException { throw new UnsupportedOperationException(); }
  public final void bSend(Object a0, int a1, Datatype a2, int a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final void sSend(Object a0, int a1, Datatype a2, int a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final void rSend(Object a0, int a1, Datatype a2, int a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iSend(Buffer a0, int a1, Datatype a2, int a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request ibSend(Buffer a0, int a1, Datatype a2, int a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request isSend(Buffer a0, int a1, Datatype a2, int a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request irSend(Buffer a0, int a1, Datatype a2, int a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iRecv(Buffer a0, int a1, Datatype a2, int a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Prequest sendInit(Buffer a0, int a1, Datatype a2, int a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Prequest bSendInit(Buffer a0, int a1, Datatype a2, int a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Prequest sSendInit(Buffer a0, int a1, Datatype a2, int a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Prequest rSendInit(Buffer a0, int a1, Datatype a2, int a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Prequest recvInit(Buffer a0, int a1, Datatype a2, int a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final int pack(Object a0, int a1, Datatype a2, byte[] a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final int unpack(byte[] a0, int a1, Object a2, int a3, Datatype a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final int packSize(int a0, Datatype a1) throws MPIException { throw new UnsupportedOperationException(); }
  public final Status iProbe(int a0, int a1) throws MPIException { throw new UnsupportedOperationException(); }
  public final Status probe(int a0, int a1) throws MPIException { throw new UnsupportedOperationException(); }
  public static int createKeyval() throws MPIException { throw new UnsupportedOperationException(); }
  public static void freeKeyval(int a0) throws MPIException { throw new UnsupportedOperationException(); }
  public final void setAttr(int a0, Object a1) throws MPIException { throw new UnsupportedOperationException(); }
  public final Object getAttr(int a0) throws MPIException { throw new UnsupportedOperationException(); }
  public final void deleteAttr(int a0) throws MPIException { throw new UnsupportedOperationException(); }
  public final int getTopology() throws MPIException { throw new UnsupportedOperationException(); }
  public final void abort(int a0) throws MPIException { throw new UnsupportedOperationException(); }
  public final void setErrhandler(Errhandler a0) throws MPIException { throw new UnsupportedOperationException(); }
  public final Errhandler getErrhandler() throws MPIException { throw new UnsupportedOperationException(); }
  public void callErrhandler(int a0) throws MPIException { throw new UnsupportedOperationException(); }
  public final void barrier() throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iBarrier() throws MPIException { throw new UnsupportedOperationException(); }
  public final void bcast(Object a0, int a1, Datatype a2, int a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iBcast(Buffer a0, int a1, Datatype a2, int a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final void gather(Object a0, int a1, Datatype a2, Object a3, int a4, Datatype a5, int a6) throws MPIException { throw new UnsupportedOperationException(); }
  public final void gather(Object a0, int a1, Datatype a2, int a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iGather(Buffer a0, int a1, Datatype a2, Buffer a3, int a4, Datatype a5, int a6) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iGather(Buffer a0, int a1, Datatype a2, int a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final void gatherv(Object a0, int a1, Datatype a2, Object a3, int[] a4, int[] a5, Datatype a6, int a7) throws MPIException { throw new UnsupportedOperationException(); }
  public final void gatherv(Object a0, int[] a1, int[] a2, Datatype a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final void gatherv(Object a0, int a1, Datatype a2, int a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iGatherv(Buffer a0, int a1, Datatype a2, Buffer a3, int[] a4, int[] a5, Datatype a6, int a7) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iGatherv(Buffer a0, int[] a1, int[] a2, Datatype a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iGatherv(Buffer a0, int a1, Datatype a2, int a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final void scatter(Object a0, int a1, Datatype a2, Object a3, int a4, Datatype a5, int a6) throws MPIException { throw new UnsupportedOperationException(); }
  public final void scatter(Object a0, int a1, Datatype a2, int a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iScatter(Buffer a0, int a1, Datatype a2, Buffer a3, int a4, Datatype a5, int a6) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iScatter(Buffer a0, int a1, Datatype a2, int a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final void scatterv(Object a0, int[] a1, int[] a2, Datatype a3, Object a4, int a5, Datatype a6, int a7) throws MPIException { throw new UnsupportedOperationException(); }
  public final void scatterv(Object a0, int[] a1, int[] a2, Datatype a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final void scatterv(Object a0, int a1, Datatype a2, int a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iScatterv(Buffer a0, int[] a1, int[] a2, Datatype a3, Buffer a4, int a5, Datatype a6, int a7) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iScatterv(Buffer a0, int[] a1, int[] a2, Datatype a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iScatterv(Buffer a0, int a1, Datatype a2, int a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final void allGather(Object a0, int a1, Datatype a2, Object a3, int a4, Datatype a5) throws MPIException { throw new UnsupportedOperationException(); }
  public final void allGather(Object a0, int a1, Datatype a2) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iAllGather(Buffer a0, int a1, Datatype a2, Buffer a3, int a4, Datatype a5) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iAllGather(Buffer a0, int a1, Datatype a2) throws MPIException { throw new UnsupportedOperationException(); }
  public final void allGatherv(Object a0, int a1, Datatype a2, Object a3, int[] a4, int[] a5, Datatype a6) throws MPIException { throw new UnsupportedOperationException(); }
  public final void allGatherv(Object a0, int[] a1, int[] a2, Datatype a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iAllGatherv(Buffer a0, int a1, Datatype a2, Buffer a3, int[] a4, int[] a5, Datatype a6) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iAllGatherv(Buffer a0, int[] a1, int[] a2, Datatype a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final void allToAll(Object a0, int a1, Datatype a2, Object a3, int a4, Datatype a5) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iAllToAll(Buffer a0, int a1, Datatype a2, Buffer a3, int a4, Datatype a5) throws MPIException { throw new UnsupportedOperationException(); }
  public final void allToAllv(Object a0, int[] a1, int[] a2, Datatype a3, Object a4, int[] a5, int[] a6, Datatype a7) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iAllToAllv(Buffer a0, int[] a1, int[] a2, Datatype a3, Buffer a4, int[] a5, int[] a6, Datatype a7) throws MPIException { throw new UnsupportedOperationException(); }
  public final void allToAllw(Buffer a0, int[] a1, int[] a2, Datatype[] a3, Buffer a4, int[] a5, int[] a6, Datatype[] a7) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iAllToAllw(Buffer a0, int[] a1, int[] a2, Datatype[] a3, Buffer a4, int[] a5, int[] a6, Datatype[] a7) throws MPIException { throw new UnsupportedOperationException(); }
  public final void neighborAllGather(Object a0, int a1, Datatype a2, Object a3, int a4, Datatype a5) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iNeighborAllGather(Buffer a0, int a1, Datatype a2, Buffer a3, int a4, Datatype a5) throws MPIException { throw new UnsupportedOperationException(); }
  public final void neighborAllGatherv(Object a0, int a1, Datatype a2, Object a3, int[] a4, int[] a5, Datatype a6) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iNeighborAllGatherv(Buffer a0, int a1, Datatype a2, Buffer a3, int[] a4, int[] a5, Datatype a6) throws MPIException { throw new UnsupportedOperationException(); }
  public final void neighborAllToAll(Object a0, int a1, Datatype a2, Object a3, int a4, Datatype a5) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iNeighborAllToAll(Buffer a0, int a1, Datatype a2, Buffer a3, int a4, Datatype a5) throws MPIException { throw new UnsupportedOperationException(); }
  public final void neighborAllToAllv(Object a0, int[] a1, int[] a2, Datatype a3, Object a4, int[] a5, int[] a6, Datatype a7) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iNeighborAllToAllv(Buffer a0, int[] a1, int[] a2, Datatype a3, Buffer a4, int[] a5, int[] a6, Datatype a7) throws MPIException { throw new UnsupportedOperationException(); }
  public final void reduce(Object a0, Object a1, int a2, Datatype a3, Op a4, int a5) throws MPIException { throw new UnsupportedOperationException(); }
  public final void reduce(Object a0, int a1, Datatype a2, Op a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iReduce(Buffer a0, Buffer a1, int a2, Datatype a3, Op a4, int a5) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iReduce(Buffer a0, int a1, Datatype a2, Op a3, int a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final void allReduce(Object a0, Object a1, int a2, Datatype a3, Op a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final void allReduce(Object a0, int a1, Datatype a2, Op a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iAllReduce(Buffer a0, Buffer a1, int a2, Datatype a3, Op a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iAllReduce(Buffer a0, int a1, Datatype a2, Op a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final void reduceScatter(Object a0, Object a1, int[] a2, Datatype a3, Op a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final void reduceScatter(Object a0, int[] a1, Datatype a2, Op a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iReduceScatter(Buffer a0, Buffer a1, int[] a2, Datatype a3, Op a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iReduceScatter(Buffer a0, int[] a1, Datatype a2, Op a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final void reduceScatterBlock(Object a0, Object a1, int a2, Datatype a3, Op a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final void reduceScatterBlock(Object a0, int a1, Datatype a2, Op a3) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iReduceScatterBlock(Buffer a0, Buffer a1, int a2, Datatype a3, Op a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final Request iReduceScatterBlock(Buffer a0, int a1, Datatype a2, Op a3) throws MPIException { throw new UnsupportedOperationException(); }
  public static void reduceLocal(Object a0, Object a1, int a2, Datatype a3, Op a4) throws MPIException { throw new UnsupportedOperationException(); }
  public final void setName(String a0) throws MPIException { throw new UnsupportedOperationException(); }
  public final String getName() throws MPIException { throw new UnsupportedOperationException(); }
}
