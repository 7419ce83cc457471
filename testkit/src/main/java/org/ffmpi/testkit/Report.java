// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** Merges the failures of several ranks into one exception for JUnit. */
final class Report {
  private Report() {}

  /**
   * Reports what ranks threw.
   *
   * @param shape the world
   * @param failures exceptions by rank, the first one first
   * @param scenes the stacks of all ranks when a rank threw, by rank
   * @param more further text, or empty
   * @return the exception to throw; an assumption that failed first is that exception itself
   */
  static Throwable failed(
      WorldShape shape, Map<Integer, Throwable> failures, Map<Integer, String> scenes, String more) {
    Map.Entry<Integer, Throwable> first = failures.entrySet().iterator().next();
    int rank = first.getKey();
    Throwable thrown = first.getValue();
    if (thrown instanceof TestAbortedException) {
      return thrown;
    }
    StringBuilder text = new StringBuilder();
    text.append("rank ").append(rank).append(" of ").append(shape.ranks()).append(": ").append(brief(thrown));
    failures.forEach((other, what) -> {
      if (other != rank) {
        text.append("\n  then rank ").append(other).append(": ").append(brief(what));
      }
    });
    String scene = scenes.getOrDefault(rank, "");
    if (!scene.isEmpty()) {
      text.append("\nwhen rank ").append(rank).append(" failed:\n").append(scene);
    }
    if (!more.isEmpty()) {
      text.append('\n').append(more);
    }
    AssertionFailedError report = thrown instanceof AssertionFailedError a && a.isExpectedDefined()
        ? new AssertionFailedError(text.toString(), a.getExpected(), a.getActual(), thrown.getCause())
        : new AssertionFailedError(text.toString(), thrown.getCause());
    report.setStackTrace(Stacks.ofTest(thrown.getStackTrace()));
    failures.forEach((other, what) -> {
      if (other != rank && what != thrown && !isConsequence(what)) {
        what.setStackTrace(Stacks.ofTest(what.getStackTrace()));
        report.addSuppressed(what);
      }
    });
    return report;
  }

  /** Reports that no rank threw, but not all came to an end. */
  static Throwable timedOut(String what) {
    return new AssertionFailedError(what);
  }

  /** Names ranks: {@code rank 0}, {@code ranks 0, 2, 3}. */
  static String ranks(List<Integer> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ")
        + ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  /** Returns whether a rank failed only because another one had ended the world. */
  private static boolean isConsequence(Throwable thrown) {
    return thrown instanceof MpiException e && e.errorClass() == ErrorClass.ERR_PROC_ABORTED;
  }

  private static String brief(Throwable thrown) {
    String message = thrown.getMessage();
    boolean tellsAll = message != null && (thrown instanceof AssertionError || thrown instanceof MpiException);
    return tellsAll ? message : thrown.toString();
  }
}
