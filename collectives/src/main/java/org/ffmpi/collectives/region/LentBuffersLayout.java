// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.region;

import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * Words in a region slot with the places where other ranks can read the buffers that a rank lends.
 *
 * <pre>
 *   0           8                16          24
 *  +-----------+----------------+-----------+
 *  | refusal   | contribution   | result    |
 *  +-----------+----------------+-----------+
 * </pre>
 *
 * <p>{@code refusal} is {@link #LENT} or {@link #REFUSED}. The other words are offsets in the shared memory: of unit 0
 * of the contribution, and of unit 0 of the whole result, of which the rank has a part. All are plain: the sequence
 * number of the slot, stored with release order, publishes them. A reader checks what it reads.
 */
public final class LentBuffersLayout {
  static final long REFUSAL_OFFSET = 0;
  static final long CONTRIBUTION_OFFSET = REFUSAL_OFFSET + 8;
  static final long RESULT_OFFSET = CONTRIBUTION_OFFSET + 8;

  /** Length of the words. */
  public static final long BYTES = RESULT_OFFSET + 8;

  /** The buffers can be read. */
  public static final long LENT = 0;

  /** The rank does not lend. */
  public static final long REFUSED = 1;

  /** The same layout as data, for tests and tools. */
  static final class Shape {
    static final StructLayout LAYOUT = structLayout(
        JAVA_LONG.withName("refusal"), JAVA_LONG.withName("contribution"), JAVA_LONG.withName("result"));

    private Shape() {}
  }

  private LentBuffersLayout() {}

  public static long getPlainRefusal(long words) {
    return Raw.getLong(words + REFUSAL_OFFSET);
  }

  public static void setPlainRefusal(long words, long refusal) {
    Raw.putLong(words + REFUSAL_OFFSET, refusal);
  }

  public static long getPlainContribution(long words) {
    return Raw.getLong(words + CONTRIBUTION_OFFSET);
  }

  public static void setPlainContribution(long words, long offset) {
    Raw.putLong(words + CONTRIBUTION_OFFSET, offset);
  }

  public static long getPlainResult(long words) {
    return Raw.getLong(words + RESULT_OFFSET);
  }

  public static void setPlainResult(long words, long offset) {
    Raw.putLong(words + RESULT_OFFSET, offset);
  }
}
