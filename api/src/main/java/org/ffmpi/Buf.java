// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.plan.Plan;
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
 * offsets in bytes. A buffer describes memory and copies nothing: what is sent is what the memory holds at the time of
 * the call, and for nonblocking calls the memory must not be written (receives: touched) until the request is complete.
 *
 * <p>That all elements lie inside the memory is checked here, once, over the type's whole true extent; that the memory
 * may be touched (its arena is open, its thread is the caller's, a receive buffer is writable) and that the type is
 * committed and not freed is checked by each call that uses the buffer. Immutable; any thread may use it as far as the
 * memory allows.
 *
 * @param <T> what one element is in Java, see {@link Datatype}
 */
public final class Buf<T> extends ArrayBufs {
  private static final Buf<Object> IN_PLACE = new Buf<>();
  private static final Buf<Object> AUTOMATIC = new Buf<>();

  private final int kind;
  private final Object owner;
  private final long offset;
  private final long count;
  private final Datatype<T> type;
  private final Plan plan;
  private final long packedBytes;
  /** No check is left to a call: a type that cannot be freed, writable memory that any thread may touch at any time. */
  private final boolean simple;
  private final boolean readOnly;
  /** Held by each call that uses the buffer; null for ordinary memory. */
  private final CountedMemory counted;
  /** First byte of the memory that belongs to this buffer's array or segment, counted as {@link #offset} is. */
  private final long start;
  private final long end;

  private Buf() {
    this.kind = Memory.BYTES;
    this.owner = null;
    this.offset = 0;
    this.count = 0;
    this.type = null;
    this.plan = null;
    this.packedBytes = 0;
    this.simple = false;
    this.readOnly = false;
    this.counted = null;
    this.start = 0;
    this.end = 0;
  }

  private Buf(
      int kind, Object owner, long start, long end, long offset, long count, Datatype<T> type, boolean readOnly) {
    this(kind, owner, start, end, offset, count, type, readOnly, null);
  }

  private Buf(
      int kind, Object owner, long start, long end, long offset, long count, Datatype<T> type, boolean readOnly,
      CountedMemory counted) {
    checkType(type);
    if (count < 0) {
      throw MpiException.argument(ErrorClass.ERR_COUNT, "count", count, "0 or more elements");
    }
    Memory.checkBounds("buffer", end - start, offset - start, count, type.extent(), type.trueLowerBound(),
        type.trueExtent());
    this.packedBytes = count * type.size();
    if (Math.multiplyHigh(count, type.size()) != 0 || packedBytes < 0) {
      throw MpiException.argument(
          ErrorClass.ERR_COUNT, "count", count, "as many as have " + Long.MAX_VALUE + " bytes of data");
    }
    this.kind = kind;
    this.owner = owner;
    this.offset = offset;
    this.count = count;
    this.type = type;
    this.plan = type.isCommitted() ? type.plan() : null;
    this.simple = type.isPredefined() && kind != Memory.CONFINED && kind != Memory.SESSION && !readOnly
        && counted == null;
    this.readOnly = readOnly;
    this.counted = counted;
    this.start = start;
    this.end = end;
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
  public static <T> Buf<T> of(MemorySegment segment, long count, Datatype<T> type) {
    return of(segment, 0, count, type);
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
  public static <T> Buf<T> of(MemorySegment segment, long byteOffset, long count, Datatype<T> type) {
    if (segment == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "segment", null, "a memory segment");
    }
    if (!Memory.isAlive(segment)) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "segment", segment, "segments whose arena is open");
    }
    return inSegment(segment, byteOffset, count, type, null);
  }

  private static <T> Buf<T> inSegment(
      MemorySegment segment, long byteOffset, long count, Datatype<T> type, CountedMemory counted) {
    long start = Memory.offsetOf(segment);
    long end = start + segment.byteSize();
    long offset = move(start, byteOffset, start, end);
    return new Buf<>(
        Memory.kindOf(segment), Memory.ownerOf(segment), start, end, offset, count, type, segment.isReadOnly(),
        counted);
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
  public static <T> Buf<T> of(CountedMemory memory, long byteOffset, long count, Datatype<T> type) {
    if (memory == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "memory", null, "memory whose users are counted");
    }
    String missing = memory.missing();
    if (missing != null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "memory", memory, missing);
    }
    MemorySegment segment = memory.segment();
    int kind = Memory.kindOf(segment);
    if (kind == Memory.CONFINED || kind == Memory.SESSION && segment.isNative()) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "segment of memory", segment, "arrays, and native segments that no arena can close");
    }
    return inSegment(segment, byteOffset, count, type, memory);
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
  public static <T> Buf<T> of(ByteBuffer buffer, long count, Datatype<T> type) {
    if (buffer != null && type != null && type.tree().bounds().alignment() > 1) {
      checkOrder(buffer.order());
    }
    return of(segmentOf(buffer), count, type);
  }

  /**
   * Returns a buffer whose type says by itself where the elements lie: its displacements are absolute addresses, as
   * {@link Address#of} tells them ({@code MPI_BOTTOM}, MPI-4.1 §5.1.12). Elements may lie in several pieces of memory.
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
  public static <T> Buf<T> bottom(List<MemorySegment> storages, long count, Datatype<T> type) {
    return inStorages(Storages.of(storages), Address.BOTTOM, count, type);
  }

  private static <T> Buf<T> inStorages(Storages storages, long offset, long count, Datatype<T> type) {
    checkType(type);
    Plan plan = type.plan();
    new Buf<>(Memory.NATIVE, storages, 0, Long.MAX_VALUE, offset, count, type, false); // no overflow from here on
    boolean readOnly = storages.check(plan, offset, count);
    return new Buf<>(Memory.NATIVE, storages, 0, Long.MAX_VALUE, offset, count, type, readOnly);
  }

  private static void checkType(Datatype<?> type) {
    if (type == null) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", null, "a datatype");
    }
    if (type.isClosed()) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", type, "types that have not been freed");
    }
  }

  /**
   * Returns the marker for a buffer that another argument stands in for ({@code MPI_IN_PLACE}, MPI-4.1 §6.2). Only
   * collective operations take it, and only where their description says so.
   *
   * @param <T> any type
   * @return the one in-place marker
   */
  @SuppressWarnings("unchecked") // the marker has no elements
  public static <T> Buf<T> inPlace() {
    return (Buf<T>) IN_PLACE;
  }

  /**
   * Returns the marker for memory that the library takes for each message when it is needed
   * ({@code MPI_BUFFER_AUTOMATIC}, MPI-4.1 §3.6). Only {@link Mpi#bufferAttach} and {@link Comm#attachBuffer} take it.
   *
   * @return the one marker of automatic buffering, of no elements
   */
  @Standard({"MPI_BUFFER_AUTOMATIC"})
  public static Buf<?> automatic() {
    return AUTOMATIC;
  }

  /** Makes a buffer of elements of any type that fits the array. */
  static <T> Buf<T> ofArray(int kind, Object array, long length, long byteOffset, long count, Datatype<T> type) {
    if (type != null && !type.acceptsArray(array.getClass())) {
      throw MpiException.argument(
          ErrorClass.ERR_TYPE, "type", type, "types whose elements lie in " + array.getClass().getSimpleName());
    }
    long end = length * Memory.elementSize(kind);
    return new Buf<>(kind, array, 0, end, move(0, byteOffset, 0, end), count, type, false);
  }

  /** Makes a buffer of some elements of an array. */
  static <T> Buf<T> ofSlice(int kind, Object array, long length, int from, int count, Datatype<T> type) {
    if (count < 0) {
      throw MpiException.argument(ErrorClass.ERR_COUNT, "count", count, "0 or more elements");
    }
    if (from < 0 || from > length - count) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "from", from,
          "0.." + (length - count) + " for " + count + " of " + length + " elements");
    }
    long width = Memory.elementSize(kind);
    return new Buf<>(kind, array, 0, length * width, from * width, count, type, false);
  }

  /** Turns an NIO buffer's elements from position to limit into a segment. */
  static MemorySegment segmentOf(java.nio.Buffer buffer) {
    if (buffer == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "buffer", null, "an NIO buffer");
    }
    try {
      return MemorySegment.ofBuffer(buffer);
    } catch (IllegalArgumentException e) { // characters of a string, which no array holds
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "buffer", buffer.getClass().getName(), "heap and direct buffers");
    }
  }

  /** Refuses elements whose bytes the machine would read the wrong way round. */
  static void checkOrder(ByteOrder order) {
    if (order != ByteOrder.nativeOrder()) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "byte order of buffer", order, "the machine's own, " + ByteOrder.nativeOrder());
    }
  }

  static MpiException noArray() {
    return MpiException.argument(ErrorClass.ERR_BUFFER, "array", null, "an array");
  }

  /**
   * Returns the same elements further on in the same memory.
   *
   * @param byteOffset bytes to move by, possibly negative
   * @return a buffer of the same count and type
   * @throws MpiException ERR_BUFFER when its elements would leave the array or segment, or for the in-place marker
   */
  public Buf<T> at(long byteOffset) {
    if (type == null) {
      throw markerHasNone();
    }
    long moved = move(offset, byteOffset, start, end);
    return owner instanceof Storages storages
        ? inStorages(storages, moved, count, type)
        : new Buf<>(kind, owner, start, end, moved, count, type, readOnly, counted);
  }

  /** Returns some of the elements, from one on; all of them are this buffer's. */
  Buf<T> part(long from, long elements) {
    return new Buf<>(kind, owner, start, end, offset + from * type.extent(), elements, type, readOnly, counted);
  }

  /**
   * Returns elements of any type in the bytes that this buffer's elements span.
   *
   * @param byteOffset where the displacements of the first element count from, in bytes from this buffer's beginning
   */
  <U> Buf<U> within(long byteOffset, long elements, Datatype<U> elementType) {
    long moved = move(offset, byteOffset, start, end);
    if (owner instanceof Storages storages) {
      return inStorages(storages, moved, elements, elementType);
    }
    Class<?> array = owner.getClass();
    boolean ofBytes = type.tree().bounds().alignment() == 1; // which any memory may be taken for
    if (!ofBytes && type.acceptsArray(array) && !elementType.acceptsArray(array)) {
      throw MpiException.argument(
          ErrorClass.ERR_TYPE, "type", elementType, "types whose elements lie in " + array.getSimpleName());
    }
    long low = offset;
    long high = offset;
    if (packedBytes > 0) {
      long ends = (count - 1) * type.extent();
      low += type.trueLowerBound() + Math.min(0, ends);
      high += type.trueLowerBound() + type.trueExtent() + Math.max(0, ends);
    }
    return new Buf<>(kind, owner, low, high, moved, elements, elementType, readOnly, counted);
  }

  private static long move(long from, long byteOffset, long start, long end) {
    try {
      return Math.addExact(from, byteOffset);
    } catch (ArithmeticException e) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "byteOffset", byteOffset, (start - from) + ".." + (end - from));
    }
  }

  /** Returns the elements' bytes; the elements have no gaps. */
  Buf<Byte> asBytes(Datatype<Byte> bytes) {
    return new Buf<>(
        kind, owner, start, end, offset + plan().trueLowerBound(), packedBytes(), bytes, readOnly, counted);
  }

  /** Returns some of this buffer's bytes; it is one of bytes. */
  Buf<Byte> firstBytes(long n, Datatype<Byte> bytes) {
    return new Buf<>(kind, owner, start, end, offset, n, bytes, readOnly, counted);
  }

  /**
   * Returns how many elements the buffer has.
   *
   * @return number of elements of {@link #type}; 0 for the in-place marker
   */
  public long count() {
    return count;
  }

  /**
   * Returns what the elements are.
   *
   * @return the datatype
   * @throws MpiException ERR_BUFFER for the in-place marker
   */
  public Datatype<T> type() {
    if (type == null) {
      throw markerHasNone();
    }
    return type;
  }

  /**
   * Tells whether this is the in-place marker.
   *
   * @return true for what {@link #inPlace} returns
   */
  public boolean isInPlace() {
    return this == IN_PLACE;
  }

  /**
   * Tells whether this is the marker of automatic buffering.
   *
   * @return true for what {@link #automatic} returns
   */
  public boolean isAutomatic() {
    return this == AUTOMATIC;
  }

  /**
   * Tells whether the memory cannot be received into.
   *
   * @return true for read-only segments and NIO buffers
   */
  public boolean isReadOnly() {
    return readOnly;
  }

  /**
   * Returns what kind of memory this is, for engines and collectives.
   *
   * @return one of the kinds of {@code org.ffmpi.base.raw.Memory}
   */
  public int memoryKind() {
    return kind;
  }

  /**
   * Returns what holds the memory, for engines and collectives.
   *
   * @return the array, or the segment or other object that keeps off-heap memory alive; null for the in-place marker
   */
  public Object memoryOwner() {
    return owner;
  }

  /**
   * Returns where the buffer begins, for engines and collectives.
   *
   * @return an absolute address or a number of bytes from the owner's beginning, as the {@linkplain #memoryKind kind}
   *     says
   */
  public long memoryOffset() {
    return offset;
  }

  /**
   * Returns how much memory there is from the buffer's beginning on.
   *
   * @return bytes up to the end of the array, segment or NIO buffer; for {@link #bottom}, of all addresses
   */
  public long memoryBytes() {
    return end - offset;
  }

  /**
   * Returns the plan of the element type, for engines and collectives.
   *
   * @return the plan
   * @throws MpiException ERR_TYPE when the type is not committed, ERR_BUFFER for the in-place marker
   */
  public Plan plan() {
    return plan != null ? plan : type().plan();
  }

  /** Tells whether the elements may be read now; {@link #unusable} says why not. */
  boolean isSendable() {
    return simple || isUsableNow();
  }

  /** Tells whether the elements may be written now; {@link #unusable} says why not. */
  boolean isReceivable() {
    return simple || (!readOnly && isUsableNow());
  }

  private boolean isUsableNow() {
    return plan != null && !type.isClosed() && counted == null && isTouchable();
  }

  /** Tells whether the memory is there and the calling thread's; {@link #untouchable} says why not. */
  boolean isTouchable() {
    return simple || Memory.isAlive(owner) && Memory.accessibleByCurrentThread(kind, owner)
        && (counted == null || counted.missing() == null);
  }

  /** Tells whether calls have to hold the memory while they use it: the nonblocking ones do, see HeldOperation. */
  boolean isCounted() {
    return counted != null;
  }

  /** Holds counted memory until the lease is closed; null when there is nothing to hold. */
  CountedMemory.Lease lease() {
    return counted == null ? null : counted.lease();
  }

  /**
   * Makes the checks that depend on the time and thread of the call; returns why the buffer cannot be used, or null.
   */
  MpiException unusable(String argument, boolean receive) {
    if (type == null) {
      return MpiException.argument(ErrorClass.ERR_BUFFER, argument, this, "a buffer with memory of its own");
    }
    if (type.isClosed()) {
      return new MpiException(ErrorClass.ERR_TYPE, argument + ": type " + type + " has been freed");
    }
    if (!type.isCommitted()) {
      return new MpiException(
          ErrorClass.ERR_TYPE, argument + ": type " + type + " is not committed: call commit() first");
    }
    MpiException untouchable = untouchable(argument);
    if (untouchable != null) {
      return untouchable;
    }
    if (receive && readOnly) {
      return MpiException.argument(ErrorClass.ERR_BUFFER, argument, this, "writable memory");
    }
    return null;
  }

  /** Checks what time and thread can change about the memory; returns why it cannot be used, or null. */
  MpiException untouchable(String argument) {
    if (!Memory.isAlive(owner)) {
      return MpiException.argument(ErrorClass.ERR_BUFFER, argument, this, "memory whose arena is open");
    }
    if (!Memory.accessibleByCurrentThread(kind, owner)) {
      return MpiException.argument(
          ErrorClass.ERR_BUFFER, argument, this,
          "memory that thread " + Thread.currentThread().getName() + " may touch, as its confined arena is another's");
    }
    String missing = counted == null ? null : counted.missing();
    if (missing != null) {
      return MpiException.argument(ErrorClass.ERR_BUFFER, argument, this, missing);
    }
    return null;
  }

  /** Returns the packed bytes of all elements; known not to overflow. */
  long packedBytes() {
    return packedBytes;
  }

  /** Tells whether two buffers certainly share a byte of memory. */
  boolean overlaps(Buf<?> other) {
    return Overlap.isCertain(this, other);
  }

  private MpiException markerHasNone() {
    return new MpiException(ErrorClass.ERR_BUFFER, this + " has no memory and no type of its own");
  }

  /**
   * Describes the buffer for messages.
   *
   * @return count, type and kind of memory
   */
  @Override
  public String toString() {
    if (type == null) {
      return isInPlace() ? "Buf.inPlace()" : "Buf.automatic()";
    }
    if (owner instanceof Storages) {
      return "Buf[" + count + " x " + type + " at absolute addresses in " + owner + "]";
    }
    String where = owner instanceof MemorySegment ? "segment" : owner.getClass().getSimpleName();
    return "Buf[" + count + " x " + type + " in " + where + " of " + (end - start) + " bytes at byte "
        + (offset - start) + "]";
  }
}
