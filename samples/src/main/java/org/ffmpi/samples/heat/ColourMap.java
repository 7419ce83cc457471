// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

/**
 * Colours for numbers, from cold and dark to hot and bright: black violet, purple, red, orange, pale yellow.
 *
 * <p>The path runs through the OKLab colour space with evenly growing lightness, so that equal steps of temperature
 * look equally far apart, the order of colours is the order of temperatures, and the picture keeps its meaning in grey
 * and for colour-blind eyes. Hue turns from violet to yellow on the way; chroma is what the screen's gamut allows up to
 * a limit.
 */
final class ColourMap {
  private static final int ENTRIES = 1024;
  private static final double DARKEST = 0.14;
  private static final double BRIGHTEST = 0.97;
  private static final double FIRST_HUE = Math.toRadians(288);
  private static final double LAST_HUE = Math.toRadians(360 + 105);
  private static final double MOST_CHROMA = 0.19;

  private static final int[] COLOURS = new int[ENTRIES];

  static {
    for (int i = 0; i < ENTRIES; i++) {
      COLOURS[i] = colour(i / (ENTRIES - 1.0));
    }
  }

  private ColourMap() {}

  /**
   * Returns the colour of a number.
   *
   * @param value from 0, cold, to 1, hot; beyond that, the nearest
   * @return red, green and blue in the lowest three bytes
   */
  static int rgb(double value) {
    return COLOURS[(int) Math.round(Math.clamp(value, 0.0, 1.0) * (ENTRIES - 1))];
  }

  private static int colour(double value) {
    double lightness = DARKEST + (BRIGHTEST - DARKEST) * value;
    double hue = FIRST_HUE + (LAST_HUE - FIRST_HUE) * value;
    double chroma = MOST_CHROMA;
    double[] linear = linearRgb(lightness, chroma, hue);
    while (!inGamut(linear)) {
      chroma *= 0.99;
      linear = linearRgb(lightness, chroma, hue);
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
    double encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * Math.pow(linear, 1 / 2.4) - 0.055;
    return (int) Math.round(255 * encoded);
  }
}
