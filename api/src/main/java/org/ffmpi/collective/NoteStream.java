// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.Arrays;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.process.Failures;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/**
 * The notes that this rank and another one send each other about their collective calls, in the order of the calls. A
 * note is a message of {@link #FIRST} numbers, and a second one with the rest where it is longer. Used with the lock of
 * {@link ComparedCalls} held; never waits.
 */
final class NoteStream {
  private static final int TAG = 0;

  /** Enough for the notes of all calls but those with many ranks at their other ends. */
  private static final int FIRST = CollectiveFacts.HEAD + 30;

  private final Engine engine;
  private final long context;
  private final int peer;
  /** The parent of receives, whose waiters wake when a note arrives. */
  private final Operation listener;
  /** The part of the next note that has arrived; null between notes. */
  private long[] arriving;
  private Operation receiving;
  private long[] note;
  private MpiException broken;

  NoteStream(Channel channel, int peer, Operation listener) {
    this.engine = channel.engine();
    this.context = channel.comparison();
    this.peer = peer;
    this.listener = listener;
  }

  /**
   * Sends this rank's next note. An error shows later, where the other rank's next note is awaited: the notes that it
   * has sent before it departed count.
   */
  void send(long[] note) {
    try {
      send(note.length < FIRST ? Arrays.copyOf(note, FIRST) : note, 0, FIRST);
      if (note.length > FIRST) {
        send(note, FIRST, note.length - FIRST);
      }
    } catch (MpiException _) {
      // see above
    }
  }

  private void send(long[] note, int from, int length) {
    Operation sent = engine.isend(Engine.STANDARD, Memory.LONGS, note, (long) from * Long.BYTES, length,
        TypeHandle.planOf(Datatype.INT64_T), peer, context, TAG);
    if (!sent.isDone()) {
      sent.abandon(_ -> {});
    }
  }

  /** Returns the other rank's next note without consuming it, or null when it has not arrived. */
  long[] peek() {
    try {
      while (note == null && broken == null && hasArrived()) {
        broken = receiving.error();
        receiving = null;
        int length = broken == null ? CollectiveFacts.length(arriving) : 0;
        if (length > arriving.length) {
          arriving = Arrays.copyOf(arriving, length);
        } else if (broken == null) {
          note = arriving;
          arriving = null;
        }
      }
    } catch (RuntimeException e) {
      broken = Failures.translate(e);
    }
    return note;
  }

  private boolean hasArrived() {
    if (receiving == null) {
      int from = arriving == null ? 0 : FIRST;
      arriving = arriving == null ? new long[FIRST] : arriving;
      receiving = engine.irecv(Memory.LONGS, arriving, (long) from * Long.BYTES, arriving.length - from,
          TypeHandle.planOf(Datatype.INT64_T), peer, context, TAG);
      if (!receiving.isDone()) {
        receiving.parent(listener);
      }
    }
    if (!receiving.isDone()) {
      receiving.advance();
    }
    return receiving.isDone();
  }

  /** Returns whether {@link #peek} has not found the next note yet. Touches no message. */
  boolean isMissing() {
    return note == null;
  }

  /** Consumes the note that {@link #peek} has returned. */
  void consume() {
    note = null;
  }

  /** Cancels the pending receive; no note may be consumed any more. */
  void close() {
    if (receiving != null && !receiving.isDone()) {
      receiving.cancel();
    }
  }

  /** Returns why no more notes will come, or null. */
  MpiException broken() {
    return note == null ? broken : null;
  }
}
