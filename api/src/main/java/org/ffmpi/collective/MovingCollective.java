// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufBlocks;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.FlatBlocks;
import org.ffmpi.spi.FlatBuffer;

/** A collective call that moves data without combining them, or a barrier. */
public final class MovingCollective extends CollectiveArguments {
  private static final BlockLayout NOT_SIGNIFICANT = new BlockLayout.One(null);

  /** Creates a call with one block or equal blocks on each side. */
  public MovingCollective(CollectiveMethod method, Buf<?> send, Buf<?> recv, int root) {
    super(method, send, recv, root);
  }

  public MovingCollective(CollectiveMethod method, Buf<?> send, Buf<?> recv) {
    super(method, send, recv, 0);
  }

  /** Creates a call with blocks of different lengths. */
  MovingCollective(CollectiveMethod method, BlockLayout send, BlockLayout recv, int root) {
    super(method, send, recv, root);
  }

  MovingCollective(CollectiveMethod method, BlockLayout send, BlockLayout recv) {
    this(method, send, recv, 0);
  }

  static MovingCollective barrier() {
    return new MovingCollective(CollectiveMethod.BARRIER, (Buf<?>) null, null);
  }

  public static MovingCollective bcast(Buf<?> buf, int root) {
    return new MovingCollective(CollectiveMethod.BCAST, buf, buf, root);
  }

  /**
   * Creates a gather or scatter of one buffer.
   *
   * @param buf at the root the blocks of all ranks, elsewhere this rank's block
   */
  public static MovingCollective inPlace(CollectiveMethod method, Buf<?> buf, int root, Channel channel) {
    boolean atRoot = CollectiveChecks.isRoot(channel, root);
    Buf<?> own = atRoot ? Buf.inPlace() : buf;
    Buf<?> all = atRoot ? CollectiveChecks.all(buf, channel) : null;
    return method.sendsBlocks()
        ? new MovingCollective(method, all, own, root)
        : new MovingCollective(method, own, all, root);
  }

  static MovingCollective inPlace(CollectiveMethod method, BlockLayout blocks, int root, Channel channel) {
    boolean atRoot = CollectiveChecks.isRoot(channel, root);
    BlockLayout own = new BlockLayout.One(atRoot ? Buf.inPlace() : blocks.buf());
    BlockLayout all = atRoot ? blocks : NOT_SIGNIFICANT;
    return method.sendsBlocks()
        ? new MovingCollective(method, all, own, root)
        : new MovingCollective(method, own, all, root);
  }

  @Override
  boolean fillPlain(int rank, int size, CollectiveCall call) {
    if (root < 0 || root >= size) {
      return false;
    }
    boolean isRoot = root == rank;
    boolean sends = isRoot ? method.sendsAtRoot : method.sendsElsewhere;
    boolean receives = isRoot ? method.receivesAtRoot : method.receivesElsewhere;
    boolean isInPlace = sends && receives && (method.receivesBlocks ? send : recv) == BufImpl.IN_PLACE;
    sends &= !(isInPlace && method.receivesBlocks);
    receives &= !(isInPlace && !method.receivesBlocks);
    BufImpl<?> from = sends ? (BufImpl<?>) send : null;
    BufImpl<?> to = receives ? (BufImpl<?>) recv : null;
    if (sends && (from == null || !from.isSendable() || method.sendsBlocks && from.isPerRank())
        || receives && (to == null || !to.isReceivable() || method.receivesBlocks && to.isPerRank())) {
      return false;
    }
    if (from != null && to != null && !from.isApart(to)) {
      return false;
    }
    call.begin(method.within, root, isInPlace);
    return cut != null ? putCut(call, from, to, size, rank) : putWhole(call, from, to, size);
  }

  /** Describes buffers that are one block or equal blocks; returns false when the lengths need another look. */
  private boolean putWhole(CollectiveCall call, BufImpl<?> from, BufImpl<?> to, int size) {
    if (from != null && to != null && method.sendsBlocks != method.receivesBlocks) {
      BufImpl<?> one = method.sendsBlocks ? to : from;
      BufImpl<?> all = method.sendsBlocks ? from : to;
      if (one.type() != all.type() || one.count() * size != all.count()) {
        return false;
      }
    } else if (from != null && method.sendsBlocks && from.count() % size != 0
        || to != null && method.receivesBlocks && to.count() % size != 0
        || from != null && to != null && from.packedBytes() != to.packedBytes()) {
      return false;
    }
    if (from != null) {
      from.describe(call.send());
    }
    if (to != null) {
      to.describe(call.recv());
    }
    return true;
  }

