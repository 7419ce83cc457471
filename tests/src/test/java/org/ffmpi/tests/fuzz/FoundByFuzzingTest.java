// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.fuzz;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.MemorySegment;
import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.CountedMemory;
import org.junit.jupiter.api.Test;

/** Faults found by the fuzzers that no other test covers. */
class FoundByFuzzingTest {
  @Test
  void nullIsNoClassOfArrays() {
    assertFalse(Datatype.INT32_T.acceptsArray(null));
  }

  @Test
  void countedMemoryMayHaveNoSegment() {
    CountedMemory memory = new CountedMemory() {
      @Override
      public MemorySegment segment() {
        return null;
      }

      @Override
      public String missing() {
        return null;
      }

      @Override
      public Lease lease() {
        return null;
      }
    };
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(memory, 0, 1, Datatype.INT32_T), "segment of memory = null");
  }
}
