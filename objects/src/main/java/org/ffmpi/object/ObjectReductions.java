// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.util.List;
import java.util.function.BinaryOperator;
import org.ffmpi.Codec;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Failures;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;

/**
 * Combines the values of the ranks of one group, in the order of ranks, by messages between them. A rank that fails
 * sends the error instead of its value, so that no other waits for it, and all ranks that depend on the value throw the
 * error. Made for one call; blocks in the calling thread.
 *
 * @param <T> type of the values
 */
final class ObjectReductions<T> {
  /** Tag of all heads: messages between two ranks do not overtake each other. */
  private static final int TAG = 0;

  private final CommState state;
  private final Channel channel;
  private final ObjectTransfer transfer;
  private final Codec<T> codec;
  private final ClassPolicy policy;
  private final BinaryOperator<T> op;
  private final int rank;
  private final int size;
  private MpiException failure;

  ObjectReductions(
      CommState state, ObjectTransfer transfer, Codec<T> codec, ClassPolicy policy, BinaryOperator<T> op) {
    this.state = state;
    this.channel = state.channel;
    this.transfer = transfer;
    this.codec = codec;
    this.policy = policy;
    this.op = op;
    this.rank = channel.rank();
    this.size = channel.size();
  }

  /** Returns the first error of this rank or of one whose value it has received; null for none. */
  MpiException failure() {
    return failure;
  }

  /** Returns the result at the root, elsewhere null; the error is in {@link #failure}. */
  T reduce(T value, int root) {
    T result = tree(value);
    if (root != 0) {
      if (rank == 0) {
        send(result, root);
        result = null;
      } else if (rank == root) {
        MpiException own = failure;
        result = receive(0);
        failure = own == null ? failure : own;
      }
    }
    return rank == root ? result : null;
  }

  /**
   * Combines all values at rank 0 in a binomial tree. Returns the result at rank 0, elsewhere null; the error is in
   * {@link #failure}.
   */
  T tree(T value) {
    T result = value;
    for (int step = 1; step < size; step <<= 1) {
      if ((rank & step) != 0) {
        send(result, rank - step);
        return null;
      }
      if (rank + step < size) {
        result = combine(result, receive(rank + step));
      }
    }
    return result;
  }

  /**
   * Returns the result of the ranks up to this one, by recursive doubling: all ranks of a block have the block's value,
   * and each has the value of the ranks before it in the block. A step joins two blocks. The error is in {@link
   * #failure}.
   */
  T scan(T value, boolean inclusive) {
    T block = value;
    T before = null;
    boolean isFirst = true;
    for (int step = 1; step < size; step <<= 1) {
      int other = rank ^ step;
      if (other >= size) {
        continue;
      }
      T theirs = exchange(block, other);
      if (other > rank) {
        block = combine(block, theirs);
      } else {
        before = isFirst ? theirs : combine(theirs, before);
        isFirst = false;
        block = combine(theirs, block);
      }
    }
    return !inclusive ? before : isFirst ? value : combine(before, value);
  }

  // ---- messages

  private void send(T value, int dest) {
    OutgoingObject out = outgoing(value);
    try {
      transfer.send(Engine.STANDARD, out, channel.peer(dest), channel.reductions(), TAG);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private OutgoingObject outgoing(T value) {
    if (failure == null) {
      OutgoingObject out = OutgoingObject.ofOrFailed(value, codec, channel, OutgoingObject.HEAD);
      failure = out.failure();
      return out;
    }
    return OutgoingObject.failed(failure, channel, OutgoingObject.HEAD);
  }

  /** Receives a value; null when it cannot be decoded, or an error has come instead. */
  private T receive(int source) {
    IncomingObject in;
    try {
      in = transfer.receive(channel.peer(source), channel.reductions(), TAG, new Envelope());
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
    try {
      return in.value(codec, policy);
    } catch (MpiException e) {
      fail(e);
      return null;
    }
  }

  private T exchange(T value, int other) {
    OutgoingObject out = outgoing(value);
    List<Operation> started;
    try {
      started = transfer.start(Engine.STANDARD, out, channel.peer(other), channel.reductions(), TAG);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
    T theirs = receive(other);
    try {
      transfer.await(started);
      return theirs;
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private T combine(T left, T right) {
    if (failure != null) {
      return null;
    }
    try {
      return op.apply(left, right);
    } catch (RuntimeException e) {
      fail(callbackError(e));
      return null;
    }
  }

  private void fail(MpiException reason) {
    if (failure == null) {
      failure = reason;
    }
  }

  /** Returns the error of an operation that has thrown. */
  static MpiException callbackError(RuntimeException e) {
    return Failures.ofCallback("op", e);
  }
}
