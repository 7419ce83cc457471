// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.access;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ffmpi.base.raw.Raw;

/** Memory outside the heap through which bytes pass, kept for the next access of a file. Any thread. */
final class Staging {
  private static final int ALIGNMENT = 4096;
  private static final int KEPT = 4;

  private final ConcurrentLinkedQueue<Piece> free = new ConcurrentLinkedQueue<>();

  /** A piece of memory that one access uses at a time. */
  static final class Piece {
    private final MemorySegment memory;

    private Piece(long bytes) {
      memory = Arena.ofAuto().allocate(bytes, ALIGNMENT);
    }

    long address() {
      return Raw.address(memory);
    }

    long bytes() {
      return memory.byteSize();
    }

    /** Returns a part of the memory as a buffer of the JDK. */
    ByteBuffer buffer(long from, long n) {
      return memory.asSlice(from, n).asByteBuffer();
    }
  }

  /** Takes a piece of at least so many bytes. */
  Piece take(long bytes) {
    Piece piece = free.poll();
    return piece != null && piece.bytes() >= bytes ? piece : new Piece(bytes);
  }

  /** Gives a piece back. */
  void give(Piece piece) {
    if (free.size() < KEPT) {
      free.add(piece);
    }
  }
}
