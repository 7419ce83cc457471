// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * A completion word, the one place where the sender and the receiver of a rendezvous or synchronous message agree.
 *
 * <pre>
 *   0                   8                   16                                         64
 *  +-------------------+-------------------+------------------------------------------+
 *  | generation, state | transfer id       |                                          |
 *  +-------------------+-------------------+------------------------------------------+
 *
 *           receiver claims        id written              receiver has copied (DIRECT), matched (SYNCHRONOUS)
 *  PENDING ───────────────► CLAIMED ─────────────► MATCHED        DONE
 *     │                      └─────────────────────────────────────▲
 *     ├── sender cancels ──► CANCELLED                             │
 *     └── not cancellable: MATCHED or DONE at once ────────────────┘
 *
 *  MATCHED ── the sender's buffer becomes unusable ──► SPOILED
 * </pre>
 *
 * <p>The sender owns the line and reuses it under the next generation; a receiver with an old envelope finds a later
 * generation and treats the message as cancelled. The transfer id names the receiver's transfer
 * to the sender of a piped message; it is written before MATCHED is released. Sender and receiver are the only writers.
 * A wrong state from a broken receiver ends at most this one send, with an error if the state is impossible.
 */
final class CompletionWordLayout {
  static final int PENDING = 1;
  static final int MATCHED = 2;
  static final int DONE = 3;
  static final int CANCELLED = 4;
  static final int CLAIMED = 5;

  /** Set by the sender before the last chunk is in the pipe; the word is not reused. */
  static final int SPOILED = 6;

  /** Bytes of one word's line. */
  static final long BYTES = 64;

  static final long STATE_OFFSET = 0;
  static final long TRANSFER_OFFSET = STATE_OFFSET + 8;

  /** The same layout as data, for tests and tools. */
  static final class Shape {
    static final StructLayout LAYOUT =
        structLayout(JAVA_LONG.withName("state"), JAVA_LONG.withName("transfer"), paddingLayout(BYTES - 16));

    private Shape() {}
  }

  private CompletionWordLayout() {}

  private static long value(int generation, int state) {
    return (long) generation << 32 | state;
  }

  static void setReleasePending(long word, int generation) {
    Raw.putReleaseLong(word + STATE_OFFSET, value(generation, PENDING));
  }

  /** Returns the state under {@code generation}; CANCELLED when the word is used by another message. */
  static int getAcquireState(long word, int generation) {
    long v = Raw.getAcquireLong(word + STATE_OFFSET);
    return (int) (v >>> 32) == generation ? (int) v : CANCELLED;
  }

  /** Returns whether the message of a generation was cancelled, by its state or by a later generation. */
  static boolean isCancelled(long word, int generation) {
    long v = Raw.getAcquireLong(word + STATE_OFFSET);
    int later = (int) (v >>> 32) - generation;
    return later > 0 || later == 0 && (int) v == CANCELLED;
  }

  static boolean cas(long word, int generation, int from, int to) {
    return Raw.compareAndSetLong(word + STATE_OFFSET, value(generation, from), value(generation, to));
  }

  static void setReleaseState(long word, int generation, int state) {
    Raw.putReleaseLong(word + STATE_OFFSET, value(generation, state));
  }

  static void setPlainTransfer(long word, long id) {
    Raw.putLong(word + TRANSFER_OFFSET, id);
  }

  static long getPlainTransfer(long word) {
    return Raw.getLong(word + TRANSFER_OFFSET);
  }
}
