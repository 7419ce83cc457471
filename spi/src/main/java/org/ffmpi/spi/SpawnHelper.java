// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.util.Map;

/** Starts a launcher for processes that a job without one spawns. Found by {@link java.util.ServiceLoader}. */
public interface SpawnHelper {
  /**
   * Starts a launcher, which asks at a port for what it has to start and outlives this process.
   *
   * @param port the port's name
   * @param settings the settings of this process
   * @return the launcher's process
   */
  Process start(String port, Map<String, String> settings);
}
