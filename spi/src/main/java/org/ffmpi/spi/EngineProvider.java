// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.util.List;
import org.ffmpi.base.Settings;

/**
 * Makes engines. Found by {@link java.util.ServiceLoader}; of those that accept, the highest priority wins. A
 * provider that cannot work here refuses by throwing an {@code MpiException} of class ERR_UNSUPPORTED_OPERATION.
 */
public interface EngineProvider {
  /**
   * Returns the engine's short name, as the setting {@code ffmpi.engine} selects it.
   *
   * @return the name
   */
  String name();

  /**
   * Returns this provider's rank among those present.
   *
   * @return a priority; higher is tried first
   */
  int priority();

  /**
   * Joins the job that the settings (as a launcher passes them) name; without a launcher, a world of one. Blocks until
   * the peers have joined as far as this engine needs.
   *
   * @param settings the rank's settings
   * @return the engine of this rank
   */
  Engine join(Settings settings);

  /**
   * Makes a world whose ranks are threads of this JVM.
   *
   * @param ranks number of ranks, at least 1
   * @param settings settings of all ranks
   * @return one engine per rank, in rank order; each is to be {@linkplain Engine#leave left} by its rank
   */
  List<Engine> threads(int ranks, Settings settings);
}
