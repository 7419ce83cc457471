// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.ffmpi.base.Settings;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.EngineLayer;
import org.ffmpi.spi.RunSettings;

/** The layer that looks for races, with {@code ffmpi.check=races}. Called when a rank starts. */
public final class RaceLayer implements EngineLayer {
  /** Below the layers that observe the program's messages, to which its own do not belong. */
  private static final int HEIGHT = -100;

  private static final Map<Engine, WeakReference<RankRaces>> OF_ENGINE =
      Collections.synchronizedMap(new WeakHashMap<>());

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
    RankRaces races = new RankRaces(engine);
    Engine over = new RaceEngine(engine, races);
    OF_ENGINE.put(over, new WeakReference<>(races)); // which the engine itself holds
    return over;
  }

  @Override
  public Collectives over(Collectives collectives, Engine engine) {
    WeakReference<RankRaces> known = OF_ENGINE.get(engine);
    RankRaces races = known == null ? null : known.get();
    if (races == null) {
      RankRaces ofThread = RankRaces.ofThisThread();
      boolean same = ofThread != null && ofThread.self == engine.self() && ofThread.engine.peers() == engine.peers();
      races = same && engine.survival() == null ? ofThread : null;
    }
    return races == null ? collectives : new RaceCollectives(collectives, races);
  }
}
