// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.function.Executable;

/** Assertions about errors. */
public final class Errors {
  private Errors() {}

  /** Runs what has to fail, and checks the error's class and that its text holds all the parts. */
  public static MpiException assertError(ErrorClass expected, Executable call, String... parts) {
    MpiException error = assertThrows(MpiException.class, call);
    assertEquals(expected, error.errorClass(), error.getMessage());
    for (String part : parts) {
      assertTrue(error.getMessage().contains(part), () -> "\"" + part + "\" is not in: " + error.getMessage());
    }
    return error;
  }
}
