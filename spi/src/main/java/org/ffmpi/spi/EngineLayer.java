// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import org.ffmpi.base.Settings;

/**
 * Puts an observer, a recorder or a checker between a program and its engine, where a setting asks for it. Layers are
 * found by {@link java.util.ServiceLoader}, but looked for only where {@link RunSettings#wantsLayers} holds, so that a
 * rank without layers loads none of them.
 */
public interface EngineLayer {
  /**
   * Returns the place of this layer among several.
   *
   * @return a number; the layer with the highest is nearest to the program
   */
  int height();

  /**
   * Returns whether the settings of a rank ask for this layer.
   *
   * @param settings the rank's settings
   * @return false when its engine stays as it is
   */
  boolean isWanted(Settings settings);

  /**
   * Puts the layer over an engine. Called once for each rank, before the first call of the engine.
   *
   * @param engine the engine of the rank, or a layer over it
   * @return the engine that the program uses
   */
  Engine over(Engine engine);

  /**
   * Puts the layer over the collectives. Called once for each rank, before its first collective call.
   *
   * @param collectives the collectives of the rank
   * @param engine the result of {@link #over(Engine)} for that rank, or a layer over it
   * @return the collectives that the program uses
   */
  default Collectives over(Collectives collectives, Engine engine) {
    return collectives;
  }
}
