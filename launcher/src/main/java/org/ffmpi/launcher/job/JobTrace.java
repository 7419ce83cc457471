// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.command.Invocation;
import org.ffmpi.launcher.request.JobIo;
import org.ffmpi.launcher.request.JobRequest;
import org.ffmpi.launcher.request.LaunchSettings;
import org.ffmpi.spi.RunSettings;
import org.ffmpi.trace.TraceFolder;
import org.ffmpi.trace.TracePages;
import org.ffmpi.trace.model.JobRecording;

/**
 * The recordings that {@code --trace}, {@code --profile} and {@code --jfr} ask for. Makes folders for the ranks of a
 * job, and a page or a table of their recordings once all of them have ended. Used by the thread that starts the job
 * and by the one that sees its end.
 */
final class JobTrace {
  private static final String TRACE = "ffmpi.trace";
  private static final String FOLDER = "ffmpi.trace.folder";
  private static final String JFR = "ffmpi.jfr";
  private static final String JFR_ON = "on";
  private static final String SUFFIX = ".ranks";

  private final JobIo io;
  private final String command;

  /** Where the page goes; null without one. */
  private final Path page;

  private final boolean prints;

  /** Where the ranks record; null when only flight recordings are asked for. */
  private final Path folder;

  /** Whether the ranks are on this machine for certain. */
  private final boolean isLocal;

  private boolean finished;

  private JobTrace(JobRequest request, Path page, boolean prints, Path folder) {
    this.io = request.io();
    this.command = commandOf(request);
    this.isLocal = !LaunchSettings.usesMpiexec(request.settings());
    this.page = page;
    this.prints = prints;
    this.folder = folder;
  }

  /**
   * Returns whether a job asks for any of this. Loads nothing: most do not. Jobs that a recorded one spawns are not
   * recorded.
   */
  static boolean isWanted(Settings settings) {
    return !isSet(LaunchSettings.text(settings, FOLDER)) && asks(settings);
  }

  private static boolean asks(Settings settings) {
    return isSet(LaunchSettings.text(settings, TRACE)) || isSet(LaunchSettings.text(settings, JFR))
        || summarizes(settings);
  }

  private static boolean isSet(String text) {
    return text != null && !text.isEmpty();
  }

  /** Returns whether the listeners of {@code --profile} include the table of all ranks. */
  private static boolean summarizes(Settings settings) {
    String listeners = LaunchSettings.text(settings, LaunchSettings.PROFILE.name());
    return listeners != null && List.of(listeners.split(",")).contains(LaunchSettings.PROFILE_SUMMARY);
  }

  /** Returns the listeners of {@code --profile} that an agent has to install; empty for none. */
  static String listeners(String setting) {
    List<String> names = new ArrayList<>(List.of(setting.split(",")));
    names.removeIf(name -> name.isBlank() || name.equals(LaunchSettings.PROFILE_SUMMARY)
        || name.equals(LaunchSettings.NO_PROFILE));
    return String.join(",", names);
  }

  /**
   * Makes the folders of a job.
   *
   * @throws MpiException ERR_ARG when they cannot be made
   */
  static JobTrace of(JobRequest request) {
    String named = LaunchSettings.text(request.settings(), TRACE);
    Path page = isSet(named) ? Path.of(named).toAbsolutePath() : null;
    boolean prints = summarizes(request.settings());
    Path folder = null;
    try {
      if (page != null) {
        Files.createDirectories(page.getParent());
        if (Files.isDirectory(page)) {
          throw new IOException("it is a folder");
        }
        folder = Files.createTempDirectory(page.getParent(), page.getFileName() + SUFFIX);
      } else if (prints) {
        // ranks on other machines see the folder that the job is started in, if any
        folder = LaunchSettings.usesMpiexec(request.settings())
            ? Files.createTempDirectory(Path.of("").toAbsolutePath(), ".ffmpi-profile")
            : Files.createTempDirectory("ffmpi-profile");
      }
    } catch (IOException e) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, TRACE, page == null ? "" : page, "the name of a file that can be written (" + e + ")");
    }
    return new JobTrace(request, page, prints, folder);
  }

  /** Returns the job with the settings that its ranks need. */
  JobRequest applied(JobRequest request) {
    Map<String, String> settings = new HashMap<>(request.settings().toPassOn());
    if (folder != null) {
      settings.put(RunSettings.TRACE_FOLDER.name(), folder.toString());
    }
    String recordings = LaunchSettings.text(request.settings(), JFR);
    if (isSet(recordings) && !recordings.equals(JFR_ON)) {
      settings.put(JFR, Path.of(recordings).toAbsolutePath().toString());
    }
    return request.with(Settings.of(settings));
  }

  private static String commandOf(JobRequest request) {
    return Invocation.command() + " " + request.programs().stream()
        .map(program -> ("-n " + program.ranks() + " " + program.target() + " "
            + String.join(" ", program.arguments())).strip())
        .collect(Collectors.joining(" : "));
  }

  /** Removes the folder of a job that is not started after all. */
  void abandon() {
    synchronized (this) {
      finished = true;
    }
    try {
      if (folder != null) {
        TraceFolder.delete(folder);
      }
    } catch (IOException e) {
      // the user gets the reason why the job is not started
    }
  }

  /** Makes what is asked for, once; the ranks have ended. */
  void finish() {
    synchronized (this) {
      if (finished || folder == null) {
        return;
      }
      finished = true;
    }
    try {
      long now = isLocal ? System.nanoTime() : JobRecording.UNKNOWN; // the clock of all processes of a machine
      JobRecording job = TraceFolder.read(folder, command, now);
      if (job.ranks().isEmpty()) {
        io.print("no rank has recorded a call, so that there is nothing to show");
      } else {
        show(job);
      }
      TraceFolder.delete(folder);
    } catch (IOException | RuntimeException e) {
      io.print("what the ranks have recorded in " + folder + " could not be shown: " + e);
    }
  }

  private void show(JobRecording job) throws IOException {
    if (prints) {
      TracePages.table(job).lines().forEach(io::print);
    }
    if (page != null) {
      TracePages.write(job, page);
      io.print("the calls of " + job.ranks().size() + " ranks are in " + page + ", and for Perfetto in "
          + TracePages.json(page).getFileName());
    }
  }
}
