// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.fuzz;

/** The exception of the fuzzer's own callbacks; a call may throw it on. */
final class FuzzThrown extends RuntimeException {
  private static final long serialVersionUID = 1;

  FuzzThrown() {
    super("thrown by a callback of the fuzzer");
  }
}
