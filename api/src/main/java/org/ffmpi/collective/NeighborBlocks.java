// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufBlocks;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;

/** How a program says where the blocks of one side of a neighbourhood collective lie. */
public sealed interface NeighborBlocks {
  /**
   * Makes the blocks; throws what is wrong.
   *
   * @param side {@code send} or {@code recv}
   * @param neighbors number of blocks, at least one
   * @param receive whether they are written
   */
  Buf<?>[] cut(String side, int neighbors, boolean receive);

  /** Returns whether memory may have to be held while the operation is under way; asked before anything is checked. */
  boolean isCounted();

  /** One block, which all neighbours get. */
  record Same(Buf<?> buf) implements NeighborBlocks {
    @Override
    public Buf<?>[] cut(String side, int neighbors, boolean receive) {
      check(side, buf, receive);
      return new Buf<?>[] {buf};
    }

    @Override
    public boolean isCounted() {
      return isCounted(buf);
    }

    private static boolean isCounted(Buf<?> buf) {
      return buf != null && BufImpl.of(buf).isCounted();
    }

    private static void check(String side, Buf<?> buf, boolean receive) {
      MpiException wrong = buf == null
          ? MpiException.argument(ErrorClass.ERR_BUFFER, side, null, "a Buf")
          : BufImpl.of(buf).unusable(side, receive);
      if (wrong != null) {
        throw wrong;
      }
    }
  }

  /** Equal blocks, one after the other. */
  record Equal(Buf<?> buf) implements NeighborBlocks {
    @Override
    public Buf<?>[] cut(String side, int neighbors, boolean receive) {
      Same.check(side, buf, receive);
      return BufBlocks.equal(side, buf, neighbors);
    }

    @Override
    public boolean isCounted() {
      return Same.isCounted(buf);
    }
  }

  /** Blocks of different lengths, with displacements in elements. */
  record Counted(Buf<?> buf, long[] counts, long[] displs) implements NeighborBlocks {
    @Override
    public Buf<?>[] cut(String side, int neighbors, boolean receive) {
      Same.check(side, buf, receive);
      return BufBlocks.of(side, buf, neighbors, counts, displs);
    }

    @Override
    public boolean isCounted() {
      return Same.isCounted(buf);
    }
  }

  /** Blocks of different lengths and types, with displacements in bytes. */
  record Typed(Buf<?> buf, long[] counts, long[] displs, Datatype<?>[] types) implements NeighborBlocks {
    @Override
    public Buf<?>[] cut(String side, int neighbors, boolean receive) {
      Same.check(side, buf, receive);
      return BufBlocks.of(side, buf, neighbors, counts, displs, types);
    }

    @Override
    public boolean isCounted() {
      return Same.isCounted(buf);
    }
  }

  /** Blocks that the program has made. */
  record Given(Buf<?>[] bufs) implements NeighborBlocks {
    @Override
    public Buf<?>[] cut(String side, int neighbors, boolean receive) {
      Buf<?>[] blocks = BufBlocks.of(side, bufs, neighbors);
      MpiException wrong = BufBlocks.unusable(side, blocks, receive);
      if (wrong != null) {
        throw wrong;
      }
      return blocks;
    }

    @Override
    public boolean isCounted() {
      for (int i = 0; bufs != null && i < bufs.length; i++) {
        if (Same.isCounted(bufs[i])) {
          return true;
        }
      }
      return false;
    }
  }
}
