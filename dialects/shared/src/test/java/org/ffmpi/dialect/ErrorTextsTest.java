// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.Test;

/** Errors name the types of the program. */
class ErrorTextsTest {
  private static final Map<String, String> NAMES = Map.of("MPI_UINT8_T", "MPI.BYTE", "MPI_FLOAT", "MPI.FLOAT");

  @Test
  void namesAreReplacedAsWholes() {
    assertEquals("MPI_ERR_TYPE: type = MPI.BYTE: vector(2, MPI.FLOAT) and MPI_FLOAT_INT",
        ErrorTexts.translated("MPI_ERR_TYPE: type = MPI_UINT8_T: vector(2, MPI_FLOAT) and MPI_FLOAT_INT", NAMES));
    assertNull(ErrorTexts.translated((String) null, NAMES));
  }

  @Test
  void anErrorKeepsItsCodesCauseAndStack() {
    Exception cause = new Exception("cause");
    MpiException error = new MpiException(ErrorClass.ERR_TYPE, "type = MPI_UINT8_T", cause);
    error.addSuppressed(new Exception("suppressed"));
    MpiException translated = ErrorTexts.translated(error, NAMES);
    assertEquals("MPI_ERR_TYPE: type = MPI.BYTE", translated.getMessage());
    assertEquals(ErrorClass.ERR_TYPE, translated.errorClass());
    assertEquals(ErrorClass.ERR_TYPE.code(), translated.errorCode());
    assertSame(cause, translated.getCause());
    assertArrayEquals(error.getStackTrace(), translated.getStackTrace());
    assertArrayEquals(error.getSuppressed(), translated.getSuppressed());
  }

  @Test
  void anErrorWithoutNamesStaysItself() {
    MpiException error = new MpiException(ErrorClass.ERR_RANK, "dest = 7");
    assertSame(error, ErrorTexts.translated(error, NAMES));
  }
}
