// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import org.ffmpi.base.Settings;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.EngineLayer;
import org.ffmpi.spi.RunSettings;

/** The layer that records calls for the page of {@code --trace}, and for the table of {@code --profile}. */
public final class TraceLayer implements EngineLayer {
  /** Near to the program: what other layers do is a part of its calls. */
  private static final int HEIGHT = 100;

  /** Creates the layer, by {@link java.util.ServiceLoader}. */
  public TraceLayer() {}

  @Override
  public int height() {
    return HEIGHT;
  }

  @Override
  public boolean isWanted(Settings settings) {
    boolean asked = !RunSettings.TRACE.get(settings).isEmpty() || !RunSettings.TRACE_FOLDER.get(settings).isEmpty();
    return asked && RunSettings.PARENT.get(settings).isEmpty(); // a spawned job is not the one of the page
  }

  @Override
  public Engine over(Engine engine) {
    TraceFolder folder = TraceFolder.of(engine);
    TraceBuffer buffer = folder.buffer(engine);
    ClockCheck clocks = ClockCheck.start(engine, buffer);
    return new ObservedEngine(engine, new CallRecorder(buffer, engine.observer()), folder, clocks);
  }

  @Override
  public Collectives over(Collectives collectives, Engine engine) {
    return engine.observer() instanceof CallRecorder recorder
        ? new ObservedCollectives(collectives, recorder)
        : collectives;
  }
}
