// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Reaction to the failure of a call ({@code MPI_Errhandler}). */
public final class Errhandler {
  private final org.ffmpi.Errhandler<Object> handler;

  Errhandler(org.ffmpi.Errhandler<Object> handler) {
    this.handler = handler;
  }

  /** Returns ffmpi's error handler. */
  org.ffmpi.Errhandler<Object> handler() {
    return handler;
  }

  /** Returns ffmpi's error handler of what a program has passed. */
  static org.ffmpi.Errhandler<Object> handlerOf(Errhandler errhandler) {
    return errhandler == null ? null : errhandler.handler;
  }

  /** Returns the constant for a handler of ffmpi. */
  static Errhandler of(org.ffmpi.Errhandler<?> handler) {
    return handler == org.ffmpi.Errhandler.RETURN ? MPI.ERRORS_RETURN : MPI.ERRORS_ARE_FATAL;
  }
}
