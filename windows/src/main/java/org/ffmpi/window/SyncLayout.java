// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.invoke.VarHandle;
import org.ffmpi.base.raw.Raw;

/**
 * The words by which the ranks of a window synchronize: one block a rank, in shared memory, zeroed to begin with. Words
 * that different ranks write at the same time lie in different cache lines.
 *
 * <pre>
 * 0      lock      state of the window lock of this part, see {@link PartLock}
 * 64     completes how often any rank has completed an access epoch to this part
 * 72     attached  of dynamic windows: a version that is odd while what follows changes, offset of the table of
 *                  {@link Attachments}, number of its entries
 * 128    stripes   {@link Stripes#COUNT} lines: a lock for accumulating calls, and 48 bytes of scratch that it guards
 * then   posts     for each rank how often it has posted its part to this rank
 * then   log       where everything is checked: the table of {@link AccessLog}
 * </pre>
 */
final class SyncLayout {
  private static final int LINE = 64;
  private static final long COMPLETES = LINE;
  private static final long ATTACH_VERSION = LINE + 8;
  private static final long ATTACH_TABLE = LINE + 16;
  private static final long ATTACH_COUNT = LINE + 24;
  private static final long STRIPES = 2 * LINE;
  private static final long POSTS = STRIPES + (long) Stripes.COUNT * LINE;
  private static final long SCRATCH = 16;

  /** Bytes that a stripe's lock guards beside it. */
  static final long SCRATCH_BYTES = LINE - SCRATCH;

  private SyncLayout() {}

  /** Returns the size of a block, without the table of {@link AccessLog}. */
  static long bytes(int ranks) {
    return (POSTS + (long) ranks * Long.BYTES + LINE - 1) / LINE * LINE;
  }

  /** Returns where the table of {@link AccessLog} begins, in blocks that have one. */
  static long log(long block, int ranks) {
    return block + bytes(ranks);
  }

  static long lock(long block) {
    return block;
  }

  static long stripe(long block, int stripe) {
    return block + STRIPES + (long) stripe * LINE;
  }

  static long scratch(long stripe) {
    return stripe + SCRATCH;
  }

  // ---- post and complete

  static void addComplete(long block) {
    Raw.getAndAddLong(block + COMPLETES, 1);
  }

  static long completes(long block) {
    return Raw.getAcquireLong(block + COMPLETES);
  }

  // ---- attachments

  static void beginAttaching(long block) {
    Raw.putOpaqueLong(block + ATTACH_VERSION, Raw.getOpaqueLong(block + ATTACH_VERSION) + 1);
    VarHandle.storeStoreFence();
  }

  static void endAttaching(long block, long table, long count) {
    Raw.putOpaqueLong(block + ATTACH_TABLE, table);
    Raw.putOpaqueLong(block + ATTACH_COUNT, count);
    Raw.putReleaseLong(block + ATTACH_VERSION, Raw.getOpaqueLong(block + ATTACH_VERSION) + 1);
  }

  static long attachVersion(long block) {
    return Raw.getAcquireLong(block + ATTACH_VERSION);
  }

  static long attachTable(long block) {
    return Raw.getOpaqueLong(block + ATTACH_TABLE);
  }

  static long attachCount(long block) {
    return Raw.getOpaqueLong(block + ATTACH_COUNT);
  }

  /** Returns whether what was read since a version was is of that version. */
  static boolean isAttachVersion(long block, long version) {
    VarHandle.loadLoadFence();
    return Raw.getOpaqueLong(block + ATTACH_VERSION) == version;
  }

  // ---- posts

  static void addPost(long block, int by) {
    Raw.getAndAddLong(block + POSTS + (long) by * Long.BYTES, 1);
  }

  static long posts(long block, int by) {
    return Raw.getAcquireLong(block + POSTS + (long) by * Long.BYTES);
  }
}
