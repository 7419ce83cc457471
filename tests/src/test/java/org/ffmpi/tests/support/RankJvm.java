// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.support;

import java.util.List;
import org.ffmpi.launcher.Launcher;

/** JVM options of the processes that tests start, from the property that Maven's build sets for all of them. */
public final class RankJvm {
  private static final String OPTIONS = "ffmpi.test.jvm.options";

  private RankJvm() {}

  /** Returns the options; empty outside of Maven. */
  public static List<String> options() {
    String options = System.getProperty(OPTIONS, "").strip();
    return options.isEmpty() ? List.of() : List.of(options.split("\\s+"));
  }

  /** Returns a launcher of so many ranks with these options. */
  public static Launcher launcher(int ranks) {
    return Launcher.of(ranks).javaOptions(options().toArray(String[]::new));
  }
}
