// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import java.util.List;
import java.util.TreeSet;

/**
 * Lying bars in groups, from zero on a linear axis, each with its value. A line at the end of a bar leads to the worst
 * job.
 *
 * @param id name of the plot
 * @param title the heading
 * @param across the name of the groups
 * @param groups names of the groups, by their places
 * @param series the bars of one colour
 */
record BarPlot(String id, String title, String across, List<String> groups, List<Series> series) implements Plot {
  private static final double WIDTH = 460;
  private static final double LEFT = 132;
  private static final double RIGHT = WIDTH - 76;
  private static final double TOP = 8;
  private static final double BAR = 15;
  private static final double GAP = 12;

  BarPlot {
    series = series.stream().filter(s -> !s.points().isEmpty()).toList();
  }

  @Override
  public String row(Series.Datum d) {
    return groups.get((int) d.x());
  }

  @Override
  public void draw(Markup out, String style) {
    TreeSet<Integer> used = new TreeSet<>();
    series.forEach(s -> s.points().forEach(d -> used.add((int) d.x())));
    double height = TOP + used.size() * (series.size() * BAR + GAP) + 8;
    out.open("svg", "xmlns", "http://www.w3.org/2000/svg", "id", id, "class", "plot large", "viewBox",
        "0 0 " + Text.at(WIDTH) + " " + Text.at(height), "role", "img", "aria-label", title);
    double most = series.stream().flatMap(s -> s.points().stream())
        .mapToDouble(d -> Math.max(d.y(), d.figure().worstJob())).max().orElse(1);
    double top = TOP;
    for (int group : used) {
      double middle = top + series.size() * BAR / 2;
      out.text("text", groups.get(group), "class", "group", "x", Text.at(LEFT - 8), "y", Text.at(middle + 4),
          "text-anchor", "end");
      for (Series s : series) {
        for (Series.Datum d : s.points()) {
          if ((int) d.x() == group) {
            bar(out, s, d, top, most);
          }
        }
        top += BAR;
      }
      top += GAP;
      out.line();
    }
    out.leaf("line", "class", "zero", "x1", Text.at(LEFT), "x2", Text.at(LEFT), "y1", Text.at(TOP - 4), "y2",
        Text.at(top - GAP + 4));
    out.closeLine();
  }

  private void bar(Markup out, Series s, Series.Datum d, double top, double most) {
    double length = d.y() / most * (RIGHT - LEFT);
    double worst = Math.min(d.figure().worstJob(), most) / most * (RIGHT - LEFT);
    String middle = Text.at(top + BAR / 2 - 1);
    out.open("rect", "class", "pt bar " + s.look().css + (d.figure().good() ? "" : " weak"), "x", Text.at(LEFT), "y",
        Text.at(top), "width", Text.at(Math.max(1, length)), "height", Text.at(BAR - 2));
    out.text("title", d.title(s.look(), row(d))).close();
    out.leaf("line", "class", "whisker " + s.look().css, "x1", Text.at(LEFT + length), "x2", Text.at(LEFT + worst),
        "y1", middle, "y2", middle);
    out.text("text", Text.value(d.y()) + " " + Text.unit(d.figure().unit()), "class", "tick", "x",
        Text.at(LEFT + Math.max(length, worst) + 5), "y", Text.at(top + BAR - 4));
  }
}
