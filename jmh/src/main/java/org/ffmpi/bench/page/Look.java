// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

/**
 * The look of a series. Ours are shades of one hue, the C libraries have two others, the machine's limit is grey.
 * Shades and markers differ, so that nothing depends on hue alone.
 */
enum Look {
  NATIVE("ffmpi, native memory", "ffmpi native", "a", Marker.CIRCLE),
  HEAP("ffmpi, Java arrays", "ffmpi arrays", "b", Marker.SQUARE),
  SHARED("ffmpi, shared heap", "ffmpi shared", "c", Marker.DIAMOND),
  OURS("ffmpi", "ffmpi", "a", Marker.CIRCLE),
  SOURCE("ffmpi, a source file", "source file", "b", Marker.SQUARE),
  TRAINED("ffmpi, trained cache", "trained", "c", Marker.DIAMOND),
  OPENMPI("Open MPI", "Open MPI", "o", Marker.UP),
  MPICH("MPICH", "MPICH", "m", Marker.DOWN);

  /** Shapes of marks. */
  enum Marker {
    CIRCLE, SQUARE, DIAMOND, UP, DOWN
  }

  final String label;
  /** For the ends of lines. */
  final String brief;
  /** Class in the style sheet. */
  final String css;
  private final Marker marker;

  Look(String label, String brief, String css, Marker marker) {
    this.label = label;
    this.brief = brief;
    this.css = css;
    this.marker = marker;
  }

  boolean isOurs() {
    return this != OPENMPI && this != MPICH;
  }

  /** Draws a mark, with the text that a pointer over it shows. */
  void mark(Markup out, double x, double y, double radius, String css, String title) {
    double r = radius;
    switch (marker) {
      case CIRCLE -> out.open("circle", "class", css, "cx", Text.at(x), "cy", Text.at(y), "r", Text.at(r));
      case SQUARE -> out.open("rect", "class", css, "x", Text.at(x - r * 0.85), "y", Text.at(y - r * 0.85),
          "width", Text.at(r * 1.7), "height", Text.at(r * 1.7));
      default -> out.open("path", "class", css, "d", path(x, y, r * 1.2));
    }
    out.text("title", title).close();
  }

  private String path(double x, double y, double r) {
    double[][] corners = switch (marker) {
      case DIAMOND -> new double[][] {{0, -r}, {r, 0}, {0, r}, {-r, 0}};
      case UP -> new double[][] {{0, -r}, {r, r * 0.8}, {-r, r * 0.8}};
      default -> new double[][] {{0, r}, {r, -r * 0.8}, {-r, -r * 0.8}};
    };
    StringBuilder d = new StringBuilder();
    for (double[] c : corners) {
      d.append(d.isEmpty() ? "M" : "L").append(Text.at(x + c[0])).append(' ').append(Text.at(y + c[1]));
    }
    return d.append('Z').toString();
  }
}
