// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import org.ffmpi.base.Settings;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.EngineLayer;
import org.ffmpi.spi.RunSettings;

/**
 * Puts the checks over an engine where {@code ffmpi.check} is full or races. With races, that search compares buffers.
 * Called once for each rank, at its start.
 */
public final class CheckLayer implements EngineLayer {
  /** Creates the provider. */
  public CheckLayer() {}

  /** Nearest to the engine: layers that record or choose see the program's calls, not those of the checks. */
  @Override
  public int height() {
    return -1;
  }

  @Override
  public boolean isWanted(Settings settings) {
    return RunSettings.CHECK.get(settings).isFull();
  }

  @Override
  public Engine over(Engine engine) {
    boolean comparesBuffers = RunSettings.CHECK.get(engine.settings()) == RunSettings.Check.FULL
        || engine.survival() != null; // there is no search for races
    return new CheckEngine(engine, comparesBuffers, CheckReport.sinkOfThisThread());
  }

  @Override
  public Collectives over(Collectives collectives, Engine engine) {
    return engine.lifetimes() instanceof RankLifetimes own ? new CheckedCollectives(collectives, own.engine())
        : collectives;
  }
}
