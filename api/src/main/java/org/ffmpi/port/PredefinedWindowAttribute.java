// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.port;

import java.util.Optional;
import java.util.function.Function;
import org.ffmpi.Win;

/** Returns a predefined attribute of a window. One class instead of a lambda for each, which would load slower. */
public final class PredefinedWindowAttribute<V> implements Function<Win, Optional<V>> {
  private final String name;

  public PredefinedWindowAttribute(String name) {
    this.name = name;
  }

  @Override
  @SuppressWarnings("unchecked") // the constants of Win have the types of their attributes
  public Optional<V> apply(Win win) {
    return (Optional<V>) Optional.ofNullable(((WindowBase) win).predefined(name));
  }
}
