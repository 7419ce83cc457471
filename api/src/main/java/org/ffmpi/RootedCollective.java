// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufBlocks;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Operation;

/** The collective calls that move data from one rank to all or from all to one. */
final class RootedCollective {
  private RootedCollective() {}

  /** {@code MPI_Bcast}. */
  record Bcast(Buf<?> buf, int root) implements Collective {
    @Override
    public MpiException check(Channel channel) {
      MpiException wrong = CollectiveChecks.root(channel, root);
      return wrong != null || CollectiveChecks.isIdle(channel, root)
          ? wrong
          : CollectiveChecks.buf("buf", buf, !CollectiveChecks.isRoot(channel, root));
    }

    @Override
    public Buf<?>[] used(Channel channel) {
      return new Buf<?>[] {CollectiveChecks.isIdle(channel, root) ? null : buf};
    }

    @Override
    public String name() {
      return "bcast";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      facts.root(root);
      if (!CollectiveChecks.isRoot(channel, root)) {
        if (root >= 0) {
          facts.receives(root, buf);
        }
        return;
      }
      for (int r = 0; r < CollectiveChecks.peers(channel); r++) {
        facts.sends(r, buf);
      }
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      return collectives.bcast(channel, buf, root);
    }
  }

  /** {@code MPI_Gather}. */
  record Gather(Buf<?> send, Buf<?> recv, int root) implements Collective {
    static Gather inPlace(Buf<?> buf, int root, Channel channel) {
      return CollectiveChecks.isRoot(channel, root)
          ? new Gather(Buf.inPlace(), buf, root)
          : new Gather(buf, null, root);
    }

    @Override
    public MpiException check(Channel channel) {
      MpiException wrong = CollectiveChecks.root(channel, root);
      if (wrong != null || CollectiveChecks.isIdle(channel, root)) {
        return wrong;
      }
      if (!CollectiveChecks.isRoot(channel, root)) {
        return CollectiveChecks.buf("send", send, false);
      }
      wrong = CollectiveChecks.buf("recv", recv, true);
      if (wrong == null) {
        wrong = CollectiveChecks.blocks("recv", recv, CollectiveChecks.peers(channel));
      }
      if (wrong != null || CollectiveChecks.isBetweenGroups(channel) || CollectiveChecks.isInPlace(send)) {
        return wrong;
      }
      wrong = CollectiveChecks.buf("send", send, false);
      if (wrong == null) {
        wrong = CollectiveChecks.block("send", send, "recv", recv.packedBytes() / channel.size());
      }
      return wrong != null ? wrong : CollectiveChecks.apart("send", send, "recv", recv);
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
      return "gather";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      facts.root(root);
      if (!CollectiveChecks.isRoot(channel, root)) {
        if (root >= 0) {
          facts.sends(root, send);
        }
        return;
      }
      int peers = CollectiveChecks.peers(channel);
      for (int r = 0; r < peers; r++) {
        facts.receives(r, recv, recv.packedBytes() / peers);
      }
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      boolean atRoot = isRecvUsed(channel);
      if (!CollectiveChecks.isBetweenGroups(channel)) {
        return collectives.gather(channel, send, atRoot ? recv : null, root);
      }
      return collectives.gatherv(
          channel, isSendUsed(channel) ? send : null,
          atRoot ? BufBlocks.equal("recv", recv, CollectiveChecks.peers(channel)) : null, root);
    }
  }

  /** {@code MPI_Scatter}. */
  record Scatter(Buf<?> send, Buf<?> recv, int root) implements Collective {
    static Scatter inPlace(Buf<?> buf, int root, Channel channel) {
      return CollectiveChecks.isRoot(channel, root)
          ? new Scatter(buf, Buf.inPlace(), root)
          : new Scatter(null, buf, root);
    }

    @Override
    public MpiException check(Channel channel) {
      MpiException wrong = CollectiveChecks.root(channel, root);
      if (wrong != null || CollectiveChecks.isIdle(channel, root)) {
        return wrong;
      }
      if (!CollectiveChecks.isRoot(channel, root)) {
        return CollectiveChecks.buf("recv", recv, true);
      }
      wrong = CollectiveChecks.buf("send", send, false);
      if (wrong == null) {
        wrong = CollectiveChecks.blocks("send", send, CollectiveChecks.peers(channel));
      }
      if (wrong != null || CollectiveChecks.isBetweenGroups(channel) || CollectiveChecks.isInPlace(recv)) {
        return wrong;
      }
      wrong = CollectiveChecks.buf("recv", recv, true);
      if (wrong == null) {
        wrong = CollectiveChecks.block("recv", recv, "send", send.packedBytes() / channel.size());
      }
      return wrong != null ? wrong : CollectiveChecks.apart("send", send, "recv", recv);
    }

    @Override
    public boolean isSendUsed(Channel channel) {
      return CollectiveChecks.isRoot(channel, root);
    }

    @Override
    public boolean isRecvUsed(Channel channel) {
      return !CollectiveChecks.isBetweenGroups(channel) || root >= 0;
    }

    @Override
    public String name() {
      return "scatter";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      facts.root(root);
      if (!CollectiveChecks.isRoot(channel, root)) {
        if (root >= 0) {
          facts.receives(root, recv);
        }
        return;
      }
      int peers = CollectiveChecks.peers(channel);
      for (int r = 0; r < peers; r++) {
        facts.sends(r, send, send.packedBytes() / peers);
      }
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      boolean atRoot = isSendUsed(channel);
      if (!CollectiveChecks.isBetweenGroups(channel)) {
        return collectives.scatter(channel, atRoot ? send : null, recv, root);
      }
      return collectives.scatterv(
          channel, atRoot ? BufBlocks.equal("send", send, CollectiveChecks.peers(channel)) : null,
          isRecvUsed(channel) ? recv : null, root);
    }
  }
}
