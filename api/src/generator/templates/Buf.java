// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.List;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.buffer.ArrayPlans;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.JavaForms;
import org.ffmpi.buffer.ObjectElements;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.CountedMemory;

/**
 * A buffer argument: some elements of a datatype in memory that the program owns, which C passes as {@code buf},
 * {@code count} and {@code datatype} (MPI-4.1 §3.2.2). The one form in which memory of any kind enters a call.
 *
 * {@snippet :
 * double[] row = new double[1024];
 * world.send(Buf.of(row), 1, 7);                              // the whole array
 * world.send(Buf.of(row, 100, 24), 1, 7);                     // 24 elements from element 100
 * world.send(Buf.of(segment, 1024, Datatype.DOUBLE), 1, 7);   // off-heap memory
 * Buf<Double> kept = Buf.of(segment, 24, Datatype.DOUBLE).at(8 * 100);
 * Buf<Double> column = Buf.of(matrix, 1, Datatype.vector(100, 1, 100, Datatype.DOUBLE).commit()).at(8 * 3);
 * for (int i = 0; i < steps; i++) {
 *   world.send(kept, 1, 7);                                   // a kept buffer allocates nothing
 * }
 * }
 *
 * <p>Memory may be a Java array of any primitive type, a {@link MemorySegment} on or off the heap, or an NIO buffer, of
 * which the elements from position to limit are taken; the position is not moved. Counts are in elements of the type,
 * offsets in bytes. A buffer describes memory and copies nothing: a send transfers the contents of the memory at the
 * time of the call, and for nonblocking calls the memory must not be written (receives: touched) until the request is
 * complete.
 *
 * <p>That all elements lie inside the memory is checked here, once, over the type's whole true extent; that the memory
 * may be touched (its arena is open, its thread is the caller's, a receive buffer is writable) and that the type is
 * committed and not freed is checked by each call that uses the buffer. Immutable; any thread may use it as far as the
 * memory allows.
 *
 * <p>This file is long because each kind of memory has its factory methods here.
 *
 * @param <T> what one element is in Java, see {@link Datatype}
 */
public sealed interface Buf<T> permits BufImpl {
  /**
   * Returns a buffer over a whole segment.
   *
   * {@snippet :
   * import static org.ffmpi.datatype.Datatype.INT;
   * world.allreduce(Buf.of(segment, INT), Buf.of(new int[n]), Op.SUM);   // types of one form mix
   * }
   *
   * @param <T> what one element is in Java
   * @param segment memory on or off the heap, from any arena, of a multiple of the type's extent
   * @param type type of the elements; to be committed before the buffer is used
   * @return the buffer, of {@code segment.byteSize() / type.extent()} elements
   * @throws MpiException ERR_BUFFER when the segment is null, its arena is closed, or its size is no multiple of the
   *     extent; ERR_TYPE when the type is null or freed
   */
  static <T> Buf<T> of(MemorySegment segment, Datatype<T> type) {
    return BufImpl.ofSegment(segment, type);
  }

  /**
   * Returns a buffer over elements in a segment, beginning at its first byte.
   *
   * @param <T> what one element is in Java
   * @param segment memory on or off the heap, from any arena; alignment does not matter
   * @param count number of elements of {@code type}
   * @param type type of the elements; to be committed before the buffer is used
   * @return the buffer
   * @throws MpiException ERR_BUFFER when the segment is null or too small for {@code count} elements or its arena is
   *     closed, ERR_COUNT when the count is negative, ERR_TYPE when the type is null or freed
   */
  static <T> Buf<T> of(MemorySegment segment, long count, Datatype<T> type) {
    return BufImpl.ofSegment(segment, 0, count, type);
  }

  /**
   * Returns a buffer over elements in a segment, of which the first has its origin at some byte: for types that reach
   * below their origin, too.
   *
   * @param <T> what one element is in Java
   * @param segment memory on or off the heap, from any arena; alignment does not matter
   * @param byteOffset where the displacements of the first element count from, in bytes from the segment's first
   * @param count number of elements of {@code type}
   * @param type type of the elements; to be committed before the buffer is used
   * @return the buffer
   * @throws MpiException ERR_BUFFER when the segment is null, the elements are not all inside it or its arena is
   *     closed; ERR_COUNT when the count is negative; ERR_TYPE when the type is null or freed
   */
  static <T> Buf<T> of(MemorySegment segment, long byteOffset, long count, Datatype<T> type) {
    return BufImpl.ofSegment(segment, byteOffset, count, type);
  }