  /** Describes blocks with counts and displacements, or one block; returns false when something needs another look. */
  private boolean putCut(CollectiveCall call, BufImpl<?> from, BufImpl<?> to, int size, int rank) {
    if (from != null && !putSide(from, sendLayout(), method.sendsBlocks, call.send(), call.sendBlocks(), size)
        || to != null && !putSide(to, recvLayout(), method.receivesBlocks, call.recv(), call.recvBlocks(), size)) {
      return false;
    }
    return from == null || to == null
        || own(call.send(), call.sendBlocks(), rank).packedBytes() == own(call.recv(), call.recvBlocks(), rank)
            .packedBytes();
  }

  private static FlatBuffer own(FlatBuffer one, FlatBlocks blocks, int rank) {
    return one.isPresent() ? one : blocks.get(rank);
  }

  private static boolean putSide(
      BufImpl<?> buf, BlockLayout layout, boolean isOfBlocks, FlatBuffer one, FlatBlocks blocks, int size) {
    if (!isOfBlocks) {
      buf.describe(one);
      return true;
    }
    return layout instanceof BlockLayout.Counted counted && counted.put(blocks, buf, size);
  }

  @Override
  MpiException fill(Channel channel, CollectiveCall call) {
    try {
      check(channel);
    } catch (MpiException wrong) {
      return wrong;
    }
    boolean between = CollectiveChecks.isBetweenGroups(channel);
    int equalBlocks = between ? CollectiveChecks.peers(channel) : 0;
    call.begin(method.operation(between));
    if (method.isRooted()) {
      call.setRoot(root);
    }
    if (isSendUsed(channel)) {
      put(call, send, sendBlocks(), call.send(), call.sendBlocks(), method.sendsBlocks() ? equalBlocks : 0);
    }
    if (isRecvUsed(channel)) {
      put(call, recv, recvBlocks(), call.recv(), call.recvBlocks(), method.receivesBlocks() ? equalBlocks : 0);
    }
    return null;
  }

  /** Describes one side: cut blocks, nothing in place, so many equal blocks, or with 0 of these one buffer. */
  private static void put(
      CollectiveCall call, Buf<?> buf, Buf<?>[] cut, FlatBuffer one, FlatBlocks blocks, int equalBlocks) {
    if (cut != null) {
      CollectiveChecks.put(blocks, cut);
    } else if (buf.isInPlace()) {
      call.setInPlace();
    } else if (equalBlocks > 0) {
      CollectiveChecks.putEqual(blocks, buf, equalBlocks);
    } else {
      CollectiveChecks.put(one, buf);
    }
  }

  // ---- checks

  /** Checks first the side that has blocks, of two the receive side; the other one may be in place. */
  private void check(Channel channel) {
    if (method.isRooted()) {
      check(CollectiveChecks.root(channel, root));
    }
    boolean sends = isSendUsed(channel);
    boolean receives = isRecvUsed(channel);
    boolean both = sends && receives;
    if (method.receivesBlocks()) {
      if (receives) {
        checkRecv(channel);
      }
      if (both && isInPlace()) {
        check(CollectiveChecks.inPlace(channel, "send"));
        return;
      }
      if (sends) {
        checkSend(channel);
      }
    } else {
      if (sends) {
        checkSend(channel);
      }
      if (both && CollectiveChecks.isInPlace(recv)) {
        return;
      }
      if (receives) {
        checkRecv(channel);
      }
    }
    if (!both) {
      return;
    }
    if (!CollectiveChecks.isBetweenGroups(channel)) {
      checkLengths(channel);
    }
    check(isCut()
        ? BufBlocks.overlap(blocksOf(send, sendBlocks()), blocksOf(recv, recvBlocks()))
        : CollectiveChecks.apart("send", send, "recv", recv));
  }

  private void checkSend(Channel channel) {
    String name = method == CollectiveMethod.BCAST ? "buf" : "send";
    setSendBlocks(checkSide(channel, name, send, method.sendsBlocks() ? sendLayout() : null, false));
    if (method.sendsBlocks() && !isCut()) {
      check(CollectiveChecks.blocks(name, send, CollectiveChecks.peers(channel)));
    }
  }

