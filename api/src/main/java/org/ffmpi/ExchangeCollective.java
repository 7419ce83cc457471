// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufBlocks;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Operation;

/** The collective calls in which all ranks hear from all, in blocks of one length. */
final class ExchangeCollective {
  private ExchangeCollective() {}

  /** {@code MPI_Barrier}. */
  record Barrier() implements Collective {
    @Override
    public MpiException check(Channel channel) {
      return null;
    }

    @Override
    public String name() {
      return "barrier";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      return collectives.barrier(channel);
    }
  }

  /** {@code MPI_Allgather}. */
  record Allgather(Buf<?> send, Buf<?> recv) implements Collective {
    @Override
    public MpiException check(Channel channel) {
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
        wrong = CollectiveChecks.block("send", send, "recv", recv.packedBytes() / channel.size());
      }
      return wrong != null ? wrong : CollectiveChecks.apart("send", send, "recv", recv);
    }

    @Override
    public String name() {
      return "allgather";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      int peers = CollectiveChecks.peers(channel);
      long block = recv.packedBytes() / peers;
      for (int r = 0; r < peers; r++) {
        facts.receives(r, recv, block);
        if (send.isInPlace()) {
          facts.sends(r, recv, block);
        } else {
          facts.sends(r, send);
        }
      }
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      return CollectiveChecks.isBetweenGroups(channel)
          ? collectives.allgatherv(
              channel, send, BufBlocks.equal("recv", recv, CollectiveChecks.peers(channel)))
          : collectives.allgather(channel, send, recv);
    }
  }

  /** {@code MPI_Alltoall}. */
  record Alltoall(Buf<?> send, Buf<?> recv) implements Collective {
    @Override
    public MpiException check(Channel channel) {
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
        wrong = send.packedBytes() == recv.packedBytes()
            ? null
            : MpiException.argument(
                ErrorClass.ERR_COUNT, "bytes of send", send.packedBytes(),
                recv.packedBytes() + ", the bytes of recv");
      }
      return wrong != null ? wrong : CollectiveChecks.apart("send", send, "recv", recv);
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
        facts.receives(r, recv, recv.packedBytes() / peers);
        facts.sends(r, from, from.packedBytes() / peers);
      }
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      int peers = CollectiveChecks.peers(channel);
      return CollectiveChecks.isBetweenGroups(channel)
          ? collectives.alltoallv(
              channel, BufBlocks.equal("send", send, peers), BufBlocks.equal("recv", recv, peers))
          : collectives.alltoall(channel, send, recv);
    }
  }
}
