// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.ffmpi.tests.publishing.Pom.Dependency;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * docs/dependencies.md lists every artifact that is not ours, its licence, and what brings it. Licences are those of
 * the POMs in the local repository, from which the class path of this test comes.
 */
class DependenciesTest {
  private static final Path PAGE = Path.of("..", "docs", "dependencies.md");

  /** What POMs call a licence, as a pattern for the name in small letters, and its name in SPDX. */
  private static final Map<String, String> LICENCES = new TreeMap<>(Map.of(
      ".*apache.*2\\.0.*", "Apache-2.0",
      "asl 2\\.0", "Apache-2.0",
      ".*gpl.*version 2.*classpath exception.*", "GPL-2.0-only WITH Classpath-exception-2.0",
      "eclipse public license.* v ?2.*", "EPL-2.0",
      "(the )?mit( license)?", "MIT"));

  /** What a published artifact may need: licences that ask nothing of a program but to name them. */
  private static final Set<String> FOR_PROGRAMS = Set.of("Apache-2.0", "EPL-2.0", "MIT");

  /** Jars of the class path that are not ours, by group and artifact. */
  private static final Map<String, Path> JARS = new TreeMap<>();

  /** By group and artifact: licence and uses, as the page has them. */
  private static final Map<String, List<String>> ROWS = new TreeMap<>();

