// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufBlocks;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;

/** The collective calls in which all ranks hear from all, in blocks of one length. */
public final class ExchangeCollective {
  private ExchangeCollective() {}

  /** {@code MPI_Barrier}. */
  public record Barrier() implements CollectiveArguments {
    @Override
    public MpiException fill(Channel channel, CollectiveCall call) {
      call.begin(Collective.BARRIER);
      return null;
    }

    @Override
    public String name() {
      return "barrier";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
    }
  }

  /** {@code MPI_Allgather}. */
  public record Allgather(Buf<?> send, Buf<?> recv) implements CollectiveArguments {
    @Override
    public MpiException fill(Channel channel, CollectiveCall call) {
      MpiException wrong = check(channel);
      if (wrong == null) {
        describe(channel, call);
      }
      return wrong;
    }

    private MpiException check(Channel channel) {
      MpiException wrong = CollectiveChecks.buf("recv", recv, true);
      if (wrong == null) {
        wrong = CollectiveChecks.blocks("recv", recv, CollectiveChecks.peers(channel));
      }
      if (wrong != null) {
        return wrong;
      }
      if (CollectiveChecks.isInPlace(send)) {
        return CollectiveChecks.inPlace(channel, "send");
      }
      wrong = CollectiveChecks.buf("send", send, false);
      if (wrong == null && !CollectiveChecks.isBetweenGroups(channel)) {
        wrong = CollectiveChecks.block("send", send, "recv", BufImpl.of(recv).packedBytes() / channel.size());
      }
      return wrong != null ? wrong : CollectiveChecks.apart("send", send, "recv", recv);
    }

    private void describe(Channel channel, CollectiveCall call) {
      if (CollectiveChecks.isBetweenGroups(channel)) {
        call.begin(Collective.ALLGATHERV);
        CollectiveChecks.put(call.send(), send);
        CollectiveChecks.putEqual(call.recvBlocks(), recv, CollectiveChecks.peers(channel));
      } else {
        CollectiveChecks.sides(call.begin(Collective.ALLGATHER), send, recv);
      }
    }

    @Override
    public BufUses uses(Channel channel) {
      return send.isInPlace()
          ? CollectiveArguments.collected(new BufUses(), channel, BufBlocks.equal("recv", recv, channel.size()))
          : CollectiveArguments.super.uses(channel);
    }

    @Override
    public String name() {
      return "allgather";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      int peers = CollectiveChecks.peers(channel);
      long block = BufImpl.of(recv).packedBytes() / peers;
      for (int r = 0; r < peers; r++) {
        facts.receives(r, recv, block);
        if (send.isInPlace()) {
          facts.sends(r, recv, block);
        } else {
          facts.sends(r, send);
        }
      }
    }
  }

  /** {@code MPI_Alltoall}. */
  public record Alltoall(Buf<?> send, Buf<?> recv) implements CollectiveArguments {
    @Override
    public MpiException fill(Channel channel, CollectiveCall call) {
      MpiException wrong = check(channel);
      if (wrong == null) {
        describe(channel, call);
      }
      return wrong;
    }

    private MpiException check(Channel channel) {
      int peers = CollectiveChecks.peers(channel);
      MpiException wrong = CollectiveChecks.buf("recv", recv, true);
      if (wrong == null) {
        wrong = CollectiveChecks.blocks("recv", recv, peers);
      }
      if (wrong != null) {
        return wrong;
      }
      if (CollectiveChecks.isInPlace(send)) {
        return CollectiveChecks.inPlace(channel, "send");
      }
      wrong = CollectiveChecks.buf("send", send, false);
      if (wrong == null) {
        wrong = CollectiveChecks.blocks("send", send, peers);
      }
      if (wrong == null && !CollectiveChecks.isBetweenGroups(channel)) {
        wrong = BufImpl.of(send).packedBytes() == BufImpl.of(recv).packedBytes()
            ? null
            : MpiException.argument(
                ErrorClass.ERR_COUNT, "bytes of send", BufImpl.of(send).packedBytes(),
                BufImpl.of(recv).packedBytes() + ", the bytes of recv");
      }
      return wrong != null ? wrong : CollectiveChecks.apart("send", send, "recv", recv);
    }

    private void describe(Channel channel, CollectiveCall call) {
      if (CollectiveChecks.isBetweenGroups(channel)) {
        int peers = CollectiveChecks.peers(channel);
        call.begin(Collective.ALLTOALLV);
        CollectiveChecks.putEqual(call.sendBlocks(), send, peers);
        CollectiveChecks.putEqual(call.recvBlocks(), recv, peers);
      } else {
        CollectiveChecks.sides(call.begin(Collective.ALLTOALL), send, recv);
      }
    }

    @Override
    public String name() {
      return "alltoall";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      int peers = CollectiveChecks.peers(channel);
      Buf<?> from = send.isInPlace() ? recv : send;
      for (int r = 0; r < peers; r++) {
        facts.receives(r, recv, BufImpl.of(recv).packedBytes() / peers);
        facts.sends(r, from, BufImpl.of(from).packedBytes() / peers);
      }
    }
  }
}
