// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The figures of a plot: a row for each place, a column for each series. Each mark of the plot has a cell. */
final class FigureTable {
  private FigureTable() {}

  static void write(Markup out, Plot plot) {
    out.open("details", "class", "figures").text("summary", "Figures: " + plot.title());
    out.open("div", "class", "scroll").open("table", "data-plot", plot.id());
    out.open("thead").open("tr").text("th", plot.across(), "scope", "col");
    for (Series s : plot.series()) {
      out.text("th", s.look().label, "scope", "col", "class", s.look().css);
    }
    out.close().close().open("tbody").line();
    Map<Double, String> rows = new LinkedHashMap<>();
    plot.series().stream().flatMap(s -> s.points().stream()).sorted(Comparator.comparingDouble(Series.Datum::x))
        .forEach(d -> rows.put(d.x(), plot.row(d)));
    rows.forEach((x, name) -> {
      out.open("tr").text("th", name, "scope", "row");
      for (Series s : plot.series()) {
        List<Series.Datum> here = s.points().stream().filter(d -> d.x() == x).toList();
        if (here.isEmpty()) {
          out.text("td", "");
        } else {
          cell(out, here.getFirst());
        }
      }
      out.closeLine();
    });
    out.close().close().close().closeLine();
  }

  private static void cell(Markup out, Series.Datum d) {
    Figure f = d.figure();
    out.open("td", "class", "v").text(Text.value(f.median()) + (f.good() ? "" : "!"));
    if (d.hasRatio()) {
      out.text(" ").text("b", Text.times(d.ratio()));
    }
    out.leaf("br");
    out.text("small", "worst " + Text.value(f.worstJob())
        + (d.hasRatio() ? ", " + Text.times(d.worstRatio()) : "") + "; " + f.jobs()
        + (f.jobs() == 1 ? " job" : " jobs"));
    out.close();
  }
}
