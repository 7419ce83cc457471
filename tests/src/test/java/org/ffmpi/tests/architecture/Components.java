// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.architecture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds the cycles of a graph: its strongly connected components, by Tarjan's algorithm. */
final class Components {
  private final Map<String, Set<String>> graph;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, Integer> lowest = new HashMap<>();
  private final Deque<String> path = new ArrayDeque<>();
  private final Set<String> onPath = new HashSet<>();
  private final List<Set<String>> found = new ArrayList<>();

  private Components(Map<String, Set<String>> graph) {
    this.graph = graph;
  }

  /** Returns the sets of two or more nodes of which each reaches each. */
  static List<Set<String>> of(Map<String, Set<String>> graph) {
    Components components = new Components(graph);
    graph.keySet().forEach(node -> {
      if (!components.numbers.containsKey(node)) {
        components.visit(node);
      }
    });
    return components.found;
  }

  private void visit(String node) {
    int number = numbers.size();
    numbers.put(node, number);
    lowest.put(node, number);
    path.push(node);
    onPath.add(node);
    for (String next : graph.getOrDefault(node, Set.of())) {
      if (!numbers.containsKey(next)) {
        visit(next);
        lowest.merge(node, lowest.get(next), Math::min);
      } else if (onPath.contains(next)) {
        lowest.merge(node, numbers.get(next), Math::min);
      }
    }
    if (lowest.get(node) == number) {
      Set<String> component = new TreeSet<>();
      String member;
      do {
        member = path.pop();
        onPath.remove(member);
        component.add(member);
      } while (!member.equals(node));
      if (component.size() > 1) {
        found.add(component);
      }
    }
  }
}
