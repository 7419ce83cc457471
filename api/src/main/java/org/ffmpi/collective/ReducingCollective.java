// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.Buf;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.CollectiveCall;

/** A collective call that combines elements. */
public final class ReducingCollective extends CollectiveArguments {
  private final Op<?> op;

  /** Number of elements of each rank's part of the result, for MPI_Reduce_scatter. */
  private final long[] counts;

  private ReducingCollective(
      CollectiveMethod method, Buf<?> send, Buf<?> recv, Op<?> op, int root, long[] counts) {
    super(method, send, recv, root);
    this.op = op;
    this.counts = counts;
  }

  ReducingCollective(CollectiveMethod method, Buf<?> send, Buf<?> recv, Op<?> op) {
    super(method, send, recv, 0);
    this.op = op;
    this.counts = null;
  }

  /** Combines the elements of all ranks at all ranks. */
  public static ReducingCollective allreduce(Buf<?> send, Buf<?> recv, Op<?> op) {
    return new ReducingCollective(CollectiveMethod.ALLREDUCE, send, recv, op);
  }

  static ReducingCollective reduce(Buf<?> send, Buf<?> recv, Op<?> op, int root) {
    return new ReducingCollective(CollectiveMethod.REDUCE, send, recv, op, root, null);
  }

  static ReducingCollective reduceInPlace(Buf<?> buf, Op<?> op, int root, Channel channel) {
    return CollectiveChecks.isRoot(channel, root)
        ? reduce(Buf.inPlace(), buf, op, root)
        : reduce(buf, null, op, root);
  }

  static ReducingCollective reduceScatter(Buf<?> send, Buf<?> recv, long[] counts, Op<?> op) {
    return new ReducingCollective(CollectiveMethod.REDUCE_SCATTER, send, recv, op, 0, counts);
  }

  @Override
  boolean fillPlain(int rank, int size, CollectiveCall call) {
    boolean isFirst = root == rank;
    boolean receives = isFirst ? method.receivesAtRoot : method.receivesElsewhere;
    boolean isInPlace = send == BufImpl.IN_PLACE;
    if (method.sendsBlocks || root < 0 || root >= size || op == null || !receives && isInPlace) {
      return false;
    }
    BufImpl<?> result = receives ? (BufImpl<?>) recv : null;
    BufImpl<?> own = isInPlace ? result : (BufImpl<?>) send;
    if (own == null || !own.isSendable() || receives && (result == null || !result.isReceivable())) {
      return false;
    }
    if (receives && !isInPlace && !own.isTwin(result)) {
      return false;
    }
    call.begin(method.within, root, isInPlace);
    if (!OpAccess.describe(op, own.type(), call)) {
      return false;
    }
    if (!isInPlace) {
      own.describe(call.send());
    }
    if (receives) {
      result.describe(call.recv());
    } else if (method == CollectiveMethod.EXSCAN) {
      own.describe(call.recv()); // rank 0 has no result
    }
    return true;
  }

  @Override
  MpiException fill(Channel channel, CollectiveCall call) {
    call.begin(method.operation(false));
    MpiException wrong = null;
    switch (method) {
      case REDUCE -> {
        call.setRoot(root);
        wrong = CollectiveChecks.root(channel, root);
        if (wrong != null || CollectiveChecks.isIdle(channel, root)) {
          return wrong;
        }
      }
      case SCAN, EXSCAN -> wrong = CollectiveChecks.withinOneGroup(channel, method.methodName);
      default -> { }
    }
    if (wrong == null) {
      wrong = method.sendsBlocks() ? fillParts(channel, call) : fillWhole(channel, call);
    }
    return wrong;
  }

