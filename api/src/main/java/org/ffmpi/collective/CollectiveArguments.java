// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.ffmpi.Buf;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufBlocks;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.CollectiveCall;

/**
 * The arguments of one collective call as a program passes them. {@link #fill} comes first, once; the other methods
 * require that it has found nothing wrong. Arguments that are not significant at this rank are never read.
 *
 * <p>Blocks with counts are cut from their buffers once; later changes of the arrays have no effect.
 */
public abstract sealed class CollectiveArguments
    permits MovingCollective, ReducingCollective, NeighborCollective {
  final CollectiveMethod method;
  final Buf<?> send;
  final Buf<?> recv;
  final int root;

  /** Null for one block and for equal blocks, which are not cut: short calls make one small object. */
  final Cut cut;

  /** Layouts of the two sides, and the blocks that are cut by them. */
  static final class Cut {
    private final BlockLayout sendLayout;
    private final BlockLayout recvLayout;
    private Buf<?>[] sendBlocks;
    private Buf<?>[] recvBlocks;

    private Cut(BlockLayout sendLayout, BlockLayout recvLayout) {
      this.sendLayout = sendLayout;
      this.recvLayout = recvLayout;
    }
  }

  CollectiveArguments(CollectiveMethod method, Buf<?> send, Buf<?> recv, int root) {
    this.method = method;
    this.send = send;
    this.recv = recv;
    this.root = root;
    this.cut = null;
  }

  CollectiveArguments(CollectiveMethod method, BlockLayout send, BlockLayout recv, int root) {
    this.method = method;
    this.send = send.buf();
    this.recv = recv.buf();
    this.root = root;
    this.cut = new Cut(send, recv);
  }

  /**
   * Checks the arguments as far as one rank can, and describes the call to the executor.
   *
   * @param channel the communicator's channel
   * @param call filled, unless something is wrong
   * @return the error, or null
   */
  abstract MpiException fill(Channel channel, CollectiveCall call);

  /**
   * Checks and describes a call within one group on ordinary memory, in which nothing is wrong, in few steps. For all
   * others, and where a check takes more, {@link #fill} comes next. Where this returns true, no memory is counted, and
   * blocks are not cut.
   *
   * @param rank own rank
   * @param size number of ranks
   * @param call gets all arguments
   * @return false when it has not decided
   */
  boolean fillPlain(int rank, int size, CollectiveCall call) {
    return false;
  }

  /** Describes the call for the comparison of all ranks' calls. */
  abstract void describe(Channel channel, CollectiveFacts facts);

  /** Returns whether the buffers are cut into blocks. */
  final boolean isCut() {
    return cut != null;
  }

  final BlockLayout sendLayout() {
    return cut == null ? null : cut.sendLayout;
  }

  final BlockLayout recvLayout() {
    return cut == null ? null : cut.recvLayout;
  }

  /** Returns the blocks that are sent; null where they are not cut. */
  final Buf<?>[] sendBlocks() {
    return cut == null ? null : cut.sendBlocks;
  }

  final Buf<?>[] recvBlocks() {
    return cut == null ? null : cut.recvBlocks;
  }

  final void setSendBlocks(Buf<?>[] blocks) {
    if (cut != null) {
      cut.sendBlocks = blocks;
    }
  }

  final void setRecvBlocks(Buf<?>[] blocks) {
    if (cut != null) {
      cut.recvBlocks = blocks;
    }
  }

  final boolean isSendUsed(Channel channel) {
    return method.isSendUsed(channel, root);
  }

  /** Returns whether this rank uses the receive buffer; in place also for its contribution to an exclusive scan. */
  final boolean isRecvUsed(Channel channel) {
    return method.isRecvUsed(channel, root) || method == CollectiveMethod.EXSCAN && isInPlace();
  }

  final boolean isInPlace() {
    return CollectiveChecks.isInPlace(send);
  }

  /** Returns whether memory may have to be held while the operation is under way. */
  final boolean isCounted() {
    return sendLayout() == null
        ? isCounted(send) || isCounted(recv)
        : sendLayout().isCounted() || recvLayout().isCounted();
  }

  static boolean isCounted(Buf<?> buf) {
    return buf != null && BufImpl.of(buf).isCounted();
  }

  /** Returns the buffers that this rank uses; entries may be null. */
  Buf<?>[] used(Channel channel) {
    return recvLayout() instanceof BlockLayout.Given
        ? blocks()
        : new Buf<?>[] {isSendUsed(channel) ? send : null, isRecvUsed(channel) ? recv : null};
  }

  final Buf<?>[] blocks() {
    return Stream.of(sendBlocks(), recvBlocks()).filter(Objects::nonNull).flatMap(Arrays::stream)
        .toArray(Buf<?>[]::new);
  }

  /** Returns the uses of buffers that may have to be held: of blocks each for itself, else of the whole buffer. */
  final BufUses uses(Channel channel) {
    BufUses uses = new BufUses();
    boolean sends = isSendUsed(channel);
    if (sends) {
      uses.reads(blocksOf(send, sendBlocks()));
    }
    if (!isRecvUsed(channel)) {
      return uses;
    }
    if (!sends || sendBlocks() != null || !isInPlace()) {
      return uses.writes(blocksOf(recv, recvBlocks()));
    }
    if (method.sendsBlocks() || !method.receivesBlocks()) {
      return uses.updates(blocksOf(recv, recvBlocks()));
    }
    Buf<?>[] collected = recvBlocks() == null ? BufBlocks.equal("recv", recv, channel.size()) : recvBlocks();
    for (int r = 0; r < collected.length; r++) {
      if (r == channel.rank()) {
        uses.updates(collected[r]);
      } else {
        uses.writes(collected[r]);
      }
    }
    return uses;
  }

  static Buf<?>[] blocksOf(Buf<?> buf, Buf<?>[] blocks) {
    return blocks == null ? new Buf<?>[] {buf} : blocks;
  }
}
