// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.EngineLayer;
import org.ffmpi.spi.RunSettings;

/** The layer that makes events of flight recordings, for {@code --jfr}. It lies below the one of {@code --trace}. */
public final class FlightLayer implements EngineLayer {
  private static final int HEIGHT = 90;
  private static final String MODULE = "jdk.jfr";

  /** Creates the layer, by {@link java.util.ServiceLoader}. */
  public FlightLayer() {}

  @Override
  public int height() {
    return HEIGHT;
  }

  @Override
  public boolean isWanted(Settings settings) {
    return !RunSettings.JFR.get(settings).isEmpty();
  }

  @Override
  public Engine over(Engine engine) {
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      throw new MpiException(
          ErrorClass.ERR_UNSUPPORTED_OPERATION,
          RunSettings.JFR.name() + ": this JVM runs without the module " + MODULE + "; java --add-modules " + MODULE
              + " adds it");
    }
    return FlightEngine.over(engine);
  }

  @Override
  public Collectives over(Collectives collectives, Engine engine) {
    FlightEngine own = FlightWindows.engineOf(engine.observer());
    return own == null ? collectives : new FlightCollectives(collectives, own);
  }
}
