// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Operation;

/**
 * One collective call: its arguments, what one rank can check about them, and how to begin it. Blocking and nonblocking
 * forms share it. {@code check} returns what is wrong, or null; arguments that are not significant at this rank are not
 * looked at.
 */
sealed interface Collective {
  MpiException check(Channel channel);

  Operation begin(Collectives collectives, Channel channel);

  /** The buffer that the call sends, or null; as {@link #recv} and {@link #buf} for calls that have them. */
  default Buf<?> send() {
    return null;
  }

  default Buf<?> recv() {
    return null;
  }

  default Buf<?> buf() {
    return null;
  }

  default boolean isRecvUsed(Channel channel) {
    return true;
  }

  /** Tells whether memory may have to be held while the operation is under way. */
  default boolean isCounted() {
    return isCounted(send()) || isCounted(recv()) || isCounted(buf());
  }

  /** Returns the buffers that this rank uses, with null for those it does not. */
  default Buf<?>[] used(Channel channel) {
    return new Buf<?>[] {send(), isRecvUsed(channel) ? recv() : null, buf()};
  }

  /** {@code MPI_Barrier}. */
  record Barrier() implements Collective {
    @Override
    public MpiException check(Channel channel) {
      return null;
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      return collectives.barrier(channel);
    }
  }

  /** {@code MPI_Bcast}. */
  record Bcast(Buf<?> buf, int root) implements Collective {
    @Override
    public MpiException check(Channel channel) {
      MpiException wrong = checkRoot(channel, root);
      return wrong != null ? wrong : checkBuf("buf", buf, channel.rank() != root);
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      return collectives.bcast(channel, buf, root);
    }
  }

  /** {@code MPI_Gather}. */
  record Gather(Buf<?> send, Buf<?> recv, int root) implements Collective {
    static Gather inPlace(Buf<?> buf, int root, boolean atRoot) {
      return atRoot ? new Gather(Buf.inPlace(), buf, root) : new Gather(buf, null, root);
    }

    @Override
    public MpiException check(Channel channel) {
      MpiException wrong = checkRoot(channel, root);
      if (wrong != null) {
        return wrong;
      }
      if (channel.rank() != root) {
        return checkBuf("send", send, false);
      }
      wrong = checkBuf("recv", recv, true);
      if (wrong != null) {
        return wrong;
      }
      if (recv.count() % channel.size() != 0) {
        return MpiException.argument(
            ErrorClass.ERR_COUNT, "count of recv", recv.count(), "multiples of the number of ranks, " + channel.size());
      }
      if (send != null && send.isInPlace()) {
        return null;
      }
      wrong = checkBuf("send", send, false);
      if (wrong != null) {
        return wrong;
      }
      long block = recv.packedBytes() / channel.size();
      if (send.packedBytes() != block) {
        return MpiException.argument(
            ErrorClass.ERR_COUNT, "bytes of send", send.packedBytes(), block + ", one block of recv");
      }
      return checkApart("send", send, "recv", recv);
    }

    @Override
    public boolean isRecvUsed(Channel channel) {
      return channel.rank() == root;
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      return collectives.gather(channel, send, channel.rank() == root ? recv : null, root);
    }
  }

  /** {@code MPI_Reduce}. */
  record Reduce(Buf<?> send, Buf<?> recv, Op<?> op, int root) implements Collective {
    static Reduce inPlace(Buf<?> buf, Op<?> op, int root, boolean atRoot) {
      return atRoot ? new Reduce(Buf.inPlace(), buf, op, root) : new Reduce(buf, null, op, root);
    }

    @Override
    public MpiException check(Channel channel) {
      MpiException wrong = checkRoot(channel, root);
      if (wrong != null) {
        return wrong;
      }
      if (channel.rank() == root) {
        return checkReduction(send, recv, op);
      }
      wrong = checkBuf("send", send, false);
      return wrong != null ? wrong : checkOp(op, send);
    }

    @Override
    public boolean isRecvUsed(Channel channel) {
      return channel.rank() == root;
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      return collectives.reduce(channel, send, channel.rank() == root ? recv : null, op, root);
    }
  }

  /** {@code MPI_Allreduce}. */
  record Allreduce(Buf<?> send, Buf<?> recv, Op<?> op) implements Collective {
    @Override
    public MpiException check(Channel channel) {
      return checkReduction(send, recv, op);
    }

    @Override
    public Operation begin(Collectives collectives, Channel channel) {
      return collectives.allreduce(channel, send, recv, op);
    }
  }

  // ---- checks that several share

  private static boolean isCounted(Buf<?> buf) {
    return buf != null && buf.isCounted();
  }

  private static MpiException checkRoot(Channel channel, int root) {
    return root >= 0 && root < channel.size()
        ? null
        : MpiException.argument(ErrorClass.ERR_ROOT, "root", root, "0.." + (channel.size() - 1));
  }

  private static MpiException checkBuf(String argument, Buf<?> buf, boolean receive) {
    return buf == null
        ? MpiException.argument(ErrorClass.ERR_BUFFER, argument, null, "a Buf")
        : buf.unusable(argument, receive);
  }

  private static MpiException checkOp(Op<?> op, Buf<?> buf) {
    if (op == null) {
      return MpiException.argument(ErrorClass.ERR_OP, "op", null, "an Op");
    }
    try {
      op.kernel(buf.type());
      return null;
    } catch (MpiException undefined) {
      return undefined;
    }
  }

  private static MpiException checkApart(String sendName, Buf<?> send, String recvName, Buf<?> recv) {
    return send.overlaps(recv)
        ? MpiException.argument(
            ErrorClass.ERR_BUFFER, recvName, recv,
            "memory that does not overlap " + sendName + "; in place is the one-buffer form")
        : null;
  }

  private static MpiException checkReduction(Buf<?> send, Buf<?> recv, Op<?> op) {
    return checkReduction("send", send, "recv", recv, op);
  }

  /** Checks a reduction's operands, under the names that the call gives them. */
  static MpiException checkReduction(String sendName, Buf<?> send, String recvName, Buf<?> recv, Op<?> op) {
    MpiException wrong = checkBuf(recvName, recv, true);
    if (wrong == null) {
      wrong = checkOp(op, recv);
    }
    if (wrong != null || (send != null && send.isInPlace())) {
      return wrong;
    }
    wrong = checkBuf(sendName, send, false);
    if (wrong != null) {
      return wrong;
    }
    if (send.count() != recv.count()) {
      return MpiException.argument(
          ErrorClass.ERR_COUNT, "count of " + sendName, send.count(), recv.count() + ", the count of " + recvName);
    }
    if (send.type() != recv.type()) {
      return MpiException.argument(
          ErrorClass.ERR_TYPE, "type of " + sendName, send.type(), recv.type() + ", the type of " + recvName);
    }
    return checkApart(sendName, send, recvName, recv);
  }
}