  /**
   * Returns a buffer over elements in memory whose users are counted: each call that uses the buffer counts as one,
   * until its operation is complete. For libraries that have buffers of their own.
   *
   * @param <T> what one element is in Java
   * @param memory the memory; the buffer refers to it, but does not count as a user
   * @param byteOffset where the displacements of the first element count from, in bytes from the memory's first
   * @param count number of elements of {@code type}
   * @param type type of the elements; to be committed before the buffer is used
   * @return the buffer
   * @throws MpiException ERR_BUFFER when the memory is null, cannot be used, is of a kind that could go away in spite
   *     of its users, or does not hold all elements; ERR_COUNT when the count is negative; ERR_TYPE when the type is
   *     null or freed
   */
  static <T> Buf<T> of(CountedMemory memory, long byteOffset, long count, Datatype<T> type) {
    return BufImpl.ofCounted(memory, byteOffset, count, type);
  }

  /**
   * Returns a buffer over elements of a type in an NIO buffer, from its position to its limit, which are not moved.
   *
   * @param <T> what one element is in Java
   * @param buffer a heap or direct buffer
   * @param count number of elements of {@code type}
   * @param type type of the elements; to be committed before the buffer is used
   * @return the buffer
   * @throws MpiException ERR_BUFFER when the buffer is null, too small for {@code count} elements, or not in the
   *     machine's byte order while elements are wider than a byte; ERR_COUNT when the count is negative; ERR_TYPE when
   *     the type is null
   */
  static <T> Buf<T> of(ByteBuffer buffer, long count, Datatype<T> type) {
    return BufImpl.ofNio(buffer, count, type);
  }

  /**
   * Returns a buffer whose type determines the places of the elements: its displacements are absolute addresses, as
   * {@link Address#of} returns them ({@code MPI_BOTTOM}, MPI-4.1 §5.1.12). Elements may lie in several pieces of
   * memory.
   *
   * <p>Each byte of data is checked to lie in one of the storages. That is done once, here, and takes a time that grows
   * with the number of blocks in the type; keep the buffer where it is used again. The buffer keeps the storages alive.
   *
   * @param <T> what one element is in Java
   * @param storages all memory that elements lie in: off-heap segments of global or automatic arenas or of the shared
   *     heap. Arrays have no address, and confined or closeable memory could go away behind an address
   * @param count number of elements of {@code type}, in C mostly 1
   * @param type a committed type
   * @return the buffer
   * @throws MpiException ERR_BUFFER when a storage is of another kind or data lie in none of them, ERR_COUNT when the
   *     count is negative, ERR_TYPE when the type is null, not committed or freed
   */
  @Standard({"MPI_BOTTOM"})
  static <T> Buf<T> bottom(List<MemorySegment> storages, long count, Datatype<T> type) {
    return BufImpl.bottom(storages, count, type);
  }

  /**
   * Returns the marker for a buffer that another argument stands in for ({@code MPI_IN_PLACE}, MPI-4.1 §6.2). Only
   * collective operations accept it, and only where their description allows it.
   *
   * @param <T> any type
   * @return the one in-place marker
   */
  @SuppressWarnings("unchecked") // the marker has no elements
  static <T> Buf<T> inPlace() {
    return (Buf<T>) BufImpl.IN_PLACE;
  }

  /**
   * Returns the marker for memory that the library takes for each message when it is needed
   * ({@code MPI_BUFFER_AUTOMATIC}, MPI-4.1 §3.6). Only {@link Mpi#bufferAttach} and {@link Comm#attachBuffer} take it.
   *
   * @return the one marker of automatic buffering, of no elements
   */
  @Standard({"MPI_BUFFER_AUTOMATIC"})
  static Buf<?> automatic() {
    return BufImpl.AUTOMATIC;
  }

  /**
   * Returns a buffer over the bytes of an NIO buffer, from its position to its limit, which are not moved. The buffer's
   * byte order does not matter.
   *
   * @param buffer a heap or direct buffer
   * @return the buffer, of {@code buffer.remaining()} elements of INT8_T
   * @throws MpiException ERR_BUFFER when the buffer is null
   */
  static Buf<Byte> of(ByteBuffer buffer) {
    return BufImpl.ofNio(buffer, Datatype.INT8_T);
  }
  //for-each

  /**
   * Returns a buffer over a whole array.
   *
   * @param array the array
   * @return the buffer, of {@code array.length} elements of @type@
   * @throws MpiException ERR_BUFFER when the array is null
   */
  static Buf<@box@> of(@array@[] array) {
    if (array == null) {
      throw BufImpl.noArray();
    }
    return BufImpl.ofWhole(Memory.@kind@, array, array.length, Datatype.@type@, ArrayPlans.@kind@);
  }

