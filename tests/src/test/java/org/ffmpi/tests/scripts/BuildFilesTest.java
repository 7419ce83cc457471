// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The build does not depend on which Java the PATH or JAVA_HOME names. */
class BuildFilesTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern EXECUTABLE = Pattern.compile("<executable>(.*?)</executable>");

  /** A tool of a JDK as the first word of a command, without the folder it lies in. */
  private static final Pattern BY_NAME =
      Pattern.compile("(^|[;&|({]|exec|then|else|do)\\s*(java|javac|jar|jlink|jcmd)\\s");

  @Test
  void toolsAreThoseOfMavensOwnJdkWhereNoneIsSelected() throws IOException {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    assertTrue(pom.contains("<useJdk>IfMatch</useJdk>"), "javac runs inside Maven where that is new enough");
    assertTrue(pom.contains("<build.java>${java.home}/bin/java</build.java>"), "not the java of the PATH");
    assertTrue(pom.contains("<build.javadoc>${java.home}/bin/javadoc</build.javadoc>"), "not that of the PATH");
    assertTrue(pom.contains("<comparator>current,env,"), "the JDK that the user names comes before those found");
  }

  @Test
  void programsOfTheBuildAreTakenFromTheSelectedJdk() throws IOException {
    List<String> executables = new ArrayList<>();
    try (Stream<Path> files = Files.walk(ROOT, 3)) {
      for (Path pom : files.filter(f -> f.endsWith("pom.xml")).toList()) {
        EXECUTABLE.matcher(Files.readString(pom)).results().map(r -> r.group(1)).forEach(executables::add);
      }
    }
    executables.removeAll(List.of("${build.java}", "${build.javadoc}"));
    assertEquals(List.of(), executables, "the properties name the tools of the JDK that builds");
  }

  @Test
  void scriptsStartNoJavaByName() throws IOException {
    List<String> scripts =
        List.of(
            "scripts/mpirun", "scripts/mpistat", "scripts/bench", "scripts/jextract", "scripts/reproducible",
            "scripts/api-report", "scripts/test-times", "scripts/lib/jdk.sh", ".ci/run");
    for (String script : scripts) {
      List<String> lines = Files.readAllLines(ROOT.resolve(script));
      for (String line : lines) {
        if (!line.strip().startsWith("#")) {
          assertFalse(BY_NAME.matcher(line).results().map(MatchResult::group).findAny().isPresent(),
              script + ": " + line);
        }
      }
    }
  }
}
