// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.ffmpi.dist.Archive.Answer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The archive works where it is unpacked, and its jar without any script. */
@Timeout(300)
class ArchiveTest {
  private static final String SUM =
      """
      //DEPS org.ffmpi:ffmpi:%s
      import org.ffmpi.*;

      public class Sum {
        public static void main(String[] args) {
          Mpi.run(args, mpi -> {
            int[] sum = {mpi.world().rank() + 1};
            mpi.world().allreduce(Buf.of(sum), Op.SUM);
            if (mpi.world().rank() == 0) {
              System.out.println(mpi.world().size() + " ranks, sum " + sum[0]);
            }
          });
        }
      }
      """;

  private static final Answer EXPECTED = new Answer(0, "2 ranks, sum 3\n", "");

  @TempDir private static Path folder;

  private static Path place;
  private static Archive archive;
  private static Path source;

  @BeforeAll
  static void unpack() throws Exception {
    place = folder.resolve("a place with spaces");
    archive = Archive.unpackedIn(place);
    source = Files.writeString(place.resolve("Sum.java"), SUM.formatted(Archive.version()));
  }

  /** Compiles the program. */
  private static Path classes() {
    Path classes = place.resolve("classes");
    if (!Files.exists(classes)) {
      Archive.tool("javac", "-cp", archive.jar(), "-d", classes, source);
    }
    return classes;
  }

  @Test
  void whatBelongsToItIsThere() throws IOException {
    for (String file : List.of(
        "bin/mpirun", "bin/mpistat", "lib/ffmpi.jar", "lib/ffmpi-testkit.jar", "lib/ffmpi-chronicle.jar",
        "lib/ffmpi-samples.jar", "lib/ffmpi-mpi-openmpi.jar", "lib/ffmpi-mpi-mpijava.jar",
        "lib/ffmpi-mpi-shared.jar",
        "lib/jdk.sh", "README.md", "LICENSE", "CHANGELOG.md", "docs/user-guide.md",
        "docs/guide/start-and-run.md")) {
      assertTrue(Files.isRegularFile(archive.file(file)), file);
    }
    assertTrue(Files.isExecutable(archive.file("bin/mpirun")));
    assertTrue(Files.isExecutable(archive.file("bin/mpistat")));
    TreeSet<String> unpacked = new TreeSet<>();
    try (Stream<Path> files = Files.walk(archive.file(""))) {
      files.filter(Files::isRegularFile).filter(file -> !file.startsWith(archive.file("cache")))
          .forEach(file -> unpacked.add(place.relativize(file).toString()));
    }
    try (ZipFile zip = new ZipFile(Archive.zip().toFile())) {
      TreeSet<String> zipped = new TreeSet<>();
      zip.stream().filter(entry -> !entry.isDirectory()).forEach(entry -> zipped.add(entry.getName()));
      assertEquals(unpacked, zipped);
    }
  }

  @Test
  void samplesRunAlsoThroughALink() throws Exception {
    Answer hello = archive.run(archive.file("bin/mpirun"), "-n", "2", "--sample", "hello");
    assertEquals(0, hello.exitCode(), hello.toString());
    assertEquals("", hello.errors());
    assertTrue(hello.output().contains("2"), hello.output());
    Path link = Files.createSymbolicLink(folder.resolve("mpirun"), archive.file("bin/mpirun"));
    Answer heat = archive.run(link, "-n", "2", "--sample", "heat", "--size", "64");
    assertEquals(0, heat.exitCode(), heat.toString());
    Answer stat = archive.run(archive.file("bin/mpistat"), "--help");
    assertEquals(0, stat.exitCode(), stat.toString());
    assertEquals(
        Files.readString(archive.file("lib/mpirun-help.txt")), archive.run(link, "--help").output());
  }

  @Test
  void programsOfTheDialectsRunAsTheyAre() throws Exception {
    Path mpirun = archive.file("bin/mpirun");
    Answer ring =
        archive.run(mpirun, "--dialect", "openmpi", "-n", "4", archive.file("samples/dialects/openmpi/Ring.java"));
    assertEquals(0, ring.exitCode(), ring.toString());
    assertEquals("", ring.errors());
    assertTrue(ring.output().contains("the ring of 4 ranks has made 6\n"), ring.output());
    Answer card =
        archive.run(mpirun, "--dialect", "mpj", "-n", "3", archive.file("samples/dialects/mpj/Ring.java"), "no ");
    assertEquals(0, card.exitCode(), card.toString());
    assertEquals("", card.errors());
    assertTrue(card.output().contains("the card of 3 ranks: no 0 no 1 no 2\n"), card.output());
  }

