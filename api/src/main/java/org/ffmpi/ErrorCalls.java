// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.function.Function;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.process.ErrorCodes;
import org.ffmpi.process.ProcessErrors;
import org.ffmpi.process.World;

/**
 * The calls on error classes and codes (MPI-4.1 §9.4, §9.5), of {@link Mpi}, {@link Session} and {@link Mpi#errors()}.
 * All are local; additions of a process are unknown to others. They may be called at any time, also before MPI is
 * initialized, through {@link Mpi#errors()}, and after it has been finalized. Their errors are only thrown then, since
 * there is no object whose handler could run.
 */
public sealed interface ErrorCalls permits Mpi, Session, ProcessErrors {
  /** Makes a call on the errors that the process has added. */
  private <T> T errors(Function<ErrorCodes, T> call) {
    World world = switch (this) {
      case Mpi mpi -> mpi.rankWorld();
      case Session session -> session.world();
      case ProcessErrors errors -> errors.world();
    };
    try {
      return call.apply(ProcessErrors.codes(world));
    } catch (MpiException e) {
      throw world == null || !world.isOpen() ? e : world.raise(e);
    }
  }

  /**
   * Adds an error class ({@code MPI_Add_error_class}, MPI-4.1 §9.5). Local. The key {@link Comm#LASTUSEDCODE} holds the
   * largest number in use.
   *
   * {@snippet :
   * int errorClass = mpi.addErrorClass();
   * int full = mpi.addErrorCode(errorClass);
   * mpi.addErrorString(full, "the queue is full");
   * throw comm.callErrhandler(full);
   * }
   *
   * @return its number, larger than that of every predefined class; also a code of that class
   */
  @Standard({"MPI_Add_error_class"})
  default int addErrorClass() {
    return errors(codes -> codes.addClass());
  }

  /**
   * Adds an error code ({@code MPI_Add_error_code}, MPI-4.1 §9.5). Local.
   *
   * @param errorclass number of its class, a predefined one or one that has been added
   * @return the code, larger than every predefined one
   * @throws MpiException ERR_ARG when there is no such class
   */
  @Standard({"MPI_Add_error_code"})
  default int addErrorCode(int errorclass) {
    return errors(codes -> codes.addCode(errorclass));
  }

  /**
   * Sets or replaces the text of an added error ({@code MPI_Add_error_string}, MPI-4.1 §9.5). Local.
   *
   * @param errorcode a code or a class that has been added
   * @param string at most {@code MAX_ERROR_STRING} - 1 characters
   * @throws MpiException ERR_ARG when the code has not been added, or the text is null or too long
   */
  @Standard({"MPI_Add_error_string"})
  default void addErrorString(int errorcode, String string) {
    errors(codes -> {
      codes.setText(errorcode, string);
      return null;
    });
  }

  /**
   * Removes an error class with its text ({@code MPI_Remove_error_class}, MPI-4.1 §9.5). Local. Its codes have to be
   * removed before.
   *
   * @param errorclass a class that has been added
   * @throws MpiException ERR_ARG when there is no such class, or it still has codes
   */
  @Standard({"MPI_Remove_error_class"})
  default void removeErrorClass(int errorclass) {
    errors(codes -> {
      codes.removeClass(errorclass);
      return null;
    });
  }

  /**
   * Removes an error code with its text ({@code MPI_Remove_error_code}, MPI-4.1 §9.5). Local.
   *
   * @param errorcode a code that has been added
   * @throws MpiException ERR_ARG when there is no such code
   */
  @Standard({"MPI_Remove_error_code"})
  default void removeErrorCode(int errorcode) {
    errors(codes -> {
      codes.removeCode(errorcode);
      return null;
    });
  }

  /**
   * Removes the text of an error that has been added ({@code MPI_Remove_error_string}, MPI-4.1 §9.5). Local.
   *
   * @param errorcode a code or a class that has been added and given a text
   * @throws MpiException ERR_ARG when it has not
   */
  @Standard({"MPI_Remove_error_string"})
  default void removeErrorString(int errorcode) {
    errors(codes -> {
      codes.removeText(errorcode);
      return null;
    });
  }

  /**
   * Returns what an error means ({@code MPI_Error_string}, MPI-4.1 §9.4). Local. {@link ErrorClass#text} returns the
   * text of a predefined error.
   *
   * @param errorcode a code or a class
   * @return a text without a full stop; empty for an error that has been added without one
   * @throws MpiException ERR_ARG when there is no such error
   */
  @Standard({"MPI_Error_string"})
  default String errorString(int errorcode) {
    return errors(codes -> codes.text(errorcode));
  }

  /**
   * Returns the class of an error ({@code MPI_Error_class}, MPI-4.1 §9.4). Local. {@link ErrorClass#ofCode} finds
   * predefined classes.
   *
   * @param errorcode a code or a class
   * @return number of its class; a class is its own
   * @throws MpiException ERR_ARG when there is no such error
   */
  @Standard({"MPI_Error_class"})
  default int errorClass(int errorcode) {
    return errors(codes -> codes.classOf(errorcode));
  }
}
