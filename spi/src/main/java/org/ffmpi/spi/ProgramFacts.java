// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import org.ffmpi.base.Setting;
import org.ffmpi.base.Setting.Scope;

/** The facts that a launcher passes to each rank about its program, one of those that were started together. */
public final class ProgramFacts {
  /** {@code ffmpi.program}: the program's number, from 0; -1 when no launcher has set it. */
  public static final Setting<Integer> PROGRAM =
      Setting.ofInt("ffmpi.program", -1, -1, Integer.MAX_VALUE, Scope.RANK,
          "number of this rank's program in the job, set by the launcher");

  /** {@code ffmpi.program.command}: the class, jar, module or source file that is run. */
  public static final Setting<String> COMMAND =
      Setting.ofString("ffmpi.program.command", "", Scope.RANK, "what this rank runs, set by the launcher");

  /** {@code ffmpi.program.arguments}: the program's arguments. */
  public static final Setting<String> ARGUMENTS =
      Setting.ofString("ffmpi.program.arguments", "", Scope.RANK,
          "arguments of this rank's program, separated by spaces, set by the launcher");

  /** {@code ffmpi.program.ranks}: how many ranks run the program. */
  public static final Setting<Integer> RANKS =
      Setting.ofInt("ffmpi.program.ranks", 0, 0, Integer.MAX_VALUE, Scope.RANK,
          "how many ranks run this rank's program, set by the launcher");

  private ProgramFacts() {}
}
