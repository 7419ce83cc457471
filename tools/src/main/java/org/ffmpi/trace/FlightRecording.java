// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.RunSettings;

/**
 * The flight recording of this JVM, from its first rank's beginning to its last rank's end. A JVM that is killed leaves
 * none. Any thread may call.
 */
final class FlightRecording {
  /** Value of the setting without a recording of ours. */
  static final String ON = "on";

  /** The beginning of the name of a recording of a spawned process, whose rank another process has too. */
  private static final String SPAWNED = "spawned-";

  private static final String USUAL = "ffmpi.jfc";
  private static final String DETAILED = "ffmpi-detailed.jfc";

  /** Null while no rank of this JVM is recorded; guarded by the class, as what follows. */
  private static FlightRecording running;

  private final Recording recording;
  private final int first;
  private int last;
  private int ranks;

  private FlightRecording(Recording recording, int first) {
    this.recording = recording;
    this.first = first;
  }

  /** Begins to record a rank, where the setting names a folder; returns that folder, or null. */
  static Path begin(Engine engine) {
    String named = RunSettings.JFR.get(engine.settings());
    if (named.equals(ON)) {
      return null;
    }
    Path folder = Path.of(named).toAbsolutePath();
    synchronized (FlightRecording.class) {
      if (running == null) {
        running = started(engine.settings(), folder, engine.self());
      }
      running.last = engine.self();
      running.ranks++;
    }
    return folder;
  }

  private static FlightRecording started(Settings settings, Path folder, int rank) {
    boolean all = TraceSettings.JFR_DETAIL.get(settings) == TraceSettings.Detail.ALL;
    try (InputStream file = FlightRecording.class.getResourceAsStream(all ? DETAILED : USUAL)) {
      Files.createDirectories(folder);
      Recording recording =
          new Recording(Configuration.create(new InputStreamReader(file, StandardCharsets.UTF_8)));
      recording.setName("ffmpi");
      String spawned = RunSettings.PARENT.get(settings).isEmpty() ? "" : SPAWNED + ProcessHandle.current().pid() + "-";
      recording.setDestination(folder.resolve(spawned + "rank-" + rank + ".jfr"));
      recording.setDumpOnExit(true);
      recording.start();
      return new FlightRecording(recording, rank);
    } catch (IOException e) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, RunSettings.JFR.name(), folder, "on, or a folder where this rank may write (" + e + ")");
    } catch (ParseException e) {
      throw new MpiException(ErrorClass.ERR_INTERN, USUAL + " is no settings file of this JVM: " + e.getMessage(), e);
    }
  }

  /** Ends the recording when the last rank of this JVM has left. */
  static synchronized void end() {
    if (running != null && --running.ranks == 0) {
      running.stop();
      running = null;
    }
  }

  private void stop() {
    try {
      Path named = recording.getDestination();
      if (last != first) {
        recording.setDestination(named.resolveSibling("ranks-" + first + "-" + last + ".jfr"));
        Files.deleteIfExists(named); // the JVM has made it, empty
      }
      recording.stop();
      recording.close();
    } catch (IOException | IllegalStateException e) {
      // the JVM is ending and has stopped it, at its first name
    }
  }
}
