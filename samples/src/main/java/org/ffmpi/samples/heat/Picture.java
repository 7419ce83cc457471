// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import java.io.IOException;
import java.nio.file.Path;
import org.ffmpi.IntraComm;
import org.ffmpi.samples.show.ColourMap;
import org.ffmpi.samples.show.PngFile;
import org.ffmpi.samples.show.Tile;

/**
 * The plate as a picture. A plate of more than {@value #MOST_PIXELS} cells along an edge is drawn with evenly spread
 * ones, so that rank 0 never needs memory for a whole large field; a small plate is drawn with more than one pixel per
 * cell.
 */
final class Picture {
  private static final int MOST_PIXELS = 1024;
  private static final int FEWEST_PIXELS = 512;

  private final int size;
  /** The number of cells of a row, and of rows, that are drawn. */
  private final int points;
  /** The pixels of a cell, in width and height. */
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
   * @param comm the ranks whose blocks make up the plate, which call this together
   * @param field this rank's block
   * @param lowest temperature that gets the coldest colour
   * @param highest temperature that gets the hottest colour
   * @return at rank 0 the colours of all points, row by row; null elsewhere
   */
  int[] gather(IntraComm comm, Field field, double lowest, double highest) {
    Block block = field.block();
    int y = firstPointFrom(block.first());
    int x = firstPointFrom(block.firstColumn());
    int height = firstPointFrom(block.first() + block.rows()) - y;
    int width = firstPointFrom(block.firstColumn() + block.columns()) - x;
    int[] mine = new int[width * height];
    double[] row = new double[block.columns()];
    double span = highest > lowest ? highest - lowest : 1;
    for (int i = 0; i < height; i++) {
      field.read(cellAt(y + i) - block.first() + 1, row);
      for (int j = 0; j < width; j++) {
        double share = (row[cellAt(x + j) - block.firstColumn()] - lowest) / span;
        mine[i * width + j] = ColourMap.FIRE.rgb(share);
      }
    }
    return new Tile(x, y, width, height, mine).gather(comm, points, points);
  }

  /** Returns the first point whose cell is not before {@code cell}. */
  private int firstPointFrom(int cell) {
    int point = 0;
    while (point < points && cellAt(point) < cell) {
      point++;
    }
    return point;
  }

  /**
   * Writes the picture as PNG.
   *
   * @param colours of all points, row by row
   * @param file where to
   * @throws IOException when that fails
   */
  void write(int[] colours, Path file) throws IOException {
    PngFile.write(file, points, colours, scale);
  }
}
