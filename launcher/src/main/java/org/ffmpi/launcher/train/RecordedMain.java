// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.train;

import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.ffmpi.ThreadWorld;
import org.ffmpi.launcher.command.ProgramMain;

/**
 * The main class of a rank that is recorded for a program's start-up cache. The JVM cannot add to a cache, so the
 * record has to hold what the library's cache holds: the calls of the {@link TrainingProgram} come first, in a world of
 * threads that knows nothing of the job, and then the program runs as it does without this class.
 */
final class RecordedMain {
  private static final int RANKS = 2;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** No explanations on standard error, no errors that end the process, and no core for these threads alone. */
  private static final Map<String, String> QUIET_SETTINGS =
      Map.of("ffmpi.collectives", "quiet", "ffmpi.errors", "return", "ffmpi.bind", "none");

  private static final String COMMAND_PROPERTY = "sun.java.command";

  private RecordedMain() {}

  /**
   * Trains, then runs the program.
   *
   * @param arguments the program's main class and its arguments
   * @throws Throwable what the program's main method throws
   */
  public static void main(String[] arguments) throws Throwable {
    callTheLibrary();
    String command = System.getProperty(COMMAND_PROPERTY, "");
    String own = RecordedMain.class.getName() + " ";
    if (command.startsWith(own)) {
      System.setProperty(COMMAND_PROPERTY, command.substring(own.length()));
    }
    ProgramMain.run(arguments[0], Arrays.copyOfRange(arguments, 1, arguments.length));
  }

  /** A cache that holds less is no reason to keep the program from running. */
  private static void callTheLibrary() {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    try (ThreadWorld world = ThreadWorld.start(RANKS, QUIET_SETTINGS, mpi -> TrainingProgram.run(mpi, nowhere))) {
      if (!world.await(LIMIT)) {
        System.err.println("mpirun: the start-up cache may hold less than the library's: its calls took too long");
      }
    } catch (RuntimeException | Error e) {
      System.err.println("mpirun: the start-up cache will hold what the program uses, and no more: " + e);
    }
  }
}
