// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** Translates exceptions of lower layers into those that a user sees. */
public final class Failures {
  /** The JDK's text for a segment whose arena has been closed. */
  private static final String CLOSED = "Already closed";

  /** The sentence about a buffer whose arena is closed. */
  public static final String CLOSED_ARENA = "the arena of this buffer has been closed";

  private Failures() {}

  /**
   * Translates an exception of an engine: those of MPI are kept, those with which the JDK guards memory become
   * ERR_BUFFER, and all others are faults of the engine.
   */
  public static MpiException translate(RuntimeException e) {
    return switch (e) {
      case MpiException known -> known;
      case IllegalStateException closed when CLOSED.equals(closed.getMessage()) ->
          new MpiException(
              ErrorClass.ERR_BUFFER, CLOSED_ARENA, closed);
      case IllegalStateException other ->
          new MpiException(ErrorClass.ERR_BUFFER, "the memory of this buffer: " + other.getMessage(), other);
      case WrongThreadException foreign ->
          new MpiException(
              ErrorClass.ERR_BUFFER,
              "buffer: its confined arena belongs to another thread (" + foreign.getMessage() + ")",
              foreign);
      default -> new MpiException(ErrorClass.ERR_INTERN, "the engine failed: " + e, e);
    };
  }

  /** Returns a throwable of a program's body as an unchecked exception; throws an error unchanged. */
  public static RuntimeException unchecked(Throwable failure) {
    return switch (failure) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new MpiException(ErrorClass.ERR_OTHER, "the program's body threw " + failure, failure);
    };
  }

  /** Translates an exception of a function of the program: those of MPI are kept. */
  public static MpiException ofCallback(String what, Throwable e) {
    return e instanceof MpiException known
        ? known
        : new MpiException(ErrorClass.ERR_OTHER, what + " has thrown " + e, e);
  }
}
