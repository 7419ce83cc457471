// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.show;

import java.util.function.DoubleUnaryOperator;

/**
 * Colours for numbers from 0 to 1.
 *
 * <p>A map is a path through the OKLab colour space: lightness, chroma and hue for each number. Equal steps in OKLab
 * look equally far apart. Chroma is limited to the screen's gamut.
 */
public final class ColourMap {
  /**
   * From cold and dark to hot and bright: black violet, purple, red, orange, pale yellow. Lightness grows evenly, so
   * the order of colours is the order of numbers, also in grey and for colour-blind eyes.
   */
  public static final ColourMap FIRE =
      new ColourMap(v -> 0.14 + 0.83 * v, v -> 0.19, v -> 288 + (360 + 105 - 288) * v);

  /** From black through deep blue and sky blue to white, with evenly growing lightness. */
  public static final ColourMap ICE = new ColourMap(v -> 0.08 + 0.90 * v, v -> 0.16, v -> 285 - 75 * v);

  /** Round: from night blue to white, from white through amber back to the dark. The ends meet. */
  public static final ColourMap DUSK =
      new ColourMap(
          v -> 0.55 - 0.40 * Math.cos(2 * Math.PI * v),
          v -> 0.14 * Math.min(1, Math.abs(2 - 4 * v)),
          v -> v < 0.5 ? 262 : 66);

  private static final int ENTRIES = 1024;

  private final int[] colours = new int[ENTRIES];

  /**
   * Creates a map.
   *
   * @param lightness of a number, from 0 to 1
   * @param chroma of a number; 0 is grey
   * @param hue of a number, in degrees
   */
  private ColourMap(DoubleUnaryOperator lightness, DoubleUnaryOperator chroma, DoubleUnaryOperator hue) {
    for (int i = 0; i < ENTRIES; i++) {
      double value = i / (ENTRIES - 1.0);
      colours[i] = colour(
          lightness.applyAsDouble(value), chroma.applyAsDouble(value), Math.toRadians(hue.applyAsDouble(value)));
    }
  }

  /**
   * Returns the colour of a number.
   *
   * @param value from 0 to 1; beyond that, the nearest
   * @return red, green and blue in the lowest three bytes
   */
  public int rgb(double value) {
    return colours[(int) Math.round(Math.clamp(value, 0.0, 1.0) * (ENTRIES - 1))];
  }

  private static int colour(double lightness, double chroma, double hue) {
    double most = chroma;
    double[] linear = linearRgb(lightness, most, hue);
    while (!inGamut(linear) && most > 1e-3) {
      most *= 0.99;
      linear = linearRgb(lightness, most, hue);
    }
    return encode(linear[0]) << 16 | encode(linear[1]) << 8 | encode(linear[2]);
  }

  private static boolean inGamut(double[] linear) {
    for (double part : linear) {
      if (part < 0 || part > 1) {
        return false;
      }
    }
    return true;
  }

  /** Converts from OKLab in polar form to linear sRGB, with the constants of that colour space's definition. */
  private static double[] linearRgb(double lightness, double chroma, double hue) {
    double a = chroma * Math.cos(hue);
    double b = chroma * Math.sin(hue);
    double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
    double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
    double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
    return new double[] {
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s
    };
  }

  private static double cube(double x) {
    return x * x * x;
  }

  /** Applies the transfer function of sRGB. */
  private static int encode(double linear) {
    double within = Math.clamp(linear, 0.0, 1.0);
    double encoded = linear <= 0.0031308 ? 12.92 * within : 1.055 * Math.pow(within, 1 / 2.4) - 0.055;
    return (int) Math.round(255 * encoded);
  }
}
