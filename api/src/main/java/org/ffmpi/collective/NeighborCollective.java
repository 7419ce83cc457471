// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.Arrays;
import java.util.stream.Stream;
import org.ffmpi.Buf;
import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufBlocks;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.Neighbors;

/**
 * A call of a neighbourhood collective. The buffers are cut into blocks once; the arrays that say how are not
 * looked at again. Blocks of neighbours that are not there are checked as the others are, and then
 * left alone.
 */
public final class NeighborCollective implements CollectiveArguments {
  private static final Buf<?> NOTHING = Buf.of(new byte[0]);
  private static final Buf<?>[] NO_BLOCKS = {};

  private final Neighbors neighbors;
  private final NeighborBlocks send;
  private final NeighborBlocks recv;
  private Buf<?>[] sendBlocks = NO_BLOCKS;
  private Buf<?>[] recvBlocks = NO_BLOCKS;

  public NeighborCollective(Neighbors neighbors, NeighborBlocks send, NeighborBlocks recv) {
    this.neighbors = neighbors;
    this.send = send;
    this.recv = recv;
  }

  private boolean isGather() {
    return send instanceof NeighborBlocks.Same;
  }

  @Override
  public MpiException fill(Channel channel, CollectiveCall call) {
    try {
      sendBlocks = cut("send", send, neighbors.destinations(), false);
      recvBlocks = cut("recv", recv, neighbors.sources(), true);
      MpiException wrong = BufBlocks.overlap(sendBlocks, recvBlocks);
      if (wrong == null) {
        describe(call);
      }
      return wrong;
    } catch (MpiException wrong) {
      return wrong;
    }
  }

  private void describe(CollectiveCall call) {
    call.begin(isGather() ? Collective.NEIGHBOR_ALLGATHER : Collective.NEIGHBOR_ALLTOALL).setNeighbors(neighbors);
    if (isGather()) {
      CollectiveChecks.put(call.send(), sendBlocks.length == 0 ? NOTHING : sendBlocks[0]);
    } else {
      CollectiveChecks.put(call.sendBlocks(), sendBlocks);
    }
    CollectiveChecks.put(call.recvBlocks(), recvBlocks);
  }

  private static Buf<?>[] cut(String side, NeighborBlocks how, int[] ranks, boolean receive) {
    if (ranks.length == 0) {
      return NO_BLOCKS;
    }
    Buf<?>[] blocks = how.cut(side, ranks.length, receive);
    if (!(how instanceof NeighborBlocks.Same)) {
      for (int i = 0; i < ranks.length; i++) {
        if (ranks[i] == Constants.PROC_NULL) {
          blocks[i] = NOTHING;
        }
      }
    }
    return blocks;
  }

  @Override
  public boolean isCounted() {
    return send.isCounted() || recv.isCounted();
  }

  @Override
  public Buf<?>[] used(Channel channel) {
    return Stream.of(sendBlocks, recvBlocks).flatMap(Arrays::stream).toArray(Buf<?>[]::new);
  }

  @Override
  public BufUses uses(Channel channel) {
    return new BufUses().reads(sendBlocks).writes(recvBlocks);
  }

  @Override
  public String name() {
    String suffix = switch (recv) {
      case NeighborBlocks.Same _, NeighborBlocks.Equal _ -> "";
      case NeighborBlocks.Counted _ -> "v";
      case NeighborBlocks.Typed _, NeighborBlocks.Given _ -> "w";
    };
    return (isGather() ? "neighborAllgather" : "neighborAlltoall") + suffix;
  }

  @Override
  public void describe(Channel channel, CollectiveFacts facts) {
    int[] to = neighbors.destinations();
    for (int i = 0; i < to.length; i++) {
      facts.sendsNext(to[i], sendBlocks[isGather() ? 0 : i]);
    }
    int[] from = neighbors.sources();
    for (int i : neighbors.receiveOrder()) {
      facts.receivesNext(from[i], recvBlocks[i]);
    }
  }
}
