// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The counters of one engine, by name. Any thread may use it; registering is for start-up. */
public final class Counters {
  private final ConcurrentSkipListMap<String, Counter> byName = new ConcurrentSkipListMap<>();

  /** Creates an empty set of counters. */
  public Counters() {}

  /**
   * Registers a counter, or returns the one that has the name.
   *
   * @param name its name
   * @param kind what kind of number it is
   * @param scope scope of the count
   * @param description the counted thing, in one phrase
   * @return the counter, beginning with 0
   */
  public Counter register(String name, Counter.Kind kind, Setting.Scope scope, String description) {
    return byName.computeIfAbsent(name, n -> new Counter(n, kind, scope, description));
  }

  /**
   * Finds a counter.
   *
   * @param name its name
   * @return the counter, or empty when none has the name
   */
  public Optional<Counter> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /**
   * Lists the counters.
   *
   * @return counters in the order of their names
   */
  public List<Counter> all() {
    return List.copyOf(byName.values());
  }

  /**
   * Reads all counters. They change meanwhile: the values are not of one moment.
   *
   * @return values by name, in the order of the names
   */
  public Map<String, Long> snapshot() {
    Map<String, Long> values = new TreeMap<>();
    byName.forEach((name, counter) -> values.put(name, counter.get()));
    return Collections.unmodifiableMap(values);
  }
}
