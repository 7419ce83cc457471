// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import java.util.ArrayList;
import java.util.List;

/** The contents of the page as text for a terminal. Called by the launcher when a job has ended. */
public final class TextReport {
  private static final int WIDTH = 100;
  private static final int ROWS = 30;

  private TextReport() {}

  /**
   * Writes the sentences, the calls and the ranks of a trace.
   *
   * @param analysis the analysis of the trace
   * @return lines, each ended by a line feed
   */
  public static String of(TraceAnalysis analysis) {
    StringBuilder text = new StringBuilder();
    Findings findings = analysis.findings();
    wrap(text, findings.time());
    wrap(text, findings.late());
    wrap(text, findings.balance());
    text.append('\n');
    text.append(calls(analysis));
    text.append('\n');
    text.append(ranks(analysis));
    List<String> notes = analysis.notes();
    if (!notes.isEmpty()) {
      text.append('\n');
      notes.forEach(note -> wrap(text, note));
    }
    return text.toString();
  }

  private static String calls(TraceAnalysis analysis) {
    List<String[]> lines = new ArrayList<>();
    lines.add(new String[] {"call", "count", "bytes", "mean", "longest", "total", "waited"});
    List<CallRow> rows = analysis.rows();
    for (CallRow row : rows.subList(0, Math.min(ROWS, rows.size()))) {
      lines.add(new String[] {
        row.where(), Quantities.count(row.count()), Quantities.size(row.bytes()), Quantities.time(row.mean()),
        Quantities.time(row.longest()), Quantities.time(row.time()), Quantities.percent(row.waited(), row.time())
      });
    }
    String more = rows.size() > ROWS ? "… and " + (rows.size() - ROWS) + " more places\n" : "";
    return table(lines) + more;
  }

  private static String ranks(TraceAnalysis analysis) {
    List<String[]> lines = new ArrayList<>();
    lines.add(new String[] {"rank", "calls", "time", "computes", "waits", "moves data"});
    for (RankTimes rank : analysis.times()) {
      lines.add(new String[] {
        Integer.toString(rank.rank()), Quantities.count(rank.calls()), Quantities.time(rank.total()),
        Quantities.percent(rank.computing(), rank.total()), Quantities.percent(rank.waiting(), rank.total()),
        Quantities.percent(rank.moving(), rank.total())
      });
    }
    return table(lines);
  }

  /** Aligns columns: the first to the left, the others to the right. */
  private static String table(List<String[]> lines) {
    int columns = lines.getFirst().length;
    int[] widths = new int[columns];
    for (String[] line : lines) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], line[i].length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (String[] line : lines) {
      text.append(line[0]).append(" ".repeat(widths[0] - line[0].length()));
      for (int i = 1; i < columns; i++) {
        text.append("  ").append(" ".repeat(widths[i] - line[i].length())).append(line[i]);
      }
      text.append('\n');
    }
    return text.toString();
  }

  /** Breaks a sentence into lines, but never between a number and its unit. */
  private static void wrap(StringBuilder text, String sentence) {
    int column = 0;
    for (String word : sentence.split("(?<!\\d) | (?!(?:[nµm]?s|B|[KMGT]iB)\\b|%)")) {
      if (column > 0 && column + 1 + word.length() > WIDTH) {
        text.append("\n");
        column = 0;
      } else if (column > 0) {
        text.append(' ');
        column++;
      }
      text.append(word);
      column += word.length();
    }
    text.append('\n');
  }
}
