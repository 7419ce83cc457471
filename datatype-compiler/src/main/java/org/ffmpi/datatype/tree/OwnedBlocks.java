// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.util.List;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/**
 * The indices that one process owns along one dimension of a distributed array (MPI-4.1 §5.1.4). They are blocks of
 * equal length at equal distances, of which the last may be shorter. All distributions are cyclic with some length of
 * block.
 *
 * @param firstIndex where the first block begins
 * @param blocks how many
 * @param length indices in a block
 * @param lastLength indices in the last block
 * @param cycle distance between blocks
 */
public record OwnedBlocks(long firstIndex, long blocks, long length, long lastLength, long cycle) {

  /** Refuses arguments that cannot distribute a dimension. */
  static void check(int d, Datatype.Distribution distribution, long darg, long gsize, long psize) {
    String name = "dargs[" + d + "]";
    if (distribution == Datatype.Distribution.NONE) {
      if (psize != 1) {
        throw MpiException.argument(
            ErrorClass.ERR_ARG, "psizes[" + d + "]", psize, "1 for a dimension that is not distributed");
      }
    } else if (darg != Constants.DISTRIBUTE_DFLT_DARG) {
      if (darg < 1) {
        throw MpiException.argument(
            ErrorClass.ERR_ARG, name, darg, "positive lengths of blocks and DISTRIBUTE_DFLT_DARG");
      }
      if (distribution == Datatype.Distribution.BLOCK && darg < Math.ceilDiv(gsize, psize)) {
        throw MpiException.argument(
            ErrorClass.ERR_ARG,
            name,
            darg,
            Math.ceilDiv(gsize, psize) + " or more, so that one block for each of " + psize + " processes covers "
                + gsize + " elements");
      }
    }
  }

  /** Distributes a dimension of {@code gsize} to {@code psize} processes and returns the part of one of them. */
  static OwnedBlocks of(Datatype.Distribution distribution, long darg, long gsize, long psize, long position) {
    boolean usual = darg == Constants.DISTRIBUTE_DFLT_DARG;
    long asked = switch (distribution) {
      case NONE -> gsize;
      case BLOCK -> usual ? Math.ceilDiv(gsize, psize) : darg;
      case CYCLIC -> usual ? 1 : darg;
    };
    // A longer block counts as one of the dimension's length, so that no product below overflows.
    long length = Math.min(asked, gsize);
    long all = Math.ceilDiv(gsize, length);
    long mine = all / psize + (position < all % psize ? 1 : 0);
    if (mine == 0) {
      return new OwnedBlocks(0, 0, length, length, 0);
    }
    long last = position + (mine - 1) * psize;
    return new OwnedBlocks(
        position * length, mine, length, Math.min(length, gsize - last * length), mine == 1 ? 0 : psize * length);
  }

  /** Returns how many indices are owned. */
  long indices() {
    return blocks == 0 ? 0 : (blocks - 1) * length + lastLength;
  }

  /** Returns the highest index owned. */
  long lastIndex() {
    return blocks == 0 ? 0 : firstIndex + (blocks - 1) * cycle + lastLength - 1;
  }

  /** Returns the shape of the owned indices of elements that lie {@code stride} bytes apart. */
  ByteShape shape(long stride, ByteShape body) {
    long first = firstIndex * stride;
    if (lastLength == length) {
      return blocks(first, blocks, stride, body);
    }
    ByteShape last = TreeShapes.repeat(first + (blocks - 1) * cycle * stride, lastLength, stride, body);
    return blocks == 1 ? last : new ByteShape.Sequence(List.of(blocks(first, blocks - 1, stride, body), last));
  }

  private ByteShape blocks(long first, long count, long stride, ByteShape body) {
    return count == 1
        ? TreeShapes.repeat(first, length, stride, body)
        : new ByteShape.Repeat(first, count, cycle * stride, TreeShapes.repeat(0, length, stride, body));
  }
}
