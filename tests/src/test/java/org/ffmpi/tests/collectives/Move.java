// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;

/** A call that moves data: which block goes to which peer says everything. */
final class Move extends Trial {
  private static final IntUnaryOperator NONE = peer -> -1;
  private static final IntUnaryOperator FIRST = peer -> 0;
  private static final IntUnaryOperator OF_EACH = peer -> peer;

  private final Place place;
  private final Mpi mpi;
  private final int peers;
  private final int me;
  /** Which block is sent to a peer, and which one is for what a peer sends; negative for none. */
  private IntUnaryOperator sends = NONE;
  private IntUnaryOperator receives = NONE;

  Move(Plan plan, Mpi mpi, RandomGenerator own) {
    super(plan, own);
    this.mpi = mpi;
    this.place = plan.place();
    this.peers = place.peers();
    this.me = place.rank();
    Comm comm = place.comm();
    switch (plan.kind()) {
      case BARRIER -> calls = new Calls(comm::barrier, comm::ibarrier, () -> comm.barrierInit(null));
      case BCAST -> bcast(comm);
      case GATHER -> gather(comm);
      case GATHERV -> gatherv(comm);
      case SCATTER -> scatter(comm);
      case SCATTERV -> scatterv(comm);
      case ALLGATHER -> allgather(comm);
      case ALLGATHERV -> allgatherv(comm);
      case ALLTOALL -> alltoall(comm);
      case ALLTOALLV -> alltoallv(comm);
      default -> alltoallw(comm);
    }
  }

  @Override
  void ask() {
    Side from = send != null ? send : recv;
    byte[][] toEach = new byte[peers][];
    for (int peer = 0; peer < peers; peer++) {
      int block = sends.applyAsInt(peer);
      toEach[peer] = block < 0 ? new byte[0] : from.block(block);
    }
    byte[][] fromEach = place.exchange(toEach);
    for (int peer = 0; peer < peers; peer++) {
      int block = receives.applyAsInt(peer);
      if (block >= 0) {
        recv.expect(block, fromEach[peer]);
      }
    }
  }

  private Side uniform(int blocks, int each) {
    return Side.uniform(mpi, own, plan.layouts(), blocks, each);
  }

  private Side scattered(IntUnaryOperator length) {
    return Side.scattered(mpi, own, plan.layouts(), IntStream.range(0, peers).map(length).toArray());
  }

  private Side typed(IntUnaryOperator length) {
    return Side.typed(mpi, own, plan.layouts(), IntStream.range(0, peers).map(length).toArray());
  }

  private static Buf<Object> buf(Side side) {
    return side == null ? null : side.buf();
  }

  private static long[] counts(Side side) {
    return side == null ? null : side.counts;
  }

  private static long[] displs(Side side) {
    return side == null ? null : side.displs;
  }

  /** The send buffer as the call wants it: a marker in place. */
  private Buf<Object> sent() {
    return send == null && plan.inPlace() ? Buf.inPlace() : buf(send);
  }

  private boolean fromLow() {
    return place.isLow();
  }

  private boolean toLow() {
    return place.isBetweenGroups() ? !place.isLow() : place.isLow();
  }

  private int root() {
    return plan.root();
  }

  private void bcast(Comm comm) {
    int each = plan.uniform(plan.rootInLow());
    if (plan.isRoot()) {
      send = uniform(1, each);
      sends = FIRST;
    } else if (plan.takesPart()) {
      recv = uniform(1, each);
      receives = peer -> peer == root() ? 0 : -1;
    }
    Buf<Object> buf = buf(send != null ? send : recv);
    calls = new Calls(() -> comm.bcast(buf, root()), () -> comm.ibcast(buf, root()),
        () -> comm.bcastInit(buf, root(), null));
  }

  /** Whether the root's own block stays where it is. */
  private boolean isRootInPlace() {
    return plan.isRoot() && plan.inPlace();
  }

  /** The blocks of a call with all data at the root, where this rank's part of them is a single block. */
  private boolean isOneBlock() {
    return plan.takesPart() && !isRootInPlace() && !(place.isBetweenGroups() && plan.isRoot());
  }

