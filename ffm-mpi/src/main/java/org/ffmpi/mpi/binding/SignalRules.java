// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.function.Supplier;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.mpi.binding.Linking.InC;

/**
 * Keeps the JVM's signal handlers in place. The JVM needs SIGSEGV for null checks, safepoints and stack overflows,
 * SIGFPE for divisions, SIGBUS for mapped files, and the others for its own threads and its end. C libraries take them
 * over:
 *
 * <ul>
 *   <li>UCX, on which MPICH and Open MPI may sit, takes the signals of all errors when it is loaded, prints and ends
 *       the process: the first null check would be the last. An empty {@code UCX_ERROR_SIGNALS} prevents that. It
 *       replaces the user's list, since a JVM cannot run with any of these signals taken.
 *   <li>The PSM libraries of Omni-Path do the same, unless {@code HFI_NO_BACKTRACE} and {@code IPATH_NO_BACKTRACE} are
 *       set.
 *   <li>Open MPI takes SIGABRT, SIGBUS, SIGFPE and SIGSEGV where they have no handler. The JVM leaves only SIGABRT
 *       without one, which does no harm.
 * </ul>
 *
 * <p>For all other libraries, the JVM's handlers are saved before loading and before {@code MPI_Init_thread}, and
 * restored afterwards where they have changed.
 *
 * <p>Memory hooks stay. UCX patches {@code mmap}, {@code munmap} and their like to know when memory
 * that it has registered is unmapped; it does so safely while other threads run, the JVM's included (24 jobs whose
 * threads mapped and unmapped memory meanwhile, with G1 and with the parallel collector: none failed), and without the
 * patches the registrations of a network card would become stale. Processes that Java starts are forked by {@code
 * posix_spawn}, which the libraries do not notice.
 */
final class SignalRules {
  private static final Map<String, String> VARIABLES =
      Map.of("UCX_ERROR_SIGNALS", "", "HFI_NO_BACKTRACE", "1", "IPATH_NO_BACKTRACE", "1");

  @InC("SIGHUP")
  static final int HANGUP = 1;

  @InC("SIGINT")
  static final int INTERRUPT = 2;

  @InC("SIGQUIT")
  static final int QUIT = 3;

  @InC("SIGILL")
  static final int ILLEGAL_INSTRUCTION = 4;

  @InC("SIGTRAP")
  static final int TRAP = 5;

  @InC("SIGBUS")
  static final int BUS_ERROR = 7;

  @InC("SIGFPE")
  static final int ARITHMETIC_ERROR = 8;

  @InC("SIGSEGV")
  static final int SEGMENTATION_FAULT = 11;

  @InC("SIGUSR2")
  static final int USER_2 = 12;

  @InC("SIGPIPE")
  static final int BROKEN_PIPE = 13;

  @InC("SIGTERM")
  static final int TERMINATION = 15;

  @InC("SIGXFSZ")
  static final int FILE_SIZE = 25;

  /** Signals that HotSpot handles. */
  private static final int[] OF_THE_JVM = {
    HANGUP, INTERRUPT, QUIT, ILLEGAL_INSTRUCTION, TRAP, BUS_ERROR, ARITHMETIC_ERROR, SEGMENTATION_FAULT, USER_2,
    BROKEN_PIPE, TERMINATION, FILE_SIZE,
  };

  @InC("sizeof (struct sigaction)")
  static final int ACTION_BYTES = 152;

  /** Offset of the handler, which changes when a library takes the signal. */
  @InC("offsetof (struct sigaction, sa_handler)")
  static final int ACTION_HANDLER = 0;

  @InC("int sigaction (int, const struct sigaction *restrict, struct sigaction *restrict)")
  private static final MethodHandle SIGACTION = Linking.ofSystem("sigaction");

  /** The actions saved last, one for each signal. */
  private static final long SAVED =
      Raw.address(Arena.global().allocate((long) ACTION_BYTES * OF_THE_JVM.length, Long.BYTES));

  private SignalRules() {}

  /** Sets the variables that make libraries leave the JVM's signals alone; call it before they are loaded. */
  static void setVariables(Map<String, String> environment) {
    VARIABLES.forEach((name, value) -> {
      if (!value.equals(environment.get(name))) {
        DynamicLinker.setVariable(name, value);
      }
    });
  }

  /**
   * Runs an action that may replace signal handlers, and restores those of the JVM that it has changed.
   *
   * @param action a short one, because a handler that the program changes meanwhile is restored too
   * @return the result of the action
   */
  static synchronized <T> T keepHandlers(Supplier<T> action) {
    for (int i = 0; i < OF_THE_JVM.length; i++) {
      act(OF_THE_JVM[i], 0, SAVED + (long) i * ACTION_BYTES);
    }
    try {
      return action.get();
    } finally {
      restore();
    }
  }

  private static void restore() {
    try (Arena arena = Arena.ofConfined()) {
      long now = Raw.address(arena.allocate(ACTION_BYTES, Long.BYTES));
      for (int i = 0; i < OF_THE_JVM.length; i++) {
        long before = SAVED + (long) i * ACTION_BYTES;
        if (act(OF_THE_JVM[i], 0, now) == 0
            && Raw.getLong(now + ACTION_HANDLER) != Raw.getLong(before + ACTION_HANDLER)) {
          act(OF_THE_JVM[i], before, 0);
        }
      }
    }
  }

  private static int act(int signal, long action, long old) {
    try {
      return (int) (long) SIGACTION.invokeExact((long) signal, action, old, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }
}
