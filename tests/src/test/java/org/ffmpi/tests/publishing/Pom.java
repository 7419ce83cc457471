// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.publishing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * One POM as it is written: nothing is inherited and nothing interpolated.
 *
 * @param file where it is
 * @param root its element {@code project}
 */
record Pom(Path file, Element root) {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** A dependency as a POM names it; an absent element is an empty string. */
  record Dependency(
      String group, String artifact, String version, String scope, boolean optional, Set<String> exclusions) {
    String name() {
      return group + ":" + artifact;
    }
  }

  static Pom read(Path file) throws IOException {
    try {
      return new Pom(
          file, DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()).getDocumentElement());
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(file + ": " + e, e);
    }
  }

  /** Returns the root's POM and those of all modules that it builds, in its order. */
  static List<Pom> ofTheBuild() throws IOException {
    List<Pom> poms = new ArrayList<>();
    Pom parent = read(ROOT.resolve("pom.xml"));
    poms.add(parent);
    for (Element module : parent.elements("modules", "module")) {
      poms.add(read(ROOT.resolve(module.getTextContent().strip()).resolve("pom.xml")));
    }
    return poms;
  }

  /** Returns the POMs of the modules that are published. */
  static List<Pom> published() throws IOException {
    List<Pom> poms = new ArrayList<>();
    for (Pom pom : ofTheBuild()) {
      if (pom.text("properties", "unpublished").equals("false")) {
        poms.add(pom);
      }
    }
    return poms;
  }

  /** Returns what the build has made of this POM for those who use the artifact; it need not have been made. */
  Path flattened() {
    return file.resolveSibling("target").resolve("published-pom.xml");
  }

  String artifact() {
    return text("artifactId");
  }

  /** Returns the text of the first element on a path of names below the project; empty when there is none. */
  String text(String... path) {
    Element at = root;
    for (String name : path) {
      at = children(at, name).findFirst().orElse(null);
      if (at == null) {
        return "";
      }
    }
    return at.getTextContent().strip();
  }

  /** Returns all elements on a path of names below the project. */
  List<Element> elements(String... path) {
    Stream<Element> at = Stream.of(root);
    for (String name : path) {
      at = at.flatMap(element -> children(element, name));
    }
    return at.toList();
  }

  List<Dependency> dependencies() {
    return dependencies("dependencies", "dependency");
  }

  List<Dependency> managedDependencies() {
    return dependencies("dependencyManagement", "dependencies", "dependency");
  }

  private List<Dependency> dependencies(String... path) {
    return elements(path).stream()
        .map(element -> new Dependency(
            textOf(element, "groupId"), textOf(element, "artifactId"), textOf(element, "version"),
            textOf(element, "scope"), textOf(element, "optional").equals("true"),
            children(element, "exclusions").flatMap(all -> children(all, "exclusion"))
                .map(exclusion -> textOf(exclusion, "groupId") + ":" + textOf(exclusion, "artifactId"))
                .collect(Collectors.toSet())))
        .toList();
  }

  static String textOf(Element element, String child) {
    return children(element, child).findFirst().map(found -> found.getTextContent().strip()).orElse("");
  }

  private static Stream<Element> children(Element element, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child && child.getTagName().equals(name)) {
        found.add(child);
      }
    }
    return found.stream();
  }

  @Override
  public String toString() {
    return (file.startsWith(ROOT) ? ROOT.relativize(file) : file).toString();
  }

  String source() throws IOException {
    return Files.readString(file);
  }
}
