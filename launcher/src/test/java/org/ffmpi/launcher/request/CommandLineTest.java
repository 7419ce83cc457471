// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ffmpi.launcher.command.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandLineTest {
  private static CommandLine parse(String... words) throws UsageException {
    return CommandLine.parse(words);
  }

  private static Program only(String... words) throws UsageException {
    List<Program> programs = parse(words).programs();
    assertEquals(1, programs.size());
    return programs.getFirst();
  }

  private static String complaint(String... words) {
    return assertThrows(UsageException.class, () -> CommandLine.parse(words)).getMessage();
  }

  @Test
  void optionsOfJavaArePassedOnAndTheProgramKeepsItsArguments() throws Exception {
    Program p =
        only("-n", "4", "-Xmx1g", "--add-opens", "a/b=c", "-cp", "x.jar:y", "-ea", "org.Main", "-n", "7", "--help");
    assertEquals(4, p.ranks());
    assertEquals(List.of("-Xmx1g", "--add-opens", "a/b=c", "-ea"), p.javaOptions());
    assertEquals("x.jar:y", p.classPath());
    assertEquals(Program.Kind.CLASS, p.kind());
    assertEquals("org.Main", p.target());
    assertEquals(List.of("-n", "7", "--help"), p.arguments());
  }

  @Test
  void jarsAndModulesAreRunToo() throws Exception {
    Program jar = only("-np", "2", "-jar", "app.jar", "x");
    assertEquals(Program.Kind.JAR, jar.kind());
    assertEquals("app.jar", jar.target());
    assertEquals(List.of("x"), jar.arguments());
    Program module = only("-n", "2", "-p", "mods", "-m", "org.x/org.x.Main", "-m");
    assertEquals(Program.Kind.MODULE, module.kind());
    assertEquals("org.x/org.x.Main", module.target());
    assertEquals(List.of("-p", "mods"), module.javaOptions());
    assertEquals(List.of("-m"), module.arguments());
    assertEquals("m", only("-n", "1", "--module-path=q", "--module=m").target());
  }

  @Test
  void severalProgramsShareAJob() throws Exception {
    CommandLine line =
        parse("-n", "1", "--tag-output", "A", "x", ":", "-n", "3", "--errors", "return", "-cp", "b.jar", "B");
    assertEquals(2, line.programs().size());
    assertEquals(List.of("x"), line.programs().get(0).arguments());
    assertEquals(3, line.programs().get(1).ranks());
    assertEquals("b.jar", line.programs().get(1).classPath());
    assertEquals(Map.of("ffmpi.tag.output", "true"), line.settings());
    assertEquals(Map.of("ffmpi.errors", "return"), line.programs().get(1).settings());
    assertTrue(complaint("-n", "1", "A", ":", "-n", "1", "--ring-slots", "8", "B").contains("before the first ':'"));
  }

  @Test
  void everySettingIsAnOption() throws Exception {
    CommandLine line = parse("-n", "1", "--ring-slots", "64", "--timeout=5", "--bind", "none", "--vector", "off", "A");
    assertEquals(
        Map.of("ffmpi.ring.slots", "64", "ffmpi.timeout", "5", "ffmpi.bind", "none", "ffmpi.vector", "off"),
        line.settings());
  }

  @Test
  void badCommandLinesAreOneClearSentence() {
    assertTrue(complaint("-n", "0", "A").contains("-n 0"));
    assertTrue(complaint("-n", "-3", "A").contains("-n -3"));
    assertTrue(complaint("-n", "many", "A").contains("-n many"));
    assertTrue(complaint("-n").contains("-n needs a value"));
    assertTrue(complaint("-n", "2").contains("nothing to run"));
    assertTrue(complaint().contains("nothing to run"));
    assertTrue(complaint("A").contains("number of ranks"));
    assertTrue(complaint("-n", "1", "A", ":").contains("nothing to run"));
    assertTrue(complaint("-n", "2", "--tag-ouput", "A").contains("did you mean --tag-output?"));
    String words = complaint("-n", "2", "-timeout", "5", "A");
    assertTrue(words.startsWith("-timeout is no option of mpirun or java (did you mean --timeout?)"), words);
    assertTrue(complaint("-n", "2", "-y", "PATH", "A").startsWith("-y is no option of mpirun or java;"));
    assertTrue(complaint("-n", "2", "--ring-slots", "1", "A").contains("allowed are whole numbers 2.."));
    assertTrue(complaint("-n", "2", "--vector", "maybe", "A").contains("auto, on, off"));
    assertTrue(complaint("-n", "2", "@/no/such/file", "A").contains("/no/such/file"));
  }

  @Test
  void unknownOptionsCanBeHandedToJava() throws Exception {
    assertEquals(List.of("--new-option=x"), only("-n", "1", "-J--new-option=x", "A").javaOptions());
  }

  @Test
  void helpAndVersionNeedNothingElse() throws Exception {
    assertEquals(CommandLine.Action.HELP, parse("--help").action());
    assertEquals(CommandLine.Action.VERSION, parse("--version").action());
    assertEquals(CommandLine.Action.TRAIN, parse("-n", "2", "--train", "A").action());
    CommandLine algorithms = parse("--algorithms", "--coll-bcast", "chain");
    assertEquals(CommandLine.Action.ALGORITHMS, algorithms.action());
    assertEquals(Map.of("ffmpi.coll.bcast", "chain"), algorithms.settings());
    assertEquals("all", parse("--help", "all").topic());
    assertEquals(CommandLine.Action.SAMPLES, parse("-n", "4", "--sample").action());
    assertEquals("bash", parse("--completion", "bash").topic());
    assertTrue(complaint("--completion").contains("needs a value"));
  }

  @Test
  void progressAloneShowsTheWorkAndWithAValueIsTheSetting() throws Exception {
    for (String[] alone :
        List.of(
            new String[] {"-n", "1", "--progress", "A"}, new String[] {"--progress", "-n", "1", "A"},
            new String[] {"-n", "1", "--progress-display", "A"})) {
      CommandLine line = parse(alone);
      assertEquals(Map.of("ffmpi.progress.display", "true"), line.settings());
      assertEquals("A", line.programs().getFirst().target());
    }
    for (String[] valued :
        List.of(
            new String[] {"-n", "1", "--progress", "thread", "A"}, new String[] {"-n", "1", "--progress=thread", "A"},
            new String[] {"-n", "1", "--progress", "--progress", "thread", "A"})) {
      assertEquals("thread", parse(valued).programs().getFirst().settings().get("ffmpi.progress"));
    }
    assertTrue(complaint("-n", "1", "--progress=x", "A").contains("allowed are"));
    assertTrue(complaint("-n", "1", "A", ":", "-n", "1", "--progress", "B").contains("whole job"));
  }

  @Test
  void settingsMayBeSpelledAsPropertiesToo() throws Exception {
    assertEquals(Map.of("ffmpi.survive", "on"), parse("-n", "1", "--ffmpi.survive=on", "A").settings());
    assertEquals(Map.of("ffmpi.ring.slots", "8"), parse("-n", "1", "--ffmpi.ring.slots", "8", "A").settings());
  }

  @Test
  void helpIsOneScreenAllOfItOrAboutOneName() throws Exception {
    String screen = Help.about("");
    assertTrue(screen.lines().count() <= 24, screen);
    assertTrue(screen.lines().allMatch(line -> line.length() <= 80), screen);
    String all = Help.about("all");
    for (String part :
        List.of("--ring-slots", "FFMPI_RING_SLOTS", "ffmpi.ring.slots", "--coll-bcast", "--vmargs-rank")) {
      assertTrue(all.contains(part), part);
    }
    for (String spelling :
        List.of("ring-slots", "--ring-slots", "ffmpi.ring.slots", "FFMPI_RING_SLOTS", "ring.slots")) {
      String one = Help.about(spelling);
      assertTrue(one.startsWith("  --ring-slots   FFMPI_RING_SLOTS"), one);
      assertEquals(3, one.lines().count(), one);
    }
    assertTrue(Help.about("--vmargs-rank").contains("stands for the rank"), Help.about("--vmargs-rank"));
    assertTrue(Help.about("-n").startsWith("  -n N            number of ranks"), Help.about("-n"));
    assertTrue(Help.about("--wdir").contains("(cd FOLDER && mpirun ...)"));
    String unknown = assertThrows(UsageException.class, () -> Help.about("watchdgo")).getMessage();
    assertTrue(unknown.contains("did you mean --watchdog?"), unknown);
  }

  @Test
  void optionsOfOtherLaunchersDoWhatTheyMean() throws Exception {
    Program p =
        only("-np", "2", "-x", "A=1", "-env", "B", "b c", "-x", "NO_SUCH_ONE", "--allow-run-as-root", "Main", "-l");
    assertEquals(Map.of("A", "1", "B", "b c"), p.environment());
    assertEquals(List.of("-l"), p.arguments());
    CommandLine line = parse("-n", "2", "-l", "--oversubscribe", "--bind-to", "core", "Main");
    assertEquals(Map.of("ffmpi.tag.output", "true", "ffmpi.bind", "process"), line.settings());
    assertEquals(Map.of("ffmpi.bind", "none"), parse("-n", "2", "--bind-to=none", "Main").settings());
    assertEquals(3, only("-c", "3", "Main").ranks());
    assertEquals(Map.of("ffmpi.host", "a,b"), parse("-n", "2", "-H", "a,b", "Main").settings());
  }

  @Test
  void optionsOfOtherLaunchersWithoutAMeaningSayWhatToWrite() {
    assertTrue(complaint("-n", "2", "-wdir", "/tmp", "A").contains("write (cd FOLDER && mpirun ...)"));
    assertTrue(complaint("-n", "2", "--output-filename", "out", "A").contains("write --tag-output"));
    assertTrue(complaint("-n", "2", "--map-by", "node", "A").contains("write --mpi-options '--map-by'"));
    assertTrue(complaint("-n", "2", "--mca", "btl", "tcp", "A").contains("--help all lists the settings"));
    assertTrue(complaint("-n", "2", "--bind-to", "socket", "A").contains("write --bind thread"));
    String both = complaint("-n", "2", "--engine", "mpi", "--oversubscribe", "A");
    assertTrue(both.endsWith("write --mpi-options --oversubscribe"), both);
    assertTrue(complaint("-n", "2", "-env", "A").contains("-env needs a value"));
  }

  @Test
  void shellsCompleteOptionsAndTheirValues(@TempDir Path folder) throws Exception {
    Path script = folder.resolve("completion");
    Files.writeString(script, ShellCompletion.of("bash"));
    assertEquals("--watchdog --watchdog-ends", completed(script, "mpirun", "-n", "2", "--watch"));
    assertEquals("full none races", completed(script, "mpirun", "--check", ""));
    assertEquals("full", completed(script, "mpirun", "--check", "=", "fu"));
    assertEquals("ring-bulk ring-slots", completed(script, "mpirun", "--help", "ring"));
    assertEquals("", completed(script, "mpirun", "-n", "2", "Sum.java", "--watch"));
    assertTrue(ShellCompletion.of("zsh").startsWith("autoload -U +X bashcompinit"));
    String other = assertThrows(UsageException.class, () -> ShellCompletion.of("fish")).getMessage();
    assertTrue(other.contains("bash and zsh"), other);
  }

  /** Returns what bash would offer for the last word. */
  private static String completed(Path script, String... words) throws Exception {
    StringBuilder line = new StringBuilder("source '" + script + "'; COMP_WORDS=(");
    for (String word : words) {
      line.append('\'').append(word).append("' ");
    }
    line.append("); COMP_CWORD=").append(words.length - 1);
    line.append("; _ffmpi_mpirun; echo ${COMPREPLY[@]} | tr ' ' '\\n' | sort | tr '\\n' ' '");
    Process bash = new ProcessBuilder("bash", "-c", line.toString()).redirectErrorStream(true).start();
    return new String(bash.getInputStream().readAllBytes()).strip();
  }

  @Test
  void argumentFilesAreReadAsJavaReadsThem(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("options");
    Files.writeString(file, "# comment\n-Xmx1g \"-Dx=a b\"\n-cp 'p q.jar'\n");
    Program p = only("-n", "1", "@" + file, "A", "@x");
    assertEquals(List.of("-Xmx1g", "-Dx=a b"), p.javaOptions());
    assertEquals("p q.jar", p.classPath());
    assertEquals(List.of("@x"), p.arguments());
  }

  @Test
  void aSourceFileIsRunAsSuch(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("Hi.java");
    Files.writeString(file, "void main() {}");
    assertEquals(Program.Kind.SOURCE, only("-n", "1", file.toString()).kind());
    assertEquals(Program.Kind.CLASS, only("-n", "1", "org.example.java").kind());
  }
}
