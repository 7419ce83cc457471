// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds what README and the pages of the documentation ask a reader to write: all Java snippets compile with the
 * imports that their page shows, command lines name options of mpirun, dependency blocks name modules of this build.
 *
 * <p>A snippet is one of four kinds. One of imports only gives the page its imports. One that begins with an import is
 * a whole file. One that begins with a class or interface gets the page's imports, and all others are statements, which
 * get the page's imports and become the body of a method in {@link #AROUND_STATEMENTS}.
 */
class SnippetsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern JAVA = Pattern.compile("^```java\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern XML = Pattern.compile("^```xml\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern IMPORTS_ONLY = Pattern.compile("(import [^;]+;( *//.*)?\n)+");
  private static final Pattern DECLARATION = Pattern.compile("(abstract |final )?(class|interface) .*", Pattern.DOTALL);
  private static final Pattern TYPE = Pattern.compile("(?<!\\w)(?:class|interface) (\\w+)");
  private static final Pattern COMMAND = Pattern.compile(
      "^    (?:\\S*bin/|scripts/)?mpirun (.*)$|`(?:scripts/)?mpirun ([^`]*)`", Pattern.MULTILINE);
  /** What follows the program belongs to it. */
  private static final Pattern AFTER_PROGRAM =
      Pattern.compile("(\\.java|-cp \\S+ \\S+|-jar \\S+|-m \\S+|--sample \\S+) .*");
  private static final Pattern OPTION = Pattern.compile("(?<=^| )--[a-z][a-z-]*");
  private static final Pattern ARTIFACT = Pattern.compile(
      "<groupId>org\\.ffmpi</groupId>\\s*<artifactId>([^<]+)</artifactId>");
  private static final Pattern OWN_ARTIFACT = Pattern.compile("<artifactId>(ffmpi[^<]*)</artifactId>");

  /** What statements may take for granted. */
  private static final String AROUND_STATEMENTS =
      """
      abstract class Fragment {
        org.ffmpi.Mpi mpi;
        org.ffmpi.IntraComm world;
        java.lang.foreign.MemorySegment segment;
        double[] data, above, below, firstRow, lastRow;
        int up, down;
        abstract void computeInterior();
        void run() throws Exception {
      """;

  /** A snippet, as the compiler sees it. */
  private static final class Source extends SimpleJavaFileObject {
    final Path page;
    private final String text;

    private Source(Path page, URI uri, String text) {
      super(uri, JavaFileObject.Kind.SOURCE);
      this.page = page;
      this.text = text;
    }

    /** Puts a snippet into a package of its own. */
    static Source of(Path page, int number, String imports, String snippet) {
      boolean whole = snippet.startsWith("import ");
      boolean declaration = DECLARATION.matcher(snippet).matches();
      String body = whole ? snippet
          : imports + (declaration ? snippet : AROUND_STATEMENTS + snippet + "  }\n}\n");
      Matcher type = TYPE.matcher(body);
      assertTrue(type.find(), () -> page + ": " + snippet);
      URI uri = URI.create("string:///s" + number + "/" + type.group(1) + ".java");
      return new Source(page, uri, "package s" + number + ";\n" + body);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  @Test
  void snippetsCompileWithTheImportsOfTheirPage(@TempDir Path folder) throws IOException {
    List<Source> sources = new ArrayList<>();
    for (Path page : GuideTest.documents()) {
      if (page.endsWith("tutorial.md")) {
        continue; // TutorialTest compiles and runs its files
      }
      String imports = null;
      Matcher java = JAVA.matcher(Files.readString(page));
      while (java.find()) {
        String snippet = java.group(1);
        if (IMPORTS_ONLY.matcher(snippet).matches()) {
          imports = snippet;
        } else {
          if (!snippet.startsWith("import ")) {
            assertNotNull(imports, () -> page + " shows no imports, which this needs:\n" + snippet);
          }
          sources.add(Source.of(page, sources.size(), imports, snippet));
        }
      }
    }
    assertTrue(sources.size() > 40, "only " + sources.size() + " snippets found");
    compile(sources, folder);
  }

  private static void compile(List<Source> sources, Path folder) {
    DiagnosticCollector<JavaFileObject> errors = new DiagnosticCollector<>();
    List<String> options =
        List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none",
            "--add-modules", "jdk.incubator.vector");
    boolean good = ToolProvider.getSystemJavaCompiler().getTask(null, null, errors, options, null, sources).call();
    assertTrue(good, () -> errors.getDiagnostics().stream()
        .filter(error -> error.getKind() == Diagnostic.Kind.ERROR)
        .map(SnippetsTest::describe)
        .collect(Collectors.joining("\n")));
  }

  private static String describe(Diagnostic<? extends JavaFileObject> error) {
    String where = error.getSource() instanceof Source source
        ? source.page + ": " + source.text.lines().skip(error.getLineNumber() - 1).findFirst().orElse("")
        : "";
    return where + "\n    " + error.getMessage(null);
  }

  @Test
  void commandLinesNameOptionsOfMpirun() throws IOException {
    Set<String> known = new TreeSet<>();
    Matcher help = Pattern.compile("--[a-z][a-z-]*").matcher(
        Files.readString(ROOT.resolve("scripts/lib/mpirun-help-all.txt"))
            + Files.readString(ROOT.resolve("scripts/mpirun")));
    while (help.find()) {
      known.add(help.group());
    }
    List<String> unknown = new ArrayList<>();
    int commands = 0;
    for (Path page : GuideTest.documents()) {
      Matcher command = COMMAND.matcher(Files.readString(page));
      while (command.find()) {
        commands++;
        String line = command.group(1) != null ? command.group(1) : command.group(2);
        Matcher option = OPTION.matcher(AFTER_PROGRAM.matcher(line).replaceAll("$1"));
        while (option.find()) {
          if (!known.contains(option.group())) {
            unknown.add(page + ": " + line);
          }
        }
      }
    }
    assertTrue(commands > 20, "only " + commands + " command lines found");
    assertEquals(List.of(), unknown);
  }

  @Test
  void dependenciesAreModulesOfThisBuild() throws IOException {
    Set<String> built = new TreeSet<>();
    try (Stream<Path> files = Files.find(ROOT, 3, (file, _) -> file.endsWith("pom.xml"))) {
      for (Path pom : (Iterable<Path>) files::iterator) {
        Matcher own = OWN_ARTIFACT.matcher(Files.readString(pom));
        while (own.find()) {
          built.add(own.group(1));
        }
      }
    }
    for (Path page : GuideTest.documents()) {
      Matcher xml = XML.matcher(Files.readString(page));
      while (xml.find()) {
        Matcher artifact = ARTIFACT.matcher(xml.group(1));
        while (artifact.find()) {
          assertTrue(
              built.contains(artifact.group(1)),
              () -> page + " names " + artifact.group(1) + ", built are " + built);
        }
      }
    }
  }
}
