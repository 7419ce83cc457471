// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemoryLayout.PathElement;
import org.junit.jupiter.api.Test;

/** The offsets of the words about lent buffers are those of their layout, and the words fit into each region slot. */
class LentBuffersLayoutTest {
  @Test
  void offsets() {
    assertEquals(LentBuffersLayout.REFUSAL_OFFSET, offset("refusal"));
    assertEquals(LentBuffersLayout.CONTRIBUTION_OFFSET, offset("contribution"));
    assertEquals(LentBuffersLayout.RESULT_OFFSET, offset("result"));
    assertEquals(LentBuffersLayout.BYTES, LentBuffersLayout.Shape.LAYOUT.byteSize());
    assertTrue(LentBuffersLayout.BYTES <= Region.capacityFor(0, 2));
  }

  private static long offset(String member) {
    return LentBuffersLayout.Shape.LAYOUT.byteOffset(PathElement.groupElement(member));
  }
}
