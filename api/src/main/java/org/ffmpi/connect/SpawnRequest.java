// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.connect;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request to a launcher.
 *
 * @param parents number of parents and the place where they wait, for {@link ConnectSettings#PARENT}
 * @param program the number of the program of the root among those of its job, whose options are the default
 * @param commands what to start, in the order of the ranks
 */
public record SpawnRequest(String parents, int program, List<SpawnImpl> commands) {
  /** Returns the request as words for a {@link Link}. */
  public String[] words() {
    List<String> words = new ArrayList<>(List.of(parents, Integer.toString(program), count(commands)));
    for (SpawnImpl each : commands) {
      words.add(each.kind().name());
      words.add(each.target());
      words.add(Integer.toString(each.processes()));
      words.add(each.classPath() == null ? "" : "=" + each.classPath());
      words.add(each.directory() == null ? "" : "=" + each.directory());
      add(words, each.arguments());
      add(words, each.javaOptions());
      add(words, pairs(each.environment()));
      add(words, pairs(each.settings()));
    }
    return words.toArray(String[]::new);
  }

  private static String count(List<?> list) {
    return Integer.toString(list.size());
  }

  private static void add(List<String> words, List<String> more) {
    words.add(count(more));
    words.addAll(more);
  }

  private static List<String> pairs(Map<String, String> map) {
    List<String> pairs = new ArrayList<>();
    map.forEach((name, value) -> pairs.addAll(List.of(name, value)));
    return pairs;
  }

  /** Reads the words of a request. */
  public static SpawnRequest of(List<String> words) {
    Iterator<String> next = words.iterator();
    String parents = next.next();
    int program = Integer.parseInt(next.next());
    List<SpawnImpl> commands = new ArrayList<>();
    for (int left = Integer.parseInt(next.next()); left > 0; left--) {
      SpawnImpl.Kind kind = SpawnImpl.Kind.valueOf(next.next());
      String target = next.next();
      int processes = Integer.parseInt(next.next());
      String classPath = optional(next.next());
      String directory = optional(next.next());
      List<String> arguments = list(next);
      List<String> options = list(next);
      Map<String, String> environment = map(list(next));
      commands.add(new SpawnImpl(
          kind, target, arguments, processes, Map.of(), options, environment, map(list(next)), classPath, directory,
          null));
    }
    return new SpawnRequest(parents, program, commands);
  }

  private static String optional(String word) {
    return word.isEmpty() ? null : word.substring(1);
  }

  private static List<String> list(Iterator<String> next) {
    List<String> words = new ArrayList<>();
    for (int left = Integer.parseInt(next.next()); left > 0; left--) {
      words.add(next.next());
    }
    return words;
  }

  private static Map<String, String> map(List<String> pairs) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      map.put(pairs.get(i), pairs.get(i + 1));
    }
    return map;
  }

  /** Returns the number of all processes. */
  public int processes() {
    return commands.stream().mapToInt(SpawnImpl::processes).sum();
  }
}
