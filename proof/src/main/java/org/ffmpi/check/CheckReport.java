// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The findings of the checks at the end of a rank. By default the objects that are left are printed, a line each, and
 * what the standard calls an error becomes the exception that finalize throws, so that the job's exit code is not 0. A
 * caller that starts worlds, such as an explorer of orders, can have the findings instead. Called by the thread that
 * finalizes.
 */
public final class CheckReport {
  private static final ThreadLocal<Consumer<Finding>> SINK = new ThreadLocal<>();

  /**
   * Something that is left at the end.
   *
   * @param rank the rank, as in MPI_COMM_WORLD
   * @param kind what is left, such as request, communicator or message
   * @param isError whether the standard calls it an error: an operation that has not been completed, a message that
   *     has not been received, a file that has not been closed; false for objects that finalize frees
   * @param text one sentence, without a full stop
   */
  public record Finding(int rank, String kind, boolean isError, String text) {}

  private CheckReport() {}

  /**
   * Has the findings of worlds that this thread starts from now on, in place of lines and exceptions.
   *
   * @param sink gets each finding, in the thread of its rank, before that rank's {@code close} returns; null for none
   */
  public static void send(Consumer<Finding> sink) {
    if (sink == null) {
      SINK.remove();
    } else {
      SINK.set(sink);
    }
  }

  static Consumer<Finding> sinkOfThisThread() {
    return SINK.get();
  }

  /** Reports findings; returns the error to throw, or null. */
  static MpiException report(List<Finding> findings, Consumer<Finding> sink) {
    if (sink != null) {
      findings.forEach(sink);
      return null;
    }
    List<String> errors = new ArrayList<>();
    StringBuilder lines = new StringBuilder();
    for (Finding finding : findings) {
      if (finding.isError()) {
        errors.add(finding.text());
      } else {
        lines.append("ffmpi: rank ").append(finding.rank()).append(": ").append(finding.text()).append('\n');
      }
    }
    if (!lines.isEmpty()) {
      System.err.print(lines); // in one piece
      System.err.flush();
    }
    return errors.isEmpty() ? null : new MpiException(
        ErrorClass.ERR_PENDING,
        "rank " + findings.getFirst().rank() + " has finalized, and --check full finds: " + String.join("; ", errors));
  }
}
