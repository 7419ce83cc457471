// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.dialect;

import java.util.Map;
import org.ffmpi.launcher.command.ProgramMain;
import org.ffmpi.launcher.request.LaunchSettings;
import org.ffmpi.spi.ForeignStart;

/**
 * The main class that runs a program of MPJ Express, whose launcher puts three arguments in front of the program's own:
 * the rank, the number of ranks (the name of its configuration file where it starts processes on several machines) and
 * the device. {@code MPI.Init} returns the arguments behind them.
 */
final class MpjMain {
  private static final String DEVICE = "ffmpi";

  private MpjMain() {}

  /**
   * Runs the program.
   *
   * @param arguments the program's main class and its arguments
   * @throws Throwable what the program's main method throws
   */
  public static void main(String[] arguments) throws Throwable {
    System.setProperty(LaunchSettings.DIALECT.name(), LaunchSettings.MPJ); // for MPI.Init
    ProgramMain.run(arguments[0].replace('/', '.'), argumentsOf(arguments, System.getenv()));
  }

  /** Returns the arguments of the program's main method. */
  static String[] argumentsOf(String[] arguments, Map<String, String> environment) {
    ForeignStart foreign = ForeignStart.of(environment);
    int size = foreign == null ? 1 : Math.max(1, foreign.size());
    String[] all = new String[arguments.length + 2];
    all[0] = environment.getOrDefault("FFMPI_RANK", foreign == null ? "0" : Integer.toString(foreign.rank()));
    all[1] = environment.getOrDefault("FFMPI_SIZE", Integer.toString(size));
    all[2] = DEVICE;
    System.arraycopy(arguments, 1, all, 3, arguments.length - 1);
    return all;
  }
}
