// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.Buf;
import org.ffmpi.Op;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.FlatBlocks;
import org.ffmpi.spi.FlatBuffer;

/** Argument checks that several collective calls share. Each method returns the error, or null. */
public final class CollectiveChecks {
  private CollectiveChecks() {}

  // ---- ranks

  /** Returns whether a channel lies between two groups. */
  public static boolean isBetweenGroups(Channel channel) {
    return channel.local() != channel.remote();
  }

  /** Returns whether this rank is the root. */
  public static boolean isRoot(Channel channel, int root) {
    return isBetweenGroups(channel) ? root == Constants.ROOT : root == channel.rank();
  }

  /** Returns whether this rank has no part in the call between groups, being in the root's group. */
  public static boolean isIdle(Channel channel, int root) {
    return root == Constants.PROC_NULL && isBetweenGroups(channel);
  }

  /** Returns the number of ranks that a rank's blocks come from or go to. */
  public static int peers(Channel channel) {
    return channel.remote().size();
  }

  public static MpiException root(Channel channel, int root) {
    int ranks = peers(channel);
    if (root >= 0 && root < ranks) {
      return null;
    }
    if (!isBetweenGroups(channel)) {
      return MpiException.argument(ErrorClass.ERR_ROOT, "root", root, "0.." + (ranks - 1));
    }
    return root == Constants.ROOT || root == Constants.PROC_NULL
        ? null
        : MpiException.argument(
            ErrorClass.ERR_ROOT, "root", root,
            "ROOT at the root, PROC_NULL at the others of its group, and 0.." + (ranks - 1) + " at the other group");
  }

  public static MpiException withinOneGroup(Channel channel, String call) {
    return isBetweenGroups(channel)
        ? MpiException.argument(
            ErrorClass.ERR_COMM, "communicator", "one between two groups",
            "those of one group: " + call + " is not defined between two")
        : null;
  }

  // ---- buffers

  static MpiException buf(String argument, Buf<?> buf, boolean receive) {
    return buf == null
        ? MpiException.argument(ErrorClass.ERR_BUFFER, argument, null, "a Buf")
        : BufImpl.of(buf).unusable(argument, receive);
  }

  static boolean isInPlace(Buf<?> buf) {
    return buf != null && buf.isInPlace();
  }

  /** Checks that a call may be in place. */
  static MpiException inPlace(Channel channel, String argument) {
    return isBetweenGroups(channel)
        ? MpiException.argument(
            ErrorClass.ERR_BUFFER, argument, Buf.inPlace(), "a Buf: in place is not defined between two groups")
        : null;
  }

  static MpiException apart(String sendName, Buf<?> send, String recvName, Buf<?> recv) {
    return BufImpl.of(send).overlaps(recv)
        ? MpiException.argument(
            ErrorClass.ERR_BUFFER, recvName, recv,
            "memory that does not overlap " + sendName + "; in place is the one-buffer form")
        : null;
  }

  /**
   * Returns a buffer with the blocks of all ranks, where the given count is that of one block; the given buffer if its
   * memory is too short, which {@link #blocks} finds.
   */
  public static <T> Buf<T> all(Buf<T> buf, Channel channel) {
    try {
      return BufImpl.all(buf, peers(channel));
    } catch (MpiException e) {
      return buf;
    }
  }

  /** Checks that a buffer has a block for each of some ranks. */
  static MpiException blocks(String argument, Buf<?> buf, int ranks) {
    if (BufImpl.of(buf).isPerRank()) {
      try {
        BufImpl.all(buf, ranks);
      } catch (MpiException e) {
        return new MpiException(
            e.errorClass(), argument + ": the memory of " + buf + " does not hold such a block for each of " + ranks
                + " ranks", e);
      }
    }
    return buf.count() % ranks == 0
        ? null
        : MpiException.argument(
            ErrorClass.ERR_COUNT, "count of " + argument, buf.count(), "multiples of the number of ranks, " + ranks);
  }

