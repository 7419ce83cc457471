// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** Turns whatever went wrong below into the one exception a user sees. */
public final class Failures {
  private Failures() {}

  /** One failed request of a list: where it stood, and why it failed. */
  public record Failed(int index, MpiException error) {}

  /**
   * Translates an exception out of an engine: those of MPI are kept, those with which the JDK guards memory become
   * ERR_BUFFER, and anything else is a fault of the engine.
   */
  public static MpiException translate(RuntimeException e) {
    return switch (e) {
      case MpiException known -> known;
      case IllegalStateException closed ->
          new MpiException(
              ErrorClass.ERR_BUFFER, "buffer: its arena has been closed (" + closed.getMessage() + ")", closed);
      case WrongThreadException foreign ->
          new MpiException(
              ErrorClass.ERR_BUFFER,
              "buffer: its confined arena belongs to another thread (" + foreign.getMessage() + ")",
              foreign);
      default -> new MpiException(ErrorClass.ERR_INTERN, "the engine failed: " + e, e);
    };
  }

  /** Returns what left the body of a program as an exception that can be thrown anywhere; throws an error as it is. */
  public static RuntimeException unchecked(Throwable failure) {
    return switch (failure) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new MpiException(ErrorClass.ERR_OTHER, "the program's body threw " + failure, failure);
    };
  }

  /** Translates an exception out of a function that the program has given: those of MPI are kept. */
  public static MpiException ofCallback(String what, Throwable e) {
    return e instanceof MpiException known
        ? known
        : new MpiException(ErrorClass.ERR_OTHER, what + " has thrown " + e, e);
  }

  /** Makes the exception of a wait over several requests, with each failure in its text and among its suppressed. */
  public static MpiException inStatus(List<Failed> failed, int requests) {
    StringBuilder text = new StringBuilder();
    text.append(failed.size()).append(" of ").append(requests).append(" requests failed");
    for (Failed f : failed) {
      text.append("; request ").append(f.index()).append(": ").append(f.error().getMessage());
    }
    MpiException all = new MpiException(ErrorClass.ERR_IN_STATUS, text.toString());
    failed.forEach(f -> all.addSuppressed(f.error()));
    return all;
  }
}