  private void gatherBlocks() {
    if (isOneBlock() || isRootInPlace()) {
      int block = isRootInPlace() ? me : 0;
      sends = peer -> peer == plan.rooted() ? block : -1;
    }
    if (plan.isRoot()) {
      receives = OF_EACH;
    }
  }

  private void gather(Comm comm) {
    int each = plan.uniform(!plan.rootInLow());
    send = isOneBlock() ? uniform(1, each) : null;
    recv = plan.isRoot() ? uniform(peers, each) : null;
    gatherBlocks();
    Buf<Object> out = isRootInPlace() ? Buf.inPlace() : buf(send);
    Buf<Object> in = buf(recv);
    if (plan.inPlace() && own.nextBoolean()) {
      Buf<Object> buf = plan.isRoot() ? in : out;
      calls = new Calls(() -> comm.gather(buf, root()), () -> comm.igather(buf, root()),
          () -> comm.gatherInit(buf, root(), null));
    } else {
      calls = new Calls(() -> comm.gather(out, in, root()), () -> comm.igather(out, in, root()),
          () -> comm.gatherInit(out, in, root(), null));
    }
  }

  private void gatherv(Comm comm) {
    boolean low = fromLow();
    send = isOneBlock() ? uniform(1, plan.each(low, me)) : null;
    recv = plan.isRoot() ? scattered(peer -> plan.each(toLow(), peer)) : null;
    gatherBlocks();
    Buf<Object> out = isRootInPlace() ? Buf.inPlace() : buf(send);
    Buf<Object> in = buf(recv);
    long[] counts = counts(recv);
    long[] displs = displs(recv);
    calls = new Calls(() -> comm.gatherv(out, in, counts, displs, root()),
        () -> comm.igatherv(out, in, counts, displs, root()),
        () -> comm.gathervInit(out, in, counts, displs, root(), null));
  }

  private void scatterBlocks() {
    if (plan.isRoot()) {
      sends = OF_EACH;
    }
    if (isOneBlock()) {
      receives = peer -> peer == plan.rooted() ? 0 : -1;
    }
  }

  private void scatter(Comm comm) {
    int each = plan.uniform(plan.rootInLow());
    send = plan.isRoot() ? uniform(peers, each) : null;
    recv = isOneBlock() ? uniform(1, each) : null;
    scatterBlocks();
    Buf<Object> out = buf(send);
    Buf<Object> in = isRootInPlace() ? Buf.inPlace() : buf(recv);
    if (plan.inPlace() && own.nextBoolean()) {
      Buf<Object> buf = plan.isRoot() ? out : in;
      calls = new Calls(() -> comm.scatter(buf, root()), () -> comm.iscatter(buf, root()),
          () -> comm.scatterInit(buf, root(), null));
    } else {
      calls = new Calls(() -> comm.scatter(out, in, root()), () -> comm.iscatter(out, in, root()),
          () -> comm.scatterInit(out, in, root(), null));
    }
  }

  private void scatterv(Comm comm) {
    send = plan.isRoot() ? scattered(peer -> plan.each(toLow(), peer)) : null;
    recv = isOneBlock() ? uniform(1, plan.each(place.isLow(), me)) : null;
    scatterBlocks();
    Buf<Object> out = buf(send);
    Buf<Object> in = isRootInPlace() ? Buf.inPlace() : buf(recv);
    long[] counts = counts(send);
    long[] displs = displs(send);
    calls = new Calls(() -> comm.scatterv(out, counts, displs, in, root()),
        () -> comm.iscatterv(out, counts, displs, in, root()),
        () -> comm.scattervInit(out, counts, displs, in, root(), null));
  }

  private void allgather(Comm comm) {
    send = plan.inPlace() ? null : uniform(1, plan.uniform(fromLow()));
    recv = uniform(peers, plan.uniform(toLow()));
    sends = plan.inPlace() ? peer -> me : FIRST;
    receives = OF_EACH;
    Buf<Object> out = sent();
    Buf<Object> in = recv.buf();
    calls = plan.inPlace() && own.nextBoolean()
        ? new Calls(() -> comm.allgather(in), () -> comm.iallgather(in), () -> comm.allgatherInit(in, null))
        : new Calls(() -> comm.allgather(out, in), () -> comm.iallgather(out, in),
        () -> comm.allgatherInit(out, in, null));
  }

