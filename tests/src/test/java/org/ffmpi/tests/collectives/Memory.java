// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.datatype.Datatype;

/** Memory of one of the kinds that buffers can lie in. To be closed by the thread that made it. */
final class Memory implements AutoCloseable {
  enum Kind {
    ARRAY, NATIVE, SHARED, CONFINED, DIRECT_BUFFER, HEAP_BUFFER
  }

  final Kind kind;
  private final MemorySegment segment;
  /** Null unless buffers are made of one. */
  private final ByteBuffer buffer;
  private final Arena arena;

  Memory(Mpi mpi, Kind kind, int bytes) {
    this.kind = kind;
    int room = Math.max(8, bytes);
    this.arena = kind == Kind.CONFINED ? Arena.ofConfined() : null;
    this.buffer = switch (kind) {
      case DIRECT_BUFFER -> ByteBuffer.allocateDirect(room);
      case HEAP_BUFFER -> ByteBuffer.allocate(room);
      default -> null;
    };
    MemorySegment whole = switch (kind) {
      case ARRAY -> MemorySegment.ofArray(new long[(room + 7) / 8]);
      case NATIVE -> Arena.ofAuto().allocate(room, 8);
      case SHARED -> mpi.shared().allocate(room, 8);
      case CONFINED -> arena.allocate(room, 8);
      case DIRECT_BUFFER, HEAP_BUFFER -> MemorySegment.ofBuffer(buffer);
    };
    this.segment = whole.asSlice(0, bytes);
  }

  Buf<Object> buf(int offset, long count, Datatype<Object> type) {
    if (buffer != null) {
      return Buf.of(buffer.duplicate().position(offset).order(ByteOrder.nativeOrder()), count, type);
    }
    return Buf.of(segment, offset, count, type);
  }

  void write(byte[] bytes) {
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
  }

  byte[] read() {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  @Override
  public void close() {
    if (arena != null) {
      arena.close();
    }
  }
}
