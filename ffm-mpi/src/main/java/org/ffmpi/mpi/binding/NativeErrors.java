// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.foreign.Arena;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;

/**
 * Makes exceptions of the library's error codes. Codes come back from a call only where its communicator has {@link
 * MpiConstants#ERRORS_RETURN}; otherwise the library ends the job itself.
 */
public final class NativeErrors {
  private NativeErrors() {}

  /**
   * Throws if a call has failed.
   *
   * @param code the code that it has returned
   * @param call its name in C
   * @throws MpiException with the class of the error and the library's own text
   */
  public static void check(int code, String call) {
    if (code != MpiConstants.SUCCESS) {
      throw exception(code, call);
    }
  }

  /**
   * Makes the exception of an error code.
   *
   * @param code an error code
   * @param call name in C of the call that has returned it
   * @return the exception, to be thrown
   */
  public static MpiException exception(int code, String call) {
    return new MpiException(errorClass(code), call + " of " + MpiLibrary.current().title() + ": " + text(code));
  }

  /**
   * Returns the class of an error code.
   *
   * @param code an error code
   * @return the class; ERR_OTHER for a class that {@link AbiValue} has no row for
   */
  public static ErrorClass errorClass(int code) {
    if (code == MpiConstants.SUCCESS) {
      return ErrorClass.SUCCESS;
    }
    int number = code;
    try (Arena arena = Arena.ofConfined()) {
      long address = Raw.address(arena.allocate(Integer.BYTES, Integer.BYTES));
      if (NativeEnvironment.errorClass(code, address) == MpiConstants.SUCCESS) {
        number = Raw.getInt(address);
      }
    }
    MpiAbi abi = MpiLibrary.current().abi();
    for (AbiValue value : AbiValue.values()) {
      if (value.errorClass() != null && value.value(abi) == number) {
        return value.errorClass();
      }
    }
    return ErrorClass.ERR_OTHER;
  }

  /**
   * Returns the library's text for an error code.
   *
   * @param code an error code
   * @return one line
   */
  public static String text(int code) {
    try (Arena arena = Arena.ofConfined()) {
      long text = Raw.address(arena.allocate(MpiConstants.MAX_ERROR_STRING + Integer.BYTES + 1L, Integer.BYTES));
      long length = text + MpiConstants.MAX_ERROR_STRING; // a multiple of 4 in all three ABIs
      if (NativeEnvironment.errorString(code, text, length) != MpiConstants.SUCCESS) {
        return "error code " + code;
      }
      return DynamicLinker.text(text).strip().replaceAll("\\s*\\R\\s*", "; ");
    }
  }
}
