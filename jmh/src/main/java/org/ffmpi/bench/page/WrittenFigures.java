// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

/** The lines between two marks in other documents: a plot and a few figures in the README, a link to the page. */
final class WrittenFigures {
  static final String BEGIN = "<!-- figures: scripts/bench report writes them -->";
  static final String END = "<!-- end of figures -->";

  private WrittenFigures() {}

  /** Returns the lines of the README. */
  static String forReadme(Figures figures) {
    StringBuilder b = new StringBuilder();
    b.append("![Half a round trip between two ranks against the size of the message](docs/benchmarks/latency.svg)\n\n");
    b.append("| two ranks on two cores | | ffmpi | better C library | times as fast |\n|---|---|---|---|---|\n");
    for (Headline h : Headline.of(figures)) {
      b.append("| ").append(h.what()).append(" | ").append(h.warm() ? "warm" : "cold").append(" | ")
          .append(Text.value(h.ours())).append(' ').append(h.unit()).append(" | ").append(Text.value(h.best()))
          .append(' ').append(h.unit()).append(" | ").append(Text.times(h.ratio()).replace("×", "")).append(" |\n");
    }
    b.append("\nMedians of ").append(day(figures)).append(", ").append(processor(figures))
        .append("; [all plots and tables](docs/benchmarks/index.html) are one page, best read in a clone.\n");
    return b.toString();
  }

  /** Returns the lines of BENCHMARKS.md. */
  static String forBenchmarks(Figures figures) {
    return "The page of " + day(figures) + ", revision " + figures.fact("revision") + ", " + processor(figures) + ", "
        + figures.fact("minutes") + " minutes: [benchmarks/index.html](benchmarks/index.html).\n";
  }

  private static String day(Figures figures) {
    return figures.fact("begun").replaceAll(",.*", "");
  }

  private static String processor(Figures figures) {
    return figures.fact("processor").replaceAll(" \\(.*", "");
  }

  /** Puts lines between the marks of a document. */
  static String into(String document, String lines) {
    int from = document.indexOf(BEGIN);
    int to = document.indexOf(END);
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("no marks " + BEGIN + " and " + END);
    }
    return document.substring(0, from) + BEGIN + "\n" + lines + document.substring(to);
  }
}