  @BeforeAll
  static void readClassPathAndPage() throws IOException {
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path jar = Path.of(entry);
      Path folder = jar.getParent();
      // In a repository the POM lies beside the jar.
      if (entry.endsWith(".jar") && folder.getParent() != null && Files.exists(pomIn(folder))) {
        Pom pom = Pom.read(pomIn(folder));
        if (!group(pom).equals("org.ffmpi")) {
          JARS.put(group(pom) + ":" + pom.artifact(), folder);
        }
      }
    }
    for (String line : Files.readAllLines(PAGE)) {
      List<String> cells = Arrays.stream(line.split("\\|")).map(String::strip).toList();
      if (cells.size() == 4 && cells.get(1).matches("`[^`]+:[^`]+`")) {
        List<String> before =
            ROWS.put(cells.get(1).replace("`", ""), List.of(cells.get(2), cells.get(3)));
        assertEquals(null, before, "twice on the page: " + line);
      }
    }
  }

  private static Path pomIn(Path versionFolder) {
    Path artifact = versionFolder.getParent().getFileName();
    return versionFolder.resolve(artifact + "-" + versionFolder.getFileName() + ".pom");
  }

  private static String group(Pom pom) {
    return pom.text("groupId").isEmpty() ? pom.text("parent", "groupId") : pom.text("groupId");
  }

  /** Licences of a POM, or of the nearest parent that has any. */
  private static String licence(Path versionFolder) throws IOException {
    Pom pom = Pom.read(pomIn(versionFolder));
    Path repository = versionFolder.getParent().getParent();
    for (int i = 0; i < group(pom).split("\\.").length; i++) {
      repository = repository.getParent();
    }
    while (pom.elements("licenses", "license").isEmpty()) {
      String parent = pom.text("parent", "groupId");
      assertFalse(parent.isEmpty(), versionFolder + " names no licence");
      pom = Pom.read(pomIn(repository.resolve(parent.replace('.', '/')).resolve(pom.text("parent", "artifactId"))
          .resolve(pom.text("parent", "version"))));
    }
    return pom.elements("licenses", "license").stream()
        .map(element -> {
          String name = Pom.textOf(element, "name").toLowerCase(Locale.ROOT);
          return LICENCES.entrySet().stream().filter(known -> name.matches(known.getKey()))
              .map(Map.Entry::getValue).findFirst().orElse("unknown: " + name);
        })
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /** What an artifact brings with it: its dependencies, and theirs, but for those that the class path has not. */
  private static Set<String> broughtBy(Pom pom) throws IOException {
    Set<String> found = new LinkedHashSet<>();
    Map<String, Set<String>> excluded = new HashMap<>();
    ArrayDeque<Dependency> open = new ArrayDeque<>();
    for (Dependency dependency : pom.dependencies()) {
      open.add(dependency);
    }
    while (!open.isEmpty()) {
      Dependency dependency = open.poll();
      Path folder = JARS.get(dependency.name());
      boolean comesWithIt = Set.of("", "compile", "runtime").contains(dependency.scope()) && !dependency.optional();
      if (folder == null || !comesWithIt || !found.add(dependency.name())) {
        continue;
      }
      Set<String> without = new TreeSet<>(dependency.exclusions());
      without.addAll(excluded.getOrDefault(dependency.name(), Set.of()));
      for (Dependency next : Pom.read(pomIn(folder)).dependencies()) {
        if (!without.contains(next.name()) && !without.contains(next.group() + ":*")) {
          excluded.put(next.name(), without);
          open.add(next);
        }
      }
    }
    return found;
  }

  /** A class path made for the console is not the one that the page is about. */
  private static void onlyWithMavensClassPath() {
    assumeFalse(JARS.containsKey("org.junit.platform:junit-platform-console"), "the class path is not Maven's");
  }

  private static Set<String> namedByPoms() throws IOException {
    return Pom.ofTheBuild().stream()
        .flatMap(pom -> pom.dependencies().stream())
        .filter(dependency -> !dependency.group().equals("org.ffmpi"))
        .map(Dependency::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void whatPomsNameIsOnThePage() throws IOException {
    Set<String> missing = namedByPoms();
    missing.removeAll(ROWS.keySet());
    assertEquals(Set.of(), missing, "not in " + PAGE);
    for (Pom pom : Pom.published()) {
      for (Dependency dependency : pom.dependencies()) {
        if (!dependency.group().equals("org.ffmpi") && Set.of("", "compile", "runtime").contains(dependency.scope())) {
          String uses = ROWS.get(dependency.name()).get(1);
          assertTrue(uses.contains("`" + pom.artifact() + "`"), dependency.name() + " comes with " + pom.artifact());
        }
      }
    }
  }

  @Test
  void thePageListsTheClassPath() throws IOException {
    onlyWithMavensClassPath();
    Set<String> used = new TreeSet<>(JARS.keySet());
    used.addAll(namedByPoms());
    // What only benchmarks, concurrency tests and numeric samples bring is not on this class path.
    Set<String> listed = new TreeSet<>(ROWS.keySet());
    listed.removeIf(name ->
        !used.contains(name) && ROWS.get(name).get(1).matches("(benchmarks|jcstress|numeric samples|, )+"));
    assertEquals(used, listed, "of the class path and the POMs, and of " + PAGE);
  }

  @Test
  void licencesAreThoseOfThePoms() throws IOException {
    Map<String, String> expected = new TreeMap<>();
    Map<String, String> actual = new TreeMap<>();
    for (Map.Entry<String, Path> jar : JARS.entrySet()) {
      if (ROWS.containsKey(jar.getKey())) {
        expected.put(jar.getKey(), licence(jar.getValue()));
        actual.put(jar.getKey(), ROWS.get(jar.getKey()).getFirst());
      }
    }
    assertEquals(expected, actual);
  }

  @Test
  void publishedArtifactsBringWhatThePageSays() throws IOException {
    onlyWithMavensClassPath();
    for (Pom pom : Pom.published()) {
      Set<String> brought = new TreeSet<>(broughtBy(pom));
      Set<String> said = ROWS.entrySet().stream()
          .filter(row -> Arrays.asList(row.getValue().get(1).split(", ")).contains("`" + pom.artifact() + "`"))
          .map(Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
      assertEquals(brought, said, pom.toString());
      for (String name : said) {
        assertTrue(FOR_PROGRAMS.contains(ROWS.get(name).getFirst()), name + " comes with " + pom.artifact());
      }
    }
  }
}