  /** Checks and describes operands and results of as many elements. */
  private MpiException fillWhole(Channel channel, CollectiveCall call) {
    boolean sends = isSendUsed(channel);
    boolean receives = isRecvUsed(channel);
    MpiException wrong;
    if (receives) {
      wrong = sends && isInPlace() ? CollectiveChecks.inPlace(channel, "send") : null;
      if (wrong == null) {
        wrong = CollectiveChecks.operands(call, "send", sends ? send : Buf.inPlace(), "recv", recv, op);
      }
    } else {
      wrong = CollectiveChecks.buf("send", send, false);
      if (wrong == null) {
        wrong = CollectiveChecks.op(call, op, send);
      }
    }
    if (wrong != null) {
      return wrong;
    }
    if (sends) {
      CollectiveChecks.putSend(call, send);
    }
    if (receives || !method.isRooted()) { // rank 0 of an exclusive scan has no result
      CollectiveChecks.put(call.recv(), receives ? recv : send);
    }
    return null;
  }

  /** Checks and describes a reduction of which each rank gets a part. */
  private MpiException fillParts(Channel channel, CollectiveCall call) {
    MpiException wrong = CollectiveChecks.buf("recv", recv, true);
    if (wrong == null) {
      wrong = CollectiveChecks.op(call, op, recv);
    }
    if (wrong == null) {
      wrong = isInPlace() ? CollectiveChecks.inPlace(channel, "send") : CollectiveChecks.buf("send", send, false);
    }
    if (wrong == null) {
      wrong = method == CollectiveMethod.REDUCE_SCATTER
          ? checkCounts(channel.size(), channel.rank())
          : checkEqualParts(channel.size());
    }
    if (wrong == null) {
      CollectiveChecks.putSend(call, send);
      CollectiveChecks.put(call.recv(), recv);
      if (counts != null) {
        call.setCounts(counts.clone());
      }
    }
    return wrong;
  }

  private MpiException checkEqualParts(int size) {
    if (isInPlace()) {
      return CollectiveChecks.blocks("recv", recv, size);
    }
    if (BufImpl.of(send).isPerRank()) {
      return CollectiveChecks.blocks("send", send, size);
    }
    if (send.count() % size != 0 || send.count() / size != recv.count()) {
      return MpiException.argument(ErrorClass.ERR_COUNT, "count of send", send.count(),
          "the count of recv, " + recv.count() + ", times the number of ranks, " + size);
    }
    return CollectiveChecks.sameTypeApart("send", send, "recv", recv);
  }

  private MpiException checkCounts(int size, int rank) {
    if (counts == null || counts.length != size) {
      return MpiException.argument(
          ErrorClass.ERR_COUNT, counts == null ? "counts" : "counts.length", counts == null ? null : counts.length,
          "arrays with one entry for each of the " + size + " ranks");
    }
    for (int r = 0; r < size; r++) {
      if (counts[r] < 0) {
        return MpiException.argument(ErrorClass.ERR_COUNT, "counts[" + r + "]", counts[r], "0 or more elements");
      }
    }
    if (isInPlace()) {
      return checkCount("recv", recv, total(), "the sum of counts");
    }
    MpiException wrong = checkCount("send", send, total(), "the sum of counts");
    if (wrong == null) {
      wrong = checkCount("recv", recv, counts[rank], "this rank's count");
    }
    return wrong != null ? wrong : CollectiveChecks.sameTypeApart("send", send, "recv", recv);
  }

  /** Returns the sum, or the largest number on overflow. */
  private long total() {
    long total = 0;
    for (long count : counts) {
      total = total + count < 0 ? Long.MAX_VALUE : total + count;
    }
    return total;
  }

  private static MpiException checkCount(String argument, Buf<?> buf, long due, String what) {
    return buf.count() == due
        ? null
        : MpiException.argument(ErrorClass.ERR_COUNT, "count of " + argument, buf.count(), due + ", " + what);
  }

  @Override
  void describe(Channel channel, CollectiveFacts facts) {
    if (method.isRooted()) {
      facts.root(root);
    }
    if (!CollectiveChecks.isIdle(channel, root)) {
      facts.operands(op, isSendUsed(channel) && !isInPlace() ? send : recv);
    }
    if (counts != null) {
      facts.counts(counts);
    }
  }
}