  private void allgatherv(Comm comm) {
    send = plan.inPlace() ? null : uniform(1, plan.each(fromLow(), me));
    recv = scattered(peer -> plan.each(toLow(), peer));
    sends = plan.inPlace() ? peer -> me : FIRST;
    receives = OF_EACH;
    Buf<Object> out = sent();
    Buf<Object> in = recv.buf();
    calls = new Calls(() -> comm.allgatherv(out, in, recv.counts, recv.displs),
        () -> comm.iallgatherv(out, in, recv.counts, recv.displs),
        () -> comm.allgathervInit(out, in, recv.counts, recv.displs, null));
  }

  private void alltoall(Comm comm) {
    send = plan.inPlace() ? null : uniform(peers, plan.uniform(fromLow()));
    recv = uniform(peers, plan.uniform(toLow()));
    sends = OF_EACH;
    receives = OF_EACH;
    Buf<Object> out = sent();
    Buf<Object> in = recv.buf();
    calls = plan.inPlace() && own.nextBoolean()
        ? new Calls(() -> comm.alltoall(in), () -> comm.ialltoall(in), () -> comm.alltoallInit(in, null))
        : new Calls(() -> comm.alltoall(out, in), () -> comm.ialltoall(out, in),
        () -> comm.alltoallInit(out, in, null));
  }

  private void alltoallv(Comm comm) {
    send = plan.inPlace() ? null : scattered(peer -> plan.pair(fromLow(), me, peer));
    recv = scattered(peer -> plan.pair(toLow(), peer, me));
    sends = OF_EACH;
    receives = OF_EACH;
    Buf<Object> out = sent();
    Buf<Object> in = recv.buf();
    long[] counts = recv.counts;
    long[] displs = recv.displs;
    calls = plan.inPlace() && own.nextBoolean()
        ? new Calls(() -> comm.alltoallv(in, counts, displs), () -> comm.ialltoallv(in, counts, displs),
            () -> comm.alltoallvInit(in, counts, displs, null))
        : new Calls(() -> comm.alltoallv(out, counts(send), displs(send), in, counts, displs),
            () -> comm.ialltoallv(out, counts(send), displs(send), in, counts, displs),
            () -> comm.alltoallvInit(out, counts(send), displs(send), in, counts, displs, null));
  }

  private void alltoallw(Comm comm) {
    send = plan.inPlace() ? null : typed(peer -> plan.pair(fromLow(), me, peer));
    recv = typed(peer -> plan.pair(toLow(), peer, me));
    sends = OF_EACH;
    receives = OF_EACH;
    Buf<Object> in = recv.buf();
    long[] counts = recv.counts;
    long[] displs = recv.displs;
    if (!plan.inPlace() && own.nextBoolean()) {
      Buf<?>[] out = send.blocks();
      Buf<?>[] into = recv.blocks();
      calls = new Calls(() -> comm.alltoallw(out, into), () -> comm.ialltoallw(out, into),
          () -> comm.alltoallwInit(out, into, null));
      return;
    }
    calls = plan.inPlace()
        ? new Calls(() -> comm.alltoallw(in, counts, displs, recv.types()),
            () -> comm.ialltoallw(in, counts, displs, recv.types()),
            () -> comm.alltoallwInit(in, counts, displs, recv.types(), null))
        : new Calls(
            () -> comm.alltoallw(
                send.buf(), send.counts, send.displs, send.types(), in, counts, displs, recv.types()),
            () -> comm.ialltoallw(
                send.buf(), send.counts, send.displs, send.types(), in, counts, displs, recv.types()),
            () -> comm.alltoallwInit(
                send.buf(), send.counts, send.displs, send.types(), in, counts, displs, recv.types(), null));
  }
}
