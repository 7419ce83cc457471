// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.Plan;

/** The only place where the engine turns a user's buffer into packed bytes and back. */
final class Packing {
  private Packing() {}

  /** Copies bytes [from, from+bytes) of the packed form of the buffer to the absolute address {@code to}. */
  static void pack(
      int kind, Object owner, long offset, long count, Plan plan, long from, long bytes, long to) {
    if (bytes == 0) {
      return; // a buffer without elements may begin outside its array
    }
    if (plan.isRun(count)) {
      Memory.read(kind, owner, offset + plan.trueLowerBound() + from, to, bytes);
    } else {
      plan.pack(kind, owner, offset, count, from, bytes, to);
    }
  }

  /** Copies packed bytes from the absolute address {@code at} to [from, from+bytes) of the buffer's packed form. */
  static void unpack(
      long at, int kind, Object owner, long offset, long count, Plan plan, long from, long bytes) {
    if (bytes == 0) {
      return;
    }
    if (plan.isRun(count)) {
      Memory.write(kind, owner, offset + plan.trueLowerBound() + from, at, bytes);
    } else {
      plan.unpack(at, kind, owner, offset, count, from, bytes);
    }
  }
}
