// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import org.ffmpi.Buf;
import org.ffmpi.Codec;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.collective.CollectiveArguments;
import org.ffmpi.collective.CollectiveChecks;
import org.ffmpi.collective.CollectiveMethod;
import org.ffmpi.collective.CommCollectives;
import org.ffmpi.collective.MovingCollective;
import org.ffmpi.process.CommState;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Operation;

/**
 * The collective calls with objects. The heads, all of one length, travel by the collective call of the same name, the
 * parts by broadcasts or as messages. A rank that cannot write its value sends the error instead. At the end all ranks
 * learn whether one of them has failed, in writing or in reading, and all throw then. Made for each call; blocks in the
 * calling thread.
 */
final class ObjectCollectives {
  /** Bytes of each head: most records fit, and the heads of a thousand ranks are half a mebibyte. */
  static final int HEAD = 512;

  private final CommState state;
  private final Channel channel;
  private final CommCollectives collectives;
  private final ObjectTransfer transfer;
  private final boolean between;
  private final int peers;

  private final CallOutcome outcome;

  ObjectCollectives(CommState state, CommCollectives collectives) {
    this.state = state;
    this.channel = state.channel;
    this.collectives = collectives;
    this.transfer = new ObjectTransfer(state);
    this.between = CollectiveChecks.isBetweenGroups(channel);
    this.peers = CollectiveChecks.peers(channel);
    this.outcome = new CallOutcome(state, collectives);
  }

  // ---- one to all, all to one

  <T> T bcast(T value, int root, Codec<T> codec) {
    ClassPolicy policy = begin(codec, root);
    T given = broadcast(value, root, codec, policy);
    agree();
    return given;
  }

  private <T> T broadcast(T value, int root, Codec<T> codec, ClassPolicy policy) {
    if (CollectiveChecks.isIdle(channel, root)) {
      run(MovingCollective.bcast(null, root));
      return null;
    }
    if (CollectiveChecks.isRoot(channel, root)) {
      broadcast(OutgoingObject.ofOrFailed(value, codec, channel, HEAD), root);
      return value;
    }
    byte[] head = new byte[HEAD];
    run(MovingCollective.bcast(Buf.of(head), root));
    IncomingObject in = incoming(head, 0);
    if (between) {
      receive(in, root);
    }
    while (in.isPartial()) {
      run(MovingCollective.bcast(part(in).buf(), root));
    }
    return value(in, codec, policy);
  }

  /** Sends a value, or an error, from the root to all ranks. */
  private void broadcast(OutgoingObject out, int root) {
    byte[] head = new byte[HEAD];
    out.putHead(head, 0);
    run(MovingCollective.bcast(Buf.of(head), root));
    if (between) { // the other ranks of this group do not know the number of broadcasts
      sendToAll(out);
    } else {
      for (ObjectPart part : out.parts()) {
        run(MovingCollective.bcast(part.buf(), root));
      }
    }
    fail(out.failure());
  }

  <T> List<T> gather(T value, int root, Codec<T> codec) {
    ClassPolicy policy = begin(codec, root);
    List<T> values = collect(value, root, codec, policy);
    agree();
    return values;
  }

  private <T> List<T> collect(T value, int root, Codec<T> codec, ClassPolicy policy) {
    if (CollectiveChecks.isIdle(channel, root)) {
      run(new MovingCollective(CollectiveMethod.GATHER, null, null, root));
      return new ArrayList<>();
    }
    if (!CollectiveChecks.isRoot(channel, root)) {
      OutgoingObject out = OutgoingObject.ofOrFailed(value, codec, channel, HEAD);
      byte[] head = new byte[HEAD];
      out.putHead(head, 0);
      run(new MovingCollective(CollectiveMethod.GATHER, Buf.of(head), null, root));
      List<Operation> started = new ArrayList<>();
      send(out, root, started);
      await(started);
      fail(out.failure());
      return new ArrayList<>();
    }
    byte[] heads = new byte[HEAD * peers];
    run(between
        ? new MovingCollective(CollectiveMethod.GATHER, null, Buf.of(heads), root)
        : MovingCollective.inPlace(CollectiveMethod.GATHER, Buf.of(heads), root, channel));
    IncomingObject[] in = new IncomingObject[peers];
    for (int r = 0; r < peers; r++) {
      in[r] = isSelf(r) ? null : incoming(heads, r * HEAD);
      receive(in[r], r);
    }
    return values(in, value, codec, policy);
  }

