// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ErrorClassTest {
  @Test
  void isExactlyTheTableOfTheStandard() {
    Map<String, Integer> here = new TreeMap<>();
    for (ErrorClass c : ErrorClass.values()) {
      if (!c.isOfSurvival()) { // for which the standard has no number
        here.put(c.mpiName(), c.code());
      }
    }
    assertEquals(Table.read("error-classes.tsv"), here);
  }

  @Test
  void thoseOfTheExtensionAreNamedAsItsOwn() {
    assertEquals("MPIX_ERR_PROC_FAILED", ErrorClass.ERR_PROC_FAILED.mpiName());
    assertEquals("MPIX_ERR_PROC_FAILED_PENDING", ErrorClass.ERR_PROC_FAILED_PENDING.mpiName());
    assertEquals("MPIX_ERR_REVOKED", ErrorClass.ERR_REVOKED.mpiName());
  }

  @Test
  void isFoundByCode() {
    for (ErrorClass c : ErrorClass.values()) {
      assertEquals(Optional.of(c), ErrorClass.ofCode(c.code()));
    }
    assertEquals(Optional.empty(), ErrorClass.ofCode(-1));
    assertEquals(Optional.empty(), ErrorClass.ofCode(63));
  }

  @Test
  void everyTextSaysSomethingOfItsOwn() {
    long different = java.util.Arrays.stream(ErrorClass.values()).map(ErrorClass::text).distinct().count();
    assertEquals(ErrorClass.values().length, different);
    for (ErrorClass c : ErrorClass.values()) {
      assertFalse(c.text().isBlank());
      assertFalse(c.text().endsWith("."), c.text());
    }
  }

  @Test
  void exceptionsCarryClassCodeAndText() {
    Throwable cause = new IllegalStateException();
    MpiException e = new MpiException(ErrorClass.ERR_TAG, "tag = -7: allowed are 0..9", cause);
    assertEquals(ErrorClass.ERR_TAG, e.errorClass());
    assertEquals(4, e.errorCode());
    assertEquals("MPI_ERR_TAG: tag = -7: allowed are 0..9", e.getMessage());
    assertEquals(cause, e.getCause());
    MpiException argument = MpiException.argument(ErrorClass.ERR_RANK, "dest", 7, "0..3 or PROC_NULL");
    assertEquals("MPI_ERR_RANK: dest = 7: allowed are 0..3 or PROC_NULL", argument.getMessage());
    assertTrue(argument.toString().contains("MPI_ERR_RANK"));
  }
}
