// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufBlocks;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;

/**
 * The collective calls whose blocks differ in length, place and type. The buffers are cut into blocks once; the
 * arrays that say how are not looked at again.
 */
public abstract sealed class BlocksCollective implements CollectiveArguments {
  /** How a program says where blocks lie. */
  public record Layout(
      Buf<?> buf, long[] counts, long[] displs, Datatype<?>[] types, boolean isBytes, Buf<?>[] parts) {
    /** Stands for an array of blocks that is null. */
    private static final Buf<?>[] NULL = {};

    /** Blocks of one type, with displacements in elements. */
    public static Layout of(Buf<?> buf, long[] counts, long[] displs) {
      return new Layout(buf, counts, displs, null, false, null);
    }

    /** Blocks of types of their own, with displacements in bytes. */
    public static Layout of(Buf<?> buf, long[] counts, long[] displs, Datatype<?>[] types) {
      return new Layout(buf, counts, displs, types, true, null);
    }

    /** Blocks that are buffers of their own. */
    public static Layout of(Buf<?>[] parts) {
      return new Layout(null, null, null, null, false, parts == null ? NULL : parts);
    }

    /** Cuts the buffer; throws what is wrong. */
    Buf<?>[] cut(String side, Channel channel, boolean receive) {
      int blocks = CollectiveChecks.peers(channel);
      if (parts != null) {
        Buf<?>[] cut = BufBlocks.of(side, parts == NULL ? null : parts, blocks);
        check(BufBlocks.unusable(side, cut, receive));
        return cut;
      }
      check(CollectiveChecks.buf(side, buf, receive));
      return isBytes
          ? BufBlocks.of(side, buf, blocks, counts, displs, types)
          : BufBlocks.of(side, buf, blocks, counts, displs);
    }
  }

  /** What one side of a call is when all of its arguments are not significant. */
  private static final Layout NONE = Layout.of(null, null, null);

  Buf<?>[] sendBlocks;
  Buf<?>[] recvBlocks;

  @Override
  public final MpiException fill(Channel channel, CollectiveCall call) {
    try {
      cut(channel);
      describe(channel, call);
      return null;
    } catch (MpiException wrong) {
      return wrong;
    }
  }

  /** Cuts the buffers that are significant here into blocks, and throws what is wrong with the arguments. */
  abstract void cut(Channel channel);

  /** Describes what {@link #cut} has found nothing wrong with. */
  abstract void describe(Channel channel, CollectiveCall call);

  /** A block of objects is held for itself; a buffer that is not cut is held whole. */
  @Override
  public BufUses uses(Channel channel) {
    BufUses uses = new BufUses();
    if (sendBlocks != null) {
      uses.reads(sendBlocks);
    } else if (isSendUsed(channel)) {
      uses.reads(send());
    }
    if (recvBlocks == null) {
      return isRecvUsed(channel) ? uses.writes(recv()) : uses;
    }
    if (sendBlocks != null || !isSendUsed(channel) || !send().isInPlace()) {
      return uses.writes(recvBlocks);
    }
    return this instanceof Alltoallv
        ? uses.updates(recvBlocks)
        : CollectiveArguments.collected(uses, channel, recvBlocks);
  }

  final void putBlocks(CollectiveCall call) {
    if (sendBlocks != null) {
      CollectiveChecks.put(call.sendBlocks(), sendBlocks);
    }
    if (recvBlocks != null) {
      CollectiveChecks.put(call.recvBlocks(), recvBlocks);
    }
  }

  static void check(MpiException wrong) {
    if (wrong != null) {
      throw wrong;
    }
  }

  /** Checks the one block that this rank sends or receives, beside those that it has for all. */
  static void checkOwn(
      Channel channel, String oneName, Buf<?> one, String allName, Buf<?>[] all, boolean receive) {
    check(CollectiveChecks.buf(oneName, one, receive));
    if (CollectiveChecks.isBetweenGroups(channel)) {
      return;
    }
    long due = BufImpl.of(all[channel.rank()]).packedBytes();
    if (BufImpl.of(one).packedBytes() != due) {
      throw MpiException.argument(ErrorClass.ERR_COUNT, "bytes of " + oneName, BufImpl.of(one).packedBytes(),
          due + ", those of this rank's block of " + allName);
    }
  }

