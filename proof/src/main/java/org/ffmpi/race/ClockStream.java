// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Operation;

/**
 * The messages of ranks about what they have done, in a context of their own beside the program's. Those of one rank to
 * another arrive in their order. Sending never waits. Any thread of the rank; {@link #await} polls, and makes
 * progress meanwhile.
 */
final class ClockStream {
  private static final Plan BYTE = TypeHandle.planOf(Datatype.BYTE);
  private static final long PARK_NANOS = 50_000;
  private static final int SPINS = 200;
  private static final int FEW = 16;

  /** The sending rank, and the two numbers under which its words are found. */
  private record Key(int peer, long first, long second) {}

  /** Reads items that are not clocks. */
  interface Reader {
    /** Reads one item; called by one thread at a time. */
    void read(int peer, long window, DataInputStream in) throws IOException;
  }

  private static final int CLOCK = 0;
  private static final int WINDOW = 1;

  /** Writes an item. */
  interface Writer {
    void write(DataOutput out) throws IOException;
  }

  private final Engine engine;
  private final Reader reader;
  /** Sends under way. */
  private final List<Operation> sent = new ArrayList<>();
  /** Number of sends from which on complete ones are looked for. Guarded by them. */
  private int limit = FEW;
  /** What has come and not been asked for. Guarded by this. */
  private final Map<Key, ArrayDeque<long[]>> arrived = new HashMap<>();
  /** The last clock of each peer. Guarded by this. */
  private final long[][] known;

  ClockStream(Engine engine, Reader reader) {
    this.engine = engine;
    this.reader = reader;
    this.known = new long[engine.peers()][engine.peers()];
  }

  // ---- telling

  /** Sends a peer words, to be found under two numbers. */
  void tell(int peer, long first, long second, long[] words) {
    send(peer, CLOCK, out -> {
      out.writeLong(first);
      out.writeLong(second);
      SeenAccess.writeLongs(out, words);
    });
  }

  /** Sends a peer an item about a window. */
  void tell(int peer, long window, Writer item) {
    send(peer, WINDOW, out -> {
      out.writeLong(window);
      item.write(out);
    });
  }

  private void send(int peer, int kind, Writer item) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeByte(kind);
      item.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] message = bytes.toByteArray();
    synchronized (sent) {
      if (sent.size() >= limit) {
        sent.removeIf(Operation::isDone);
        limit = Math.max(FEW, 2 * sent.size());
      }
      Operation started = engine.isend(
          Engine.STANDARD, Memory.BYTES, message, 0, message.length, BYTE, peer, Channel.WATCH_CONTEXT, 0);
      if (!started.isDone()) {
        sent.add(started);
      }
    }
  }

  // ---- learning

  /** Reads all that has come. */
  synchronized void poll() {
    Envelope envelope = new Envelope();
    Matched message = engine.improbe(Constants.ANY_SOURCE, Channel.WATCH_CONTEXT, 0, envelope);
    while (message != null) {
      byte[] bytes = new byte[(int) envelope.bytes()];
      Operation receive = engine.imrecv(message, Memory.BYTES, bytes, 0, bytes.length, BYTE);
      engine.await(receive);
      engine.release(receive);
      read(envelope.peer(), bytes);
      message = engine.improbe(Constants.ANY_SOURCE, Channel.WATCH_CONTEXT, 0, envelope);
    }
  }

  private void read(int peer, byte[] bytes) {
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
      if (in.readByte() == WINDOW) {
        reader.read(peer, in.readLong(), in);
        return;
      }
      Key key = new Key(peer, in.readLong(), in.readLong());
      long[] words = SeenAccess.readLongs(in);
      arrived.computeIfAbsent(key, _ -> new ArrayDeque<>()).add(words);
      if (words.length == known.length) {
        known[peer] = words;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the last clocks of some peers. */
  synchronized List<long[]> known(int[] peers, int self, long[] own) {
    List<long[]> clocks = new ArrayList<>();
    for (int peer : peers) {
      clocks.add(peer == self ? own : known[peer]);
    }
    return clocks;
  }

  /**
   * Blocks until a peer has told something.
   *
   * @param skipped how many earlier ones belong to other receives, which take them later
   */
  long[] await(int peer, long first, long second, int skipped) {
    Key key = new Key(peer, first, second);
    for (int looks = 0;; looks++) {
      long[] words = take(key, skipped);
      if (words != null) {
        return words;
      }
      if (engine.endReason().isPresent()) {
        throw new MpiException(ErrorClass.ERR_PROC_ABORTED, "the job has ended: " + engine.endReason().get());
      }
      if (looks > SPINS) {
        LockSupport.parkNanos(PARK_NANOS);
      } else {
        Thread.yield();
      }
    }
  }

  private synchronized long[] take(Key key, int skipped) {
    ArrayDeque<long[]> told = arrived.get(key);
    if (told == null || told.size() <= skipped) {
      poll();
      told = arrived.get(key);
    }
    if (told == null || told.size() <= skipped) {
      return null;
    }
    long[] words = null;
    if (skipped == 0) {
      words = told.poll();
    } else {
      var each = told.iterator();
      for (int i = 0; i <= skipped; i++) {
        words = each.next();
      }
      each.remove();
    }
    if (told.isEmpty()) {
      arrived.remove(key);
    }
    return words;
  }
}
