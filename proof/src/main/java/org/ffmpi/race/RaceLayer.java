// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import org.ffmpi.base.Settings;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.EngineLayer;
import org.ffmpi.spi.RunSettings;

/** The layer that looks for races, with {@code ffmpi.check=races}. Called when a rank starts. */
public final class RaceLayer implements EngineLayer {
  /** Below the layers that observe the program's messages, to which its own do not belong. */
  private static final int HEIGHT = -100;

  /** Creates the layer. */
  public RaceLayer() {}

  @Override
  public int height() {
    return HEIGHT;
  }

  @Override
  public boolean isWanted(Settings settings) {
    return RunSettings.CHECK.get(settings) == RunSettings.Check.RACES;
  }

  @Override
  public Engine over(Engine engine) {
    if (engine.survival() != null) {
      return engine; // what ranks tell each other has to arrive
    }
    RaceAttachment.attach();
    return new RaceEngine(engine, new RankRaces(engine));
  }

  @Override
  public Collectives over(Collectives collectives, Engine engine) {
    RankRaces races = RaceEngine.racesOf(engine);
    return races == null ? collectives : new RaceCollectives(collectives, races);
  }
}
