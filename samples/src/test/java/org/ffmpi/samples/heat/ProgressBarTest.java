// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void lineFitsTheTerminal() {
    for (int columns : new int[] {42, 80, 300}) {
      ProgressBar bar = new ProgressBar(out, columns, 100_000_000);
      for (int done : new int[] {0, 1, 50_000_000, 100_000_000}) {
        assertTrue(bar.line(done).length() < columns, bar.line(done));
      }
    }
    assertEquals("[#####.....]  50 %  step 1 of 2", new ProgressBar(out, 32, 2).line(1));
  }

  @Test
  void nothingIsShownWithoutATerminal() throws InterruptedException {
    ProgressBar bar = new ProgressBar(out, 0, 10);
    Thread.sleep(120);
    bar.show(5);
    bar.clear();
    assertEquals(0, bytes.size());
  }

  @Test
  void lineIsRedrawnInPlaceAndRemoved() throws InterruptedException {
    ProgressBar bar = new ProgressBar(out, 80, 10);
    bar.show(1);
    assertEquals(0, bytes.size(), "too early to be worth a line");
    Thread.sleep(120);
    bar.show(5);
    bar.clear();
    String[] drawn = bytes.toString(StandardCharsets.UTF_8).split("\r");
    assertEquals(2, drawn.length);
    assertEquals(drawn[0].length(), drawn[1].length());
    assertTrue(drawn[1].isBlank());
  }
}
