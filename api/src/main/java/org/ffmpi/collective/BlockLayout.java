// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.Buf;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufBlocks;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.FlatBlocks;

/** The places of the blocks of one side of a collective call, as a program describes them. */
sealed interface BlockLayout {
  /** Returns the buffer in which all blocks lie; null for {@link Given}. */
  Buf<?> buf();

  /**
   * Makes the blocks; throws an MpiException for wrong arguments.
   *
   * @param side {@code send} or {@code recv}
   * @param peers number of blocks, at least one
   * @param receive whether they are written
   */
  Buf<?>[] cut(String side, int peers, boolean receive);

  /** Returns whether memory may have to be held while the operation is under way; also before arguments are checked. */
  default boolean isCounted() {
    return CollectiveArguments.isCounted(buf());
  }

  private static void check(MpiException wrong) {
    if (wrong != null) {
      throw wrong;
    }
  }

  /** One block, the same for all peers. */
  record One(Buf<?> buf) implements BlockLayout {
    @Override
    public Buf<?>[] cut(String side, int peers, boolean receive) {
      check(CollectiveChecks.buf(side, buf, receive));
      return new Buf<?>[] {buf};
    }
  }

  /** Equal blocks, one after the other. */
  record Equal(Buf<?> buf) implements BlockLayout {
    @Override
    public Buf<?>[] cut(String side, int peers, boolean receive) {
      check(CollectiveChecks.buf(side, buf, receive));
      return BufBlocks.equal(side, buf, peers);
    }
  }

  /** Blocks of different lengths, with displacements in elements. */
  record Counted(Buf<?> buf, long[] counts, long[] displs) implements BlockLayout {
    /** Describes the blocks if all lie within the elements of the buffer; returns false otherwise. */
    boolean put(FlatBlocks into, BufImpl<?> whole, int blocks) {
      if (counts == null || displs == null || counts.length != blocks || displs.length != blocks) {
        return false;
      }
      long elements = whole.count();
      Plan plan = whole.plan();
      into.resize(blocks);
      for (int i = 0; i < blocks; i++) {
        long count = counts[i];
        long displ = count == 0 ? 0 : displs[i];
        if (count < 0 || displ < 0 || displ > elements - count) {
          return false;
        }
        into.get(i).set(
            whole.memoryKind(), whole.memoryOwner(), whole.memoryOffset() + displ * plan.extent(), count, plan);
      }
      return true;
    }

    @Override
    public Buf<?>[] cut(String side, int peers, boolean receive) {
      check(CollectiveChecks.buf(side, buf, receive));
      return BufBlocks.of(side, buf, peers, counts, displs);
    }
  }

  /** Blocks of different lengths and types, with displacements in bytes. */
  record Typed(Buf<?> buf, long[] counts, long[] displs, Datatype<?>[] types) implements BlockLayout {
    @Override
    public Buf<?>[] cut(String side, int peers, boolean receive) {
      check(CollectiveChecks.buf(side, buf, receive));
      return BufBlocks.of(side, buf, peers, counts, displs, types);
    }
  }

  /** Blocks that are buffers of their own. */
  record Given(Buf<?>[] bufs) implements BlockLayout {
    @Override
    public Buf<?> buf() {
      return null;
    }

    @Override
    public Buf<?>[] cut(String side, int peers, boolean receive) {
      Buf<?>[] blocks = BufBlocks.of(side, bufs, peers);
      check(BufBlocks.unusable(side, blocks, receive));
      return blocks;
    }

    @Override
    public boolean isCounted() {
      for (int i = 0; bufs != null && i < bufs.length; i++) {
        if (CollectiveArguments.isCounted(bufs[i])) {
          return true;
        }
      }
      return false;
    }
  }
}
