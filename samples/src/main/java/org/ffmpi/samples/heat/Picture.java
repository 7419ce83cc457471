// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;

/**
 * The plate as a picture. A plate of more than {@value #MOST_PIXELS} cells along an edge is drawn with evenly spread
 * ones, so that rank 0 never needs memory for a whole large field; a small plate is drawn with more than one pixel per
 * cell.
 */
final class Picture {
  private static final int MOST_PIXELS = 1024;
  private static final int FEWEST_PIXELS = 512;

  private final int size;
  /** How many cells of a row, and how many rows, are drawn. */
  private final int points;
  /** How many pixels wide and high a cell is drawn. */
  private final int scale;

  /**
   * Prepares a picture.
   *
   * @param size cells along an edge of the plate
   */
  Picture(int size) {
    this.size = size;
    this.points = Math.min(size, MOST_PIXELS);
    this.scale = Math.max(1, FEWEST_PIXELS / points);
  }

  /** Returns how many pixels wide and high the picture is. */
  int width() {
    return points * scale;
  }

  /** Returns the cell that is drawn at a point: of equal parts of the row, the one in the middle. */
  private int cellAt(int point) {
    return (int) ((2L * point + 1) * size / (2L * points));
  }

  /**
   * Colours this rank's part and collects all parts at rank 0.
   *
   * @param world the ranks whose blocks make up the plate, which call this together
   * @param field this rank's block
   * @param lowest temperature that gets the coldest colour
   * @param highest temperature that gets the hottest colour
   * @return at rank 0 the colours of all points, row by row; null elsewhere
   */
  int[] gather(IntraComm world, Field field, double lowest, double highest) {
    int mostRows = 0;
    for (int rank = 0; rank < world.size(); rank++) {
      mostRows = Math.max(mostRows, rowsIn(Block.of(size, world.size(), rank)));
    }
    // Blocks of gather are of one size: a rank with a row less leaves the last row black, which is dropped.
    int[] mine = new int[mostRows * points];
    colour(field, lowest, highest, mine);
    if (world.rank() != 0) {
      world.gather(Buf.of(mine), null, 0);
      return null;
    }
    int[] all = new int[world.size() * mine.length];
    world.gather(Buf.of(mine), Buf.of(all), 0);
    int[] pixels = new int[points * points];
    int done = 0;
    for (int rank = 0; rank < world.size(); rank++) {
      int count = rowsIn(Block.of(size, world.size(), rank)) * points;
      System.arraycopy(all, rank * mine.length, pixels, done, count);
      done += count;
    }
    return pixels;
  }

  private int rowsIn(Block block) {
    int rows = 0;
    for (int y = 0; y < points; y++) {
      rows += block.has(cellAt(y)) ? 1 : 0;
    }
    return rows;
  }

  private void colour(Field field, double lowest, double highest, int[] into) {
    Block block = field.block();
    double[] row = new double[size];
    double span = highest > lowest ? highest - lowest : 1;
    int next = 0;
    for (int y = 0; y < points; y++) {
      if (block.has(cellAt(y))) {
        field.read(cellAt(y) - block.first() + 1, row);
        for (int x = 0; x < points; x++) {
          into[next++] = ColourMap.rgb((row[cellAt(x)] - lowest) / span);
        }
      }
    }
  }

  /**
   * Writes the picture as PNG.
   *
   * @param colours of all points, row by row
   * @param file where to
   * @throws IOException when that fails
   */
  void write(int[] colours, Path file) throws IOException {
    if (System.getProperty("java.awt.headless") == null) {
      System.setProperty("java.awt.headless", "true"); // a picture needs no screen, and none may be there
    }
    BufferedImage image = new BufferedImage(width(), width(), BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < width(); y++) {
      for (int x = 0; x < width(); x++) {
        image.setRGB(x, y, colours[y / scale * points + x / scale]);
      }
    }
    ImageIO.setUseCache(false);
    try (OutputStream out = Files.newOutputStream(file)) {
      if (!ImageIO.write(image, "png", out)) {
        throw new IOException("this JDK cannot write PNG");
      }
    }
  }
}
