// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.FlatBlocks;
import org.ffmpi.spi.FlatBuffer;

/** The bytes of collective calls. */
final class CollectiveBytes {
  private CollectiveBytes() {}

  /** Returns the bytes that this rank gives, or those it gets where it gives none. */
  static long of(CollectiveCall call) {
    long given = bytes(call.send(), call.sendBlocks());
    return given > 0 ? given : bytes(call.recv(), call.recvBlocks());
  }

  private static long bytes(FlatBuffer whole, FlatBlocks blocks) {
    long bytes = whole.isPresent() ? whole.packedBytes() : 0;
    for (int i = 0; i < blocks.length(); i++) {
      FlatBuffer block = blocks.get(i);
      bytes += block.isPresent() ? block.packedBytes() : 0;
    }
    return bytes;
  }
}
