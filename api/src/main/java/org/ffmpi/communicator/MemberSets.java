// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.Arrays;
import org.ffmpi.base.Constants;
import org.ffmpi.spi.Members;

/**
 * The set operations on the members of groups, each with MPI's order of its result. Where both operands are ranges and
 * the result is one, it takes a few steps and no list of members.
 */
public final class MemberSets {
  private MemberSets() {}

  /** Every {@code step}-th rank from {@code first} on, {@code count} of them. */
  private record Ranks(int first, int count, int step) {
    static final Ranks NONE = new Ranks(0, 0, 1);

    int last() {
      return first + (count - 1) * step;
    }
  }

  /** Returns all of {@code a} in its order, then those of {@code b} that are not in {@code a} in theirs. */
  public static Members union(Members a, Members b) {
    if (a.size() == 0) {
      return b;
    }
    Members rest = difference(b, a);
    if (rest.size() == 0) {
      return a;
    }
    int size = Math.addExact(a.size(), rest.size());
    int gap = rest.peer(0) - a.peer(a.size() - 1);
    if (isStep(a, gap) && isStep(rest, gap)) {
      return Members.range(a.peer(0), size, gap);
    }
    int[] peers = Arrays.copyOf(a.toArray(), size);
    for (int r = 0; r < rest.size(); r++) {
      peers[a.size() + r] = rest.peer(r);
    }
    return Members.of(peers);
  }

  /** Returns those of {@code a} that are in {@code b}, in the order of {@code a}. */
  public static Members intersection(Members a, Members b) {
    if (a.isRange() && b.isRange()) {
      Ranks common = common(a, b);
      return select(a, common.first(), common.count(), common.step());
    }
    return filter(a, b, true);
  }

  /** Returns those of {@code a} that are not in {@code b}, in the order of {@code a}. */
  public static Members difference(Members a, Members b) {
    if (a.isRange() && b.isRange()) {
      Ranks common = common(a, b);
      int left = a.size() - common.count();
      if (left == 0) {
        return Members.EMPTY;
      }
      boolean isBlock = common.step() == 1 || common.count() == 1;
      if (common.count() == 0 || isBlock && common.last() == a.size() - 1) {
        return select(a, 0, left, 1);
      }
      if (isBlock && common.first() == 0) {
        return select(a, common.count(), left, 1);
      }
      if (common.step() == 2 && common.first() <= 1 && common.last() >= a.size() - 2) {
        return select(a, 1 - common.first(), left, 2);
      }
    }
    return filter(a, b, false);
  }

  /** Returns the members with ranks {@code first}, {@code first + step} and so on; the step may be negative. */
  public static Members select(Members from, int first, int count, int step) {
    if (count == 0) {
      return Members.EMPTY;
    }
    if (count == 1) {
      return Members.range(from.peer(first), 1, 1);
    }
    if (from.isRange()) {
      return Members.range(from.peer(first), count, step * stride(from));
    }
    int[] peers = new int[count];
    for (int i = 0; i < count; i++) {
      peers[i] = from.peer(first + i * step);
    }
    return Members.of(peers);
  }

  private static Members filter(Members from, Members by, boolean keep) {
    int[] peers = new int[from.size()];
    int n = 0;
    for (int r = 0; r < peers.length; r++) {
      int peer = from.peer(r);
      if (by.rankOf(peer) != Constants.UNDEFINED == keep) {
        peers[n++] = peer;
      }
    }
    return n == peers.length ? from : Members.of(Arrays.copyOf(peers, n));
  }

  /** Returns the ranks in {@code a} of the common members of two ranges. */
  private static Ranks common(Members a, Members b) {
    if (a.size() == 0 || b.size() == 0) {
      return Ranks.NONE;
    }
    int step = stride(a);
    int width = Math.abs(step);
    int low = Math.min(b.peer(0), b.peer(b.size() - 1));
    int high = Math.max(b.peer(0), b.peer(b.size() - 1));
    int start = a.peer(0);
    int first = Math.max(0, Math.ceilDiv(step > 0 ? low - start : start - high, width));
    int last = Math.min(a.size() - 1, Math.floorDiv(step > 0 ? high - start : start - low, width));
    int grid = Math.abs(stride(b));
    int period = grid / gcd(width, grid);
    for (int r = first; r <= last && r < first + period; r++) {
      if ((start + r * step - low) % grid == 0) {
        return new Ranks(r, (last - r) / period + 1, period);
      }
    }
    return Ranks.NONE;
  }

  private static boolean isStep(Members range, int step) {
    return range.isRange() && (range.size() == 1 || stride(range) == step);
  }

  private static int stride(Members range) {
    return range.size() < 2 ? 1 : range.peer(1) - range.peer(0);
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
