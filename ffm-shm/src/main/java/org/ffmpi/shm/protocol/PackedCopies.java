// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.lang.foreign.Arena;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;

/**
 * Copies of messages whose buffers only one thread may read, so that their sends to other nodes do not wait for it. The
 * memory of short ones is kept for later ones; long ones have memory of their own. Any thread.
 */
final class PackedCopies {
  private static final long MOST_KEPT = 4 << 20;

  /** Guarded by itself. */
  private final PayloadStore store = new PayloadStore();

  /** The packed bytes of a message. */
  final class Copy {
    final long address;
    private final long bytes;
    private final Arena own;

    private Copy(long bytes) {
      this.bytes = bytes;
      if (bytes > MOST_KEPT) {
        own = Arena.ofShared();
        try {
          address = Raw.address(own.allocate(bytes, 64));
        } catch (OutOfMemoryError e) {
          own.close();
          throw e;
        }
      } else {
        own = null;
        synchronized (store) {
          address = store.acquire(bytes);
        }
      }
    }

    /** Releases the memory. */
    void release() {
      if (own != null) {
        own.close();
        return;
      }
      synchronized (store) {
        store.release(address, bytes);
      }
    }
  }

  /**
   * Copies a message of at least one byte. Returns null when there is no memory for it, or when the buffer has become
   * unusable, which the send finds again.
   */
  Copy of(int kind, Object owner, long offset, long count, Plan plan, long bytes) {
    Copy copy;
    try {
      copy = new Copy(bytes);
    } catch (OutOfMemoryError e) {
      return null;
    }
    try {
      plan.pack(kind, owner, offset, count, 0, bytes, copy.address);
      return copy;
    } catch (IllegalStateException | IndexOutOfBoundsException | WrongThreadException e) {
      copy.release();
      return null;
    }
  }
}