  /** The first program of a dialect has a start-up cache made, which the next ones find. */
  @Test
  void aDialectHasAStartUpCache() throws Exception {
    String prepares = "mpirun: preparing the start-up cache of this dialect (once after each build)\n";
    Path mpirun = archive.file("bin/mpirun");
    for (String dialect : List.of("openmpi", "mpj")) {
      Path source = archive.file("samples/dialects/" + dialect + "/Ring.java");
      Object[] ring = {mpirun, "--dialect", dialect, "-n", "2", source};
      Answer first = archive.run(Map.of(), ring);
      assertEquals(0, first.exitCode(), first.toString());
      assertTrue(first.errors().endsWith(prepares), first.toString());
      assertEquals(new Answer(0, first.output(), ""), archive.run(Map.of(), ring));
    }
    try (Stream<Path> files = Files.list(archive.file("cache"))) {
      List<Path> made = files.filter(file -> file.toString().endsWith(".none")).toList();
      assertEquals(List.of(), made);
    }
  }

  /** The dialect's jar alone compiles the program, and is all that a class path has to name. */
  @Test
  void oneJarIsEnoughForADialect() throws Exception {
    Path jar = archive.file("lib/ffmpi-mpi-openmpi.jar");
    Path ring = folder.resolve("ring");
    Archive.tool("javac", "-cp", jar, "-d", ring, archive.file("samples/dialects/openmpi/Ring.java"));
    Answer alone = archive.run(
        Archive.java(), "--enable-native-access=ALL-UNNAMED", "-cp", jar + File.pathSeparator + ring, "Ring");
    assertEquals(new Answer(0, "the ring of 1 ranks has made 0\n", ""), alone);
    Answer two = archive.run(
        archive.file("bin/mpirun"), "-n", "2", "-cp", jar + File.pathSeparator + ring, "Ring");
    assertTrue(two.output().contains("the ring of 2 ranks has made 1\n"), two.toString());
  }

  @Test
  void theJarStartsRanksByItself() throws Exception {
    assertEquals(
        EXPECTED, archive.run(Archive.java(), "-jar", archive.jar(), "-n", "2", "-cp", classes(), "Sum"));
    Answer hello = archive.run(Archive.java(), "-jar", archive.jar(), "-n", "2", "--sample", "hello");
    assertEquals(0, hello.exitCode(), hello.toString());
    Answer help = archive.run(Archive.java(), "-jar", archive.jar(), "--help");
    assertTrue(help.output().contains("usage: java -jar '" + archive.jar() + "' -n N"), help.output());
    Answer none = archive.run(Archive.java(), "-jar", archive.jar(), "Sum");
    assertEquals(2, none.exitCode());
    assertTrue(none.errors().contains("say java -jar '" + archive.jar() + "' -n N ... Sum"), none.errors());
  }

  @Test
  void theModuleStartsRanks() throws Exception {
    Path lib = archive.file("lib");
    assertEquals(
        EXPECTED,
        archive.run(
            Archive.java(), "--enable-native-access=org.ffmpi", "-p", lib, "-m", "org.ffmpi", "-n", "2", "-cp",
            classes(), "Sum"));
    Answer none = archive.run(Archive.java(), "-p", lib, "-m", "org.ffmpi", "Sum");
    assertTrue(none.errors().contains("say java -p '" + lib + "' -m org.ffmpi -n N ... Sum"), none.errors());
  }

  @Test
  void aSourceFileIsAProgram() throws Exception {
    assertEquals(EXPECTED, archive.run(Archive.java(), "-jar", archive.jar(), "-n", "2", source));
    Path jar = Files.createSymbolicLink(folder.resolve("ffmpi.jar"), archive.file("lib/ffmpi.jar"));
    Path script = folder.resolve("sum");
    String line = "#!/usr/bin/env -S " + Archive.java() + " -jar " + jar + " -n 2 --source 25\n";
    Files.writeString(script, line + Files.readString(source));
    assertTrue(script.toFile().setExecutable(true));
    assertEquals(EXPECTED, archive.run(script));
  }

  /** The library in the manifest's class path, as a build tool writes it; no warnings, with and without a launcher. */
  @Test
  void anExecutableJarRunsAloneAndOnRanks() throws Exception {
    Path manifest = Files.writeString(
        place.resolve("manifest"),
        "Main-Class: Sum\nClass-Path: " + archive.file("lib/ffmpi.jar").toUri()
            + "\nEnable-Native-Access: ALL-UNNAMED\n");
    Path app = place.resolve("app.jar");
    Archive.tool("jar", "cfm", app, manifest, "-C", classes(), ".");
    assertEquals(new Answer(0, "1 ranks, sum 1\n", ""), archive.run(Archive.java(), "-jar", app));
    assertEquals(EXPECTED, archive.run(Archive.java(), "-jar", archive.jar(), "-n", "2", "-jar", app));
    Answer plain = archive.run(Archive.java(), "-cp", app, "Sum");
    assertFalse(plain.errors().isEmpty(), "plain java -cp warns no more: say so in the guide");
  }
}
