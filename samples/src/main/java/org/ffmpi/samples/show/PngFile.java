// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.show;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/** Pictures in files. */
public final class PngFile {
  private PngFile() {}

  /**
   * Writes a picture as PNG.
   *
   * @param file where to
   * @param width points in a row
   * @param colours of all points, row by row, as red, green and blue in the lowest three bytes
   * @param scale how many pixels wide and high a point is drawn
   * @throws IOException when that fails
   */
  public static void write(Path file, int width, int[] colours, int scale) throws IOException {
    int height = colours.length / width;
    BufferedImage image = new BufferedImage(width * scale, height * scale, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < height * scale; y++) {
      for (int x = 0; x < width * scale; x++) {
        image.setRGB(x, y, colours[y / scale * width + x / scale]);
      }
    }
    write(file, image);
  }

  /**
   * Writes an image as PNG.
   *
   * @param file where to
   * @param image without an alpha channel
   * @throws IOException when that fails
   */
  public static void write(Path file, BufferedImage image) throws IOException {
    if (System.getProperty("java.awt.headless") == null) {
      System.setProperty("java.awt.headless", "true"); // a picture needs no screen, and none may be there
    }
    ImageIO.setUseCache(false);
    try (OutputStream out = Files.newOutputStream(file)) {
      if (!ImageIO.write(image, "png", out)) {
        throw new IOException("this JDK cannot write PNG");
      }
    }
  }
}
