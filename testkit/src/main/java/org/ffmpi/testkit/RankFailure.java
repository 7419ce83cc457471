// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.opentest4j.TestAbortedException;

/**
 * The failure of a rank in a process of its own, passed to the JUnit JVM through a file.
 *
 * @param rank which rank
 * @param at when, in milliseconds of the wall clock, which all ranks share
 * @param kind kind of failure
 * @param message the exception's own text
 * @param stackTrace as it would be printed
 */
record RankFailure(int rank, long at, Kind kind, String message, String stackTrace) {
  /** An exception of a rank. */
  enum Kind {
    /** An assumption that failed. */
    ASSUMPTION,
    /** Anything that may be a failure's first cause. */
    FAILURE,
    /** The end of the world because another rank had failed. */
    CONSEQUENCE
  }

  private static final String SUFFIX = ".failure";

  boolean aborted() {
    return kind == Kind.ASSUMPTION;
  }

  static RankFailure of(int rank, Throwable thrown) {
    StringWriter stack = new StringWriter();
    thrown.printStackTrace(new PrintWriter(stack, true));
    Kind kind = switch (thrown) {
      case TestAbortedException e -> Kind.ASSUMPTION;
      case MpiException e when e.errorClass() == ErrorClass.ERR_PROC_ABORTED -> Kind.CONSEQUENCE;
      default -> Kind.FAILURE;
    };
    return new RankFailure(rank, System.currentTimeMillis(), kind, thrown.toString(), stack.toString());
  }

  /** Writes under another name and renames, so that a reader never sees half a file. */
  void write(Path directory) throws IOException {
    Path unfinished = directory.resolve("rank-" + rank + ".part");
    String head = at + "\n" + kind + "\n" + message.lines().count() + "\n";
    Files.writeString(unfinished, head + message.stripTrailing() + "\n" + stackTrace);
    Files.move(unfinished, directory.resolve("rank-" + rank + SUFFIX));
  }

  static TreeMap<Integer, RankFailure> readAll(Path directory) throws IOException {
    TreeMap<Integer, RankFailure> all = new TreeMap<>();
    try (var files = Files.list(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        if (name.endsWith(SUFFIX)) {
          int rank = Integer.parseInt(name.substring("rank-".length(), name.length() - SUFFIX.length()));
          List<String> lines = Files.readAllLines(file);
          int end = 3 + Integer.parseInt(lines.get(2));
          all.put(rank, new RankFailure(
              rank, Long.parseLong(lines.get(0)), Kind.valueOf(lines.get(1)),
              String.join("\n", lines.subList(3, end)), String.join("\n", lines.subList(end, lines.size()))));
        }
      }
    }
    return all;
  }

  /** Returns the first cause: the earliest failure that is not a consequence, or null. */
  static RankFailure firstOf(Collection<RankFailure> all) {
    return all.stream()
        .min(Comparator.comparing((RankFailure f) -> f.kind == Kind.CONSEQUENCE).thenComparing(RankFailure::at))
        .orElse(null);
  }
}
