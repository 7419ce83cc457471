// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.MpiFile;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random views written here are read by C programs of the installed libraries, and the other way round. Between the
 * places of a view the files may differ: what MPICH puts into gaps behind the end of a file is not defined.
 */
class CLibraryFilesTest {
  private static final int CASES = 150;
  private static final int SECONDS = 60;

  /** One view and access. */
  private record Access(
      int disp, int width, long[] lengths, long[] places, int extent, int offset, int n, int distance) {
    static Access random(Random random, int widest) {
      int width = new int[] {1, 4, 8}[random.nextInt(3)];
      long[] lengths = new long[1 + random.nextInt(8)];
      long[] places = new long[lengths.length];
      int at = random.nextInt(20);
      for (int i = 0; i < lengths.length; i++) {
        lengths[i] = 1 + random.nextInt(5);
        places[i] = at;
        at += (int) lengths[i] * width + random.nextInt(20);
      }
      return new Access(random.nextInt(60), width, lengths, places, at + random.nextInt(30), random.nextInt(10),
          1 + random.nextInt(200), width * (1 + random.nextInt(widest)));
    }

    String line() {
      StringBuilder line = new StringBuilder().append(disp).append(' ').append(width).append(' ')
          .append(lengths.length);
      for (int i = 0; i < lengths.length; i++) {
        line.append(' ').append(lengths[i]).append(' ').append(places[i]);
      }
      return line.append(' ').append(extent).append(' ').append(offset).append(' ').append(n).append(' ')
          .append(distance).toString();
    }

    Datatype<?> etype() {
      return width == 1 ? Datatype.BYTE : width == 4 ? Datatype.INT32_T : Datatype.DOUBLE;
    }

    byte[] elements(int number) {
      byte[] data = new byte[distance * (n + 1)];
      for (int k = 0; k < n; k++) {
        for (int b = 0; b < width; b++) {
          data[k * distance + b] = (byte) ((k * width + b) * 7 + number + 1);
        }
      }
      return data;
    }

    byte[] move(MpiFile file, String datarep, byte[] data, boolean reads) {
      file.setView(disp, etype(), Datatype.hindexed(lengths, places, etype()).resized(0, extent).commit(), datarep);
      Buf<?> buf = Buf.of(MemorySegment.ofArray(data), n, etype().resized(0, distance).commit());
      assertEquals((long) n * width, (reads ? file.readAt(offset, buf) : file.writeAt(offset, buf)).bytes());
      return data;
    }
  }

  @MpiTest(ranks = 1, timeout = 200)
  void viewsAreThoseOfOpenMpi(Mpi mpi, @TempDir Path folder) throws IOException, InterruptedException {
    compare(mpi, folder, "mpicc.openmpi");
  }

  @MpiTest(ranks = 1, timeout = 200)
  void viewsAreThoseOfMpich(Mpi mpi, @TempDir Path folder) throws IOException, InterruptedException {
    compare(mpi, folder, "mpicc.mpich");
  }

  private static void compare(Mpi mpi, Path folder, String compiler) throws IOException, InterruptedException {
    assumeTrue(Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(path -> Files.isExecutable(Path.of(path, compiler))), compiler + " is not there");
    Path source = folder.resolve("views.c");
    try (InputStream in = CLibraryFilesTest.class.getResourceAsStream("views.c")) {
      Files.copy(in, source);
    }
    Path program = folder.resolve("views");
    run(folder, compiler, source.toString(), "-o", program.toString());
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (String datarep : List.of("native", "external32")) {
      List<Access> all = new ArrayList<>();
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < CASES; i++) {
        // MPICH 4.0 does not survive elements with gaps that it converts.
        all.add(Access.random(random, datarep.equals("external32") ? 1 : 2));
        lines.add(all.getLast().line());
      }
      Path list = Files.write(folder.resolve("list-" + datarep), lines);
      Path ours = Files.createDirectory(folder.resolve("ours-" + datarep));
      Path theirs = Files.createDirectory(folder.resolve("theirs-" + datarep));
      run(folder, program.toString(), list.toString(), theirs.toString(), "write", datarep);
      for (int i = 0; i < CASES; i++) {
        String what = "seed " + seed + ", case " + i + ": " + lines.get(i) + ", " + datarep;
        byte[] expected = all.get(i).elements(i);
        try (MpiFile file = mpi.self().open(theirs.resolve("" + i), Constants.MODE_RDONLY)) {
          byte[] found = all.get(i).move(file, datarep, new byte[expected.length], true);
          assertTrue(Arrays.equals(expected, found), what);
        }
        try (MpiFile file =
            mpi.self().open(ours.resolve("" + i), Constants.MODE_CREATE | Constants.MODE_RDWR)) {
          all.get(i).move(file, datarep, expected, false);
        }
        assertEquals(Files.size(theirs.resolve("" + i)), Files.size(ours.resolve("" + i)), what);
      }
      run(folder, program.toString(), list.toString(), ours.toString(), "read", datarep);
    }
  }

  private static void run(Path folder, String... command) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      assertTrue(process.waitFor(SECONDS, TimeUnit.SECONDS), () -> String.join(" ", command) + " takes too long");
      assertEquals(0, process.exitValue(), () -> String.join(" ", command) + ": " + read(output));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String read(Path output) {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