  /**
   * Returns a buffer over some consecutive elements of an array.
   *
   * @param array the array
   * @param from index of the first element
   * @param count number of elements
   * @return the buffer, of {@code count} elements of @type@
   * @throws MpiException ERR_BUFFER when the array is null or the elements are not all inside it,
   *     ERR_COUNT when the count is negative
   */
  static Buf<@box@> of(@array@[] array, int from, int count) {
    if (array == null) {
      throw BufImpl.noArray();
    }
    return BufImpl.ofSlice(
        Memory.@kind@, array, array.length, from, count, Datatype.@type@, ArrayPlans.@kind@);
  }

  /**
   * Returns a buffer over a whole array, as elements of another type than its own.
   *
   * @param <T> what one element is in Java
   * @param array the array, of a multiple of the type's extent
   * @param type type of the elements, of a kind and width that fits the array
   * @return the buffer, of as many elements of {@code type} as the array has room for
   * @throws MpiException ERR_BUFFER when the array is null or its bytes are no multiple of the extent, ERR_TYPE when
   *     such elements do not lie in arrays of this kind
   */
  static <T> Buf<T> of(@array@[] array, Datatype<T> type) {
    if (array == null) {
      throw BufImpl.noArray();
    }
    return BufImpl.ofArray(Memory.@kind@, array, array.length, type);
  }

  /**
   * Returns a buffer over elements of a type that lie in an array, beginning at its first byte.
   *
   * @param <T> what one element is in Java
   * @param array the array
   * @param count number of elements of {@code type}
   * @param type type of the elements, of a kind and width that fits the array
   * @return the buffer
   * @throws MpiException ERR_BUFFER when the array is null or too small, ERR_COUNT when the count is
   *     negative, ERR_TYPE when such elements do not lie in arrays of this kind
   */
  static <T> Buf<T> of(@array@[] array, long count, Datatype<T> type) {
    return of(array, 0, count, type);
  }

  /**
   * Returns a buffer over elements of a type that lie in an array, of which the first has its origin at some byte: for
   * types that reach below their origin, too.
   *
   * @param <T> what one element is in Java
   * @param array the array
   * @param byteOffset where the displacements of the first element count from, in bytes from the array's first
   * @param count number of elements of {@code type}
   * @param type type of the elements, of a kind and width that fits the array
   * @return the buffer
   * @throws MpiException ERR_BUFFER when the array is null or the elements are not all inside it,
   *     ERR_COUNT when the count is negative, ERR_TYPE when such elements do not lie in arrays of this kind
   */
  static <T> Buf<T> of(@array@[] array, long byteOffset, long count, Datatype<T> type) {
    if (array == null) {
      throw BufImpl.noArray();
    }
    return BufImpl.ofArray(Memory.@kind@, array, array.length, byteOffset, count, type);
  }
  //end
  //for-each nio

  /**
   * Returns a buffer over the elements of an NIO buffer, from its position to its limit, which are not moved.
   *
   * @param buffer a heap or direct buffer in the machine's byte order
   * @return the buffer, of {@code buffer.remaining()} elements of @type@
   * @throws MpiException ERR_BUFFER when the buffer is null or of the other byte order
   */
  static Buf<@box@> of(@nio@ buffer) {
    if (buffer != null) {
      BufImpl.checkOrder(buffer.order());
    }
    return BufImpl.ofNio(buffer, Datatype.@type@);
  }

  /**
   * Makes a buffer of elements of any type in an NIO buffer.
   *
   * @param <T> what one element is in Java
   * @param buffer the elements begin at its position and end before its limit
   * @param count number of elements
   * @param type their type
   * @return the buffer
   * @throws MpiException ERR_BUFFER when the buffer is null, in another byte order than the machine's, or too short;
   *     ERR_COUNT when the count is negative, ERR_TYPE when the type is null or freed
   */
  static <T> Buf<T> of(@nio@ buffer, long count, Datatype<T> type) {
    if (buffer != null) {
      BufImpl.checkOrder(buffer.order());
    }
    return BufImpl.ofNio(buffer, count, type);
  }
  //end

  // ---- any memory

  /**
   * Makes a buffer of elements in memory of any kind: for libraries that get memory, count and type as C has them.
   *
   * @param <T> what one element is in Java
   * @param memory an array of primitives, a memory segment, or an NIO buffer, of which the elements from position to
   *     limit are meant, whatever its byte order
   * @param byteOffset where the first element begins, in bytes from the beginning of the memory
   * @param count number of elements
   * @param type their type, one whose elements lie in such an array
   * @return the buffer
   * @throws MpiException ERR_BUFFER when the memory is null or of another kind or the elements do not lie in it,
   *     ERR_COUNT when the count is negative, ERR_TYPE when the type is null, freed or not one for the array
   */
  static <T> Buf<T> in(Object memory, long byteOffset, long count, Datatype<T> type) {
    return BufImpl.in(memory, byteOffset, count, type, false);
  }

