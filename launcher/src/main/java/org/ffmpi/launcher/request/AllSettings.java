// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import org.ffmpi.base.Setting;
import org.ffmpi.spi.SettingCatalog;

/** The settings of all modules, for tools in a rank. Any thread. */
public final class AllSettings implements SettingCatalog {
  /** Creates the catalog; {@link java.util.ServiceLoader} does. */
  public AllSettings() {}

  @Override
  public void loadAll() {
    LaunchSettings.loadAll();
  }

  @Override
  public boolean isForUsers(Setting<?> setting) {
    return LaunchSettings.isForUsers(setting);
  }
}
