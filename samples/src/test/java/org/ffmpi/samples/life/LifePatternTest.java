// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.life;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LifePatternTest {
  @Test
  void runLengthsAndPlainTextAreTheSame(@TempDir Path folder) throws Exception {
    Path runs = Files.writeString(folder.resolve("g.rle"), "#N Glider\nx = 3, y = 3, rule = B3/S23\nbo$2b\no$3o!\n");
    Path plain = Files.writeString(folder.resolve("g.cells"), "!Name: Glider\n.O.\n..O\n***\n");
    assertEquals(LifePattern.named("glider"), LifePattern.named(runs.toString()));
    assertEquals(List.of(".O", "..O", "OOO"), LifePattern.named("glider").rows());
    assertEquals(List.of(".O.", "..O", "OOO"), LifePattern.named(plain.toString()).rows());
    assertEquals(List.of("O", "", "", "..O"), LifePattern.of("o3$2bo!", "gaps").rows());
  }

  @Test
  void patternLiesInTheMiddle() {
    IntBinaryOperator seed = LifePattern.named("glider").centred(7);
    StringBuilder cells = new StringBuilder();
    for (int i = 0; i < 49; i++) {
      cells.append(seed.applyAsInt(i / 7, i % 7));
    }
    assertEquals("0000000" + "0000000" + "0001000" + "0000100" + "0011100" + "0000000" + "0000000", cells.toString());
  }

  private static void assertRefused(String part, String text) {
    String message = assertThrows(IllegalArgumentException.class, () -> LifePattern.of(text, "x")).getMessage();
    assertTrue(message.contains(part), message);
  }

  @Test
  void othersAreRefused() {
    assertRefused("no living cell", "3b$!");
    assertRefused("no living cell", "!Name: nothing\n...\n");
    assertRefused("\"z\": b, o, $ and ! are allowed", "bozo!");
    String missing =
        assertThrows(IllegalArgumentException.class, () -> LifePattern.named("glyder")).getMessage();
    assertTrue(missing.contains("glider, acorn, pentomino and gun"), missing);
    LifePattern gun = LifePattern.named("gun");
    String large = assertThrows(IllegalArgumentException.class, () -> gun.centred(20)).getMessage();
    assertTrue(large.contains("--size 20: the pattern has 9 rows and 36 columns"), large);
  }

  @Test
  void brailleShowsEightCellsAndFramesAreDrawnOverEachOther() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    LifeScreen screen = new LifeScreen(new PrintStream(bytes), 80, true);
    int[] cells = new int[25];
    cells[0] = 1;
    cells[6] = 1;
    cells[24] = 1;
    assertArrayEquals(new String[] {"\u2811\u2800\u2800", "\u2800\u2800\u2801"}, screen.lines(cells, 5));
    screen.draw(cells, 5, "one");
    screen.draw(cells, 5, "two");
    String drawn = bytes.toString(StandardCharsets.UTF_8);
    assertTrue(drawn.contains("one\033[K\n\033[3A\u2811"), drawn);
  }

  @Test
  void withoutBrailleOneCharacterIsOneCellAndLinesAreCut() {
    LifeScreen screen = new LifeScreen(new PrintStream(new ByteArrayOutputStream()), 2, false);
    assertArrayEquals(new String[] {"# ", " #", "  "}, screen.lines(new int[] {1, 0, 1, 0, 1, 0, 0, 0, 1}, 3));
  }
}
