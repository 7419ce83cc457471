// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.nbody;

import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.samples.show.ColourMap;

/** A photograph of the bodies, which collects light as long as it is exposed. The two galaxies have two colours. */
public final class Exposure {
  /** Width of a picture for which the following lengths are in pixels; others are drawn to scale. */
  private static final double WIDTH = 800;

  /** Stars of less than half their size would fall between the pixels. */
  private static final double LEAST_UNIT = 0.5;

  /** Stars are discs of light with soft edges, this much in radius, in a haze of fainter light. */
  private static final double STAR = 1.2;

  private static final double HAZE = 11;
  private static final double HAZE_LIGHT = 0.0033;
  private static final double CORE_LIGHT = 25;
  /** A star's light, and its haze, end this many radii from its middle. */
  private static final double REACH = 3;

  /** The factor in brightness from one star in one step to white, which also sets the faintest visible light. */
  private static final double RANGE = 30;

  private final int width;
  private final int height;
  private final double scale;
  private final double unit;
  private final float[][] light;

  /**
   * Creates a dark photograph.
   *
   * @param width in pixels
   * @param height in pixels
   * @param across its width in units of the world
   */
  public Exposure(int width, int height, double across) {
    this.width = width;
    this.height = height;
    scale = width / across;
    unit = Math.max(LEAST_UNIT, width / WIDTH);
    light = new float[2][width * height];
  }

  /**
   * Exposes for a moment.
   *
   * @param bodies of this rank
   * @param first number of the first of them
   * @param count how many bodies there are in all
   * @param share of the whole time of exposure
   */
  public void expose(Body[] bodies, int first, int count, double share) {
    for (int i = 0; i < bodies.length; i++) {
      int galaxy = (first + i) / (count / 2);
      boolean core = (first + i) % (count / 2) == 0;
      double x = width / 2.0 + scale * bodies[i].x();
      double y = height / 2.0 - scale * bodies[i].y();
      star(light[galaxy], x, y, (core ? CORE_LIGHT : 1) * share);
    }
  }

  private void star(float[] pixels, double x, double y, double brightness) {
    double radius = STAR * unit;
    int reach = (int) Math.ceil(REACH * radius);
    for (int j = Math.max(0, (int) y - reach); j <= Math.min(height - 1, (int) y + reach); j++) {
      for (int i = Math.max(0, (int) x - reach); i <= Math.min(width - 1, (int) x + reach); i++) {
        double dx = (i + 0.5 - x) / radius;
        double dy = (j + 0.5 - y) / radius;
        pixels[j * width + i] += (float) (brightness * Math.exp(-(dx * dx + dy * dy)));
      }
    }
  }

  /**
   * Develops the photograph from the light that all ranks have collected. They call this together.
   *
   * @param comm the ranks
   * @return at rank 0 the colours of all pixels, row by row; null elsewhere
   */
  public int[] develop(IntraComm comm) {
    for (float[] galaxy : light) {
      comm.reduce(Buf.of(galaxy), Op.SUM, 0);
    }
    if (comm.rank() != 0) {
      return null;
    }
    float[] warmHaze = haze(light[0]);
    float[] coldHaze = haze(light[1]);
    int[] colours = new int[width * height];
    for (int i = 0; i < colours.length; i++) {
      int warm = ColourMap.FIRE.rgb(brightness(light[0][i] + warmHaze[i]));
      int cold = ColourMap.ICE.rgb(brightness(light[1][i] + coldHaze[i]));
      colours[i] = sum(warm, cold, 16) << 16 | sum(warm, cold, 8) << 8 | sum(warm, cold, 0);
    }
    return colours;
  }

  /** Returns the light spread over the neighbourhood, first along rows, then along columns. */
  private float[] haze(float[] pixels) {
    float[] spread = pixels;
    for (int pass = 0; pass < 2; pass++) {
      float[] from = spread;
      float[] to = new float[width * height];
      int stride = pass == 0 ? 1 : width;
      int most = pass == 0 ? width : height;
      double radius = HAZE * unit;
      int reach = (int) Math.ceil(REACH * radius);
      for (int d = -reach; d <= reach; d++) {
        float weight = (float) (Math.exp(-d * d / (radius * radius)) * Math.sqrt(HAZE_LIGHT) / unit);
        for (int i = 0; i < to.length; i++) {
          int place = (pass == 0 ? i % width : i / width) + d;
          to[i] += place >= 0 && place < most ? weight * from[i + d * stride] : 0;
        }
      }
      spread = to;
    }
    return spread;
  }

  private static double brightness(double light) {
    return Math.log1p(RANGE * light) / Math.log1p(RANGE * RANGE / 10);
  }

  /** Adds up a colour's light, without the colours that both maps have for no light. */
  private static int sum(int a, int b, int shift) {
    int dark = (ColourMap.FIRE.rgb(0) >> shift & 255) + (ColourMap.ICE.rgb(0) >> shift & 255);
    return Math.clamp((a >> shift & 255) + (b >> shift & 255) - dark * 2L / 3, 0, 255);
  }
}
