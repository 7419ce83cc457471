// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.profile;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ffmpi.Call;
import org.ffmpi.CallListener;

/**
 * The listener of {@code mpirun --profile}. It counts each rank's calls, their time and the bytes in their buffers, and
 * prints a table on standard error when the rank finalizes.
 */
public final class CallSummary implements CallListener {
  /** The name of a rank before its number is known. */
  private static final int UNKNOWN = -1;

  private static final String FINALIZE = "MPI_Finalize";
  private static final String CONTROL = "MPI_Pcontrol";
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;

  private final PrintStream out;
  private final Map<Integer, Table> tables = new TreeMap<>();
  /** Ranks that have called {@code MPI_Pcontrol} with level 0. */
  private final Set<Integer> paused = new HashSet<>();

  /** Makes a summary that is printed on standard error. */
  public CallSummary() {
    this(System.err);
  }

  /** Makes a summary that is printed to a stream. */
  CallSummary(PrintStream out) {
    this.out = out;
  }

  /** The figures of a rank's calls. */
  private static final class Table {
    final Map<String, Row> rows = new TreeMap<>();
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;

    void add(Call call) {
      first = Math.min(first, call.start());
      last = Math.max(last, call.start() + call.nanos());
      rows.computeIfAbsent(call.name(), Row::new).add(1, call.nanos(), call.nanos(), call.bytes());
    }

    void add(Table other) {
      first = Math.min(first, other.first);
      last = Math.max(last, other.last);
      for (Row row : other.rows.values()) {
        rows.computeIfAbsent(row.name, Row::new).add(row.calls, row.nanos, row.longest, row.bytes);
      }
    }
  }

  private static final class Row {
    final String name;
    long calls;
    long nanos;
    long longest;
    long bytes;

    Row(String name) {
      this.name = name;
    }

    void add(long moreCalls, long moreNanos, long candidate, long moreBytes) {
      calls += moreCalls;
      nanos += moreNanos;
      longest = Math.max(longest, candidate);
      bytes += moreBytes;
    }
  }

  @Override
  public void end(Call call) {
    int rank = call.rank();
    String text;
    synchronized (this) {
      if (call.name().equals(CONTROL)) {
        control(rank, call.arguments().getFirst().equals(0));
      } else if (!paused.contains(rank)) {
        tables.computeIfAbsent(rank, r -> new Table()).add(call);
      }
      if (!call.name().equals(FINALIZE) || call.thrown().isPresent()) {
        return;
      }
      Table table = tables.computeIfAbsent(rank, r -> new Table());
      tables.remove(rank);
      Table before = tables.remove(UNKNOWN);
      if (before != null) {
        table.add(before);
      }
      text = text(rank, table);
    }
    print(text);
  }

  private void control(int rank, boolean pause) {
    if (pause) {
      paused.add(rank);
    } else {
      paused.remove(rank);
    }
  }

  /** Prints the tables that no finalize has printed, of ranks that used sessions only, or failed. */
  void printRest() {
    StringBuilder text = new StringBuilder();
    synchronized (this) {
      tables.forEach((rank, table) -> text.append(text(rank, table)));
      tables.clear();
    }
    print(text.toString());
  }

  /** In one piece, so that tables of several ranks do not mix. */
  private void print(String text) {
    out.print(text);
    out.flush();
  }

  private static String text(int rank, Table table) {
    List<Row> rows = new ArrayList<>(table.rows.values());
    rows.sort(Comparator.comparingLong((Row row) -> row.nanos).reversed());
    long inCalls = rows.stream().mapToLong(row -> row.nanos).sum();
    String who = rank == UNKNOWN ? "a process without a rank" : "rank " + rank;
    long span = rows.isEmpty() ? 0 : table.last - table.first;
    StringBuilder text = new StringBuilder();
    text.append(format(
        "ffmpi: calls of %s: %.3f s, in %.3f s from the first to the end of the last%n", who,
        inCalls / NANOS_PER_SECOND, span / NANOS_PER_SECOND));
    text.append(format(
        "ffmpi: %-32s %12s %12s %12s %12s %16s%n", "call", "calls", "total ms", "mean us", "longest us", "bytes"));
    for (Row row : rows) {
      text.append(format(
          "ffmpi: %-32s %12d %12.3f %12.3f %12.3f %16d%n", row.name, row.calls, row.nanos / NANOS_PER_MILLI,
          row.nanos / NANOS_PER_MICRO / row.calls, row.longest / NANOS_PER_MICRO, row.bytes));
    }
    return text.toString();
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
