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

  /**
   * Returns the buffers that a call reads and writes.
   *
   * @param holdsBack whether the call is changed to write other memory than the program's, which is copied at its end
   */
  static List<LentBuffer> of(CollectiveCall call, boolean holdsBack) {
    List<LentBuffer> buffers = new ArrayList<>();
    CallPlace place = CallPlace.ofThisThread();
    add(buffers, call.send(), place);
    if (call.operation() == Collective.EXSCAN && call.send().isPresent() && isSame(call.send(), call.recv())) {
      return buffers; // rank 0, which has no result
    }
    FlatBlocks sent = call.sendBlocks();
    for (int i = 0; i < looked(sent); i++) {
      add(buffers, sent.get(i), place);
    }
    addWritten(buffers, call.recv(), holdsBack, place);
    FlatBlocks received = call.recvBlocks();
    for (int i = 0; i < looked(received); i++) {
      addWritten(buffers, received.get(i), holdsBack, place);
    }
    return buffers;
  }

  private static boolean isSame(FlatBuffer send, FlatBuffer recv) {
    return send.owner() == recv.owner() && send.offset() == recv.offset();
  }

  private static int looked(FlatBlocks blocks) {
    return blocks.isPresent() && blocks.length() <= MOST ? blocks.length() : 0;
  }

  private static void add(List<LentBuffer> into, FlatBuffer buffer, CallPlace place) {
    if (buffer.isPresent() && buffer.count() > 0) {
      into.add(new LentBuffer(
          false, place, buffer.kind(), buffer.owner(), buffer.offset(), buffer.count(), buffer.plan()));
    }
  }

  private static void addWritten(List<LentBuffer> into, FlatBuffer buffer, boolean holdsBack, CallPlace place) {
    if (buffer.isPresent() && buffer.count() > 0) {
      LentBuffer written = new LentBuffer(
          true, place, buffer.kind(), buffer.owner(), buffer.offset(), buffer.count(), buffer.plan());
      into.add(written);
      if (holdsBack) {
        written.holdBack();
        buffer.set(
            written.usedKind(), written.usedOwner(), written.usedOffset(), buffer.count(), buffer.plan());
      }
    }
  }
}
