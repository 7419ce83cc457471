// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.memory;

import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * The record of one of a rank's datatypes, written once, which peers read.
 *
 * <pre>
 *   0         8         16
 *  +---------+---------+---------------------------+-------------------------------+
 *  | plan    | text    | flattened plan            | signature in words, UTF-8     |
 *  +---------+---------+---------------------------+-------------------------------+
 * </pre>
 *
 * <p>{@code plan} and {@code text} are the lengths of the two parts in bytes; either may be 0.
 */
final class TypeRecordLayout {
  static final long PLAN_OFFSET = 0;
  static final long TEXT_OFFSET = PLAN_OFFSET + 8;
  static final long BODY_OFFSET = TEXT_OFFSET + 8;

  /** The same layout as data, for tests and tools. */
  static final class Shape {
    static final StructLayout LAYOUT = structLayout(JAVA_LONG.withName("plan"), JAVA_LONG.withName("text"));

    private Shape() {}
  }

  private TypeRecordLayout() {}

  static void setPlainLengths(long record, long plan, long text) {
    Raw.putLong(record + PLAN_OFFSET, plan);
    Raw.putLong(record + TEXT_OFFSET, text);
  }

  static long getPlainPlan(long record) {
    return Raw.getLong(record + PLAN_OFFSET);
  }

  static long getPlainText(long record) {
    return Raw.getLong(record + TEXT_OFFSET);
  }
}
