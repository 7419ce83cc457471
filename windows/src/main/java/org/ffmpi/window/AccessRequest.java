// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.Plan;

/**
 * A request to the owner of a part, in the bytes of {@link RequestLayout}. The flattened plan of the target's elements
 * and short data travel in the same message; longer ones follow in messages with the request's tag.
 */
final class AccessRequest {
  static final int PUT = 1;
  static final int GET = 2;
  static final int COMBINE = 3;
  static final int SWAP = 4;
  static final int FLUSH = 5;
  static final int LOCK = 6;
  static final int UNLOCK = 7;

  /** The data travel in the request. */
  static final int DATA_INSIDE = 1;
  /** The flattened plan follows in a message of its own. */
  static final int PLAN_FOLLOWS = 2;
  /** The origin has elements to combine. */
  static final int HAS_DATA = 4;
  /** The origin wants the elements as they were before. */
  static final int WANTS_RESULT = 8;
  /** The lock excludes others. */
  static final int EXCLUSIVE = 16;

  /** Longest flattened plan, and longest data, that travel in a request. */
  static final int INSIDE = 4096;
  /** Length of the longest request. */
  static final int LONGEST = RequestLayout.BODY_OFFSET + 2 * INSIDE;

  private final byte[] bytes;
  private final ByteBuffer words;
  private int length = RequestLayout.BODY_OFFSET;

  AccessRequest(int kind, int tag, int rank, int capacity) {
    bytes = new byte[RequestLayout.BODY_OFFSET + capacity];
    words = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    words.putInt(RequestLayout.KIND_OFFSET, kind);
    words.putInt(RequestLayout.TAG_OFFSET, tag);
    words.putInt(RequestLayout.RANK_OFFSET, rank);
  }

  AccessRequest elements(long position, long count, long dataBytes) {
    words.putLong(RequestLayout.POSITION_OFFSET, position);
    words.putLong(RequestLayout.COUNT_OFFSET, count);
    words.putLong(RequestLayout.DATA_BYTES_OFFSET, dataBytes);
    return this;
  }

  AccessRequest operation(int op, int unit) {
    words.putInt(RequestLayout.OPERATION_OFFSET, op);
    words.putInt(RequestLayout.UNIT_OFFSET, unit);
    return this;
  }

  AccessRequest flag(int flag) {
    words.putInt(RequestLayout.FLAGS_OFFSET, words.getInt(RequestLayout.FLAGS_OFFSET) | flag);
    return this;
  }

  AccessRequest planBytes(int n) {
    words.putInt(RequestLayout.PLAN_BYTES_OFFSET, n);
    return this;
  }

  AccessRequest append(byte[] more) {
    System.arraycopy(more, 0, bytes, length, more.length);
    length += more.length;
    return this;
  }

  /** Appends packed elements. */
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
