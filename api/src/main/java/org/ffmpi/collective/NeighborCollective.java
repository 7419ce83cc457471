// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.Buf;
import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufBlocks;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.Neighbors;

/**
 * A call of a neighbourhood collective. Blocks of the neighbour PROC_NULL are checked as the others are, and are empty
 * from then on.
 */
public final class NeighborCollective extends CollectiveArguments {
  private static final Buf<?> NOTHING = Buf.of(new byte[0]);
  private static final Buf<?>[] NO_BLOCKS = {};

  private final Neighbors neighbors;

  NeighborCollective(CollectiveMethod method, Neighbors neighbors, BlockLayout send, BlockLayout recv) {
    super(method, send, recv, 0);
    this.neighbors = neighbors;
  }

  @Override
  MpiException fill(Channel channel, CollectiveCall call) {
    try {
      setSendBlocks(cut("send", sendLayout(), neighbors.destinations(), false));
      setRecvBlocks(cut("recv", recvLayout(), neighbors.sources(), true));
    } catch (MpiException wrong) {
      return wrong;
    }
    MpiException wrong = BufBlocks.overlap(sendBlocks(), recvBlocks());
    if (wrong != null) {
      return wrong;
    }
    call.begin(method.operation(false)).setNeighbors(neighbors);
    if (method.sendsBlocks()) {
      CollectiveChecks.put(call.sendBlocks(), sendBlocks());
    } else {
      CollectiveChecks.put(call.send(), sendBlocks().length == 0 ? NOTHING : sendBlocks()[0]);
    }
    CollectiveChecks.put(call.recvBlocks(), recvBlocks());
    return null;
  }

  private static Buf<?>[] cut(String side, BlockLayout layout, int[] ranks, boolean receive) {
    if (ranks.length == 0) {
      return NO_BLOCKS;
    }
    Buf<?>[] blocks = layout.cut(side, ranks.length, receive);
    if (!(layout instanceof BlockLayout.One)) {
      for (int i = 0; i < ranks.length; i++) {
        if (ranks[i] == Constants.PROC_NULL) {
          blocks[i] = NOTHING;
        }
      }
    }
    return blocks;
  }

  @Override
  Buf<?>[] used(Channel channel) {
    return blocks();
  }

  @Override
  void describe(Channel channel, CollectiveFacts facts) {
    int[] to = neighbors.destinations();
    for (int i = 0; i < to.length; i++) {
      facts.sendsNext(to[i], sendBlocks()[method.sendsBlocks() ? i : 0]);
    }
    int[] from = neighbors.sources();
    for (int i : neighbors.receiveOrder()) {
      facts.receivesNext(from[i], recvBlocks()[i]);
    }
  }
}
