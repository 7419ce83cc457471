// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the documents that are made of figures. */
public final class Pages {
  /** Name of the file of figures. */
  public static final String FIGURES = "report.csv";

  /** Name of the page. */
  public static final String PAGE = "index.html";

  /** Name of the plot that stands alone. */
  public static final String PLOT = "latency.svg";

  static final String README = "README.md";
  static final String BENCHMARKS = "docs/BENCHMARKS.md";

  private Pages() {}

  /**
   * Writes page and plot.
   *
   * @param figures what to show
   * @param folder where to
   * @throws IOException when that fails
   */
  public static void write(Figures figures, Path folder) throws IOException {
    Files.writeString(folder.resolve(PAGE), Page.of(figures));
    Files.writeString(folder.resolve(PLOT), Page.latency(figures));
  }

  /**
   * Puts the most important figures between the marks in README.md, and a link between those in docs/BENCHMARKS.md.
   *
   * @param figures what to show
   * @param root where the project lies
   * @throws IOException when that fails
   */
  public static void writeIntoDocuments(Figures figures, Path root) throws IOException {
    put(root.resolve(README), WrittenFigures.forReadme(figures.asWritten()));
    put(root.resolve(BENCHMARKS), WrittenFigures.forBenchmarks(figures));
  }

  private static void put(Path document, String lines) throws IOException {
    Files.writeString(document, WrittenFigures.into(Files.readString(document), lines));
  }
}
