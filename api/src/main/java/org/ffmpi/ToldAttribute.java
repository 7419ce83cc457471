// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.Optional;
import java.util.function.Function;
import org.ffmpi.communicator.CommImpl;

/** Returns a predefined attribute. One class instead of a lambda each, which would make every rank start later. */
final class ToldAttribute<V> implements Function<Comm, Optional<V>> {
  private final String name;

  ToldAttribute(String name) {
    this.name = name;
  }

  @Override
  @SuppressWarnings("unchecked") // the constants above have the types of what their names stand for
  public Optional<V> apply(Comm comm) {
    return (Optional<V>) Optional.ofNullable(CommImpl.of(comm).properties().told(name));
  }
}
