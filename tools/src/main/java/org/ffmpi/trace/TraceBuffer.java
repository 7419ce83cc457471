// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ffmpi.base.raw.Raw;

/**
 * The records of one rank's calls, in a mapped file. Any thread of the rank adds records, without waiting: each claims
 * a number, and with it a place. When all places are taken, the oldest record is overwritten.
 *
 * <p>A call is recorded at its beginning, so that the file of a rank that is killed shows the calls it was in, and
 * completed at its end. The end of a call whose place another record has taken meanwhile is dropped; the check and the
 * store are not one step, and a thread that is held up between them for a whole round of the buffer spoils one record.
 */
final class TraceBuffer {
  /** Longest text of a string. */
  private static final int LONGEST = 10_000;

  /** Bytes of one write. */
  private static final int PIECE = 1 << 18;

  private final MemorySegment memory;
  private final long file;
  private final long records;
  private final long mask;
  private final Map<String, Integer> strings = new ConcurrentHashMap<>();
  private int stringBytes;
  private int stringCount;

  private TraceBuffer(MemorySegment memory, int capacity) {
    this.memory = memory;
    this.file = Raw.address(memory);
    this.records = file + TraceLayout.HEADER + TraceLayout.STRINGS_LENGTH;
    this.mask = capacity - 1;
  }

  /**
   * Makes the file of a rank.
   *
   * @param capacity number of records, a power of two
   */
  static TraceBuffer create(Path path, int rank, int ranks, int node, int capacity) {
    MemorySegment memory;
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ,
        StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
      fill(channel, TraceLayout.bytes(capacity));
      memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, TraceLayout.bytes(capacity), Arena.ofAuto());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    TraceBuffer buffer = new TraceBuffer(memory, capacity);
    long file = buffer.file;
    Raw.putInt(file + TraceLayout.VERSION, TraceLayout.VERSION_VALUE);
    Raw.putInt(file + TraceLayout.RANK, rank);
    Raw.putInt(file + TraceLayout.RANKS, ranks);
    Raw.putInt(file + TraceLayout.NODE, node);
    Raw.putInt(file + TraceLayout.RECORDS, capacity);
    Raw.putInt(file + TraceLayout.STRINGS, TraceLayout.STRINGS_LENGTH);
    Raw.putLong(file + TraceLayout.WALL, System.currentTimeMillis());
    Raw.putLong(file + TraceLayout.STARTED, System.nanoTime());
    Raw.putReleaseLong(file + TraceLayout.MAGIC, TraceLayout.MAGIC_VALUE);
    return buffer;
  }

  /** Writes a file of zeros, so that a disk without room is an error here, and not a fault of a later access. */
  private static void fill(FileChannel channel, long bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(PIECE);
    for (long at = 0; at < bytes; at += zeros.limit()) {
      zeros.clear().limit((int) Math.min(PIECE, bytes - at));
      while (zeros.hasRemaining()) {
        channel.write(zeros);
      }
    }
  }

  /**
   * Records the beginning of a call.
   *
   * @return its number, for {@link #end}
   */
  long begin(int kind, long start, int name, int site, int how, long comm, int peer, int tag, long bytes) {
    long number = TraceLayout.getAndAddNext(file);
    long record = records + (number & mask) * TraceLayout.RECORD;
    Raw.putLong(record + TraceLayout.START, start);
    Raw.putLong(record + TraceLayout.END, 0);
    Raw.putLong(record + TraceLayout.COMM, comm);
    Raw.putLong(record + TraceLayout.BYTES, bytes);
    Raw.putLong(record + TraceLayout.REQUEST, 0);
    Raw.putInt(record + TraceLayout.PEER, peer);
    Raw.putInt(record + TraceLayout.TAG, tag);
    Raw.putInt(record + TraceLayout.SITE, site);
    Raw.putInt(record + TraceLayout.KIND, kind | name << Short.SIZE);
    Raw.putInt(record + TraceLayout.HOW, how);
    TraceLayout.putReleaseNumber(record, (int) number + 1);
    Reference.reachabilityFence(memory);
    return number;
  }

  /** Records the end of a call. */
  void end(long number, long nanos) {
    long record = records + (number & mask) * TraceLayout.RECORD;
    if (TraceLayout.getPlainNumber(record) == (int) number + 1) {
      TraceLayout.putReleaseEnd(record, nanos);
    }
    Reference.reachabilityFence(memory);
  }

  /** Records the end of a call that started or completed a request. */
  void end(long number, long nanos, long request) {
    long record = records + (number & mask) * TraceLayout.RECORD;
    if (TraceLayout.getPlainNumber(record) == (int) number + 1) {
      Raw.putLong(record + TraceLayout.REQUEST, request);
      TraceLayout.putReleaseEnd(record, nanos);
    }
    Reference.reachabilityFence(memory);
  }

  /** Records the end of a call that has received a message. */
  void end(long number, long nanos, long request, int peer, int tag, long bytes) {
    long record = records + (number & mask) * TraceLayout.RECORD;
    if (TraceLayout.getPlainNumber(record) == (int) number + 1) {
      Raw.putLong(record + TraceLayout.REQUEST, request);
      Raw.putInt(record + TraceLayout.PEER, peer);
      Raw.putInt(record + TraceLayout.TAG, tag);
      Raw.putLong(record + TraceLayout.BYTES, bytes);
      TraceLayout.putReleaseEnd(record, nanos);
    }
    Reference.reachabilityFence(memory);
  }

  /** Returns the number of a string; 0 when there is no room for another one. */
  int string(String text) {
    Integer known = strings.get(text);
    return known != null ? known : add(text);
  }

  private synchronized int add(String text) {
    Integer known = strings.get(text);
    if (known != null) {
      return known;
    }
    byte[] bytes = text.substring(0, Math.min(text.length(), LONGEST)).getBytes(StandardCharsets.UTF_8);
    int next = stringBytes + Short.BYTES + bytes.length;
    if (next > TraceLayout.STRINGS_LENGTH || stringCount == Short.MAX_VALUE) {
      return 0;
    }
    long to = file + TraceLayout.HEADER + stringBytes;
    Raw.putShort(to, (short) bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      Raw.putByte(to + Short.BYTES + i, bytes[i]);
    }
    stringBytes = next;
    TraceLayout.putReleaseStringBytes(file, next);
    stringCount++;
    strings.put(text, stringCount);
    Reference.reachabilityFence(memory);
    return stringCount;
  }

  /**
   * Records how this rank's clock differs from that of rank 0, the first time and the last time it is known.
   *
   * @param nanos when, by the own clock
   * @param offset what has to be added to the own clock
   * @param roundTrip time of the fastest exchange, of which half may be the error
   */
  synchronized void clock(long nanos, long offset, long roundTrip) {
    int known = Raw.getInt(file + TraceLayout.SAMPLES);
    long sample = file + TraceLayout.CLOCK + Math.min(known, 1) * TraceLayout.SAMPLE;
    Raw.putLong(sample + TraceLayout.SAMPLE_TIME, nanos);
    Raw.putLong(sample + TraceLayout.SAMPLE_OFFSET, offset);
    Raw.putLong(sample + TraceLayout.SAMPLE_ROUND_TRIP, roundTrip);
    TraceLayout.putReleaseSamples(file, Math.min(known + 1, 2));
    Reference.reachabilityFence(memory);
  }

  /** Records that the rank has left in good order. */
  void ended() {
    TraceLayout.putReleaseEnded(file, System.nanoTime());
    Reference.reachabilityFence(memory);
  }
}
