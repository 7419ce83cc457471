// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.util.List;

/** The line of the program that makes the current call. Any thread; waits for nothing. */
final class ProgramSite {
  private static final String OURS = "org/ffmpi/";

  /** Programs that have their places below the library's name. */
  private static final List<String> PROGRAMS = List.of("org/ffmpi/samples/", "org/ffmpi/tests/");

  private static final String DIALECT = "mpi/";

  private ProgramSite() {}

  /** Returns whether a class, by its internal name, belongs to the library or a dialect. */
  static boolean isOfLibrary(String name) {
    return name.startsWith(DIALECT) || name.startsWith(OURS) && PROGRAMS.stream().noneMatch(name::startsWith);
  }

  /** Returns a call and its line, such as {@code MPI_Put at Halo.java:41}. */
  static String of(String call) {
    return call + " at " + StackWalker.getInstance().walk(frames -> frames
        .filter(frame -> !isOfLibrary(frame.getClassName().replace('.', '/'))
            && !frame.getClassName().startsWith("java."))
        .findFirst().map(frame -> frame.getFileName() + ":" + frame.getLineNumber()).orElse("an unknown place"));
  }
}