  /** {@code MPI_Gatherv}. */
  public static final class Gatherv extends BlocksCollective {
    private final Buf<?> send;
    private final Layout recv;
    private final int root;

    public Gatherv(Buf<?> send, Layout recv, int root) {
      this.send = send;
      this.recv = recv;
      this.root = root;
    }

    public static Gatherv inPlace(Layout buf, int root, Channel channel) {
      return CollectiveChecks.isRoot(channel, root)
          ? new Gatherv(Buf.inPlace(), buf, root)
          : new Gatherv(buf.buf(), NONE, root);
    }

    @Override
    void cut(Channel channel) {
      check(CollectiveChecks.root(channel, root));
      if (CollectiveChecks.isIdle(channel, root)) {
        return;
      }
      if (!CollectiveChecks.isRoot(channel, root)) {
        check(CollectiveChecks.buf("send", send, false));
        return;
      }
      recvBlocks = recv.cut("recv", channel, true);
      if (!CollectiveChecks.isBetweenGroups(channel) && !CollectiveChecks.isInPlace(send)) {
        checkOwn(channel, "send", send, "recv", recvBlocks, false);
        check(BufBlocks.overlap(new Buf<?>[] {send}, recvBlocks));
      }
    }

    @Override
    void describe(Channel channel, CollectiveCall call) {
      call.begin(Collective.GATHERV).setRoot(root);
      if (isSendUsed(channel)) {
        CollectiveChecks.putSend(call, send);
      }
      putBlocks(call);
    }

    @Override
    public Buf<?> send() {
      return send;
    }

    @Override
    public Buf<?> recv() {
      return recv.buf();
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
      return "gatherv";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      facts.root(root);
      if (recvBlocks == null && root >= 0) {
        facts.sends(root, send);
      }
      for (int r = 0; recvBlocks != null && r < recvBlocks.length; r++) {
        facts.receives(r, recvBlocks[r]);
      }
    }
  }

  /** {@code MPI_Scatterv}. */
  public static final class Scatterv extends BlocksCollective {
    private final Layout send;
    private final Buf<?> recv;
    private final int root;

    public Scatterv(Layout send, Buf<?> recv, int root) {
      this.send = send;
      this.recv = recv;
      this.root = root;
    }

    public static Scatterv inPlace(Layout buf, int root, Channel channel) {
      return CollectiveChecks.isRoot(channel, root)
          ? new Scatterv(buf, Buf.inPlace(), root)
          : new Scatterv(NONE, buf.buf(), root);
    }

    @Override
    void cut(Channel channel) {
      check(CollectiveChecks.root(channel, root));
      if (CollectiveChecks.isIdle(channel, root)) {
        return;
      }
      if (!CollectiveChecks.isRoot(channel, root)) {
        check(CollectiveChecks.buf("recv", recv, true));
        return;
      }
      sendBlocks = send.cut("send", channel, false);
      if (!CollectiveChecks.isBetweenGroups(channel) && !CollectiveChecks.isInPlace(recv)) {
        checkOwn(channel, "recv", recv, "send", sendBlocks, true);
        check(BufBlocks.overlap(sendBlocks, new Buf<?>[] {recv}));
      }
    }

    @Override
    void describe(Channel channel, CollectiveCall call) {
      call.begin(Collective.SCATTERV).setRoot(root);
      if (isRecvUsed(channel) && recv.isInPlace()) {
        call.setInPlace();
      } else if (isRecvUsed(channel)) {
        CollectiveChecks.put(call.recv(), recv);
      }
      putBlocks(call);
    }

    @Override
    public Buf<?> send() {
      return send.buf();
    }

    @Override
    public Buf<?> recv() {
      return recv;
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
      return "scatterv";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      facts.root(root);
      if (sendBlocks == null && root >= 0) {
        facts.receives(root, recv);
      }
      for (int r = 0; sendBlocks != null && r < sendBlocks.length; r++) {
        facts.sends(r, sendBlocks[r]);
      }
    }
  }

