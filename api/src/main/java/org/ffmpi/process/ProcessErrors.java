// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import org.ffmpi.ErrorCalls;

/** The error classes and codes of the calling rank thread, otherwise of this process, at any time. */
public final class ProcessErrors implements ErrorCalls {
  /** The only instance; each call determines its rank. */
  public static final ProcessErrors INSTANCE = new ProcessErrors();

  private ProcessErrors() {}

  /** Returns the world model of the calling thread; null before init. */
  public World world() {
    return RankEnvironment.current();
  }

  /** Returns the codes of a world, or those of this process for null. */
  public static ErrorCodes codes(World world) {
    return world == null ? ErrorCodes.ofProcess() : world.errorCodes();
  }
}
