// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.ffmpi.dist.Archive.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * The project in the guide: what its exec plugin would start runs, with the plugin's own rules for arguments and class
 * path. Maven itself is not started, since it would want this build's artifacts installed.
 */
@Timeout(120)
class MavenProjectTest {
  private static final Path GUIDE = Path.of("..", "docs", "guide", "start-and-run.md");
  private static final Path README = Path.of("..", "README.md");
  private static final Pattern POM =
      Pattern.compile("^<!-- run by MavenProjectTest -->\n```xml\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  private static final Pattern GRADLE =
      Pattern.compile("^```kotlin\n(plugins \\{ application }.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  private static final String SOURCE =
      """
      package org.example.app;

      import org.ffmpi.*;

      public class Main {
        public static void main(String[] args) {
          Mpi.run(args, mpi -> System.out.println("rank " + mpi.world().rank() + " of " + mpi.world().size()));
        }
      }
      """;

  @TempDir private Path folder;

  private static Document pom() throws Exception {
    Matcher block = POM.matcher(Files.readString(GUIDE));
    assertTrue(block.find(), "the guide's project is not where the test looks for it");
    byte[] text = block.group(1).getBytes(StandardCharsets.UTF_8);
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(text));
  }

  private static List<Element> elements(Element under, String name) {
    List<Element> found = new ArrayList<>();
    NodeList list = under.getElementsByTagName(name);
    for (int i = 0; i < list.getLength(); i++) {
      found.add((Element) list.item(i));
    }
    return found;
  }

  private static String text(Element under, String name) {
    return elements(under, name).getFirst().getTextContent();
  }

  private static Element plugin(Document pom, String artifact) {
    return elements(pom.getDocumentElement(), "plugin").stream()
        .filter(plugin -> text(plugin, "artifactId").equals(artifact)).findFirst().orElseThrow();
  }

  @Test
  void theExecPluginStartsRanks() throws Exception {
    Archive archive = Archive.unpackedIn(folder);
    Path source = Files.createDirectories(folder.resolve("src/main/java/org/example/app")).resolve("Main.java");
    Files.writeString(source, SOURCE);
    Path classes = folder.resolve("target/classes");
    Archive.tool("javac", "-cp", archive.jar(), "-d", classes, source);

    Element exec = plugin(pom(), "exec-maven-plugin");
    List<Object> command = new ArrayList<>();
    command.add(text(exec, "executable").replace("${java.home}", System.getProperty("java.home")));
    NodeList arguments = elements(exec, "arguments").getFirst().getChildNodes();
    for (int i = 0; i < arguments.getLength(); i++) {
      Node argument = arguments.item(i);
      if (argument.getNodeName().equals("classpath")) {
        command.add(classes + File.pathSeparator + archive.jar());
      } else if (argument instanceof Element) {
        command.add(argument.getTextContent().replace("${ranks}", "2"));
      }
    }
    Answer answer = archive.run(command.toArray());
    assertEquals(0, answer.exitCode(), answer.toString());
    assertEquals("", answer.errors());
    assertEquals(
        List.of("rank 0 of 2", "rank 1 of 2"), answer.output().lines().sorted().toList(), answer.toString());
  }

  @Test
  void artifactsAreThoseThatThisBuildMakes() throws Exception {
    Document pom = pom();
    assertEquals(Archive.version(), text(pom.getDocumentElement(), "ffmpi.version"));
    String readme = Files.readString(README);
    for (String artifact : List.of("ffmpi", "ffmpi-testkit")) {
      assertTrue(Files.exists(Path.of("..", artifact.equals("ffmpi") ? "ffmpi" : "testkit", "pom.xml")));
      assertTrue(
          elements(pom.getDocumentElement(), "dependency").stream()
              .anyMatch(one -> text(one, "groupId").equals("org.ffmpi") && text(one, "artifactId").equals(artifact)),
          artifact);
      assertTrue(readme.contains("<artifactId>" + artifact + "</artifactId>"), artifact);
      assertTrue(readme.contains("\"org.ffmpi:" + artifact + ":" + Archive.version() + "\""), artifact);
    }
    assertTrue(readme.contains("<version>" + Archive.version() + "</version>"));
  }

  /** What the archetype makes is what the guide shows. */
  @Test
  void theArchetypeMakesTheGuidesProjects() throws Exception {
    String guide = Files.readString(GUIDE);
    Path resources = Path.of("..", "archetype", "src", "main", "resources", "archetype-resources");
    Matcher pom = POM.matcher(guide);
    assertTrue(pom.find());
    assertEquals(pom.group(1), asInTheGuide(resources.resolve("pom.xml")));
    Matcher gradle = GRADLE.matcher(guide);
    assertTrue(gradle.find());
    assertEquals(gradle.group(1), asInTheGuide(resources.resolve("build.gradle.kts")));
  }

  private static String asInTheGuide(Path file) throws Exception {
    return Files.readString(file).replace("@project.version@", Archive.version()).replace("${groupId}", "org.example")
        .replace("${artifactId}", "app").replace("${version}", "1.0").replace("${package}", "org.example.app");
  }
}
