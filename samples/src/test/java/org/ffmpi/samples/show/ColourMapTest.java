// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.show;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ColourMapTest {
  private static double linear(int part) {
    double c = part / 255.0;
    return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
  }

  /** Returns the lightness that an eye sees, by the CIE's formula, which the map was not made with. */
  private static double lightness(int rgb) {
    double y = 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255);
    return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
  }

  @Test
  void hotterIsBrighterInEvenSteps() {
    int steps = 64;
    double before = lightness(ColourMap.FIRE.rgb(0));
    double whole = lightness(ColourMap.FIRE.rgb(1)) - before;
    assertTrue(whole > 85, "from " + before + " by " + whole);
    for (int i = 1; i <= steps; i++) {
      double now = lightness(ColourMap.FIRE.rgb((double) i / steps));
      double share = (now - before) / whole * steps;
      assertTrue(share > 0.3 && share < 2, "step " + i + " is " + share + " of an even one");
      before = now;
    }
  }

  @Test
  void numbersOutsideGetTheNearestColour() {
    assertEquals(ColourMap.FIRE.rgb(0), ColourMap.FIRE.rgb(-3));
    assertEquals(ColourMap.FIRE.rgb(1), ColourMap.FIRE.rgb(1.5));
  }
}
