// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.PredefinedOp;

/**
 * Finds requests to a part that have another effect in another order. Used where orders are explored, by any thread.
 * In doubt there is a conflict.
 */
final class RequestConflicts {
  private static final PredefinedOp[] OPS = PredefinedOp.values();

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
        && OPS[RequestLayout.getPlainOperation(first)] != PredefinedOp.REPLACE;
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
