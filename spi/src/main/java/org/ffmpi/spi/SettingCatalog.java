// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import org.ffmpi.base.Setting;

/**
 * The list of all settings of the library, which only its uppermost module knows. Found by
 * {@link java.util.ServiceLoader}; for tools, which list them. Any thread.
 */
public interface SettingCatalog {
  /** Loads every class that holds settings, so that {@link Setting#all} is complete. */
  void loadAll();

  /**
   * Returns whether users may set it.
   *
   * @param setting a setting
   * @return false for the values that a launcher gives its ranks
   */
  boolean isForUsers(Setting<?> setting);
}
