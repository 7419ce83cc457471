// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.ffmpi.launcher.Job;
import org.ffmpi.launcher.Launcher;
import org.ffmpi.tests.support.RankJvm;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The steps of the tutorial are the files that it shows, and print what it says they print. */
@Tag("process")
class TutorialTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Path FOLDER = DOCS.resolve("tutorial");
  private static final Pattern SHOWN =
      Pattern.compile("^```java\n(.*?^(?:public )?class (\\w+).*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern STEP = Pattern.compile(
      "^    scripts/mpirun -n (\\d+)(?: --(\\S+) (\\S+))? docs/tutorial/(\\w+)\\.java\n\n```text\n(.*?)^```$",
      Pattern.MULTILINE | Pattern.DOTALL);
  private static final String LICENCE = "// SPDX-License-Identifier: Apache-2.0\n";
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir
  private static Path classes;

  private static String page;

  @BeforeAll
  static void compile() throws Exception {
    page = Files.readString(DOCS.resolve("tutorial.md"));
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    List<String> arguments = Stream.concat(
        Stream.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none", "-Xlint:all",
            "-Xlint:-path", "-Werror"),
        files().values().stream().map(Path::toString)).toList();
    int code = ToolProvider.getSystemJavaCompiler().run(null, errors, errors, arguments.toArray(String[]::new));
    assertEquals(0, code, errors::toString);
  }

  private static Map<String, Path> files() throws Exception {
    Map<String, Path> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(FOLDER)) {
      all.forEach(file -> files.put(file.getFileName().toString().replace(".java", ""), file));
    }
    return files;
  }

  @Test
  void showsItsFiles() throws Exception {
    Map<String, String> shown = new TreeMap<>();
    Matcher program = SHOWN.matcher(page);
    while (program.find()) {
      shown.put(program.group(2), LICENCE + program.group(1));
    }
    assertEquals(files().keySet(), shown.keySet());
    for (Map.Entry<String, Path> file : files().entrySet()) {
      assertEquals(Files.readString(file.getValue()), shown.get(file.getKey()), file.getKey());
    }
  }

  @TestFactory
  Stream<DynamicTest> stepsPrintWhatThePageSays() {
    List<DynamicTest> steps = STEP.matcher(page).results()
        .map(step -> DynamicTest.dynamicTest(step.group(4), () -> run(
            step.group(4), Integer.parseInt(step.group(1)), step.group(2), step.group(3), lines(step.group(5)))))
        .toList();
    assertTrue(steps.size() >= 8, "only " + steps.size() + " steps found");
    return steps.stream();
  }

  private static void run(String step, int ranks, String option, String value, List<String> expected)
      throws Exception {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    Launcher launcher = RankJvm.launcher(ranks)
        .classPath(classes.toString()).main(step).output(output).errors(errors).timeout(LIMIT);
    if (option != null) {
      launcher.setting("ffmpi." + option, value);
    }
    boolean fails = expected.getFirst().startsWith("mpirun: ") || expected.getFirst().startsWith("ffmpi: ");
    try (Job job = launcher.start()) {
      while (!job.await(Duration.ofMillis(20)) && !(fails && lines(errors).containsAll(expected))) {
        // a step that stands still is ended when it has said so
      }
      if (!fails) {
        assertEquals(0, job.await(), () -> output + "\n" + errors);
      }
    }
    if (fails) {
      assertTrue(lines(errors).containsAll(expected), () -> expected + " is not in\n" + output + "\n" + errors);
    } else {
      assertEquals(String.join("\n", sorted(expected)), String.join("\n", sorted(lines(output))), errors::toString);
      assertEquals("", errors.toString(StandardCharsets.UTF_8));
    }
  }

  private static List<String> lines(ByteArrayOutputStream text) {
    return lines(text.toString(StandardCharsets.UTF_8));
  }

  /** Lines with all waiting times alike. */
  private static List<String> lines(String text) {
    return text.lines().map(line -> line.replaceAll(", \\d+\\.\\d s: ", ", 2.1 s: ")).toList();
  }

  /** Ranks print in any order; lines that repeat are a picture, which one rank prints from top to bottom. */
  private static List<String> sorted(List<String> lines) {
    return new TreeSet<>(lines).size() < lines.size() ? lines : lines.stream().sorted().toList();
  }

  @Test
  void testOfTheTutorialPasses() throws Exception {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    try (URLClassLoader loader = new URLClassLoader(
        new URL[] {classes.toUri().toURL()}, TutorialTest.class.getClassLoader())) {
      LauncherFactory.create().execute(
          LauncherDiscoveryRequestBuilder.request()
              .selectors(selectClass(loader.loadClass("PiTest")))
              .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
              .build(),
          summary);
    }
    assertEquals(List.of(), summary.getSummary().getFailures());
    assertEquals(3, summary.getSummary().getTestsSucceededCount());
  }

  /** Maven's own default runs no JUnit 5 test and calls that a success. */
  @Test
  void theProjectNamesWhatItsThreeTestsNeed() {
    Matcher pom = Pattern.compile("<!-- checked by TutorialTest -->\n```xml\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertTrue(pom.find(), "the tutorial's project is not where the test looks for it");
    String text = pom.group(1);
    assertTrue(text.contains("<maven.compiler.release>25</maven.compiler.release>"), text);
    assertTrue(
        Pattern.compile("maven-surefire-plugin</artifactId>\\s*<version>3\\.").matcher(text).find(), text);
    assertTrue(text.contains("<artifactId>ffmpi-testkit</artifactId>"), text);
    assertTrue(page.contains("@MpiTest(ranks = {1, 2, 4})") && page.contains("Tests run: 3,"), "three tests");
  }
}
