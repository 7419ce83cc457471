// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.Buf;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufBlocks;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;

/** The collective calls that move data from one rank to all or from all to one. */
public final class RootedCollective {
  private RootedCollective() {}

  /** {@code MPI_Bcast}. */
  public record Bcast(Buf<?> buf, int root) implements CollectiveArguments {
    @Override
    public MpiException fill(Channel channel, CollectiveCall call) {
      call.begin(Collective.BCAST).setRoot(root);
      MpiException wrong = CollectiveChecks.root(channel, root);
      if (wrong != null || CollectiveChecks.isIdle(channel, root)) {
        return wrong;
      }
      boolean atRoot = CollectiveChecks.isRoot(channel, root);
      wrong = CollectiveChecks.buf("buf", buf, !atRoot);
      if (wrong == null) {
        CollectiveChecks.put(atRoot ? call.send() : call.recv(), buf);
      }
      return wrong;
    }

    @Override
    public Buf<?>[] used(Channel channel) {
      return new Buf<?>[] {CollectiveChecks.isIdle(channel, root) ? null : buf};
    }

    @Override
    public BufUses uses(Channel channel) {
      BufUses uses = new BufUses();
      if (CollectiveChecks.isIdle(channel, root)) {
        return uses;
      }
      return CollectiveChecks.isRoot(channel, root) ? uses.reads(buf) : uses.writes(buf);
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
  }

  /** {@code MPI_Gather}. */
  public record Gather(Buf<?> send, Buf<?> recv, int root) implements CollectiveArguments {
    public static Gather inPlace(Buf<?> buf, int root, Channel channel) {
      return CollectiveChecks.isRoot(channel, root)
          ? new Gather(Buf.inPlace(), CollectiveChecks.all(buf, channel), root)
          : new Gather(buf, null, root);
    }

    @Override
    public MpiException fill(Channel channel, CollectiveCall call) {
      MpiException wrong = check(channel);
      if (wrong == null) {
        describe(channel, call);
      }
      return wrong;
    }

    private MpiException check(Channel channel) {
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
        wrong = CollectiveChecks.block("send", send, "recv", BufImpl.of(recv).packedBytes() / channel.size());
      }
      return wrong != null ? wrong : CollectiveChecks.apart("send", send, "recv", recv);
    }

    private void describe(Channel channel, CollectiveCall call) {
      boolean between = CollectiveChecks.isBetweenGroups(channel);
      call.begin(between ? Collective.GATHERV : Collective.GATHER).setRoot(root);
      if (isSendUsed(channel)) {
        CollectiveChecks.putSend(call, send);
      }
      if (isRecvUsed(channel) && between) {
        CollectiveChecks.putEqual(call.recvBlocks(), recv, CollectiveChecks.peers(channel));
      } else if (isRecvUsed(channel)) {
        CollectiveChecks.put(call.recv(), recv);
      }
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
    public BufUses uses(Channel channel) {
      return isRecvUsed(channel) && isSendUsed(channel) && send.isInPlace()
          ? CollectiveArguments.collected(new BufUses(), channel, BufBlocks.equal("recv", recv, channel.size()))
          : CollectiveArguments.super.uses(channel);
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
        facts.receives(r, recv, BufImpl.of(recv).packedBytes() / peers);
      }
    }
  }

  /** {@code MPI_Scatter}. */
  public record Scatter(Buf<?> send, Buf<?> recv, int root) implements CollectiveArguments {
    public static Scatter inPlace(Buf<?> buf, int root, Channel channel) {
      return CollectiveChecks.isRoot(channel, root)
          ? new Scatter(CollectiveChecks.all(buf, channel), Buf.inPlace(), root)
          : new Scatter(null, buf, root);
    }

    @Override
    public MpiException fill(Channel channel, CollectiveCall call) {
      MpiException wrong = check(channel);
      if (wrong == null) {
        describe(channel, call);
      }
      return wrong;
    }

    private MpiException check(Channel channel) {
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
        wrong = CollectiveChecks.block("recv", recv, "send", BufImpl.of(send).packedBytes() / channel.size());
      }
      return wrong != null ? wrong : CollectiveChecks.apart("send", send, "recv", recv);
    }

    private void describe(Channel channel, CollectiveCall call) {
      boolean between = CollectiveChecks.isBetweenGroups(channel);
      call.begin(between ? Collective.SCATTERV : Collective.SCATTER).setRoot(root);
      if (isRecvUsed(channel) && recv.isInPlace()) {
        call.setInPlace();
      } else if (isRecvUsed(channel)) {
        CollectiveChecks.put(call.recv(), recv);
      }
      if (isSendUsed(channel) && between) {
        CollectiveChecks.putEqual(call.sendBlocks(), send, CollectiveChecks.peers(channel));
      } else if (isSendUsed(channel)) {
        CollectiveChecks.put(call.send(), send);
      }
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
        facts.sends(r, send, BufImpl.of(send).packedBytes() / peers);
      }
    }
  }
}
