// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.command.Invocation;
import org.ffmpi.spi.RunSettings;

/** A run that its ranks record, and the command that repeats it. */
public final class RecordedRun {
  private static final String MAIN = "org.ffmpi.launcher.MpirunMain";
  private static final String RECORD = RunSettings.RECORD.flag();
  private static final String VARIABLE = RunSettings.RECORD.environmentVariable();
  private static final String REPLAY = RunSettings.REPLAY.flag();

  /** When this mpirun began, in milliseconds of the clock; 0 where it is not known. */
  private static volatile long begun;

  private RecordedRun() {}

  /** Notes that a job begins now: earlier files are those of another one. */
  public static void begin() {
    begun = System.currentTimeMillis();
  }

  /**
   * Returns a sentence about the recording of a job that has failed or does not move.
   *
   * @param settings settings of the job
   * @return the sentence; null when the job is not recorded, or none of its ranks has begun
   */
  public static String hint(Settings settings) {
    String folder = RunSettings.RECORD.get(settings);
    if (folder.isEmpty() || !hasFiles(Path.of(folder))) {
      return null;
    }
    String recorded = "the run is recorded in " + Path.of(folder) + "; ";
    List<String> words = ownArguments();
    boolean byEnvironment = System.getenv(VARIABLE) != null;
    return words == null
        ? recorded + REPLAY + " " + quoted(folder) + " instead of " + RECORD + " repeats it"
        : recorded + "this repeats it: " + command(words, folder, byEnvironment);
  }

  /** Returns whether ranks have begun to record. */
  private static boolean hasFiles(Path folder) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "rank-*")) {
      for (Path file : files) {
        if (Files.getLastModifiedTime(file).toMillis() >= begun) {
          return true;
        }
      }
      return false;
    } catch (IOException | DirectoryIteratorException e) {
      return false;
    }
  }

  /** Returns the arguments of this mpirun; null when it was started in another way. */
  private static List<String> ownArguments() {
    try {
      // Not ProcessHandle, which leaves out long command lines.
      List<String> all = List.of(Files.readString(Path.of("/proc/self/cmdline")).split("\0"));
      int main = all.indexOf(MAIN);
      return main < 0 ? null : all.subList(main + 1, all.size());
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Returns the command that repeats a run.
   *
   * @param words the arguments of the mpirun that has recorded it
   * @param folder where
   * @param byEnvironment whether the environment asks for it
   */
  static String command(List<String> words, String folder, boolean byEnvironment) {
    List<String> repeated = new ArrayList<>(List.of(REPLAY, folder));
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals(RECORD) && i + 1 < words.size() && words.get(i + 1).equals(folder)) {
        i++;
      } else if (!word.equals(RECORD + "=" + folder)
          && !word.equals("-D" + RunSettings.RECORD.name() + "=" + folder)) {
        repeated.add(word);
      }
    }
    return (byEnvironment ? "env -u " + VARIABLE + " " : "") + Invocation.command() + " "
        + repeated.stream().map(RecordedRun::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
