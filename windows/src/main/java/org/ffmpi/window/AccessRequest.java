// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.Plan;

/**
 * A request to the owner of a part: a message of its own, in which the layout of the target's elements and short data
 * travel along. What is too long for that follows in messages with the request's tag.
 *
 * <pre>
 * 0  int  kind           16 long position     40 int  operation
 * 4  int  tag            24 long count        44 int  unit of the operation
 * 8  int  flags          32 long data bytes   48 int  bytes of the layout; 0: the data are one run at the position
 * 12 int  origin's rank                       52      the layout, then the data
 * </pre>
 */
final class AccessRequest {
  static final int PUT = 1;
  static final int GET = 2;
  static final int COMBINE = 3;
  static final int SWAP = 4;
  static final int FLUSH = 5;
  static final int LOCK = 6;
  static final int UNLOCK = 7;

  /** The data travel along. */
  static final int DATA_INSIDE = 1;
  /** The layout follows in a message of its own. */
  static final int LAYOUT_FOLLOWS = 2;
  /** The origin has elements to combine. */
  static final int HAS_DATA = 4;
  /** The lock excludes others. */
  static final int EXCLUSIVE = 16;
  /** The origin wants what was there. */
  static final int WANTS_RESULT = 8;

  static final int HEADER = 56;
  /** The longest layout, and the longest data, that travel along. */
  static final int INSIDE = 4096;
  /** Length of the longest request. */
  static final int LONGEST = HEADER + 2 * INSIDE;

  private final byte[] bytes;
  private final ByteBuffer words;
  private int length = HEADER;

  AccessRequest(int kind, int tag, int rank, int capacity) {
    bytes = new byte[HEADER + capacity];
    words = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    words.putInt(0, kind).putInt(4, tag).putInt(12, rank);
  }

  AccessRequest place(long position, long count, long dataBytes) {
    words.putLong(16, position).putLong(24, count).putLong(32, dataBytes);
    return this;
  }

  AccessRequest operation(int op, int unit) {
    words.putInt(40, op).putInt(44, unit);
    return this;
  }

  AccessRequest flag(int flag) {
    words.putInt(8, words.getInt(8) | flag);
    return this;
  }

  AccessRequest layoutBytes(int n) {
    words.putInt(48, n);
    return this;
  }

  /** Appends bytes that travel along. */
  AccessRequest append(byte[] more) {
    System.arraycopy(more, 0, bytes, length, more.length);
    length += more.length;
    return this;
  }

  /** Appends packed elements that travel along. */
  AccessRequest append(Plan plan, int kind, Object owner, long offset, long count, long packed, long stage) {
    plan.pack(kind, owner, offset, count, 0, packed, stage);
    Memory.write(Memory.BYTES, bytes, length, stage, packed);
    length += (int) packed;
    return this;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }
}
