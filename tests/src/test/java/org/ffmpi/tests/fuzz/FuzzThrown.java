// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.fuzz;

/** What the fuzzer's own callbacks throw; it may come out of a call. */
final class FuzzThrown extends RuntimeException {
  private static final long serialVersionUID = 1;

  FuzzThrown() {
    super("thrown by a callback of the fuzzer");
  }
}
