// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.AccumulateUnit;
import org.ffmpi.spi.Operation;

/** The remote accesses of a window whose parts are all reached by loads and stores: there are none. */
final class NoRemoteAccess implements RemoteAccess {
  @Override
  public void put(BufImpl<?> origin, int target, long position, long count, Plan plan) {
    throw unreachable(target);
  }

  @Override
  public void get(BufImpl<?> origin, int target, long position, long count, Plan plan) {
    throw unreachable(target);
  }

  @Override
  public void combine(
      BufImpl<?> origin, BufImpl<?> result, int target, long position, long count, Plan plan, Combination how) {
    throw unreachable(target);
  }

  @Override
  public void compareAndSwap(
      BufImpl<?> origin, BufImpl<?> compare, BufImpl<?> result, int target, long position, AccumulateUnit unit) {
    throw unreachable(target);
  }

  private static MpiException unreachable(int target) {
    return new MpiException(ErrorClass.ERR_INTERN, "the part of rank " + target + " is not reached by this rank");
  }

  @Override
  public Operation pending(int target) {
    return null;
  }

  @Override
  public void close() {}

  // Loads and stores are done when they return; the synchronizing calls order them for other ranks.

  @Override
  public void complete(int target) {}

  @Override
  public void completeLocally(int target) {}

  @Override
  public void completeAll(int[] targets) {}

  @Override
  public void completeAll() {}

  @Override
  public void completeAllLocally() {}
}
