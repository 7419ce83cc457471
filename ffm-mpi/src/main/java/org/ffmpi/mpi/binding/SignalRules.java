// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.util.Map;

/**
 * What C libraries have to leave to the JVM, said in their own variables before they are loaded.
 *
 * <p>The JVM needs SIGSEGV for null checks, safepoints and stack overflows, SIGBUS for mapped files and SIGFPE for
 * divisions. UCX, on which MPICH and Open MPI may sit, takes all of them over when it is loaded, prints and ends the
 * process: an empty list of signals keeps it from that. The user's own list gives way, because a JVM cannot run with
 * any of them.
 *
 * <p>Open MPI takes signals only where the parameter {@code opal_signal} names them, which by default it does: SIGABRT,
 * SIGBUS, SIGFPE and SIGSEGV, but only those that nobody handles yet. The JVM always does, except for SIGABRT.
 */
final class SignalRules {
  private static final Map<String, String> VARIABLES = Map.of("UCX_ERROR_SIGNALS", "");

  private SignalRules() {}

  /** Sets the variables, unless they are set so. */
  static void apply(Map<String, String> environment) {
    VARIABLES.forEach((name, value) -> {
      if (!value.equals(environment.get(name))) {
        DynamicLinker.setVariable(name, value);
      }
    });
  }
}
