// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

/** A suite of two points, for programs that tests run and stop; its jobs are the program's. */
final class TwoPointSuite {
  private TwoPointSuite() {}

  static Suite of(Measurement measurement) {
    return new Suite("two", "two points", measurement).benches("latency").cases("short").sizes(8L, 16L);
  }
}
