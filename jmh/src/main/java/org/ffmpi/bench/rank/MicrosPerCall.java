// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

/**
 * A point whose value is microseconds of one call.
 *
 * @param loop what is timed
 * @param calls how many calls one iteration makes, one after the other; half round trips count
 * @param look runs the loop once and throws if the payload did not arrive
 */
record MicrosPerCall(WorkProgram.Loop loop, int calls, Runnable look) implements WorkProgram.Prepared {
  @Override
  public String unit() {
    return "us";
  }

  @Override
  public double value(double secondsPerIteration) {
    return secondsPerIteration / calls * 1e6;
  }

  @Override
  public void check() {
    look.run();
  }
}
