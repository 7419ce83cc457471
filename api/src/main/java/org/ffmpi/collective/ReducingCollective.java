// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.Buf;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;

/** The collective calls that combine elements. */
public final class ReducingCollective {
  private ReducingCollective() {}

  /** {@code MPI_Reduce}. */
  public record Reduce(Buf<?> send, Buf<?> recv, Op<?> op, int root) implements CollectiveArguments {
    public static Reduce inPlace(Buf<?> buf, Op<?> op, int root, Channel channel) {
      return CollectiveChecks.isRoot(channel, root)
          ? new Reduce(Buf.inPlace(), buf, op, root)
          : new Reduce(buf, null, op, root);
    }

    @Override
    public MpiException fill(Channel channel, CollectiveCall call) {
      call.begin(Collective.REDUCE).setRoot(root);
      MpiException wrong = CollectiveChecks.root(channel, root);
      if (wrong != null || CollectiveChecks.isIdle(channel, root)) {
        return wrong;
      }
      boolean atRoot = CollectiveChecks.isRoot(channel, root);
      boolean between = CollectiveChecks.isBetweenGroups(channel);
      if (atRoot) {
        wrong = CollectiveChecks.operands(call, "send", between ? Buf.inPlace() : send, "recv", recv, op);
      } else {
        wrong = CollectiveChecks.buf("send", send, false);
        wrong = wrong != null ? wrong : CollectiveChecks.op(call, op, send);
      }
      if (wrong == null && isSendUsed(channel)) {
        CollectiveChecks.putSend(call, send);
      }
      if (wrong == null && atRoot) {
        CollectiveChecks.put(call.recv(), recv);
      }
      return wrong;
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
  }

  /** {@code MPI_Allreduce}. */
  public record Allreduce(Buf<?> send, Buf<?> recv, Op<?> op) implements CollectiveArguments {
    @Override
    public MpiException fill(Channel channel, CollectiveCall call) {
      return CollectiveChecks.reduction(channel, call.begin(Collective.ALLREDUCE), send, recv, op);
    }

    @Override
    public String name() {
      return "allreduce";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      facts.operands(op, recv);
    }
  }

  /** {@code MPI_Scan}. */
  public record Scan(Buf<?> send, Buf<?> recv, Op<?> op) implements CollectiveArguments {
    @Override
    public MpiException fill(Channel channel, CollectiveCall call) {
      MpiException wrong = CollectiveChecks.withinOneGroup(channel, "scan");
      return wrong != null
          ? wrong
          : CollectiveChecks.reduction(channel, call.begin(Collective.SCAN), send, recv, op);
    }

    @Override
    public String name() {
      return "scan";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      facts.operands(op, recv);
    }
  }

  /** {@code MPI_Exscan}. */
  public record Exscan(Buf<?> send, Buf<?> recv, Op<?> op) implements CollectiveArguments {
    @Override
    public MpiException fill(Channel channel, CollectiveCall call) {
      call.begin(Collective.EXSCAN);
      MpiException wrong = CollectiveChecks.withinOneGroup(channel, "exscan");
      if (wrong != null) {
        return wrong;
      }
      if (isRecvUsed(channel) || CollectiveChecks.isInPlace(send)) {
        return CollectiveChecks.reduction(channel, call, send, recv, op);
      }
      wrong = CollectiveChecks.buf("send", send, false);
      if (wrong == null) {
        wrong = CollectiveChecks.op(call, op, send);
      }
      if (wrong == null) {
        CollectiveChecks.sides(call, send, send); // rank 0 has no result
      }
      return wrong;
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
  }

  /** {@code MPI_Reduce_scatter_block}. */
  public record ReduceScatterBlock(Buf<?> send, Buf<?> recv, Op<?> op) implements CollectiveArguments {
    @Override
    public MpiException fill(Channel channel, CollectiveCall call) {
      MpiException wrong = checkOperands(channel, call.begin(Collective.REDUCE_SCATTER_BLOCK), send, recv, op);
      if (wrong == null) {
        wrong = checkCounts(channel.size());
      }
      if (wrong == null) {
        CollectiveChecks.sides(call, send, recv);
      }
      return wrong;
    }

    private MpiException checkCounts(int size) {
      if (send.isInPlace()) {
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

    @Override
    public String name() {
      return "reduceScatterBlock";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      facts.operands(op, send.isInPlace() ? recv : send);
    }
  }

  /** {@code MPI_Reduce_scatter}. */
  public record ReduceScatter(Buf<?> send, Buf<?> recv, long[] counts, Op<?> op) implements CollectiveArguments {
    @Override
    public MpiException fill(Channel channel, CollectiveCall call) {
      MpiException wrong = checkOperands(channel, call.begin(Collective.REDUCE_SCATTER), send, recv, op);
      if (wrong == null) {
        wrong = checkCounts(channel.size());
      }
      if (wrong == null) {
        wrong = checkLengths(channel.rank());
      }
      if (wrong == null) {
        CollectiveChecks.sides(call, send, recv);
        call.setCounts(counts.clone());
      }
      return wrong;
    }

    private MpiException checkLengths(int rank) {
      long total = total();
      if (send.isInPlace()) {
        return checkCount("recv", recv, total, "the sum of counts");
      }
      MpiException wrong = checkCount("send", send, total, "the sum of counts");
      if (wrong == null) {
        wrong = checkCount("recv", recv, counts[rank], "this rank's count");
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
  }

  /** Checks the operands of a reduction of which each rank gets a part, except for how many there are. */
  private static MpiException checkOperands(
      Channel channel, CollectiveCall call, Buf<?> send, Buf<?> recv, Op<?> op) {
    MpiException wrong = CollectiveChecks.buf("recv", recv, true);
    if (wrong == null) {
      wrong = CollectiveChecks.op(call, op, recv);
    }
    if (wrong != null) {
      return wrong;
    }
    return CollectiveChecks.isInPlace(send)
        ? CollectiveChecks.inPlace(channel, "send")
        : CollectiveChecks.buf("send", send, false);
  }
}
