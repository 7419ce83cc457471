// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.Constants;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.Engine;

/**
 * The messages of one run as a table with a column for each rank. It shows sends when they are made and receives when
 * their message is chosen, each with the line of the program. Filled by the rank that has the turn.
 */
final class MessageTable {
  private static final int MOST_ROWS = 200;

  private record Row(int rank, String text) {}

  private final int ranks;
  private final List<Row> rows = new ArrayList<>();
  private final Map<ExploredReceive, StackTraceElement> places = new IdentityHashMap<>();
  private int messages;

  MessageTable(int ranks) {
    this.ranks = ranks;
  }

  /** Returns the line of the program that makes the current call; null outside of calls. */
  static StackTraceElement place() {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).walk(frames -> frames
        .filter(frame -> CallPlace.isOfProgram(frame.getDeclaringClass()))
        .map(StackWalker.StackFrame::toStackTraceElement)
        .findFirst().orElse(null));
  }

  void sent(ExploredMessage message, int discipline) {
    message.number = ++messages;
    String name = discipline == Engine.SYNCHRONOUS ? "ssend" : discipline == Engine.READY ? "rsend" : "send";
    add(message.from, "#" + message.number + " " + name + " to " + message.to + tag(message.tag) + at(place()));
  }

  void posted(ExploredReceive receive) {
    places.put(receive, place());
  }

  void matched(ExploredMessage message, ExploredReceive receive) {
    add(message.to, "receive " + (receive.peer == Constants.ANY_SOURCE ? "any" : String.valueOf(receive.peer))
        + " <- #" + message.number + " of " + message.from + at(places.get(receive)));
  }

  private void add(int rank, String text) {
    rows.add(new Row(rank, text));
  }

  private static String tag(int tag) {
    return tag == 0 ? "" : " tag " + tag;
  }

  private static String at(StackTraceElement place) {
    return place == null ? "" : " (" + CallTexts.place(place) + ")";
  }

  /** Returns the table; the first rows of a long one are left out. */
  @Override
  public String toString() {
    int from = Math.max(0, rows.size() - MOST_ROWS);
    int[] widths = new int[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      widths[rank] = ("rank " + rank).length();
    }
    for (Row row : rows.subList(from, rows.size())) {
      widths[row.rank] = Math.max(widths[row.rank], row.text.length());
    }
    StringBuilder text = new StringBuilder();
    for (int rank = 0; rank < ranks; rank++) {
      text.append("  ").append(pad("rank " + rank, widths[rank]));
    }
    text.append('\n');
    if (from > 0) {
      text.append("  ... ").append(from).append(" earlier rows\n");
    }
    for (Row row : rows.subList(from, rows.size())) {
      for (int rank = 0; rank < row.rank; rank++) {
        text.append("  ").append(" ".repeat(widths[rank]));
      }
      text.append("  ").append(row.text).append('\n');
    }
    return text.toString().lines().map(String::stripTrailing).reduce("", (all, line) -> all + line + "\n");
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(width - text.length());
  }
}
