// SPDX-License-Identifier: Apache-2.0
package mpi;

/** What happens when a call fails ({@code MPI_Errhandler}). */
public final class Errhandler {
  private final org.ffmpi.Errhandler<?> handler;

  Errhandler(org.ffmpi.Errhandler<?> handler) {
    this.handler = handler;
  }

  /** Returns ffmpi's error handler. */
  org.ffmpi.Errhandler<?> handler() {
    return handler;
  }

  /** Returns the dialect's constant for a handler of ffmpi. */
  static Errhandler of(org.ffmpi.Errhandler<?> handler) {
    return handler == MPI.ERRORS_RETURN.handler ? MPI.ERRORS_RETURN
        : handler == MPI.ERRORS_ARE_FATAL.handler ? MPI.ERRORS_ARE_FATAL : new Errhandler(handler);
  }
}
