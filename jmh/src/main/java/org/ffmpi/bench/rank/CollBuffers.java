// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.datatype.Datatype;

/**
 * The memory that collectives send from and receive to; each uses the beginning.
 *
 * @param send a segment, or an array of doubles
 * @param receive the same
 */
record CollBuffers(Object send, Object receive) {
  /** A value that no result contains. */
  private static final double WIPED = -1;

  /** Makes memory of a kind. */
  static CollBuffers of(RankProgram program, String memory, long words) {
    long bytes = Double.BYTES * words;
    return memory.equals("heap")
        ? new CollBuffers(new double[Math.toIntExact(words)], new double[Math.toIntExact(words)])
        : new CollBuffers(program.allocate(memory, Arena.global(), bytes),
            program.allocate(memory, Arena.global(), bytes));
  }

  private MemorySegment sent() {
    return segment(send);
  }

  private MemorySegment received() {
    return segment(receive);
  }

  /** Returns the calls on this memory: bytes where nothing is added, as in C; of arrays always doubles. */
  CollCalls<?> calls(IntraComm world, CollData data) {
    if (send instanceof double[] from && receive instanceof double[] to) {
      return new CollCalls<>(world, data, Buf.of(from, data.sendWords(), Datatype.DOUBLE),
          Buf.of(to, data.receiveWords(), Datatype.DOUBLE), Datatype.DOUBLE, Double.BYTES);
    }
    return data.isReduction()
        ? calls(world, data, Datatype.DOUBLE, Double.BYTES)
        : calls(world, data, Datatype.BYTE, 1);
  }

  private <T> CollCalls<T> calls(IntraComm world, CollData data, Datatype<T> type, int unit) {
    return new CollCalls<>(world, data,
        Buf.of(sent(), data.sendWords() * Double.BYTES / unit, type),
        Buf.of(received(), data.receiveWords() * Double.BYTES / unit, type), type, unit);
  }

  /** Writes the beginning of the send buffer freshly. */
  void refresh(int words) {
    if (send instanceof double[] array) {
      Refresh.doubles(array, words);
    } else {
      Refresh.doubles((MemorySegment) send, words);
    }
  }

  /** Fills the send buffer. */
  void fill(CollData data) {
    MemorySegment sent = sent();
    for (long w = 0; w < data.sentWords(); w++) {
      sent.setAtIndex(ValueLayout.JAVA_DOUBLE, w, data.sent(w));
    }
  }

  /** Overwrites the receive buffer. */
  void wipe(CollData data) {
    MemorySegment received = received();
    for (long w = 0; w < data.receivedWords(); w++) {
      received.setAtIndex(ValueLayout.JAVA_DOUBLE, w, WIPED);
    }
  }

  /**
   * Checks every number received.
   *
   * @throws IllegalStateException if one is wrong
   */
  void check(Work work, CollData data) {
    MemorySegment received = received();
    for (long w = 0; w < data.receivedWords(); w++) {
      double found = received.getAtIndex(ValueLayout.JAVA_DOUBLE, w);
      if (found != data.expected(w)) {
        throw new IllegalStateException(work + ": rank " + data.rank() + " received " + found + " for "
            + data.expected(w) + " at " + w);
      }
    }
  }

  private static MemorySegment segment(Object memory) {
    return memory instanceof double[] array ? MemorySegment.ofArray(array) : (MemorySegment) memory;
  }
}
