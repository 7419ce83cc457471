// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * The synchronization block of one rank of a window, in shared memory, zeroed to begin with.
 *
 * <pre>
 *    0 | lock                                                          |  line 0
 *   64 | attachVersion | attachTable | attachCount |                   |  line 1
 *  128 | stripe 0, 64 bytes | stripe 1 | …                             |  {@link Stripes#COUNT} lines
 *      | posts by rank 0 | completes by rank 0 | posts by rank 1 | …   |  from {@link #POSTS_OFFSET}, whole lines
 *      | access log                                                    |  where everything is checked
 * </pre>
 *
 * <p>{@code lock} is the lock of the part ({@link LockWordLayout}). The words about attachments belong to dynamic
 * windows: {@code attachVersion} is odd while the others and the table ({@link AttachmentTableLayout}, at this offset
 * in shared memory) change. Stripes ({@link StripeLayout}) have lines of their own. Of the two words of another rank,
 * one counts how often it has posted its part to this one, and one the access epochs to this part that it has
 * completed. The log is that of {@link AccessLogLayout}.
 */
final class SyncLayout {
  static final long LINE = 64;

  static final long LOCK_OFFSET = 0;
  static final long ATTACH_VERSION_OFFSET = LINE;
  static final long ATTACH_TABLE_OFFSET = ATTACH_VERSION_OFFSET + 8;
  static final long ATTACH_COUNT_OFFSET = ATTACH_TABLE_OFFSET + 8;
  static final long STRIPES_OFFSET = 2 * LINE;
  static final long POSTS_OFFSET = STRIPES_OFFSET + Stripes.COUNT * StripeLayout.BYTES;

  /** Bytes of the two words of another rank. */
  private static final long PAIR = 2 * Long.BYTES;

  /** The words before the stripes as data, for tests and tools. */
  static final class Shape {
    static final StructLayout WORDS = structLayout(
        JAVA_LONG.withName("lock"), paddingLayout(LINE - 8), JAVA_LONG.withName("attachVersion"),
        JAVA_LONG.withName("attachTable"), JAVA_LONG.withName("attachCount"), paddingLayout(LINE - 24));

    private Shape() {}
  }

  private SyncLayout() {}

  /** Returns the length of a block without its access log. */
  static long bytes(int ranks) {
    return (POSTS_OFFSET + ranks * PAIR + LINE - 1) / LINE * LINE;
  }

  /** Returns the address of the access log, in blocks that have one. */
  static long logAddress(long block, int ranks) {
    return block + bytes(ranks);
  }

  static long lockAddress(long block) {
    return block + LOCK_OFFSET;
  }

  static long stripeAddress(long block, int stripe) {
    return block + STRIPES_OFFSET + stripe * StripeLayout.BYTES;
  }

  // ---- post and complete

  private static long postsAddress(long block, int by) {
    return block + POSTS_OFFSET + by * PAIR;
  }

  private static long completesAddress(long block, int by) {
    return postsAddress(block, by) + Long.BYTES;
  }

  static void incrementPosts(long block, int by) {
    Raw.getAndAddLong(postsAddress(block, by), 1);
  }

  static long getAcquirePosts(long block, int by) {
    return Raw.getAcquireLong(postsAddress(block, by));
  }

  static void incrementCompletes(long block, int by) {
    Raw.getAndAddLong(completesAddress(block, by), 1);
  }

  static long getAcquireCompletes(long block, int by) {
    return Raw.getAcquireLong(completesAddress(block, by));
  }

  // ---- attachments

  static long getOpaqueAttachVersion(long block) {
    return Raw.getOpaqueLong(block + ATTACH_VERSION_OFFSET);
  }

  static long getAcquireAttachVersion(long block) {
    return Raw.getAcquireLong(block + ATTACH_VERSION_OFFSET);
  }

  static void setOpaqueAttachVersion(long block, long version) {
    Raw.putOpaqueLong(block + ATTACH_VERSION_OFFSET, version);
  }

  static void setReleaseAttachVersion(long block, long version) {
    Raw.putReleaseLong(block + ATTACH_VERSION_OFFSET, version);
  }

  static long getOpaqueAttachTable(long block) {
    return Raw.getOpaqueLong(block + ATTACH_TABLE_OFFSET);
  }

  static void setOpaqueAttachTable(long block, long offset) {
    Raw.putOpaqueLong(block + ATTACH_TABLE_OFFSET, offset);
  }

  static long getOpaqueAttachCount(long block) {
    return Raw.getOpaqueLong(block + ATTACH_COUNT_OFFSET);
  }

  static void setOpaqueAttachCount(long block, long count) {
    Raw.putOpaqueLong(block + ATTACH_COUNT_OFFSET, count);
  }
}
