// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.AccumulateUnit;
import org.ffmpi.datatype.reduce.PredefinedOp;

/**
 * Finds requests to a part that have another effect in another order. Used where orders are explored, by any thread.
 * In doubt there is a conflict.
 */
final class RequestConflicts {
  private static final PredefinedOp[] OPS = PredefinedOp.values();
  /** The sums of so large whole numbers are exact, as long as there are few. */
  private static final double EXACT = 1 << 20;

  private RequestConflicts() {}

  /** Returns whether a request can conflict with those of other ranks; a flush and the end of a lock cannot. */
  static boolean isOrdered(long request) {
    int kind = RequestLayout.getPlainKind(request);
    return kind != AccessRequest.FLUSH && kind != AccessRequest.UNLOCK;
  }

  /** Returns whether two requests of different ranks may have another effect in the other order. */
  static boolean conflict(long first, long second) {
    boolean isLock = RequestLayout.getPlainKind(first) == AccessRequest.LOCK;
    if (isLock != (RequestLayout.getPlainKind(second) == AccessRequest.LOCK)) {
      return false; // who holds the lock decides who accesses
    }
    if (isLock) {
      return has(first, AccessRequest.EXCLUSIVE) || has(second, AccessRequest.EXCLUSIVE);
    }
    return overlap(first, second) && !(reads(first) && reads(second)) && !combineAlike(first, second);
  }

  private static boolean has(long request, int flag) {
    return (RequestLayout.getPlainFlags(request) & flag) != 0;
  }

  private static boolean reads(long request) {
    return RequestLayout.getPlainKind(request) == AccessRequest.GET
        || RequestLayout.getPlainKind(request) == AccessRequest.COMBINE && !has(request, AccessRequest.HAS_DATA);
  }

  /** Returns whether two accumulates without a result leave the same elements in either order. */
  private static boolean combineAlike(long first, long second) {
    return isPlainCombine(first) && isPlainCombine(second)
        && RequestLayout.getPlainOperation(first) == RequestLayout.getPlainOperation(second)
        && RequestLayout.getPlainUnit(first) == RequestLayout.getPlainUnit(second)
        && OPS[RequestLayout.getPlainOperation(first)] != PredefinedOp.REPLACE
        && !(rounds(first) || rounds(second));
  }

  /**
   * Returns whether a combination of floating-point numbers may be rounded, so that the order of several makes a
   * difference: sums of whole numbers up to a million are taken to be exact.
   */
  private static boolean rounds(long request) {
    AccumulateUnit unit = AccumulateUnit.ofCode(RequestLayout.getPlainUnit(request));
    PredefinedOp op = OPS[RequestLayout.getPlainOperation(request)];
    if (!unit.isRounded() || op != PredefinedOp.SUM && op != PredefinedOp.PROD) {
      return false;
    }
    if (op == PredefinedOp.PROD || !has(request, AccessRequest.DATA_INSIDE)) {
      return true;
    }
    long data = dataAddress(request);
    long bytes = RequestLayout.getPlainDataBytes(request);
    for (long at = 0; at < bytes; at += unit.size()) {
      double value = unit.size() == Double.BYTES ? Double.longBitsToDouble(Raw.getLong(data + at))
          : unit.size() == Float.BYTES ? Float.intBitsToFloat(Raw.getInt(data + at)) : Double.NaN;
      if (!(Math.abs(value) <= EXACT && value == Math.rint(value))) {
        return true;
      }
    }
    return false;
  }

  // ---- requests that look

  /** Returns whether a request changes nothing, whenever it is served. */
  static boolean isLook(long request) {
    return reads(request) || RequestLayout.getPlainKind(request) == AccessRequest.LOCK;
  }

  /** Returns whether a message answers a swap, and has another value than the swap expected. */
  static boolean isVain(long request, int tag, long bytes, long answer) {
    return RequestLayout.getPlainKind(request) == AccessRequest.SWAP && RequestLayout.getPlainTag(request) == tag
        && bytes == RequestLayout.getPlainDataBytes(request) && has(request, AccessRequest.DATA_INSIDE)
        && !Raw.equal(answer, dataAddress(request) + bytes, bytes);
  }

  /** Returns whether two requests differ in their tags and ranks alone. */
  static boolean isSame(long first, long firstBytes, long second, long secondBytes) {
    long rest = RequestLayout.POSITION_OFFSET;
    return firstBytes == secondBytes && RequestLayout.getPlainKind(first) == RequestLayout.getPlainKind(second)
        && RequestLayout.getPlainFlags(first) == RequestLayout.getPlainFlags(second)
        && Raw.equal(first + rest, second + rest, firstBytes - rest);
  }

  private static long dataAddress(long request) {
    return RequestLayout.bodyAddress(request)
        + (has(request, AccessRequest.PLAN_FOLLOWS) ? 0 : RequestLayout.getPlainPlanBytes(request));
  }

  private static boolean isPlainCombine(long request) {
    return RequestLayout.getPlainKind(request) == AccessRequest.COMBINE && !has(request, AccessRequest.WANTS_RESULT);
  }

  // ---- places

  private static boolean overlap(long first, long second) {
    return from(first) < to(second) && from(second) < to(first);
  }

  private static long from(long request) {
    Plan plan = plan(request);
    long position = RequestLayout.getPlainPosition(request);
    return isRun(request) ? position
        : plan == null || plan.extent() < 0 ? Long.MIN_VALUE : position + plan.trueLowerBound();
  }

  private static long to(long request) {
    long position = RequestLayout.getPlainPosition(request);
    long count = RequestLayout.getPlainCount(request);
    Plan plan = plan(request);
    return isRun(request) ? position + count
        : plan == null || plan.extent() < 0 ? Long.MAX_VALUE
        : position + (count - 1) * plan.extent() + plan.trueLowerBound() + plan.trueExtent();
  }

  private static boolean isRun(long request) {
    return RequestLayout.getPlainPlanBytes(request) == 0;
  }

  /** Returns the plan of the elements; null when they are a run, or the plan follows in another message. */
  private static Plan plan(long request) {
    return isRun(request) || has(request, AccessRequest.PLAN_FOLLOWS) ? null
        : Plan.unflatten(RequestLayout.bodyAddress(request), RequestLayout.getPlainPlanBytes(request));
  }
}
