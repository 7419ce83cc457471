// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The bytes of a file that is written through a mapping of it, so that they stay when the process is killed. Its
 * blocks are allocated ahead, since a store to a mapping without room on the disk ends a process. One thread at a time;
 * waits only for the disk.
 */
final class RecordingFile implements AutoCloseable {
  private static final int FIRST_CHUNK = 1 << 16;
  private static final int CHUNK = 1 << 20;
  private static final ValueLayout.OfInt COUNT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong SHORT =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final FileChannel channel;
  /** The mapped part of the file, from {@link #begin} on; released when it is no longer reachable. */
  private MemorySegment chunk = MemorySegment.NULL;
  private long begin;
  private long position;
  private int hash = RecordingFormat.HASH_BEGIN;
  /** The chunk and the place of the count that still grows; null for none. */
  private MemorySegment countChunk;
  private long countAt;
  private int count;

  RecordingFile(Path path) throws IOException {
    channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /**
   * Appends a short record and its check by one store, if that is possible without a look at the rest of the file.
   *
   * @param bytes the record, its first byte in the lowest bits
   * @param n how many bytes it has, at most 6
   * @return false when {@link #append} has to do it
   */
  boolean appendShort(long bytes, int n) {
    long at = position - begin;
    if (countChunk != null || at + Long.BYTES >= chunk.byteSize()) {
      return false;
    }
    int h = hash;
    for (int i = 0; i < n; i++) {
      h = RecordingFormat.hash(h, (int) (bytes >>> 8 * i));
    }
    int check = RecordingFormat.check(h) & 0xFF;
    chunk.set(SHORT, at, bytes | (long) check << 8 * n);
    hash = RecordingFormat.hash(h, check);
    position += n + 1;
    return true;
  }

  /** Appends a record and its check. */
  void append(RecordBytes record) throws IOException {
    closeCount();
    int n = record.length();
    reserve(n + 1 + Integer.BYTES + Long.BYTES);
    byte[] bytes = record.array();
    MemorySegment to = chunk;
    long at = position - begin;
    int h = RecordingFormat.hash(hash, bytes[0]);
    for (int i = 1; i < n; i++) {
      h = RecordingFormat.hash(h, bytes[i]);
      to.set(ValueLayout.JAVA_BYTE, at + i, bytes[i]);
    }
    byte check = RecordingFormat.check(h);
    to.set(ValueLayout.JAVA_BYTE, at + n, check);
    VarHandle.releaseFence(); // a record without its first byte does not count
    to.set(ValueLayout.JAVA_BYTE, at, bytes[0]);
    hash = RecordingFormat.hash(h, check);
    position += n + 1;
  }

  /** Begins a count behind the last record, which has reserved its bytes. */
  void beginCount(int first) {
    countChunk = chunk;
    countAt = position - begin;
    position += Integer.BYTES;
    count = first;
    countChunk.set(COUNT, countAt, count);
  }

  /** Adds one to the count; returns false when it is full. */
  boolean count() {
    if (count == Integer.MAX_VALUE) {
      return false;
    }
    countChunk.set(COUNT, countAt, ++count);
    return true;
  }

  private void closeCount() {
    if (countChunk != null) {
      for (int i = 0; i < Integer.BYTES; i++) {
        hash = RecordingFormat.hash(hash, count >>> 8 * i);
      }
      countChunk = null;
    }
  }

  /** Maps the next part of the file where the present one has no room for so many bytes. */
  private void reserve(int bytes) throws IOException {
    if (position - begin + bytes <= chunk.byteSize()) {
      return;
    }
    int size = Math.max(bytes, position < CHUNK ? FIRST_CHUNK : CHUNK);
    ByteBuffer zeros = ByteBuffer.allocate(size);
    for (long at = position; zeros.hasRemaining(); ) {
      at += channel.write(zeros, at);
    }
    chunk = channel.map(MapMode.READ_WRITE, position, size, Arena.ofAuto());
    begin = position;
  }

  /** Cuts off what has not been used. */
  void cut() throws IOException {
    channel.truncate(position);
  }

  /** Closes the file, with zeros at its end unless they have been cut off. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
