// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import java.security.CodeSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ffmpi.spi.Operation;

/** Finds the line of a program that makes the present call. Walks the stack, which takes microseconds. Any thread. */
final class CallSite {
  /** A class of each module above the ports, which in the library's own build are folders of their own. */
  private static final List<String> LIBRARY =
      List.of("org.ffmpi.Mpi", "org.ffmpi.window.WinImpl", "org.ffmpi.object.ObjectSettings",
          "org.ffmpi.collectives.ScheduledCollectives");

  private static final Set<CodeSource> SOURCES = sources();

  private CallSite() {}

  private static Set<CodeSource> sources() {
    Set<CodeSource> found = new HashSet<>();
    found.add(Operation.class.getProtectionDomain().getCodeSource());
    found.add(CallSite.class.getProtectionDomain().getCodeSource());
    for (String name : LIBRARY) {
      try {
        Class<?> type = Class.forName(name, false, CallSite.class.getClassLoader());
        found.add(type.getProtectionDomain().getCodeSource());
      } catch (ClassNotFoundException | LinkageError e) {
        // an engine under another API, as in some tests
      }
    }
    return found;
  }

  /** Returns file and line; empty when the program is not on the stack. */
  static String current() {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).walk(frames -> frames
        .filter(frame -> isOfProgram(frame.getDeclaringClass()))
        .findFirst()
        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
        .orElse(""));
  }

  private static boolean isOfProgram(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source != null && !SOURCES.contains(source);
  }
}
