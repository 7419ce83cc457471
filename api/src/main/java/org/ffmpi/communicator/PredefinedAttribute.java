// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.Optional;
import java.util.function.Function;
import org.ffmpi.Comm;

/**
 * Returns a predefined attribute. One class instead of a lambda for each: lambdas would make every rank start later.
 */
public final class PredefinedAttribute<V> implements Function<Comm, Optional<V>> {
  private final String name;

  public PredefinedAttribute(String name) {
    this.name = name;
  }

  @Override
  @SuppressWarnings("unchecked") // the constants of Comm have the types of their attributes
  public Optional<V> apply(Comm comm) {
    return (Optional<V>) Optional.ofNullable(CommImpl.of(comm).properties().predefined(name));
  }
}
