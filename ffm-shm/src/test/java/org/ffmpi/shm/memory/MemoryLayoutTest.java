// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.ffmpi.shm.LayoutChecks;
import org.junit.jupiter.api.Test;

/** The offsets of type records are those of their layout. */
class MemoryLayoutTest {
  @Test
  void typeRecord() {
    LayoutChecks.assertAgree(TypeRecordLayout.class, Set.of("BODY_OFFSET"), TypeRecordLayout.Shape.LAYOUT);
    assertEquals(TypeRecordLayout.BODY_OFFSET, TypeRecordLayout.Shape.LAYOUT.byteSize());
  }
}