  /** {@code MPI_Allgatherv}. */
  public static final class Allgatherv extends BlocksCollective {
    private final Buf<?> send;
    private final Layout recv;

    public Allgatherv(Buf<?> send, Layout recv) {
      this.send = send;
      this.recv = recv;
    }

    @Override
    void cut(Channel channel) {
      recvBlocks = recv.cut("recv", channel, true);
      if (CollectiveChecks.isInPlace(send)) {
        check(CollectiveChecks.inPlace(channel, "send"));
        return;
      }
      checkOwn(channel, "send", send, "recv", recvBlocks, false);
      check(BufBlocks.overlap(new Buf<?>[] {send}, recvBlocks));
    }

    @Override
    void describe(Channel channel, CollectiveCall call) {
      CollectiveChecks.putSend(call.begin(Collective.ALLGATHERV), send);
      putBlocks(call);
    }

    @Override
    public Buf<?> send() {
      return send;
    }

    @Override
    public Buf<?> recv() {
      return recv.buf();
    }

    @Override
    public String name() {
      return "allgatherv";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      Buf<?> mine = send.isInPlace() ? recvBlocks[channel.rank()] : send;
      for (int r = 0; r < recvBlocks.length; r++) {
        facts.receives(r, recvBlocks[r]);
        facts.sends(r, mine);
      }
    }
  }

  /** {@code MPI_Alltoallv}, {@code MPI_Alltoallw}. */
  public static final class Alltoallv extends BlocksCollective {
    private final Layout send;
    private final Layout recv;

    public Alltoallv(Layout send, Layout recv) {
      this.send = send;
      this.recv = recv;
    }

    public static Alltoallv inPlace(Layout buf) {
      return new Alltoallv(Layout.of(Buf.inPlace(), null, null), buf);
    }

    @Override
    void cut(Channel channel) {
      recvBlocks = recv.cut("recv", channel, true);
      if (CollectiveChecks.isInPlace(send.buf())) {
        check(CollectiveChecks.inPlace(channel, "send"));
        return;
      }
      sendBlocks = send.cut("send", channel, false);
      if (!CollectiveChecks.isBetweenGroups(channel)) {
        checkOwn(channel, "recv[" + channel.rank() + "]", recvBlocks[channel.rank()], "send", sendBlocks, true);
      }
      check(BufBlocks.overlap(sendBlocks, recvBlocks));
    }

    @Override
    void describe(Channel channel, CollectiveCall call) {
      call.begin(Collective.ALLTOALLV);
      if (sendBlocks == null) {
        call.setInPlace();
      }
      putBlocks(call);
    }

    @Override
    public Buf<?> send() {
      return send.buf();
    }

    @Override
    public Buf<?> recv() {
      return recv.buf();
    }

    @Override
    public boolean isCounted() {
      return super.isCounted() || isCounted(send.parts()) || isCounted(recv.parts());
    }

    private static boolean isCounted(Buf<?>[] parts) {
      for (int i = 0; parts != null && i < parts.length; i++) {
        if (parts[i] != null && BufImpl.of(parts[i]).isCounted()) {
          return true;
        }
      }
      return false;
    }

    @Override
    public Buf<?>[] used(Channel channel) {
      if (recv.parts() == null) {
        return super.used(channel);
      }
      if (sendBlocks == null) {
        return recvBlocks.clone();
      }
      Buf<?>[] all = Arrays.copyOf(recvBlocks, recvBlocks.length + sendBlocks.length);
      System.arraycopy(sendBlocks, 0, all, recvBlocks.length, sendBlocks.length);
      return all;
    }

    @Override
    public String name() {
      return recv.isBytes() || recv.parts() != null ? "alltoallw" : "alltoallv";
    }

    @Override
    public void describe(Channel channel, CollectiveFacts facts) {
      Buf<?>[] from = sendBlocks == null ? recvBlocks : sendBlocks;
      for (int r = 0; r < recvBlocks.length; r++) {
        facts.receives(r, recvBlocks[r]);
        facts.sends(r, from[r]);
      }
    }
  }
}
