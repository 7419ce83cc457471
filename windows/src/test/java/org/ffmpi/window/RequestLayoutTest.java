// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.ffmpi.base.raw.Raw;
import org.junit.jupiter.api.Test;

/** A request is read as it was written, and its words are where its diagram shows them. */
class RequestLayoutTest {
  @Test
  void offsets() throws IllegalAccessException {
    Offsets.assertAgree(
        RequestLayout.class, Map.of("BODY_OFFSET", RequestLayout.Shape.LAYOUT.byteSize()), RequestLayout.Shape.LAYOUT);
    assertEquals(RequestLayout.BODY_OFFSET, RequestLayout.bodyAddress(0));
    assertEquals(56 + 2 * 4096, AccessRequest.LONGEST);
  }

  @Test
  void requestsAreReadAsTheyWereWritten() {
    AccessRequest request = new AccessRequest(AccessRequest.COMBINE, 2, 3, 2)
        .elements(1L << 40, 5, 1L << 41).operation(7, 8).planBytes(9)
        .flag(AccessRequest.DATA_INSIDE).flag(AccessRequest.WANTS_RESULT)
        .append(new byte[] {10, 11});
    assertEquals(RequestLayout.BODY_OFFSET + 2, request.length());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment message = arena.allocate(request.length(), 8);
      MemorySegment.copy(request.bytes(), 0, message, ValueLayout.JAVA_BYTE, 0, request.length());
      long address = Raw.address(message);
      assertEquals(AccessRequest.COMBINE, RequestLayout.getPlainKind(address));
      assertEquals(2, RequestLayout.getPlainTag(address));
      assertEquals(3, RequestLayout.getPlainRank(address));
      assertEquals(1L << 40, RequestLayout.getPlainPosition(address));
      assertEquals(5, RequestLayout.getPlainCount(address));
      assertEquals(1L << 41, RequestLayout.getPlainDataBytes(address));
      assertEquals(7, RequestLayout.getPlainOperation(address));
      assertEquals(8, RequestLayout.getPlainUnit(address));
      assertEquals(9, RequestLayout.getPlainPlanBytes(address));
      assertEquals(AccessRequest.DATA_INSIDE | AccessRequest.WANTS_RESULT, RequestLayout.getPlainFlags(address));
      assertEquals(10, Raw.getByte(RequestLayout.bodyAddress(address)));
      assertEquals(11, Raw.getByte(RequestLayout.bodyAddress(address) + 1));
    }
  }
}
