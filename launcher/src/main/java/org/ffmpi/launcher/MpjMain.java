// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import org.ffmpi.spi.ForeignStart;

/**
 * Runs a program of MPJ Express, whose launcher puts three arguments in front of the program's own: the rank, the
 * configuration and the device. {@code MPI.Init} returns what follows them.
 */
final class MpjMain {
  private static final String CONFIGURATION = "ffmpi";
  private static final String DEVICE = "ffmpi";

  private MpjMain() {}

  /**
   * Runs the program.
   *
   * @param arguments the program's main class and its arguments
   * @throws Throwable what the program's main method throws
   */
  public static void main(String[] arguments) throws Throwable {
    String[] all = new String[arguments.length + 2];
    all[0] = rank();
    all[1] = CONFIGURATION;
    all[2] = DEVICE;
    System.arraycopy(arguments, 1, all, 3, arguments.length - 1);
    System.setProperty(LaunchSettings.DIALECT.name(), Dialect.MPJ); // for MPI.Init
    RecordedMain.runMain(arguments[0], all);
  }

  private static String rank() {
    String own = System.getenv("FFMPI_RANK");
    if (own != null) {
      return own;
    }
    ForeignStart foreign = ForeignStart.of(System.getenv());
    return foreign == null ? "0" : Integer.toString(foreign.rank());
  }
}
