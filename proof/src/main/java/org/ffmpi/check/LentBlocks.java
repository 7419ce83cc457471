// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.FlatBlocks;
import org.ffmpi.spi.FlatBuffer;

/** The buffers of a collective call. */
final class LentBlocks {
  /** Most blocks that are looked at; calls with more are not checked. */
  private static final int MOST = 256;

  private LentBlocks() {}

  /** Returns the buffers that a call reads and writes. */
  static List<LentBuffer> of(CollectiveCall call) {
    List<LentBuffer> buffers = new ArrayList<>();
    CallPlace place = CallPlace.ofThisThread();
    if (call.operation() == Collective.EXSCAN) {
      add(buffers, call.recv(), true, place); // rank 0, which has no result, may have one buffer for both
      return buffers;
    }
    add(buffers, call.send(), false, place);
    addAll(buffers, call.sendBlocks(), false, place);
    add(buffers, call.recv(), true, place);
    addAll(buffers, call.recvBlocks(), true, place);
    return buffers;
  }

  private static void addAll(List<LentBuffer> into, FlatBlocks blocks, boolean isWritten, CallPlace place) {
    if (blocks.isPresent() && blocks.length() <= MOST) {
      for (int i = 0; i < blocks.length(); i++) {
        add(into, blocks.get(i), isWritten, place);
      }
    }
  }

  private static void add(List<LentBuffer> into, FlatBuffer buffer, boolean isWritten, CallPlace place) {
    if (buffer.isPresent() && buffer.count() > 0) {
      into.add(new LentBuffer(
          isWritten, place, buffer.kind(), buffer.owner(), buffer.offset(), buffer.count(), buffer.plan()));
    }
  }
}
