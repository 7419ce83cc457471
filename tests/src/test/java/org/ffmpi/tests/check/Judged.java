// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.check;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.ThreadWorld;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.check.CheckReport;

/**
 * A micro program of the catalogue, run by ranks in threads with everything checked.
 *
 * @param family what it is about
 * @param name the mistake, or the same without it
 * @param ranks number of ranks
 * @param expected what a report has to match; null for a program without a mistake
 * @param body the program
 */
record Judged(String family, String name, int ranks, String expected, Body body) {
  private static final Duration LIMIT = Duration.ofSeconds(50);

  /** The part of a program that one rank runs. */
  interface Body {
    void run(Mpi mpi, IntraComm world) throws Exception;
  }

  /** Runs the program; returns why the verdict is not the right one, or nothing. */
  Optional<String> judge() {
    String report = report();
    boolean isRight = expected == null ? report.isEmpty() : Pattern.compile(expected, Pattern.DOTALL).matcher(report)
        .find();
    return isRight ? Optional.empty() : Optional.of(
        family + ", " + name + (expected == null ? ": right, but reported: " : ": expected " + expected + ", got: ")
            + (report.isEmpty() ? "nothing" : report));
  }

  /** Returns a line for each error of a call and each finding at the end, with the rank and the line of the program. */
  private String report() {
    ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    CheckReport.send(finding -> lines.add("rank " + finding.rank() + ": " + finding.text() + "\n"));
    Map<String, String> settings = Map.of("ffmpi.check", "full", "ffmpi.errors", "return");
    try (ThreadWorld started = ThreadWorld.start(ranks, settings, mpi -> body.run(mpi, mpi.world()))) {
      Map<Integer, Throwable> failures = Map.of();
      try {
        if (!started.await(LIMIT)) {
          lines.add("hangs: " + started.diagnosis());
        }
      } catch (Throwable first) {
        failures = failures(first);
      }
      failures.forEach((order, failure) -> lines.add(describe(failure)));
    } finally {
      CheckReport.send(null);
    }
    return String.join("", lines);
  }

  private static Map<Integer, Throwable> failures(Throwable first) {
    Map<Integer, Throwable> all = new TreeMap<>();
    all.put(0, first);
    for (Throwable other : first.getSuppressed()) {
      boolean isConsequence = other instanceof MpiException e && e.errorClass() == ErrorClass.ERR_PROC_ABORTED;
      if (!isConsequence) {
        all.put(all.size(), other);
      }
    }
    return all;
  }

  private static String describe(Throwable failure) {
    StackTraceElement[] stack = failure.getStackTrace();
    String place = "";
    for (StackTraceElement frame : stack) {
      if (place.isEmpty() && frame.getClassName().startsWith(Judged.class.getPackageName())
          && !frame.getClassName().startsWith(Judged.class.getName())) {
        place = " at " + frame.getFileName() + ":" + frame.getLineNumber();
      }
    }
    return failure + place + "\n";
  }

  /** A mistake and the program without it. */
  static List<Judged> pair(String family, String mistake, int ranks, String expected, Body wrong, Body right) {
    return List.of(
        new Judged(family, mistake, ranks, expected, wrong),
        new Judged(family, "not: " + mistake, ranks, null, right));
  }
}