  <T> T scatter(List<? extends T> values, int root, Codec<T> codec) {
    ClassPolicy policy = begin(codec, root);
    if (CollectiveChecks.isIdle(channel, root)) {
      run(new MovingCollective(CollectiveMethod.SCATTER, null, null, root));
      agree();
      return null;
    }
    if (!CollectiveChecks.isRoot(channel, root)) {
      byte[] head = new byte[HEAD];
      run(new MovingCollective(CollectiveMethod.SCATTER, null, Buf.of(head), root));
      IncomingObject in = incoming(head, 0);
      receive(in, root);
      T value = value(in, codec, policy);
      agree();
      return value;
    }
    byte[] heads = new byte[HEAD * peers];
    OutgoingObject[] out = outgoing(values, codec, heads);
    run(between
        ? new MovingCollective(CollectiveMethod.SCATTER, Buf.of(heads), null, root)
        : MovingCollective.inPlace(CollectiveMethod.SCATTER, Buf.of(heads), root, channel));
    sendEach(out);
    agree();
    return between ? null : values.get(channel.rank());
  }

  // ---- all to all

  <T> List<T> allgather(T value, Codec<T> codec) {
    ClassPolicy policy = begin(codec);
    List<T> values = collectAtAll(value, codec, policy);
    agree();
    return values;
  }

  private <T> List<T> collectAtAll(T value, Codec<T> codec, ClassPolicy policy) {
    OutgoingObject out = OutgoingObject.ofOrFailed(value, codec, channel, HEAD);
    byte[] head = new byte[HEAD];
    out.putHead(head, 0);
    byte[] heads = new byte[HEAD * peers];
    run(new MovingCollective(CollectiveMethod.ALLGATHER, Buf.of(head), Buf.of(heads)));
    List<Operation> started = new ArrayList<>();
    for (int r = 0; between && r < peers; r++) {
      send(out, r, started);
    }
    IncomingObject[] in = new IncomingObject[peers];
    for (int r = 0; r < peers; r++) {
      if (between) {
        in[r] = incoming(heads, r * HEAD);
        receive(in[r], r);
      } else if (isSelf(r)) {
        for (ObjectPart part : out.parts()) {
          run(MovingCollective.bcast(part.buf(), r));
        }
      } else {
        in[r] = incoming(heads, r * HEAD);
        while (in[r].isPartial()) {
          run(MovingCollective.bcast(part(in[r]).buf(), r));
        }
      }
    }
    await(started);
    fail(out.failure());
    return values(in, value, codec, policy);
  }

  <T> List<T> alltoall(List<? extends T> values, Codec<T> codec) {
    ClassPolicy policy = begin(codec);
    byte[] outHeads = new byte[HEAD * peers];
    byte[] heads = new byte[HEAD * peers];
    OutgoingObject[] out = outgoing(values, codec, outHeads);
    run(new MovingCollective(CollectiveMethod.ALLTOALL, Buf.of(outHeads), Buf.of(heads)));
    List<Operation> started = new ArrayList<>();
    for (int r = 0; r < peers; r++) {
      send(out[r], r, started);
    }
    IncomingObject[] in = new IncomingObject[peers];
    for (int r = 0; r < peers; r++) {
      in[r] = isSelf(r) ? null : incoming(heads, r * HEAD);
      receive(in[r], r);
    }
    await(started);
    fail(failure(out));
    T own = between || outcome.hasFailed() ? null : values.get(channel.rank());
    List<T> all = values(in, own, codec, policy);
    agree();
    return all;
  }

  // ---- combining

  <T> T reduce(T value, BinaryOperator<T> op, int root, Codec<T> codec) {
    ClassPolicy policy = begin(codec, root);
    check(op);
    T result;
    if (between) {
      List<T> all = collect(value, root, codec, policy);
      result = all.isEmpty() ? null : combined(all, op);
    } else {
      ObjectReductions<T> reductions = reductions(codec, policy, op);
      result = reductions.reduce(value, root);
      fail(reductions.failure());
    }
    agree();
    return result;
  }

  <T> T allreduce(T value, BinaryOperator<T> op, Codec<T> codec) {
    ClassPolicy policy = begin(codec);
    check(op);
    T result = between
        ? combined(collectAtAll(value, codec, policy), op)
        : combineAtAll(value, codec, policy, reductions(codec, policy, op));
    agree();
    return result;
  }

  private <T> T combineAtAll(T value, Codec<T> codec, ClassPolicy policy, ObjectReductions<T> reductions) {
    T result = reductions.tree(value);
    fail(reductions.failure());
    if (channel.rank() != 0) {
      return broadcast(null, 0, codec, policy);
    }
    broadcast(reductions.failure() == null
        ? OutgoingObject.ofOrFailed(result, codec, channel, HEAD)
        : OutgoingObject.failed(reductions.failure(), channel, HEAD), 0);
    return result;
  }

  <T> T scan(T value, BinaryOperator<T> op, Codec<T> codec) {
    return scan("scanObject", value, op, codec, true);
  }

  <T> T exscan(T value, BinaryOperator<T> op, Codec<T> codec) {
    return scan("exscanObject", value, op, codec, false);
  }

  private <T> T scan(String call, T value, BinaryOperator<T> op, Codec<T> codec, boolean inclusive) {
    ClassPolicy policy = begin(codec);
    check(CollectiveChecks.withinOneGroup(channel, call));
    check(op);
    ObjectReductions<T> reductions = reductions(codec, policy, op);
    T result = reductions.scan(value, inclusive);
    fail(reductions.failure());
    agree();
    return result;
  }

