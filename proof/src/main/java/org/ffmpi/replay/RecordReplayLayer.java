// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import java.nio.file.Path;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.EngineLayer;
import org.ffmpi.spi.ProgramFacts;
import org.ffmpi.spi.RunSettings;

/**
 * The layer that records a run or repeats one, see docs/guide/record-and-replay.md. It is the lowest of all layers,
 * since what others do to a message is not a choice. Processes that a program spawns are not recorded. Called once for
 * each rank at its start.
 */
public final class RecordReplayLayer implements EngineLayer {
  /** Creates the layer. */
  public RecordReplayLayer() {}

  @Override
  public int height() {
    return 0;
  }

  @Override
  public boolean isWanted(Settings settings) {
    boolean records = !RunSettings.RECORD.get(settings).isEmpty();
    boolean replays = !RunSettings.REPLAY.get(settings).isEmpty();
    return (records || replays) && RunSettings.PARENT.get(settings).isEmpty();
  }

  @Override
  public Engine over(Engine engine) {
    Settings settings = engine.settings();
    String record = RunSettings.RECORD.get(settings);
    String replay = RunSettings.REPLAY.get(settings);
    try {
      if (!record.isEmpty() && !replay.isEmpty()) {
        throw new MpiException(
            ErrorClass.ERR_ARG, RunSettings.RECORD.name() + " = " + record + " is not allowed beside "
                + RunSettings.REPLAY.name() + " = " + replay + ": a run is recorded, or repeats a recording");
      }
      String program = ProgramFacts.COMMAND.get(settings);
      if (record.isEmpty()) {
        return new ReplayingEngine(engine, new ReplayFolder(Path.of(replay), engine.self(), engine.peers(), program));
      }
      ChannelNumbers channels = new ChannelNumbers();
      return new RecordingEngine(
          engine, new RecordingFolder(Path.of(record), engine.self(), engine.peers(), program, channels), channels);
    } catch (MpiException e) {
      engine.abort(1, e.getMessage()); // one line for the whole job; returns where ranks are threads
      throw e;
    }
  }
}
