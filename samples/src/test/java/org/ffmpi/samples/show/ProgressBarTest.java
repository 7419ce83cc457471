// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.show;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
  private static final long TENTH_OF_A_SECOND = 100_000_000;

  private long now = 17;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void lineFitsTheTerminal() {
    for (int columns : new int[] {42, 80, 300}) {
      ProgressBar bar = new ProgressBar(out, columns, 100_000_000, "step");
      for (int done : new int[] {0, 1, 50_000_000, 100_000_000}) {
        assertTrue(bar.line(done).length() < columns, bar.line(done));
      }
    }
    assertEquals("[#####.....]  50 %  step 1 of 2", new ProgressBar(out, 32, 2, "step").line(1));
  }

  @Test
  void nothingIsShownWithoutATerminal() {
    ProgressBar bar = new ProgressBar(out, 0, 10, "step", () -> now);
    now += 10 * TENTH_OF_A_SECOND;
    bar.show(5);
    bar.clear();
    assertEquals(0, bytes.size());
  }

  @Test
  void lineIsRedrawnInPlaceAndRemoved() {
    ProgressBar bar = new ProgressBar(out, 80, 10, "step", () -> now);
    now += TENTH_OF_A_SECOND - 1;
    bar.show(1);
    assertEquals(0, bytes.size(), "a line is drawn after a tenth of a second at the earliest");
    now++;
    bar.show(5);
    now += TENTH_OF_A_SECOND - 1;
    bar.show(6);
    now++;
    bar.show(7);
    bar.clear();
    String[] drawn = bytes.toString(StandardCharsets.UTF_8).split("\r");
    assertEquals(3, drawn.length);
    assertEquals(bar.line(5), drawn[0]);
    assertEquals(bar.line(7), drawn[1]);
    assertEquals(" ".repeat(drawn[1].length()), drawn[2]);
  }

  @Test
  void aBarWithoutALineRemovesNothing() {
    ProgressBar bar = new ProgressBar(out, 80, 10, "step", () -> now);
    bar.clear();
    assertEquals(0, bytes.size());
  }
}
