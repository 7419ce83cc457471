// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.ffmpi.launcher.Launcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs of {@code bench compat} that no build compiles, since each needs another package {@code mpi}. */
@Tag("process")
class CompatProgramsTest {
  @ParameterizedTest
  @CsvSource({"openmpi,CompatOpenmpi", "mpijava,CompatMpijava"})
  void programOfADialectCompilesAndMakesItsFirstCalls(String dialect, String name, @TempDir Path classes)
      throws Exception {
    String other = dialect.equals("openmpi") ? "mpijava" : "openmpi";
    String path = classes + File.pathSeparator
        + Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains(other)).collect(Collectors.joining(File.pathSeparator));
    Path source = Path.of("src/compat", dialect, "org/ffmpi/bench/rank", name + ".java");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options = List.of("-proc:none", "-nowarn", "-cp", path, "-d", classes.toString());
      assertTrue(compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source)).call(),
          messages::toString);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Launcher.of(2).javaOptions("-XX:+UseSerialGC").classPath(path)
        .main("org.ffmpi.bench.rank." + name, "cold", "1", "10")
        .output(out).errors(err).timeout(Duration.ofSeconds(120)).run();
    assertEquals(0, code, err::toString);
    String answers = out.toString(StandardCharsets.UTF_8);
    for (String answer : List.of("call,1", "sum,1", "call,10", "sum,10")) {
      assertTrue(answers.contains(answer + ","), answers);
    }
  }
}
