// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.ffmpi.spi.WorldStarter;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * Runs a test method on ranks that are processes, by way of {@link RankMain}. Ranks report failures in files of a
 * directory made for the run, since their output may be mixed with other text.
 */
final class ProcessRun {
  /** JVM options of all jobs of a build, separated by blanks. */
  private static final String JVM_OPTIONS = "ffmpi.test.jvm.options";

  private final WorldShape shape;
  private final Class<?> testClass;
  private final Method method;
  private final List<Object> resolved;

  ProcessRun(WorldShape shape, Class<?> testClass, Method method, List<Object> resolved) {
    this.shape = shape;
    this.testClass = testClass;
    this.method = method;
    this.resolved = resolved;
  }

  /** Runs the job to its end; throws the failure for JUnit. */
  void run() throws Throwable {
    WorldStarter starter = starter();
    Path directory = Files.createTempDirectory("ffmpi-test-");
    try {
      List<String> main = new ArrayList<>(List.of(RankMain.class.getName()));
      main.addAll(RankMain.arguments(directory, testClass, method, resolved));
      WorldStarter.Outcome outcome = starter.run(
          new WorldStarter.Spec(shape.ranks(), jvmOptions(), main, shape.settings(), shape.timeout()));
      TreeMap<Integer, RankFailure> failures = RankFailure.readAll(directory);
      if (outcome.exitCode() != 0 || outcome.timedOut() || !failures.isEmpty()) {
        throw failure(outcome, failures);
      }
    } finally {
      deleteAll(directory);
    }
  }

  private static WorldStarter starter() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context != null ? context : ProcessRun.class.getClassLoader();
    return ServiceLoader.load(WorldStarter.class, loader)
        .findFirst()
        .orElseThrow(() -> new ExtensionConfigurationException(
            "@MpiTest(processes = true) needs a launcher: put ffmpi on the test class path"));
  }

  /** Returns the JVM's options; all classes of this JVM, modules included, are on the class path of the ranks. */
  private List<String> jvmOptions() {
    StringBuilder path = new StringBuilder(System.getProperty("java.class.path", ""));
    String modules = System.getProperty("jdk.module.path", "");
    if (!modules.isEmpty()) {
      path.append(path.isEmpty() ? "" : File.pathSeparator).append(modules);
    }
    List<String> options = new ArrayList<>(List.of("-ea"));
    String ofBuild = System.getProperty(JVM_OPTIONS, "").strip();
    if (!ofBuild.isEmpty()) {
      options.addAll(List.of(ofBuild.split("\\s+")));
    }
    options.addAll(shape.jvmOptions());
    options.add("-cp");
    options.add(path.toString());
    return options;
  }

  private Throwable failure(WorldStarter.Outcome outcome, TreeMap<Integer, RankFailure> failures) {
    RankFailure first = RankFailure.firstOf(failures.values());
    if (first != null && first.aborted() && !outcome.timedOut()) {
      return new TestAbortedException("rank " + first.rank() + ": " + first.message());
    }
    StringBuilder text = new StringBuilder();
    if (outcome.timedOut()) {
      text.append(shape.ranksInWords() + " had not ended after " + shape.timeout().toSeconds() + " s\n");
    } else if (first == null) {
      text.append("the job of " + shape.ranksInWords() + " ended with exit code " + outcome.exitCode() + "\n");
    }
    if (first != null) {
      text.append("rank " + first.rank() + " of " + shape.ranks() + ": " + first.message());
      for (RankFailure other : failures.values()) {
        if (other != first) {
          text.append("\n  then rank ").append(other.rank()).append(": ").append(other.message());
        }
      }
      text.append('\n').append(first.stackTrace());
    }
    append(text, "standard error of all ranks:", outcome.errors());
    append(text, "standard output of all ranks:", outcome.output());
    return new AssertionFailedError(text.toString());
  }

  private static void append(StringBuilder text, String heading, String content) {
    if (!content.isBlank()) {
      text.append('\n').append(heading).append('\n').append(content.stripTrailing());
    }
  }

  private static void deleteAll(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(directory);
  }
}
