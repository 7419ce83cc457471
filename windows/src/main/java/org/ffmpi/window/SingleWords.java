// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.ref.Reference;
import org.ffmpi.Buf;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.reduce.PredefinedOp;
import org.ffmpi.datatype.reduce.WordKernel;

/**
 * Fast path of accumulating calls with one element of 4 or 8 bytes in a part that this rank reaches: counters, flags,
 * queues. Other calls, and wrong ones, are left to {@link Accumulations}. Both use the same locks.
 */
final class SingleWords {
  private final WindowState state;
  private final Epochs epochs;
  private final WindowTable table;
  private final Stripes stripes;
  private final long[] blocks;

  SingleWords(WindowState state, Epochs epochs, WindowTable table, Stripes stripes, long[] blocks) {
    this.state = state;
    this.epochs = epochs;
    this.table = table;
    this.stripes = stripes;
    this.blocks = blocks;
  }

  /**
   * Combines one element. Returns false without an effect if the call does not fit the fast path.
   *
   * @param how a combination with a kernel for words
   * @param type type of all elements
   * @param origin ignored for NO_OP
   * @param result receives the element as it was before; may be null
   */
  boolean combine(Combination how, Datatype<?> type, Buf<?> origin, Buf<?> result, int target, long disp) {
    WordKernel kernel = how.word();
    BufImpl<?> from = how.op() == PredefinedOp.NO_OP ? null : BufImpl.of(origin);
    BufImpl<?> into = BufImpl.of(result);
    if (!isOpen(target) || how.op() != PredefinedOp.NO_OP && !isWord(from, type, kernel)
        || into != null && !(isWord(into, type, kernel) && into.isReceivable())) {
      return false;
    }
    try {
      long at = table.position(target, disp, 1, kernel.bytes(), 0, kernel.bytes());
      long place = table.address(target, at, 0);
      if (place == 0) {
        return false;
      }
      long left = from == null ? 0 : get(from, kernel);
      long word = SyncLayout.stripeAddress(blocks[target], Stripes.of(at));
      stripes.lock(word);
      long before = kernel.get(place);
      kernel.put(place, kernel.apply(left, before));
      Stripes.unlock(word);
      if (into != null) {
        put(into, kernel, before);
      }
      return true;
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  /** Replaces one element if it equals another. Returns false without an effect if the call does not fit. */
  boolean swap(
      Combination how, Datatype<?> type, Buf<?> origin, Buf<?> compare, Buf<?> result, int target, long disp) {
    WordKernel kernel = how.word();
    BufImpl<?> from = BufImpl.of(origin);
    BufImpl<?> wanted = BufImpl.of(compare);
    BufImpl<?> into = BufImpl.of(result);
    if (!isOpen(target) || !isWord(from, type, kernel) || !isWord(wanted, type, kernel)
        || !isWord(into, type, kernel) || !into.isReceivable() || !how.unit().isComparable()) {
      return false;
    }
    try {
      long at = table.position(target, disp, 1, kernel.bytes(), 0, kernel.bytes());
      long place = table.address(target, at, 0);
      if (place == 0) {
        return false;
      }
      long old = get(wanted, kernel);
      long next = get(from, kernel);
      long word = SyncLayout.stripeAddress(blocks[target], Stripes.of(at));
      stripes.lock(word);
      long before = kernel.get(place);
      if (before == old) {
        kernel.put(place, next);
      }
      Stripes.unlock(word);
      put(into, kernel, before);
      return true;
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private boolean isOpen(int target) {
    return target >= 0 && target < state.size && state.world.isUsable() && !state.isClosed() && epochs.covers(target);
  }

  private static boolean isWord(BufImpl<?> buf, Datatype<?> type, WordKernel kernel) {
    return buf != null && buf.type() == type && buf.count() == 1 && buf.isSendable() && !buf.isCounted()
        && kernel.reaches(buf.memoryKind(), buf.memoryOffset());
  }

  private static long get(BufImpl<?> buf, WordKernel kernel) {
    try {
      return kernel.get(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset());
    } finally {
      Reference.reachabilityFence(buf.memoryOwner());
    }
  }

  private static void put(BufImpl<?> buf, WordKernel kernel, long bits) {
    try {
      kernel.put(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), bits);
    } finally {
      Reference.reachabilityFence(buf.memoryOwner());
    }
  }
}