  /**
   * Makes a buffer whose count is that of one block, as C counts. A call that has a block for each rank, or for each
   * neighbour, at this argument takes as many blocks as there are, one after the other: gather, scatter, allgather,
   * alltoall, reduce-scatter with equal parts and their neighbourhood forms. A call with arrays of counts takes those,
   * as far as the memory reaches. All other calls take one block.
   *
   * {@snippet :
   * world.gather(Buf.of(mine), Buf.perRank(all, 0, mine.length, Datatype.INT32_T), root);   // recvcount, not the sum
   * }
   *
   * @param <T> what one element is in Java
   * @param memory as of {@link #in}
   * @param byteOffset where the first block begins, in bytes from the beginning of the memory
   * @param count number of elements of one block
   * @param type type of the elements
   * @return the buffer
   * @throws MpiException as {@link #in}; that there is memory for all blocks is found out by the call that needs them
   */
  static <T> Buf<T> perRank(Object memory, long byteOffset, long count, Datatype<T> type) {
    return BufImpl.in(memory, byteOffset, count, type, true);
  }

  // ---- elements that are objects

  /**
   * Returns a buffer over an array of records or of boxes, whose class determines the type.
   *
   * {@snippet :
   * record Particle(int kind, double x, double y) {}
   * Particle[] particles = new Particle[100];
   * world.recv(Buf.of(particles), 0, 7, status);          // replaces those that have come
   * world.allreduce(Buf.of(new Double[] {1.0}), Op.SUM);
   * }
   *
   * <p>Elements are objects: a send reads them when the operation starts, and received values replace elements when it
   * is complete, at the wait or successful test. In between they must not be touched, as any other memory. Fields lie
   * in native memory of the buffer's own meanwhile, as C structs; so any other buffer of the same type can be at the
   * other side. Keep the buffer where it is used again. A receive replaces the elements that have arrived and no
   * others. An operation that fails replaces none. Received records are new objects; their constructors run.
   *
   * @param <T> class of the elements
   * @param elements the array; elements that are sent must not be null
   * @return the buffer, of {@code elements.length} elements
   * @throws MpiException ERR_BUFFER when the array is null or its elements are neither records nor boxes, with what to
   *     write instead; ERR_TYPE as {@link Datatype#ofRecord}
   */
  static <T> Buf<T> of(T[] elements) {
    return of(elements, JavaForms.typeOf(elements));
  }

  /**
   * Returns a buffer over some consecutive elements of an array of records or of boxes, see {@link #of(Object[])}.
   *
   * @param <T> class of the elements
   * @param elements the array
   * @param from index of the first element
   * @param count number of elements
   * @return the buffer
   * @throws MpiException as {@link #of(Object[])}; ERR_BUFFER when the elements are not all inside the array, ERR_COUNT
   *     when the count is negative
   */
  static <T> Buf<T> of(T[] elements, int from, int count) {
    return of(elements, from, count, JavaForms.typeOf(elements));
  }

  /**
   * Returns a buffer over an array of objects, see {@link #of(Object[])}.
   *
   * @param <T> class of the elements
   * @param elements the array
   * @param type type of the elements: of a record, or of one primitive value for boxes; to be committed before the
   *     buffer is used
   * @return the buffer, of {@code elements.length} elements
   * @throws MpiException ERR_BUFFER when the array is null, ERR_TYPE when the type is null, freed or of another kind
   */
  static <T> Buf<T> of(T[] elements, Datatype<T> type) {
    return of(elements, 0, elements == null ? 0 : elements.length, type);
  }

  /**
   * Returns a buffer over some consecutive elements of an array of objects, see {@link #of(Object[])}.
   *
   * @param <T> class of the elements
   * @param elements the array
   * @param from index of the first element
   * @param count number of elements
   * @param type as {@link #of(Object[], Datatype)}
   * @return the buffer
   * @throws MpiException ERR_BUFFER when the array is null or the elements are not all inside it, ERR_COUNT when the
   *     count is negative, ERR_TYPE when the type is null, freed or of another kind
   */
  static <T> Buf<T> of(T[] elements, int from, int count, Datatype<T> type) {
    if (elements == null) {
      throw BufImpl.noArray();
    }
    return ObjectElements.buf(elements, from, count, type);
  }

