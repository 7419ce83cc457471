// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import java.util.List;

/** Something with figures that can be drawn, and have a table behind it. */
sealed interface Plot permits LinePlot, BarPlot {
  /** Returns its name, unique on the page. */
  String id();

  /** Returns the heading. */
  String title();

  /** Returns the lines or the bars of one colour. */
  List<Series> series();

  /** Returns the name of the places. */
  String across();

  /** Returns the name of the row of the table that a figure belongs to. */
  String row(Series.Datum d);

  /**
   * Draws it.
   *
   * @param out where to
   * @param style a style sheet to include, for a drawing that stands alone; null within a page
   */
  void draw(Markup out, String style);
}
