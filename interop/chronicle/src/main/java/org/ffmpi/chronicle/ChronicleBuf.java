// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.chronicle;

import java.lang.foreign.MemorySegment;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.PointerBytesStore;
import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;

/**
 * Buffers of messages in the memory of Chronicle Bytes, used in place without a copy.
 *
 * {@snippet :
 * BytesStore<?, Void> prices = BytesStore.nativeStoreWithFixedCapacity(8 * 1024);
 * world.send(ChronicleBuf.of(prices, 0, 1024, Datatype.DOUBLE), 1, 7);
 *
 * Bytes<Void> bytes = Bytes.allocateDirect(4096);
 * world.recv(ChronicleBuf.writable(bytes), 0, 7, status);
 * bytes.writeSkip(status.bytes());
 *
 * BytesStore<?, Void> shared = ChronicleBuf.view(mpi.shared().allocate(1 << 20));
 * }
 *
 * <p>What can be used is memory that stays in one place: native stores of any kind ({@code BytesStore.nativeStore…},
 * {@code wrap} of NIO buffers, {@link PointerBytesStore}, the store of a {@code MappedBytes} with a single mapping),
 * stores over a {@code byte[]}, and every {@code Bytes} over one of these. Refused are elastic {@code Bytes}, which
 * move when they grow, {@code MappedBytes} mapped chunk by chunk, and {@code Bytes} that keep no memory of their own.
 *
 * <p>Each call that uses such a buffer reserves the store before it starts and releases it when its operation is
 * complete: a wait or test that succeeds, for a nonblocking call. So a program may release the last of its own
 * references while a request is pending; the memory goes with the request. The buffer itself reserves nothing: a call
 * that is made after the store has gone fails with ERR_BUFFER.
 *
 * <p>Read and write positions are read when the buffer is made, and never moved. The memory of a {@code
 * PointerBytesStore} belongs to the giver of its address, and has to outlive the requests; a mapped file must not be
 * truncated.
 */
public final class ChronicleBuf {
  private ChronicleBuf() {}

  /**
   * Returns a buffer over all bytes of a store.
   *
   * @param store a store, or {@code Bytes} of fixed capacity
   * @return its bytes, from its start to its real capacity
   * @throws MpiException ERR_BUFFER when the store is null, has been released, or its memory has no fixed place
   */
  public static Buf<Byte> of(BytesStore<?, ?> store) {
    StoreMemory memory = StoreMemory.of(store);
    return Buf.of(memory, 0, memory.segment().byteSize(), Datatype.BYTE);
  }

  /**
   * Returns a buffer over elements of a type in a store.
   *
   * @param <T> Java type of one element
   * @param store a store, or {@code Bytes} of fixed capacity
   * @param offset where the first element has its origin, in bytes as the store counts them
   * @param count number of elements of {@code type}
   * @param type type of the elements; to be committed before the buffer is used
   * @return the buffer
   * @throws MpiException ERR_BUFFER when the store is null, has been released, its memory has no fixed place, or the
   *     elements are not all inside it; ERR_COUNT when the count is negative; ERR_TYPE when the type is null or freed
   */
  public static <T> Buf<T> of(BytesStore<?, ?> store, long offset, long count, Datatype<T> type) {
    StoreMemory memory = StoreMemory.of(store);
    return Buf.of(memory, memory.fromStart(offset), count, type);
  }

  /**
   * Returns a buffer over what can be read of some {@code Bytes}: from the read position to the read limit.
   *
   * @param bytes bytes of fixed capacity; the positions are not moved
   * @return the readable bytes
   * @throws MpiException ERR_BUFFER when {@code bytes} is null or cannot be used, as {@link #of(BytesStore)}
   */
  public static Buf<Byte> readable(Bytes<?> bytes) {
    StoreMemory memory = StoreMemory.of(bytes);
    return Buf.of(memory, memory.fromStart(bytes.readPosition()), bytes.readRemaining(), Datatype.BYTE);
  }

  /**
   * Returns a buffer over what can be written of some {@code Bytes}: from the write position to the write limit. After
   * a receive, {@code bytes.writeSkip(status.bytes())} makes readable what came.
   *
   * @param bytes bytes of fixed capacity; the positions are not moved
   * @return the writable bytes
   * @throws MpiException ERR_BUFFER when {@code bytes} is null or cannot be used, as {@link #of(BytesStore)}
   */
  public static Buf<Byte> writable(Bytes<?> bytes) {
    StoreMemory memory = StoreMemory.of(bytes);
    long from = memory.fromStart(bytes.writePosition());
    long room = Math.min(bytes.writeRemaining(), memory.segment().byteSize() - from);
    return Buf.of(memory, from, Math.max(0, room), Datatype.BYTE);
  }

  /**
   * Returns a store over a segment's memory, for Chronicle to read and write: above all of {@code mpi.shared()}, out of
   * which peers read without a copy in between. The store keeps the memory alive as long as it can be reached itself,
   * released or not. Buffers over it are as good as {@code Buf}s over the segment.
   *
   * @param segment writable memory of {@code mpi.shared().allocate(…)}, or of a global or automatic arena
   * @return a store of fixed capacity over all of it, with one reference
   * @throws MpiException ERR_BUFFER when the segment is null, read-only, on the Java heap, or of an arena that can be
   *     closed; ERR_OTHER when the JVM was not started with the options that Chronicle Bytes needs
   */
  public static BytesStore<?, Void> view(MemorySegment segment) {
    SegmentStore.check(segment);
    try {
      return new SegmentStore(segment);
    } catch (LinkageError e) {
      throw new MpiException(
          ErrorClass.ERR_OTHER,
          "Chronicle Bytes does not start in this JVM (" + e + "): run ranks by mpirun --chronicle, or with the options"
              + " that the user guide names", e);
    }
  }
}
