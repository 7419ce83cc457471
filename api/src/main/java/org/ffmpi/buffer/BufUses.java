// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;

/**
 * What an operation does with its buffers, as far as these have to be held while it is under way: those whose users are
 * counted, and those of objects. Other buffers, markers and null are passed over. Not changed once a call has it.
 */
public final class BufUses {
  /** What is done with a buffer. */
  enum How {
    /** Kept only: the operation itself sees to the elements. */
    KEEPS,
    /** Read from the start on. */
    READS,
    /** All elements are written, and count when the operation is complete. */
    WRITES,
    /** Both: the result replaces the contribution. */
    UPDATES,
    /** A message is received: what came is at the buffer's beginning. */
    RECEIVES;

    boolean isRead() {
      return this == READS || this == UPDATES;
    }

    boolean isWritten() {
      return this == WRITES || this == UPDATES || this == RECEIVES;
    }
  }

  /** One buffer and its use. */
  record Use(How how, BufImpl<?> buf) {}

  final List<Use> uses = new ArrayList<>(2);

  public static BufUses keeping(Buf<?> buf) {
    return new BufUses().keeps(buf);
  }

  public static BufUses reading(Buf<?> buf) {
    return new BufUses().reads(buf);
  }

  public static BufUses receiving(Buf<?> buf) {
    return new BufUses().add(How.RECEIVES, buf);
  }

  public BufUses keeps(Buf<?>... bufs) {
    return add(How.KEEPS, bufs);
  }

  public BufUses reads(Buf<?>... bufs) {
    return add(How.READS, bufs);
  }

  public BufUses writes(Buf<?>... bufs) {
    return add(How.WRITES, bufs);
  }

  public BufUses updates(Buf<?>... bufs) {
    return add(How.UPDATES, bufs);
  }

  private BufUses add(How how, Buf<?>... bufs) {
    for (Buf<?> buf : bufs) {
      if (buf != null && BufImpl.of(buf).isCounted()) {
        uses.add(new Use(how, BufImpl.of(buf)));
      }
    }
    return this;
  }

  /** Returns whether nothing has to be held. */
  public boolean isEmpty() {
    return uses.isEmpty();
  }

  /** Holds the memory, before the operation starts. */
  public HeldMemory hold() {
    return HeldMemory.of(uses);
  }
}
