// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * A message in which a rank requests an access from the owner of a part, see {@link AccessRequest}; in native byte
 * order.
 *
 * <pre>
 *   0           4           8           12          16
 *  +-----------+-----------+-----------+-----------+
 *  | kind      | tag       | flags     | rank      |
 *  +-----------+-----------+-----------+-----------+-----------+-----------+
 *  | position              | count                 | dataBytes             |   from 16
 *  +-----------+-----------+-----------+-----------+-----------------------+
 *  | operation | unit      | planBytes |           | flattened plan, then data …   from 40; body from 56
 *  +-----------+-----------+-----------+-----------+-----------------------
 * </pre>
 *
 * <p>{@code rank} is the origin's. {@code position} and {@code count} name elements of the part, {@code dataBytes} the
 * length of their data. {@code operation} and {@code unit} are those of accumulates. {@code planBytes} is the length of
 * the flattened plan of the elements; if it is 0, the data are one run of bytes at the position.
 */
final class RequestLayout {
  static final int KIND_OFFSET = 0;
  static final int TAG_OFFSET = KIND_OFFSET + 4;
  static final int FLAGS_OFFSET = TAG_OFFSET + 4;
  static final int RANK_OFFSET = FLAGS_OFFSET + 4;
  static final int POSITION_OFFSET = RANK_OFFSET + 4;
  static final int COUNT_OFFSET = POSITION_OFFSET + 8;
  static final int DATA_BYTES_OFFSET = COUNT_OFFSET + 8;
  static final int OPERATION_OFFSET = DATA_BYTES_OFFSET + 8;
  static final int UNIT_OFFSET = OPERATION_OFFSET + 4;
  static final int PLAN_BYTES_OFFSET = UNIT_OFFSET + 4;

  /** Where the plan and the data begin. */
  static final int BODY_OFFSET = PLAN_BYTES_OFFSET + 8;

  /** The same layout as data, for tests and tools. */
  static final class Shape {
    static final StructLayout LAYOUT = structLayout(
        JAVA_INT.withName("kind"), JAVA_INT.withName("tag"), JAVA_INT.withName("flags"), JAVA_INT.withName("rank"),
        JAVA_LONG.withName("position"), JAVA_LONG.withName("count"), JAVA_LONG.withName("dataBytes"),
        JAVA_INT.withName("operation"), JAVA_INT.withName("unit"), JAVA_INT.withName("planBytes"), paddingLayout(4));

    private Shape() {}
  }

  private RequestLayout() {}

  static int getPlainKind(long request) {
    return Raw.getInt(request + KIND_OFFSET);
  }

  static int getPlainTag(long request) {
    return Raw.getInt(request + TAG_OFFSET);
  }

  static int getPlainFlags(long request) {
    return Raw.getInt(request + FLAGS_OFFSET);
  }

  static int getPlainRank(long request) {
    return Raw.getInt(request + RANK_OFFSET);
  }

  static long getPlainPosition(long request) {
    return Raw.getLong(request + POSITION_OFFSET);
  }

  static long getPlainCount(long request) {
    return Raw.getLong(request + COUNT_OFFSET);
  }

  static long getPlainDataBytes(long request) {
    return Raw.getLong(request + DATA_BYTES_OFFSET);
  }

  static int getPlainOperation(long request) {
    return Raw.getInt(request + OPERATION_OFFSET);
  }

  static int getPlainUnit(long request) {
    return Raw.getInt(request + UNIT_OFFSET);
  }

  static int getPlainPlanBytes(long request) {
    return Raw.getInt(request + PLAN_BYTES_OFFSET);
  }

  static long bodyAddress(long request) {
    return request + BODY_OFFSET;
  }
}
