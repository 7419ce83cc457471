// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The values that a user has set. An explicit map takes precedence over the system properties, and these over the
 * environment. Immutable, and unaffected by later changes of system properties. May be used by any thread.
 */
public final class Settings {
  private static final String PREFIX = "ffmpi.";
  private static final String ENVIRONMENT_PREFIX = "FFMPI_";

  private final Map<String, String> explicit;
  private final Map<String, String> properties;
  private final Map<String, String> environment;

  private Settings(Map<String, String> explicit, Map<String, String> properties, Map<String, String> environment) {
    this.explicit = explicit;
    this.properties = properties;
    this.environment = environment;
  }

  /** A text and where it was set. */
  record Found(String text, String origin) {}

  /**
   * Reads the system properties and environment of this process.
   *
   * @return the settings
   */
  public static Settings ofProcess() {
    return of(Map.of());
  }

  /**
   * Puts explicit values over the system properties and environment of this process.
   *
   * @param explicit texts by name of the setting
   * @return the settings
   */
  public static Settings of(Map<String, String> explicit) {
    Map<String, String> properties = new HashMap<>();
    for (String name : System.getProperties().stringPropertyNames()) {
      String value = name.startsWith(PREFIX) ? System.getProperty(name) : null;
      if (value != null) {
        properties.put(name, value);
      }
    }
    return of(explicit, properties, System.getenv());
  }

  /** Creates settings from maps, for tests, which cannot change the environment. */
  static Settings of(Map<String, String> explicit, Map<String, String> properties, Map<String, String> environment) {
    Map<String, String> ours = new HashMap<>(environment);
    ours.keySet().removeIf(name -> !name.startsWith(ENVIRONMENT_PREFIX));
    return new Settings(Map.copyOf(explicit), Map.copyOf(properties), Map.copyOf(ours));
  }

  /**
   * Adds an explicit value, or replaces one.
   *
   * @param name name of the setting
   * @param text its value, as a user would write it
   * @return new settings; these are unchanged
   */
  public Settings with(String name, String text) {
    return with(Map.of(name, text));
  }

  /**
   * Adds explicit values, or replaces them.
   *
   * @param more texts by name of the setting
   * @return new settings; these are unchanged
   */
  public Settings with(Map<String, String> more) {
    Map<String, String> merged = new HashMap<>(explicit);
    merged.putAll(more);
    return new Settings(Map.copyOf(merged), properties, environment);
  }

  /**
   * Sets a value explicitly.
   *
   * @param <T> type of the value
   * @param setting the setting
   * @param value its value
   * @return new settings; these are unchanged
   */
  public <T> Settings with(Setting<T> setting, T value) {
    return with(setting.name(), setting.format(value));
  }

  /**
   * Returns whether a value was set, rightly or wrongly.
   *
   * @param setting the setting
   * @return false when its default is in force
   */
  public boolean isSet(Setting<?> setting) {
    return find(setting) != null;
  }

  /**
   * Returns the settings of this process other than through its environment, which child processes inherit anyway. A
   * launcher passes these on to ranks.
   *
   * @return texts by name, explicit ones over system properties, in the order of the names
   */
  public Map<String, String> toPassOn() {
    Map<String, String> all = new TreeMap<>(properties);
    all.putAll(explicit);
    return all;
  }

  /**
   * Lists every setting whose class has been loaded.
   *
   * @return settings in the order of their names
   */
  public static Collection<Setting<?>> registered() {
    return Setting.all();
  }

  Found find(Setting<?> setting) {
    String text = explicit.get(setting.name());
    if (text != null) {
      return new Found(text, setting.flag());
    }
    text = properties.get(setting.name());
    if (text != null) {
      return new Found(text, "system property " + setting.name());
    }
    text = environment.get(setting.environmentVariable());
    return text == null ? null : new Found(text, "environment variable " + setting.environmentVariable());
  }
}
