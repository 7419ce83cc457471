// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Layers pass on all calls of their port, also those that have a default there. */
class ForwardingTest {
  @Test
  void aLayerPassesOnEachCall() {
    assertEquals(Set.of(), missing(Engine.class, ForwardingEngine.class));
    assertEquals(Set.of(), missing(Collectives.class, ForwardingCollectives.class));
  }

  private static Set<String> missing(Class<?> port, Class<?> layer) {
    Set<String> all = names(port.getMethods());
    all.removeAll(names(layer.getDeclaredMethods()));
    return all;
  }

  private static Set<String> names(Method[] methods) {
    return Arrays.stream(methods)
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .map(method -> method.getName() + List.of(method.getParameterTypes()))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
