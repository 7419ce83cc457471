// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.AccumulateUnit;
import org.ffmpi.spi.Operation;

/** For windows whose parts are all reached by loads and stores: nothing is ever under way. */
final class NothingServed implements Served {
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
  public Operation latest(int target) {
    return null;
  }

  @Override
  public void end() {}

  // Loads and stores are over when they return; that others see them in order, the synchronizing calls provide.

  @Override
  public void complete(int target) {}

  @Override
  public void completeHere(int target) {}

  @Override
  public void completeAll() {}

  @Override
  public void completeAllHere() {}
}
