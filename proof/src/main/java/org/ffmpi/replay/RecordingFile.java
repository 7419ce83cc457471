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
import org.ffmpi.base.raw.Raw;

/**
 * The bytes of a file that is written through a mapping of it, so that they stay when the process is killed. Its
 * blocks are allocated ahead, since a store to a mapping without room on the disk ends a process. It is open only while
 * it grows: a program may have any number of windows, each with such a file. One thread at a time; waits only for the
 * disk.
 */
final class RecordingFile {
  private static final int FIRST_CHUNK = 1 << 12;
  private static final int SECOND_CHUNK = 1 << 16;
  private static final int CHUNK = 1 << 20;
  private static final ValueLayout.OfInt COUNT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path path;
  /** The mapped part of the file, from {@link #begin} on; released when it is no longer reachable. */
  private MemorySegment chunk = MemorySegment.NULL;
  private long begin;
  /** Address of the position in the chunk, and of the first byte behind the chunk. */
  private long address;
  private long limit;
  private long hash = RecordingFormat.HASH_BEGIN;
  /** The chunk and the place of the count that still grows; null for none. */
  private MemorySegment countChunk;
  private long countAt;
  private int count;

  RecordingFile(Path path) throws IOException {
    this.path = path;
    FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)
        .close();
  }

  /**
   * Appends a short record and its check by one store, if that is possible without a look at the rest of the file.
   *
   * @param bytes the record, its first byte in the lowest bits
   * @param n how many bytes it has, at most 6
   * @return false when {@link #append} has to do it
   */
  boolean appendShort(long bytes, int n) {
    long at = address;
    if (at + Long.BYTES > limit) {
      return false;
    }
    long h = RecordingFormat.hash(hash, bytes, n);
    Raw.putLong(at, bytes | (RecordingFormat.check(h) & 0xFFL) << Byte.SIZE * n);
    hash = h;
    address = at + n + 1;
    return true;
  }

  /** Appends a record and its check. */
  void append(RecordBytes record) throws IOException {
    closeCount();
    int n = record.length();
    reserve(n + 1 + Integer.BYTES + Long.BYTES);
    byte[] bytes = record.array();
    MemorySegment to = chunk;
    long at = position() - begin;
    long h = RecordingFormat.hash(hash, bytes, 0, n);
    MemorySegment.copy(bytes, 1, to, ValueLayout.JAVA_BYTE, at + 1, n - 1);
    to.set(ValueLayout.JAVA_BYTE, at + n, RecordingFormat.check(h));
    VarHandle.releaseFence(); // a record without its first byte does not count
    to.set(ValueLayout.JAVA_BYTE, at, bytes[0]);
    hash = h;
    address += n + 1;
  }

  private long position() {
    return begin + address - Raw.address(chunk);
  }

  /** Begins a count behind the last record, which has reserved its bytes. */
  void beginCount(int first) {
    countChunk = chunk;
    countAt = position() - begin;
    count = first;
    countChunk.set(COUNT, countAt, count);
    address += Integer.BYTES;
    limit = 0; // until the count is closed no record is short
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
      hash = RecordingFormat.hash(hash, count, Integer.BYTES);
      countChunk = null;
      limit = Raw.address(chunk) + chunk.byteSize();
    }
  }

  /** Maps the next part of the file where the present one has no room for so many bytes. */
  private void reserve(int bytes) throws IOException {
    long position = position();
    if (position - begin + bytes <= chunk.byteSize()) {
      return;
    }
    int size = Math.max(bytes, position == 0 ? FIRST_CHUNK : position < CHUNK ? SECOND_CHUNK : CHUNK);
    ByteBuffer zeros = ByteBuffer.allocate(size);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      for (long at = position; zeros.hasRemaining(); ) {
        at += channel.write(zeros, at);
      }
      chunk = channel.map(MapMode.READ_WRITE, position, size, Arena.ofAuto());
    }
    begin = position;
    address = Raw.address(chunk);
    limit = address + chunk.byteSize();
  }

  /** Cuts off what has not been used; otherwise zeros stay at the end. */
  void cut() throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.truncate(position());
    }
  }
}