  /**
   * Returns a buffer over the elements of a list, see {@link #of(Object[])}. The list keeps its size: a receive
   * replaces elements by {@link List#set}, so one to be received into has to have as many before, possibly null.
   *
   * @param <T> class of the elements
   * @param elements the list; lists that cannot be set, as those of {@link List#of}, can be sent only
   * @param form class of the elements: a record, or the box of a primitive type
   * @return the buffer, of {@code elements.size()} elements
   * @throws MpiException ERR_BUFFER when the list is null, ERR_TYPE when the class is null or another
   */
  static <T> Buf<T> of(List<T> elements, Class<T> form) {
    return of(elements, JavaForms.typeOf(form));
  }

  /**
   * Returns a buffer over the elements of a list, see {@link #of(List, Class)}.
   *
   * @param <T> class of the elements
   * @param elements the list
   * @param type as {@link #of(Object[], Datatype)}
   * @return the buffer, of {@code elements.size()} elements
   * @throws MpiException ERR_BUFFER when the list is null, ERR_TYPE when the type is null, freed or of another kind
   */
  static <T> Buf<T> of(List<T> elements, Datatype<T> type) {
    return of(elements, 0, elements == null ? 0 : elements.size(), type);
  }

  /**
   * Returns a buffer over some consecutive elements of a list, see {@link #of(List, Class)}.
   *
   * @param <T> class of the elements
   * @param elements the list
   * @param from index of the first element
   * @param count number of elements
   * @param type as {@link #of(Object[], Datatype)}
   * @return the buffer
   * @throws MpiException ERR_BUFFER when the list is null or has not these elements, ERR_COUNT when the count is
   *     negative, ERR_TYPE when the type is null, freed or of another kind
   */
  static <T> Buf<T> of(List<T> elements, int from, int count, Datatype<T> type) {
    return ObjectElements.buf(elements, from, count, type);
  }

  /**
   * Returns a buffer over an array of records, the same as {@link #of(Object[], Datatype)}.
   *
   * @param <T> class of the elements
   * @param elements the array
   * @param type type of the elements, as of {@link Datatype#ofRecord}
   * @return the buffer, of {@code elements.length} elements
   * @throws MpiException as {@link #of(Object[], Datatype)}
   */
  static <T> Buf<T> ofRecords(T[] elements, Datatype<T> type) {
    return of(elements, type);
  }

  /**
   * Returns a buffer over a list of records, the same as {@link #of(List, Datatype)}.
   *
   * @param <T> class of the elements
   * @param elements the list
   * @param type type of the elements, as of {@link Datatype#ofRecord}
   * @return the buffer, of {@code elements.size()} elements
   * @throws MpiException as {@link #of(List, Datatype)}
   */
  static <T> Buf<T> ofRecords(List<T> elements, Datatype<T> type) {
    return of(elements, type);
  }

  /**
   * Throws: a list does not know the type of its elements.
   *
   * @param <T> class of the elements
   * @param elements a list
   * @return nothing
   * @throws MpiException ERR_BUFFER, always
   * @deprecated Name the type: {@link #of(List, Class)} or {@link #of(List, Datatype)}.
   */
  @Deprecated
  static <T> Buf<T> of(List<T> elements) {
    throw JavaForms.untypedList();
  }

  /**
   * Throws: text is no memory.
   *
   * @param text any text
   * @return nothing
   * @throws MpiException ERR_BUFFER, always
   * @deprecated Send bytes: {@code Buf.of(text.getBytes(StandardCharsets.UTF_8))}.
   */
  @Deprecated
  static Buf<Byte> of(CharSequence text) {
    throw JavaForms.text();
  }

  /**
   * Returns the same elements further on in the same memory.
   *
   * @param byteOffset bytes to move by, possibly negative
   * @return a buffer of the same count and type
   * @throws MpiException ERR_BUFFER when its elements would leave the array or segment, or for the in-place marker
   */
  Buf<T> at(long byteOffset);

  /**
   * Returns how many elements the buffer has.
   *
   * @return number of elements of {@link #type}; 0 for the in-place marker
   */
  long count();

  /**
   * Returns the type of the elements.
   *
   * @return the datatype
   * @throws MpiException ERR_BUFFER for the in-place marker
   */
  Datatype<T> type();

  /**
   * Returns whether this is the in-place marker.
   *
   * @return true for what {@link #inPlace} returns
   */
  boolean isInPlace();

  /**
   * Returns whether this is the marker of automatic buffering.
   *
   * @return true for what {@link #automatic} returns
   */
  boolean isAutomatic();

  /**
   * Returns whether the memory cannot be received into.
   *
   * @return true for read-only segments and NIO buffers
   */
  boolean isReadOnly();
}
