// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.ffmpi.base.MpiException;
import org.ffmpi.launcher.Launcher;
import org.ffmpi.launcher.cache.CacheFolder;
import org.ffmpi.launcher.cache.StartupCache;
import org.ffmpi.launcher.command.JavaOptions;
import org.ffmpi.launcher.command.Libraries;
import org.ffmpi.launcher.command.Program;
import org.ffmpi.launcher.command.RankCommand;
import org.ffmpi.launcher.request.CommandLine;
import org.ffmpi.launcher.request.UsageException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs given as source files: compiled once, kept, and compiled again when something has changed. */
@Tag("process")
@Timeout(240)
class CompiledProgramsTest {
  @TempDir private Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private Path caches() {
    return folder.resolve("caches");
  }

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve("src").resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  /** Compiles as a job would, or finds what was kept. */
  private Program compiled(CompiledPrograms programs, Object... words) throws UsageException {
    Program asked = CommandLine.program(1, Stream.of(words).map(Object::toString).toList());
    return programs.compiled(asked, new RankCommand(asked, Libraries.located(), false, false), false);
  }

  private Program compiled(Object... words) throws UsageException {
    return compiled(new CompiledPrograms(CacheFolder.at(caches()), true, err), words);
  }

  private List<Path> kept(String suffix) throws IOException {
    try (Stream<Path> files = Files.list(caches().resolve("from-source"))) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  /** Returns what changes with each compilation. */
  private Object trace() throws IOException {
    return Files.readAttributes(kept(".source").getFirst(), "unix:ino").toString();
  }

  private int run(Path cacheFolder, int ranks, Object... words) throws InterruptedException {
    return Launcher.of(ranks)
        .command(Stream.of(words).map(Object::toString).toList())
        .setting("ffmpi.aot.folder", cacheFolder.toString())
        .output(out)
        .errors(err)
        .timeout(Duration.ofSeconds(120))
        .run();
  }

  private List<String> output() {
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().sorted().toList();
    out.reset();
    return lines;
  }

  private String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** What another user may have put into the folder is code that would run with this user's rights. */
  @Test
  void programsOthersMayHaveChangedAreNotRun() throws Exception {
    Path source =
        write(
            "Say.java",
            "public class Say { public static void main(String[] args) { System.out.println(\"said\"); } }");
    assertEquals(0, run(caches(), 1, source), this::errors);
    Object first = trace();
    Files.setPosixFilePermissions(caches(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertEquals(0, run(caches(), 1, source), this::errors);
    assertEquals(List.of("said", "said"), output());
    assertTrue(errors().contains("other users may write to "), this::errors);
    assertEquals(first, trace());
  }

  @Test
  void aProgramIsCompiledOnce() throws Exception {
    Path source =
        write(
            "Sum.java",
            """
            import org.ffmpi.*;

            public class Sum {
              public static void main(String[] args) {
                Mpi.run(args, mpi -> {
                  int[] sum = {1};
                  mpi.world().allreduce(Buf.of(sum), Op.SUM);
                  System.out.println(args[0] + " " + sum[0]);
                });
              }
            }
            """);
    assertEquals(0, run(caches(), 2, source, "a b"), this::errors);
    assertEquals(List.of("a b 2", "a b 2"), output());
    Object trace = trace();
    assertEquals(1, kept(".jar").size());
    assertEquals(0, run(caches(), 1, source, "again"), this::errors);
    assertEquals(List.of("again 1"), output());
    assertEquals(trace, trace());
    assertEquals("", errors());
  }

  @Test
  void aChangedSourceIsCompiledAgain() throws Exception {
    Path source = write("A.java", "class A { public static void main(String[] args) { } }");
    assertEquals("A", compiled(source).target());
    Path old = kept(".jar").getFirst();
    Files.setLastModifiedTime(old, FileTime.fromMillis(1));
    FileTime time = Files.getLastModifiedTime(source);
    Files.writeString(source, "class B { public static void main(String[] args) { } }");
    Files.setLastModifiedTime(source, time);
    assertEquals("B", compiled(source).target(), "same length, same time");
    assertFalse(Files.exists(old), "nothing is left of the old one");
    assertEquals(1, kept(".jar").size());
    assertEquals(1, kept(".source").size());
  }

  @Test
  void anotherFileThatHasChangedIsNoticed() throws Exception {
    Path source =
        write(
            "a/b/Main.java",
            """
            package a.b;
            public class Main {
              public static void main(String[] args) {
                System.out.println(a.c.Helper.text());
              }
            }
            """);
    String helper = "package a.c; public class Helper { public static String text() { return \"%s\"; } }";
    write("a/c/Helper.java", helper.formatted("one"));
    write("a/c/Broken.java", "this is not compiled");
    assertEquals(0, run(caches(), 1, source), this::errors);
    assertEquals(List.of("one"), output());
    write("a/c/Helper.java", helper.formatted("two"));
    assertEquals(0, run(caches(), 1, source), this::errors);
    assertEquals(List.of("two"), output());
    Object trace = trace();
    compiled(source);
    assertEquals(trace, trace());
    write("a/c/Other.java", "package a.c; class Other { }");
    compiled(source);
    assertNotEquals(trace, trace(), "a new file may take the place of a class from elsewhere");
  }

  @Test
  void theClassPathAndTheOptionsCount() throws Exception {
    Path source = write("A.java", "class A { public static void main(String[] args) { } }");
    Path jar = folder.resolve("x.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry("x"));
    }
    Program program = compiled("-cp", jar, source);
    assertTrue(program.classPath().endsWith(".jar" + File.pathSeparator + jar), program.classPath());
    Object trace = trace();
    Files.setLastModifiedTime(jar, FileTime.fromMillis(1));
    compiled("-cp", jar, source);
    assertNotEquals(trace, trace());
    compiled("-cp", jar, "--add-modules", "java.sql", source);
    assertEquals(2, kept(".source").size());
    Files.delete(source);
    compiled(write("B.java", "class B { public static void main(String[] args) { } }"));
    assertEquals(1, kept(".source").size(), "programs whose source is gone go with the next compilation");
  }

  @Test
  void errorsAreShownOnce() throws Exception {
    Path source = write("Bad.java", "class Bad {\n  int x = \"a\";\n}\n");
    MpiException e = assertThrows(MpiException.class, () -> run(caches(), 3, source));
    assertTrue(e.getMessage().contains("Bad.java does not compile; no rank is started"), e.getMessage());
    assertEquals(1, errors().split("Bad.java:2: error: incompatible types", -1).length - 1, errors());
    assertTrue(errors().endsWith("1 error\n"), errors());
    for (String wrong : List.of("class C { void f() { } }", "", "package other; class C { }")) {
      Path file = write("C.java", wrong);
      assertThrows(MpiException.class, () -> compiled(file));
    }
    assertTrue(errors().contains("error: can't find main(String[]) or main() method in class: C\n"), errors());
    assertTrue(errors().contains("error: no class declared in source file "), errors());
    assertTrue(errors().contains("does not match its package name other"), errors());
    assertFalse(Files.exists(caches()));
  }

  @Test
  void scriptsAndCompactSourceFilesRun() throws Exception {
    Path script =
        write(
            "hello",
            """
            #!/usr/bin/env -S mpirun -n 2 --source 25
            void main(String[] args) {
              throw new Error(args[0]);
            }
            """);
    assertEquals(1, run(caches(), 1, "--source", "25", script, "words"));
    assertTrue(errors().contains("java.lang.Error: words\n\tat hello.main(hello:3)"), errors());
    Path compact = write("Compact.java", "record R(int i) { }\nvoid main() { IO.println(new R(3)); }\n");
    assertEquals(0, run(caches(), 1, compact), this::errors);
    assertEquals(List.of("R[i=3]"), output());
  }

  @Test
  void theMainClassIsThatOfTheSourceMode() throws Exception {
    String main = "public static void main(String[] args) { }";
    assertEquals("X", compiled(write("A.java", "class X { " + main + " } class A { " + main + " }")).target());
    assertEquals("A", compiled(write("A.java", "class X { } class A { " + main + " }")).target());
    assertEquals("X", compiled(write("A.java", "class X extends A { } class A { " + main + " }")).target());
  }

  @Test
  void whatNeedsTheSourceModeGetsIt() throws Exception {
    String byName = "class A { public static void main(String[] args) throws Exception { Class.forName(\"B\"); } }";
    Path source = write("A.java", byName);
    assertEquals(Program.Kind.CLASS, compiled(source).kind(), "there is no other source to find");
    write("deeper/B.java", "package deeper; public class B { }");
    assertEquals(Program.Kind.SOURCE, compiled(source).kind());
    Object trace = trace();
    assertEquals(Program.Kind.SOURCE, compiled(source).kind());
    assertEquals(trace, trace(), "that is kept, too");
    Files.delete(folder.resolve("src/deeper/B.java"));
    assertEquals(Program.Kind.CLASS, compiled(source).kind());
    assertEquals(Program.Kind.SOURCE, compiled("-p", "mods", source).kind());
    write("module-info.java", "module m { }");
    assertEquals(Program.Kind.SOURCE, compiled(source).kind());
  }

  @Test
  void resourcesAreFoundBesideTheSource() throws Exception {
    Path source =
        write(
            "A.java",
            """
            class A {
              public static void main(String[] args) {
                System.out.println(A.class.getResource("/data.txt") != null);
              }
            }
            """);
    write("data.txt", "");
    assertEquals(0, run(caches(), 1, source), this::errors);
    assertEquals(List.of("true"), output());
  }

  @Test
  void withoutAPlaceToKeepItAProgramLivesAsLongAsItsJob() throws Exception {
    Path noFolder = Files.writeString(folder.resolve("file"), "");
    Path source = write("A.java", "void main() { IO.println(System.getProperty(\"java.class.path\")); }\n");
    assertEquals(0, run(noFolder.resolve("caches"), 1, source), this::errors);
    String path = output().getFirst();
    List<String> entries = List.of(path.split(File.pathSeparator));
    String jar = entries.stream().filter(e -> e.contains("ffmpi-program-")).findAny().orElseThrow();
    assertFalse(Files.exists(Path.of(jar)), jar);
    CompiledPrograms programs = new CompiledPrograms(CacheFolder.at(caches()), false, err);
    String entry = compiled(programs, source).classPath();
    assertTrue(Files.exists(Path.of(entry)), entry);
    assertTrue(programs.hasTemporaries());
    programs.discard();
    assertFalse(Files.exists(Path.of(entry)), entry);
    assertFalse(Files.exists(caches()), "--aot off keeps nothing");
  }

  @Test
  void startsAtOnceDoNotDisturbEachOther() throws Exception {
    Path source = write("A.java", "class A { public static void main(String[] args) { } }");
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Callable<Program>> starts = List.of(() -> compiled(source), () -> compiled(source));
      List<String> paths = new ArrayList<>();
      for (Future<Program> start : threads.invokeAll(starts)) {
        paths.add(start.get().classPath());
      }
      assertEquals(paths.get(0), paths.get(1));
      assertTrue(Files.exists(Path.of(paths.get(0))));
    }
    assertEquals(2, kept("").size());
  }

  @Test
  void theCompilerGetsTheOptionsOfTheSourceMode() {
    List<String> jvm =
        List.of(
            "-XX:+UseSerialGC", "-Dx=y", "--enable-native-access=ALL-UNNAMED", "--add-exports",
            "java.base/sun.nio.ch=ALL-UNNAMED", "--add-modules=ALL-SYSTEM,java.sql", "--enable-preview");
    List<String> javac =
        List.of("--add-exports", "java.base/sun.nio.ch=ALL-UNNAMED", "--add-modules", "java.sql", "--enable-preview");
    List<String> expected = new ArrayList<>(javac);
    expected.addAll(List.of("--release", Integer.toString(Runtime.version().feature())));
    assertEquals(expected, JavaOptions.forCompiler(jvm));
    assertEquals(List.of("--release", "21"), JavaOptions.forCompiler(List.of("--source", "21", "-ea")));
    assertEquals(List.of("-ea"), JavaOptions.withoutSource(List.of("--source", "21", "-ea", "--source=22")));
    assertNull(JavaOptions.forCompiler(List.of("--module-path", "mods")));
  }

  @Test
  void aStartUpCacheOfAProgramOutlivesNoChange() throws Exception {
    String jar = caches() + "/from-source/1a-2b-%s.jar";
    StartupCache one = StartupCache.named(CacheFolder.at(caches()), List.of(), "lib.jar:" + jar.formatted("3c"), "A");
    StartupCache two = StartupCache.named(CacheFolder.at(caches()), List.of(), "lib.jar:" + jar.formatted("4d"), "A");
    assertEquals(
        one.file().getFileName().toString().replaceAll("-.*", ""),
        two.file().getFileName().toString().replaceAll("-.*", ""), "a new one replaces it");
  }
}
