// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool.bean;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.EngineLayer;
import org.ffmpi.spi.RunSettings;

/**
 * Registers the MBean of each rank. It stands between nothing: the engine stays as it is. Called by the thread that
 * makes the rank.
 */
public final class BeanLayer implements EngineLayer {
  /** Creates the layer; {@link java.util.ServiceLoader} does. */
  public BeanLayer() {}

  @Override
  public int height() {
    return 0;
  }

  @Override
  public boolean isWanted(Settings settings) {
    return RunSettings.JMX.get(settings) != 0;
  }

  @Override
  public Engine over(Engine engine) {
    try {
      RankBean.register(engine);
    } catch (NoClassDefFoundError e) {
      throw new MpiException(
          ErrorClass.ERR_UNSUPPORTED_OPERATION,
          RunSettings.JMX.name() + " needs the module java.management, which this Java runtime does not have", e);
    }
    return engine;
  }

  @Override
  public Collectives over(Collectives collectives, Engine engine) {
    RankBean.setCollectives(engine, collectives);
    return collectives;
  }
}