  private <T> ObjectReductions<T> reductions(Codec<T> codec, ClassPolicy policy, BinaryOperator<T> op) {
    return new ObjectReductions<>(state, transfer, codec, policy, op);
  }

  /** Combines values in their order; null when one of them is missing, or the function fails. */
  private <T> T combined(List<T> all, BinaryOperator<T> op) {
    if (outcome.hasFailed()) {
      return null;
    }
    try {
      T result = all.getFirst();
      for (T next : all.subList(1, all.size())) {
        result = op.apply(result, next);
      }
      return result;
    } catch (RuntimeException e) {
      fail(ObjectReductions.callbackError(e));
      return null;
    }
  }

  // ---- the end of a call

  private void fail(MpiException error) {
    outcome.fail(error);
  }

  /** Ends the call at all ranks alike: when one of them has failed, all throw, each its own error first. */
  private void agree() {
    outcome.agree();
  }

  // ---- checks

  private ClassPolicy begin(Codec<?> codec) {
    state.checkCollective();
    ObjectMessages.check(state, codec);
    return ObjectMessages.policy(state);
  }

  private ClassPolicy begin(Codec<?> codec, int root) {
    ClassPolicy policy = begin(codec);
    check(CollectiveChecks.root(channel, root));
    return policy;
  }

  private void check(BinaryOperator<?> op) {
    check(op != null ? null : MpiException.argument(ErrorClass.ERR_OP, "op", null, "a function of two values"));
  }

  private void check(MpiException wrong) {
    if (wrong != null) {
      throw state.raise(wrong);
    }
  }

  private boolean isSelf(int rank) {
    return !between && rank == channel.rank();
  }

  // ---- heads and parts

  /** Writes a value for each other rank; instead of each an error when there are not as many values as ranks. */
  private <T> OutgoingObject[] outgoing(List<? extends T> values, Codec<T> codec, byte[] heads) {
    MpiException wrong = null;
    if (values == null || values.size() != peers) {
      wrong = values == null
          ? MpiException.argument(
              ErrorClass.ERR_COUNT, "values", null, "lists of " + peers + ", one value for each rank")
          : MpiException.argument(
              ErrorClass.ERR_COUNT, "size of values", values.size(), peers + ", one value for each rank");
    }
    OutgoingObject[] out = new OutgoingObject[peers];
    for (int r = 0; r < peers; r++) {
      if (wrong != null) {
        out[r] = OutgoingObject.failed(wrong, channel, HEAD);
      } else if (!isSelf(r)) {
        out[r] = OutgoingObject.<T>ofOrFailed(values.get(r), codec, channel, HEAD);
      }
      if (out[r] != null) {
        out[r].putHead(heads, r * HEAD);
      }
    }
    return out;
  }

  /** Sends all parts to their ranks. */
  private void sendEach(OutgoingObject[] out) {
    List<Operation> started = new ArrayList<>();
    for (int r = 0; r < peers; r++) {
      send(out[r], r, started);
    }
    await(started);
    fail(failure(out));
  }

  private void sendToAll(OutgoingObject out) {
    OutgoingObject[] same = new OutgoingObject[peers];
    Arrays.fill(same, out);
    sendEach(same);
  }

  private static MpiException failure(OutgoingObject[] out) {
    for (OutgoingObject o : out) {
      if (o != null && o.failure() != null) {
        return o.failure();
      }
    }
    return null;
  }

  private void send(OutgoingObject out, int rank, List<Operation> started) {
    if (out != null && !isSelf(rank)) {
      try {
        transfer.startParts(out, channel.peer(rank), started);
      } catch (RuntimeException e) {
        throw state.failed(e);
      }
    }
  }

  private void await(List<Operation> started) {
    try {
      transfer.await(started);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private IncomingObject incoming(byte[] heads, int at) {
    try {
      return new IncomingObject(heads, at, HEAD, HEAD, false);
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  private ObjectPart part(IncomingObject in) {
    try {
      return in.accept(-1);
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  private void receive(IncomingObject in, int rank) {
    if (in != null) {
      try {
        transfer.receiveParts(in, channel.peer(rank));
      } catch (RuntimeException e) {
        throw state.failed(e);
      }
    }
  }

  /** Returns a value; null when it cannot be read, or an error has come instead. */
  private <T> T value(IncomingObject in, Codec<T> codec, ClassPolicy policy) {
    try {
      return in.value(codec, policy);
    } catch (MpiException e) {
      fail(e);
      return null;
    }
  }

  /** Returns the values of all ranks; null objects stand for this rank's own value. */
  private <T> List<T> values(IncomingObject[] in, T own, Codec<T> codec, ClassPolicy policy) {
    List<T> values = new ArrayList<>(in.length);
    for (IncomingObject object : in) {
      values.add(object == null ? own : value(object, codec, policy));
    }
    return values;
  }

  private void run(CollectiveArguments call) {
    collectives.run(call);
  }
}
