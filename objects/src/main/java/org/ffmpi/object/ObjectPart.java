// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import org.ffmpi.Buf;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.ObjectSignature;
import org.ffmpi.datatype.plan.Plan;

/**
 * A part of an object that is a message of its own.
 *
 * @param kind memory kind of the array
 * @param array the array
 * @param from its first element
 * @param count number of elements
 * @param plan their plan
 */
record ObjectPart(int kind, Object array, int from, long count, Plan plan) {
  static final Plan BYTE = new PrimitiveArray(Memory.BYTES, 0).plan();

  /** Plan of the bytes of a head, as which messages and receives of objects know each other. */
  static final Plan HEAD = BYTE.withSignature(ObjectSignature.OBJECT);

  static ObjectPart of(Object array) {
    PrimitiveArray a = PrimitiveArray.of(array);
    return new ObjectPart(a.kind(), array, 0, a.length(), a.plan());
  }

  static ObjectPart of(byte[] bytes, int from, int end) {
    return new ObjectPart(Memory.BYTES, bytes, from, end - from, BYTE);
  }

  /** Returns the part as a buffer. */
  Buf<?> buf() {
    return array instanceof byte[] bytes ? Buf.of(bytes, from, (int) count) : PrimitiveArray.buf(array);
  }
}
