// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;

/**
 * The uses of those buffers of an operation that have to be held while it is under way, which are those with counted
 * users, and those of objects. Other buffers, markers and null are ignored. Not changed once a call has it.
 */
public final class BufUses {
  /** The ways to use a buffer. */
  enum How {
    /** Held only: the operation itself encodes and delivers the elements. */
    HOLDS,
    /** Read from the start on. */
    READS,
    /** All elements are written, and count when the operation is complete. */
    WRITES,
    /** Both: the result replaces the contribution. */
    UPDATES,
    /** A message is received into the buffer's beginning. */
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

  public static BufUses holding(Buf<?> buf) {
    return new BufUses().holds(buf);
  }

  public static BufUses reading(Buf<?> buf) {
    return new BufUses().reads(buf);
  }

  public static BufUses receiving(Buf<?> buf) {
    return new BufUses().add(How.RECEIVES, buf);
  }

  public BufUses holds(Buf<?>... bufs) {
    return add(How.HOLDS, bufs);
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

  /** Returns whether no buffer has to be held. */
  public boolean isEmpty() {
    return uses.isEmpty();
  }

  /** Holds the memory, before the operation starts. */
  public HeldMemory hold() {
    return HeldMemory.of(uses);
  }
}
