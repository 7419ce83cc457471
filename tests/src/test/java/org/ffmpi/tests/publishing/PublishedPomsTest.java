// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.publishing;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ffmpi.tests.publishing.Pom.Dependency;
import org.junit.jupiter.api.Test;

/** The published artifacts; their POMs stand alone and have all that a central repository requires. */
class PublishedPomsTest {
  private static final Set<String> PUBLISHED = Set.of(
      "ffmpi", "ffmpi-bom", "ffmpi-testkit", "ffmpi-archetype", "ffmpi-chronicle", "ffmpi-mpi-shared",
      "ffmpi-mpi-openmpi",
      "ffmpi-mpi-mpijava");

  private static Set<String> names(List<Pom> poms) {
    return poms.stream().map(Pom::artifact).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theseArtifactsArePublishedAndNoOther() throws IOException {
    assertEquals(new TreeSet<>(PUBLISHED), names(Pom.published()));
    Pom parent = Pom.ofTheBuild().getFirst();
    assertEquals("true", parent.text("properties", "unpublished"), "the default");
    assertEquals("${unpublished}", parent.text("properties", "maven.deploy.skip"));
    for (Pom pom : Pom.ofTheBuild().subList(1, Pom.ofTheBuild().size())) {
      assertEquals("", pom.text("properties", "maven.deploy.skip"), pom + " says it with unpublished");
      assertTrue(pom.elements("distributionManagement").isEmpty(), pom + " would be deployed by accident");
    }
    assertTrue(parent.elements("distributionManagement").isEmpty(), "everything would be deployed by accident");
  }

  @Test
  void theBillOfMaterialsNamesAllOthers() throws IOException {
    Pom bom = Pom.published().stream().filter(pom -> pom.artifact().equals("ffmpi-bom")).findFirst().orElseThrow();
    Set<String> others = new TreeSet<>(PUBLISHED);
    others.remove("ffmpi-bom");
    others.remove("ffmpi-archetype"); // no project depends on it
    assertEquals(others, bom.managedDependencies().stream().map(Dependency::artifact)
        .collect(Collectors.toCollection(TreeSet::new)));
    for (Dependency dependency : bom.managedDependencies()) {
      assertEquals("org.ffmpi", dependency.group());
      assertEquals("${project.version}", dependency.version());
    }
  }

  @Test
  void eachHasItsOwnNameAndDescriptionAndIsFlattened() throws IOException {
    for (Pom pom : Pom.published()) {
      assertFalse(pom.text("name").isEmpty(), pom + " has no name");
      assertTrue(pom.text("description").endsWith("."), pom + " has no description");
      for (String jar : List.of("maven.source.skip", "maven.javadoc.skip")) {
        assertEquals("", pom.text("properties", jar), pom + " has no such jar");
      }
      assertTrue(
          pom.elements("build", "plugins", "plugin").stream()
              .anyMatch(plugin -> Pom.textOf(plugin, "artifactId").equals("flatten-maven-plugin")),
          pom + " is not flattened: its parent is not published");
    }
    assertEquals(
        Pom.published().size(), Pom.published().stream().map(pom -> pom.text("description")).distinct().count());
  }

  @Test
  void allPomsHaveOneVersion() throws IOException {
    Path root = Pom.ofTheBuild().getFirst().file().getParent();
    String version = Pom.ofTheBuild().getFirst().text("version");
    try (Stream<Path> files = Files.walk(root, 3)) {
      for (Path file : files.filter(f -> f.endsWith("pom.xml") && !f.toString().contains("/target/")).toList()) {
        Pom pom = Pom.read(file);
        if (pom.text("parent", "artifactId").equals("ffmpi-parent")) {
          assertEquals(version, pom.text("parent", "version"), pom + ": versions:set needs -Psite");
        }
      }
    }
  }

  @Test
  void theParentHasWhatACentralRepositoryAsksFor() throws IOException {
    complete(Pom.ofTheBuild().getFirst());
  }

  /** The POMs that the build has made; those of modules that this build has left out are not there. */
  @Test
  void whatTheBuildHasMadeStandsAlone() throws IOException {
    List<Pom> made = new ArrayList<>();
    for (Pom pom : Pom.published()) {
      if (Files.exists(pom.flattened())) {
        made.add(Pom.read(pom.flattened()));
      }
    }
    for (Pom pom : made) {
      complete(pom);
      standsAlone(pom);
    }
  }

  private static void complete(Pom pom) {
    assertAll(
        pom.toString(),
        () -> assertEquals("org.ffmpi", pom.text("groupId")),
        () -> assertFalse(pom.text("version").isEmpty()),
        () -> assertFalse(pom.text("name").isEmpty()),
        () -> assertFalse(pom.text("description").isEmpty()),
        () -> assertTrue(pom.text("url").startsWith("https://"), pom.text("url")),
        () -> assertEquals("Apache-2.0", pom.text("licenses", "license", "name")),
        () -> assertTrue(pom.text("licenses", "license", "url").startsWith("https://")),
        () -> assertFalse(pom.text("developers", "developer", "name").isEmpty()),
        () -> assertFalse(pom.text("developers", "developer", "url").isEmpty()),
        () -> assertTrue(pom.text("scm", "connection").startsWith("scm:git:")),
        () -> assertTrue(pom.text("scm", "developerConnection").startsWith("scm:git:")),
        () -> assertTrue(pom.text("scm", "url").startsWith("https://")));
  }

  private static void standsAlone(Pom pom) throws IOException {
    String source = pom.source();
    if (pom.artifact().equals("ffmpi-bom")) {
      // The one property that a POM without parent and properties has.
      source = source.replace("${project.version}", pom.text("version"));
    }
    assertFalse(source.contains("${"), pom + " refers to properties");
    for (String machine : List.of("file:", System.getProperty("user.home"), System.getProperty("user.dir"))) {
      assertFalse(source.contains(machine), pom + " names a place of this machine: " + machine);
    }
    for (String element : List.of("parent", "build", "profiles", "repositories", "distributionManagement", "modules")) {
      assertTrue(pom.elements(element).isEmpty(), pom + " has an element " + element);
    }
    List<Dependency> all = new ArrayList<>(pom.dependencies());
    all.addAll(pom.managedDependencies());
    for (Dependency dependency : all) {
      String version = dependency.version().replace("${project.version}", pom.text("version"));
      assertFalse(version.isEmpty(), pom + ": " + dependency + " has no version");
      assertTrue(Set.of("", "compile", "runtime").contains(dependency.scope()), pom + ": " + dependency);
      if (dependency.group().equals("org.ffmpi")) {
        assertTrue(PUBLISHED.contains(dependency.artifact()), pom + " needs what is not published: " + dependency);
        assertEquals(pom.text("version"), version, pom + ": " + dependency);
      }
    }
    if (pom.artifact().equals("ffmpi-bom")) {
      assertEquals(PUBLISHED.size() - 2, all.size(), "what the parent manages is not ours to fix for programs");
    }
    if (pom.artifact().equals("ffmpi")) {
      assertEquals(List.of(), all, "ffmpi runs on the JDK alone");
    }
  }
}
