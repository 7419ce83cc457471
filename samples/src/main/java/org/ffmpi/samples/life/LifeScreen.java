// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.life;

import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.samples.show.Console;

/** Draws cells in a terminal, again and again in the same place. Braille characters show eight cells each. */
public final class LifeScreen {
  /** Bits of a braille character for its dots, row after row of two. */
  private static final int[] DOTS = {0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80};

  private static final char BRAILLE = '\u2800';
  private static final int DOT_COLUMNS = 2;
  private static final int DOT_ROWS = 4;
  private static final long NANOS_BETWEEN = 50_000_000;
  private static final String UP = "\033[%dA";
  private static final String REST_OF_LINE = "\033[K";

  private final PrintStream out;
  private final int columns;
  private final boolean braille;
  private int drawnLines;
  private long nextFrame;

  /**
   * Creates a screen.
   *
   * @param console that has a terminal
   */
  public LifeScreen(Console console) {
    this(console.out(), console.columns(), "UTF-8".equals(System.getProperty("native.encoding")));
  }

  /** Creates a screen with or without braille characters. */
  LifeScreen(PrintStream out, int columns, boolean braille) {
    this.columns = columns;
    this.braille = braille;
    Charset charset = braille ? StandardCharsets.UTF_8 : StandardCharsets.US_ASCII;
    this.out = new PrintStream(out, false, charset);
  }

  /**
   * Draws a frame, not sooner than a twentieth of a second after the last one.
   *
   * @param cells row after row; 0 is dead
   * @param side cells in a row
   * @param status a line below
   */
  public void draw(int[] cells, int side, String status) {
    LockSupport.parkNanos(nextFrame - System.nanoTime());
    nextFrame = System.nanoTime() + NANOS_BETWEEN;
    StringBuilder frame = new StringBuilder();
    if (drawnLines > 0) {
      frame.append(String.format(Locale.ROOT, UP, drawnLines));
    }
    String[] lines = lines(cells, side);
    for (String line : lines) {
      frame.append(line).append(REST_OF_LINE).append('\n');
    }
    frame.append(status).append(REST_OF_LINE).append('\n');
    drawnLines = lines.length + 1;
    out.print(frame);
    out.flush();
  }

  /** Returns the characters of a frame, cut at the terminal's width. */
  String[] lines(int[] cells, int side) {
    int wide = braille ? DOT_COLUMNS : 1;
    int high = braille ? DOT_ROWS : 1;
    String[] lines = new String[(side + high - 1) / high];
    for (int i = 0; i < lines.length; i++) {
      StringBuilder line = new StringBuilder();
      for (int j = 0; j < Math.min(columns, (side + wide - 1) / wide); j++) {
        line.append(braille ? dots(cells, side, i * high, j * wide) : cells[i * side + j] == 0 ? ' ' : '#');
      }
      lines[i] = line.toString();
    }
    return lines;
  }

  private static char dots(int[] cells, int side, int row, int column) {
    int bits = 0;
    for (int dot = 0; dot < DOTS.length; dot++) {
      int i = row + dot / DOT_COLUMNS;
      int j = column + dot % DOT_COLUMNS;
      bits |= i < side && j < side && cells[i * side + j] != 0 ? DOTS[dot] : 0;
    }
    return (char) (BRAILLE + bits);
  }
}
