// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.samples.heat.HeatOptions.Buffers;
import org.ffmpi.samples.heat.HeatOptions.Exchange;
import org.ffmpi.samples.show.ColourMap;
import org.ffmpi.samples.show.Console;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeatProgramTest {
  private static final int SIZE = 48;
  private static final int STEPS = 100;

  /** Returns what every run has to find, on any number of ranks and in any memory. */
  private static long expectedChecksum() {
    double[][] field = Reference.field(new SineModes(SineModes.PLATE, SIZE), SIZE, STEPS);
    long sum = 0;
    for (int i = 0; i < SIZE; i++) {
      sum += HeatProgram.checksum(field[i], (long) i * SIZE);
    }
    return sum;
  }

  private static HeatResult run(Mpi mpi, HeatOptions options, ByteArrayOutputStream printed) throws IOException {
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    return HeatProgram.run(mpi, options, new Console("heat", mpi.world(), out, 0));
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8, 16})
  void resultIsGoodAndTheSameForAnyNumberOfRanks(Mpi mpi, @TempDir Path folder) throws IOException {
    for (Buffers kind : Buffers.values()) {
      Path picture = folder.resolve(kind + ".png");
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      HeatResult result = run(mpi, new HeatOptions(SIZE, STEPS, picture, kind, false, Exchange.MESSAGE), printed);
      assertTrue(result.isGood(), result.toString());
      assertEquals(result.exactHeat(), result.heat(), 1e-3);
      assertEquals(expectedChecksum(), result.checksum());
      if (mpi.world().rank() == 0) {
        assertTrue(Files.size(picture) > 0);
        Set<String> first = printed.toString(StandardCharsets.UTF_8).lines().map(line -> line.split("[: ]")[0])
            .collect(Collectors.toSet());
        assertEquals(Set.of("heat", "total", "largest", "field", "time", "picture"), first);
      } else {
        assertEquals(0, printed.size());
      }
    }
  }

  @MpiTest(ranks = {1, 3, 4, 6})
  void gridOfRanksComesToTheSameField(Mpi mpi, @TempDir Path folder) throws IOException {
    for (boolean grid : new boolean[] {false, true}) {
      Path picture = folder.resolve(grid + ".png");
      HeatResult result =
          run(mpi, new HeatOptions(SIZE, STEPS, picture, Buffers.HEAP, grid, Exchange.MESSAGE),
              new ByteArrayOutputStream());
      assertTrue(result.isGood(), result.toString());
      assertEquals(expectedChecksum(), result.checksum());
    }
    if (mpi.world().rank() == 0) {
      assertEquals(-1, Files.mismatch(folder.resolve("false.png"), folder.resolve("true.png")));
    }
  }

  @MpiTest(ranks = {1, 2, 4})
  void restartedRunsComeToTheSameField(Mpi mpi, @TempDir Path folder) throws IOException {
    Path file = folder.resolve("field.npy");
    run(mpi, new HeatOptions(SIZE, 70, null, Buffers.NATIVE, false, Exchange.MESSAGE,
        new HeatOptions.Saves(file, 30, null)), new ByteArrayOutputStream());
    mpi.world().barrier();
    assertEquals(128 + SIZE * SIZE * 8 + 8, Files.size(file));
    assertTrue(Files.readString(file, StandardCharsets.ISO_8859_1).contains("'shape': (48, 48)"));
    // Another number of ranks goes on, and so does another kind of field.
    try (IntraComm some = mpi.world().split(mpi.world().rank() == 0 ? 0 : 1, 0)) {
      Block block = Block.of(SIZE, some.size(), some.rank());
      try (Field field = Field.of(mpi, block, Buffers.HEAP)) {
        assertEquals(70, new Checkpoint(some, field).restore(file));
      }
    }
    HeatResult result = run(mpi, new HeatOptions(SIZE, STEPS, null, Buffers.HEAP, true, Exchange.MESSAGE,
        new HeatOptions.Saves(file, 1000, file)), new ByteArrayOutputStream());
    assertEquals(expectedChecksum(), result.checksum());
  }

  @MpiTest(ranks = {1, 2, 3, 5})
  void otherExchangesComeToTheSameField(Mpi mpi) throws IOException {
    for (Exchange exchange : new Exchange[] {Exchange.WINDOW, Exchange.FIRST}) {
      HeatOptions options = new HeatOptions(SIZE, STEPS, null, Buffers.HEAP, false, exchange);
      HeatResult result = run(mpi, options, new ByteArrayOutputStream());
      assertTrue(result.isGood(), result.toString());
      assertEquals(expectedChecksum(), result.checksum());
    }
  }

  @MpiTest(ranks = 3, processes = true, timeout = 120)
  void resultIsTheSameWithRanksAsProcesses(Mpi mpi) throws IOException {
    HeatOptions options = new HeatOptions(SIZE, STEPS, null, Buffers.SHARED, false, Exchange.MESSAGE);
    HeatResult result = run(mpi, options, new ByteArrayOutputStream());
    assertTrue(result.isGood(), result.toString());
    assertEquals(expectedChecksum(), result.checksum());
  }

  @Test
  void errorAboveTheBoundIsWrong() {
    assertTrue(new HeatResult(0, 0, 1e-5, 1e-5, 0, 0, 0, 0).isGood());
    for (double error : new double[] {1.1e-5, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertFalse(new HeatResult(0, 0, error, 1e-5, 0, 0, 0, 0).isGood());
    }
  }

  @Test
  void checksumShowsEveryBitAndEveryPlace() {
    double[] row = {1, 2, 3};
    Set<Long> sums = new HashSet<>();
    sums.add(HeatProgram.checksum(row, 0));
    sums.add(HeatProgram.checksum(row, 1));
    sums.add(HeatProgram.checksum(new double[] {2, 1, 3}, 0));
    sums.add(HeatProgram.checksum(new double[] {1, 2, Math.nextUp(3)}, 0));
    sums.add(HeatProgram.checksum(new double[] {-1, 2, 3}, 0));
    assertEquals(5, sums.size());
  }

  @MpiTest(ranks = {1, 2, 5})
  void largePlateIsDrawnSmaller(Mpi mpi, @TempDir Path folder) throws IOException {
    Path file = folder.resolve("large.png");
    run(mpi, new HeatOptions(1500, 1, file, Buffers.HEAP, false, Exchange.MESSAGE), new ByteArrayOutputStream());
    if (mpi.world().rank() == 0) {
      var image = ImageIO.read(file.toFile());
      assertEquals(1024, image.getWidth());
      assertEquals(1024, image.getHeight());
      int[] pixels = image.getRGB(0, 0, 1024, 1024, null, 0, 1024);
      // The plate's edge is near temperature 0, the same colour all round; no row may be missing, which would be black.
      assertTrue(Arrays.stream(pixels, 1023 * 1024, 1024 * 1024).noneMatch(rgb -> rgb == 0xFF000000));
    }
  }

  @MpiTest(ranks = {1, 2, 4})
  void pictureDoesNotDependOnTheRanks(Mpi mpi, @TempDir Path folder) throws IOException {
    HeatOptions options = new HeatOptions(37, 40, folder.resolve("ranks.png"), Buffers.NATIVE, false, Exchange.MESSAGE);
    run(mpi, options, new ByteArrayOutputStream());
    if (mpi.world().rank() == 0) {
      SineModes modes = new SineModes(SineModes.PLATE, 37);
      double[][] field = Reference.field(modes, 37, 40);
      double lowest = Arrays.stream(field).flatMapToDouble(Arrays::stream).min().orElseThrow();
      double highest = Arrays.stream(field).flatMapToDouble(Arrays::stream).max().orElseThrow();
      var image = ImageIO.read(options.output().toFile());
      int scale = image.getWidth() / 37;
      assertEquals(37 * scale, image.getWidth());
      for (int i = 0; i < 37; i++) {
        for (int j = 0; j < 37; j++) {
          int expected = ColourMap.FIRE.rgb((field[i][j] - lowest) / (highest - lowest));
          assertEquals(expected, image.getRGB(j * scale, i * scale) & 0xFFFFFF);
          assertEquals(expected, image.getRGB(j * scale + scale - 1, i * scale + scale - 1) & 0xFFFFFF);
        }
      }
    }
  }
}