  /** Checks that a buffer is as long as a block that another one has. */
  static MpiException block(String argument, Buf<?> buf, String wholeName, long block) {
    return BufImpl.of(buf).packedBytes() == block
        ? null
        : MpiException.argument(
            ErrorClass.ERR_COUNT, "bytes of " + argument, BufImpl.of(buf).packedBytes(),
            block + ", one block of " + wholeName);
  }

  // ---- reductions

  /**
   * Checks that an operation is defined for a buffer's elements.
   *
   * @param call takes the kernel; null to check only
   */
  static MpiException op(CollectiveCall call, Op<?> op, Buf<?> buf) {
    if (op == null) {
      return MpiException.argument(ErrorClass.ERR_OP, "op", null, "an Op");
    }
    try {
      ReduceKernel kernel = OpAccess.kernel(op, buf.type());
      if (call != null) {
        call.setKernel(kernel, op.isCommutative());
      }
      return null;
    } catch (MpiException undefined) {
      return undefined;
    }
  }

  /**
   * Checks operands and results of as many elements, under the names that the call gives them.
   *
   * @param call takes the kernel; null to check only
   */
  public static MpiException operands(
      CollectiveCall call, String sendName, Buf<?> send, String recvName, Buf<?> recv, Op<?> op) {
    MpiException wrong = buf(recvName, recv, true);
    if (wrong == null) {
      wrong = op(call, op, recv);
    }
    if (wrong != null || isInPlace(send)) {
      return wrong;
    }
    wrong = buf(sendName, send, false);
    if (wrong != null) {
      return wrong;
    }
    if (send.count() != recv.count()) {
      return MpiException.argument(
          ErrorClass.ERR_COUNT, "count of " + sendName, send.count(), recv.count() + ", the count of " + recvName);
    }
    return sameTypeApart(sendName, send, recvName, recv);
  }

  static MpiException sameTypeApart(String sendName, Buf<?> send, String recvName, Buf<?> recv) {
    if (send.type() != recv.type() && !isSamePlatformType(send, recv)) {
      return MpiException.argument(
          ErrorClass.ERR_TYPE, "type of " + sendName, send.type(), recv.type() + ", the type of " + recvName);
    }
    return apart(sendName, send, recvName, recv);
  }

  /** Returns whether two predefined types are one type of the platform, as INT and INT32_T are. */
  private static boolean isSamePlatformType(Buf<?> one, Buf<?> other) {
    return one.type().isPredefined() && other.type().isPredefined() && one.type().size() == other.type().size()
        && hash(one) == hash(other);
  }

  private static long hash(Buf<?> buf) {
    return BufImpl.of(buf).plan().signature().hash(buf.type().size());
  }

  // ---- descriptions

  /** Describes a buffer with memory of its own. */
  public static void put(FlatBuffer into, Buf<?> buf) {
    BufImpl.of(buf).describe(into);
  }

  public static void put(FlatBlocks into, Buf<?>[] blocks) {
    into.resize(blocks.length);
    for (int i = 0; i < blocks.length; i++) {
      put(into.get(i), blocks[i]);
    }
  }

  /** Describes equal blocks, one for each rank. */
  static void putEqual(FlatBlocks into, Buf<?> buf, int ranks) {
    long each = buf.count() / ranks;
    long bytes = each * BufImpl.of(buf).plan().extent();
    into.resize(ranks);
    for (int i = 0; i < ranks; i++) {
      into.get(i).set(BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(),
          BufImpl.of(buf).memoryOffset() + i * bytes, each, BufImpl.of(buf).plan());
    }
  }

  /** Describes what this rank sends, or that it is in place. */
  static void putSend(CollectiveCall call, Buf<?> send) {
    if (send.isInPlace()) {
      call.setInPlace();
    } else {
      put(call.send(), send);
    }
  }
}