  private void checkRecv(Channel channel) {
    String name = method == CollectiveMethod.BCAST ? "buf" : "recv";
    setRecvBlocks(checkSide(channel, name, recv, method.receivesBlocks() ? recvLayout() : null, true));
    if (method.receivesBlocks() && !isCut()) {
      check(CollectiveChecks.blocks(name, recv, CollectiveChecks.peers(channel)));
    }
  }

  private static Buf<?>[] checkSide(Channel channel, String name, Buf<?> buf, BlockLayout layout, boolean receive) {
    if (layout != null) {
      return layout.cut(name, CollectiveChecks.peers(channel), receive);
    }
    check(CollectiveChecks.buf(name, buf, receive));
    return null;
  }

  /** Checks that what this rank sends to itself is as long as what it receives from itself. */
  private void checkLengths(Channel channel) {
    if (isCut()) {
      checkOwnBlock(channel.rank());
    } else if (method.sendsBlocks() && method.receivesBlocks()) {
      if (bytes(send) != bytes(recv)) {
        throw MpiException.argument(
            ErrorClass.ERR_COUNT, "bytes of send", bytes(send), bytes(recv) + ", the bytes of recv");
      }
    } else if (method.sendsBlocks()) {
      check(CollectiveChecks.block("recv", recv, "send", bytes(send) / channel.size()));
    } else {
      check(CollectiveChecks.block("send", send, "recv", bytes(recv) / channel.size()));
    }
  }

  private void checkOwnBlock(int rank) {
    String name = "send";
    Buf<?> own = send;
    if (method.sendsBlocks() && method.receivesBlocks()) {
      name = "recv[" + rank + "]";
      own = recvBlocks()[rank];
      check(CollectiveChecks.buf(name, own, true));
    } else if (method.sendsBlocks()) {
      name = "recv";
      own = recv;
    }
    long due = bytes((method.sendsBlocks() ? sendBlocks() : recvBlocks())[rank]);
    if (bytes(own) != due) {
      throw MpiException.argument(ErrorClass.ERR_COUNT, "bytes of " + name, bytes(own),
          due + ", those of this rank's block of " + (method.sendsBlocks() ? "send" : "recv"));
    }
  }

  private static long bytes(Buf<?> buf) {
    return BufImpl.of(buf).packedBytes();
  }

  private static void check(MpiException wrong) {
    if (wrong != null) {
      throw wrong;
    }
  }

  // ---- facts

  @Override
  void describe(Channel channel, CollectiveFacts facts) {
    boolean sends = isSendUsed(channel);
    boolean receives = isRecvUsed(channel);
    int first = 0;
    int end = CollectiveChecks.peers(channel);
    if (method.isRooted()) {
      facts.root(root);
      if (CollectiveChecks.isRoot(channel, root)) { // its message to itself does not count
        sends = !method.receivesBlocks();
        receives = method.receivesBlocks();
      } else {
        first = root;
        end = root + 1;
      }
    }
    for (int r = first; r < end; r++) {
      if (sends && isInPlace()) {
        describeInPlace(channel, facts, r);
      } else if (sends) {
        facts.sends(r, block(send, sendBlocks(), r), bytes(channel, send, sendBlocks(), method.sendsBlocks(), r));
      }
      if (receives) {
        facts.receives(
            r, block(recv, recvBlocks(), r), bytes(channel, recv, recvBlocks(), method.receivesBlocks(), r));
      }
    }
  }

  /** Describes the message to a rank out of the receive buffer: from the block of that rank, or of this one. */
  private void describeInPlace(Channel channel, CollectiveFacts facts, int rank) {
    int from = method.sendsBlocks() ? rank : channel.rank();
    facts.sends(rank, block(recv, recvBlocks(), from), bytes(channel, recv, recvBlocks(), true, from));
  }

  private static Buf<?> block(Buf<?> buf, Buf<?>[] blocks, int rank) {
    return blocks == null ? buf : blocks[rank];
  }

  private static long bytes(Channel channel, Buf<?> buf, Buf<?>[] blocks, boolean isOfBlocks, int rank) {
    if (blocks != null) {
      return bytes(blocks[rank]);
    }
    return isOfBlocks ? bytes(buf) / CollectiveChecks.peers(channel) : bytes(buf);
  }
}
