// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Operation;

/** The collective calls that combine elements. */
final class ReducingCollective {
  private ReducingCollective() {}

  /** {@code MPI_Reduce}. */
  record Reduce(Buf<?> send, Buf<?> recv, Op<?> op, int root) implements Collective {
    static Reduce inPlace(Buf<?> buf, Op<?> op, int root, Channel channel) {
      return CollectiveChecks.isRoot(channel, root)
          ? new Reduce(Buf.inPlace(), buf, op, root)
          : new Reduce(buf, null, op, root);
    }

    @Override
    public MpiException check(Channel channel) {
      MpiException wrong = CollectiveChecks.root(channel, root);
      if (wrong != null || CollectiveChecks.isIdle(channel, root)) {
        return wrong;
      }
      if (CollectiveChecks.isRoot(channel, root)) {
        return CollectiveChecks.isBetweenGroups(channel)
            ? CollectiveChecks.reduction("send", Buf.inPlace(), "recv", recv, op)
            : CollectiveChecks.reduction("send", send, "recv", recv, op);
      }
      wrong = CollectiveChecks.buf("send", send, false);
      return wrong != null ? wrong : CollectiveChecks.op(op, send);
    }

    @Override
    public boolean isSendUsed(Channel channel) {
      return !CollectiveChecks.isBetweenGroups(channel) || root >= 0;
    }

    @Override
    public boolean isRecvUsed(Channel channel) {
      return CollectiveChecks.isRoot(channel, root);
    }

    @Override
    public String name() {
      return "reduce";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      facts.root(root);
      if (!CollectiveChecks.isIdle(channel, root)) {
        facts.operands(op, isRecvUsed(channel) ? recv : send);
      }
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      return collectives.reduce(
          channel, isSendUsed(channel) ? send : null, isRecvUsed(channel) ? recv : null, op, root);
    }
  }

  /** {@code MPI_Allreduce}. */
  record Allreduce(Buf<?> send, Buf<?> recv, Op<?> op) implements Collective {
    @Override
    public MpiException check(Channel channel) {
      return CollectiveChecks.reduction(channel, send, recv, op);
    }

    @Override
    public String name() {
      return "allreduce";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      facts.operands(op, recv);
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      return collectives.allreduce(channel, send, recv, op);
    }
  }

  /** {@code MPI_Scan}. */
  record Scan(Buf<?> send, Buf<?> recv, Op<?> op) implements Collective {
    @Override
    public MpiException check(Channel channel) {
      MpiException wrong = CollectiveChecks.withinOneGroup(channel, "scan");
      return wrong != null ? wrong : CollectiveChecks.reduction(channel, send, recv, op);
    }

    @Override
    public String name() {
      return "scan";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      facts.operands(op, recv);
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      return collectives.scan(channel, send, recv, op);
    }
  }

  /** {@code MPI_Exscan}. */
  record Exscan(Buf<?> send, Buf<?> recv, Op<?> op) implements Collective {
    @Override
    public MpiException check(Channel channel) {
      MpiException wrong = CollectiveChecks.withinOneGroup(channel, "exscan");
      if (wrong != null) {
        return wrong;
      }
      if (isRecvUsed(channel) || CollectiveChecks.isInPlace(send)) {
        return CollectiveChecks.reduction(channel, send, recv, op);
      }
      wrong = CollectiveChecks.buf("send", send, false);
      return wrong != null ? wrong : CollectiveChecks.op(op, send);
    }

    @Override
    public boolean isRecvUsed(Channel channel) {
      return channel.rank() != 0;
    }

    @Override
    public String name() {
      return "exscan";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      facts.operands(op, send.isInPlace() ? recv : send);
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      Buf<?> result = isRecvUsed(channel) || CollectiveChecks.isInPlace(send) ? recv : send;
      return collectives.exscan(channel, send, result, op);
    }
  }

  /** {@code MPI_Reduce_scatter_block}. */
  record ReduceScatterBlock(Buf<?> send, Buf<?> recv, Op<?> op) implements Collective {
    @Override
    public MpiException check(Channel channel) {
      int size = channel.size();
      MpiException wrong = checkOperands(channel, send, recv, op);
      if (wrong != null) {
        return wrong;
      }
      if (send.isInPlace()) {
        return CollectiveChecks.blocks("recv", recv, size);
      }
      if (send.count() % size != 0 || send.count() / size != recv.count()) {
        return MpiException.argument(ErrorClass.ERR_COUNT, "count of send", send.count(),
            "the count of recv, " + recv.count() + ", times the number of ranks, " + size);
      }
      return CollectiveChecks.sameTypeApart("send", send, "recv", recv);
    }

    @Override
    public String name() {
      return "reduceScatterBlock";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      facts.operands(op, send.isInPlace() ? recv : send);
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      return collectives.reduceScatterBlock(channel, send, recv, op);
    }
  }

  /** {@code MPI_Reduce_scatter}. */
  record ReduceScatter(Buf<?> send, Buf<?> recv, long[] counts, Op<?> op) implements Collective {
    @Override
    public MpiException check(Channel channel) {
      MpiException wrong = checkOperands(channel, send, recv, op);
      if (wrong == null) {
        wrong = checkCounts(channel.size());
      }
      if (wrong != null) {
        return wrong;
      }
      long total = total();
      if (send.isInPlace()) {
        return checkCount("recv", recv, total, "the sum of counts");
      }
      wrong = checkCount("send", send, total, "the sum of counts");
      if (wrong == null) {
        wrong = checkCount("recv", recv, counts[channel.rank()], "this rank's count");
      }
      return wrong != null ? wrong : CollectiveChecks.sameTypeApart("send", send, "recv", recv);
    }

    private MpiException checkCounts(int size) {
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
      return null;
    }

    /** Returns the sum, or the largest number where there is none. */
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
    public String name() {
      return "reduceScatter";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      facts.operands(op, send.isInPlace() ? recv : send);
      facts.counts(counts);
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      return collectives.reduceScatter(channel, send, recv, counts.clone(), op);
    }
  }

  /** Checks the operands of a reduction of which each rank gets a part, except for how many there are. */
  private static MpiException checkOperands(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op) {
    MpiException wrong = CollectiveChecks.buf("recv", recv, true);
    if (wrong == null) {
      wrong = CollectiveChecks.op(op, recv);
    }
    if (wrong != null) {
      return wrong;
    }
    return CollectiveChecks.isInPlace(send)
        ? CollectiveChecks.inPlace(channel, "send")
        : CollectiveChecks.buf("send", send, false);
  }
}
