// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.function.Executable;

/** Calls that must fail with an error of a class whose text names the wrong argument. */
public final class Refusals {
  private Refusals() {}

  public static void refused(ErrorClass expected, Executable call, String... texts) {
    MpiException refused = assertThrows(MpiException.class, call);
    assertEquals(expected, refused.errorClass(), refused.getMessage());
    for (String text : texts) {
      assertTrue(refused.getMessage().contains(text), "\"" + text + "\" in: " + refused.getMessage());
    }
  }
}
