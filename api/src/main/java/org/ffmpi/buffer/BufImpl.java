// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.ffmpi.Address;
import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.process.Failures;
import org.ffmpi.spi.CountedMemory;
import org.ffmpi.spi.FlatBuffer;

/**
 * The class behind {@link Buf}, with the place of the elements and the checks of calls. Immutable; any thread may use
 * it as far as the memory allows.
 *
 * <p>This file is long because every kind of memory is made a buffer here, and every check of one is here.
 *
 * @param <T> what one element is in Java
 */
public final class BufImpl<T> implements Buf<T> {
  /** Marks an argument whose data are in another argument's buffer. */
  public static final Buf<Object> IN_PLACE = new BufImpl<>();
  /** Marks memory that is allocated for each message. */
  public static final Buf<?> AUTOMATIC = new BufImpl<>();

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
  /** The count is that of one block; calls with a block for each rank use as many blocks as there are ranks. */
  private final boolean perRank;
  /** Held by each call that uses the buffer; null for ordinary memory. */
  private final CountedMemory counted;
  /** First byte of the memory that belongs to this buffer's array or segment, counted as {@link #offset} is. */
  private final long start;
  private final long end;

  private BufImpl() {
    this.kind = Memory.BYTES;
    this.owner = null;
    this.offset = 0;
    this.count = 0;
    this.type = null;
    this.plan = null;
    this.packedBytes = 0;
    this.simple = false;
    this.readOnly = false;
    this.perRank = false;
    this.counted = null;
    this.start = 0;
    this.end = 0;
  }

  /** Describes elements that lie within an array, of the predefined type that such elements have. */
  private BufImpl(int kind, Object array, long length, long from, long count, Datatype<T> type, Plan plan) {
    long width = plan.size();
    this.kind = kind;
    this.owner = array;
    this.offset = from * width;
    this.count = count;
    this.type = type;
    this.plan = plan;
    this.packedBytes = count * width;
    this.simple = true;
    this.readOnly = false;
    this.perRank = false;
    this.counted = null;
    this.start = 0;
    this.end = length * width;
  }

  private BufImpl(
      int kind, Object owner, long start, long end, long offset, long count, Datatype<T> type, boolean readOnly) {
    this(kind, owner, start, end, offset, count, type, readOnly, null);
  }

  private BufImpl(
      int kind, Object owner, long start, long end, long offset, long count, Datatype<T> type, boolean readOnly,
      CountedMemory counted) {
    this(kind, owner, start, end, offset, count, type, readOnly, counted, false);
  }

  private BufImpl(
      int kind, Object owner, long start, long end, long offset, long count, Datatype<T> type, boolean readOnly,
      CountedMemory counted, boolean perRank) {
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
    this.plan = type.isCommitted() ? TypeHandle.planOf(type) : null;
    this.simple = type.isPredefined() && kind != Memory.CONFINED && kind != Memory.SESSION && !readOnly
        && counted == null;
    this.readOnly = readOnly;
    this.perRank = perRank;
    this.counted = counted;
    this.start = start;
    this.end = end;
  }

  /** Returns the object behind a buffer. */
  public static <T> BufImpl<T> of(Buf<T> buf) {
    return (BufImpl<T>) buf;
  }

  /** Makes {@link Buf#of(MemorySegment, long, long, Datatype)}. */
  public static <T> Buf<T> ofSegment(MemorySegment segment, long byteOffset, long count, Datatype<T> type) {
    if (segment == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "segment", null, "a memory segment");
    }
    if (!Memory.isAlive(segment)) {
      throw new MpiException(ErrorClass.ERR_BUFFER, Failures.CLOSED_ARENA + ": segment = " + segment);
    }
    return inSegment(segment, byteOffset, count, type, null);
  }

  /** Makes {@link Buf#of(MemorySegment, Datatype)}. */
  public static <T> Buf<T> ofSegment(MemorySegment segment, Datatype<T> type) {
    return ofSegment(segment, 0, segment == null ? 0 : wholeCount("segment", segment.byteSize(), type), type);
  }

  /** Returns how many elements fill memory to its last byte. */
  private static long wholeCount(String argument, long bytes, Datatype<?> type) {
    checkType(type);
    if (type.extent() <= 0) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "extent of type", type.extent(), "an extent of " + Math.max(1, type.size())
              + " or more, or a form of Buf.of with a count");
    }
    if (bytes % type.extent() != 0) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "bytes of " + argument, bytes, "multiples of " + type.extent() + ", the extent of "
              + type + "; with a count, as many elements as the count says");
    }
    return bytes / type.extent();
  }

  private static <T> Buf<T> inSegment(
      MemorySegment segment, long byteOffset, long count, Datatype<T> type, CountedMemory counted) {
    long start = Memory.offsetOf(segment);
    long end = start + segment.byteSize();
    long offset = move(start, byteOffset, start, end);
    return new BufImpl<>(
        Memory.kindOf(segment), Memory.ownerOf(segment), start, end, offset, count, type, segment.isReadOnly(),
        counted);
  }

  /** Makes {@link Buf#of(CountedMemory, long, long, Datatype)}. */
  public static <T> Buf<T> ofCounted(CountedMemory memory, long byteOffset, long count, Datatype<T> type) {
    if (memory == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "memory", null, "memory whose users are counted");
    }
    String missing = memory.missing();
    if (missing != null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "memory", memory, missing);
    }
    MemorySegment segment = memory.segment();
    if (segment == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "segment of memory", null, "arrays, and native segments");
    }
    int kind = Memory.kindOf(segment);
    if (kind == Memory.CONFINED || kind == Memory.SESSION && segment.isNative()) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "segment of memory", segment, "arrays, and native segments that no arena can close");
    }
    return inSegment(segment, byteOffset, count, type, memory);
  }

  /** Makes a buffer of elements that are objects. */
  static <T> Buf<T> ofObjects(ObjectElements<T> objects, long count, Datatype<T> type) {
    return inSegment(objects.segment(), 0, count, type, objects);
  }

  /** Makes {@link Buf#of(ByteBuffer, long, Datatype)}. */
  public static <T> Buf<T> ofNio(ByteBuffer buffer, long count, Datatype<T> type) {
    if (buffer != null && type != null && TypeHandle.alignmentOf(type) > 1) {
      checkOrder(buffer.order());
    }
    return ofSegment(segmentOf(buffer), 0, count, type);
  }

  /** Makes a buffer of elements of any type in an NIO buffer whose byte order is the machine's. */
  public static <T> Buf<T> ofNio(java.nio.Buffer buffer, long count, Datatype<T> type) {
    return ofSegment(segmentOf(buffer), 0, count, type);
  }

  /** Makes a buffer of all elements of an NIO buffer. */
  public static <T> Buf<T> ofNio(java.nio.Buffer buffer, Datatype<T> type) {
    MemorySegment segment = segmentOf(buffer);
    return ofSegment(segment, 0, buffer.remaining(), type);
  }

  /** Makes {@link Buf#bottom}. */
  public static <T> Buf<T> bottom(List<MemorySegment> storages, long count, Datatype<T> type) {
    return inBottom(BottomMemory.of(storages), Address.BOTTOM, count, type);
  }

  private static <T> Buf<T> inBottom(BottomMemory bottom, long offset, long count, Datatype<T> type) {
    checkType(type);
    Plan plan = TypeHandle.planOf(type);
    new BufImpl<>(Memory.NATIVE, bottom, 0, Long.MAX_VALUE, offset, count, type, false); // no overflow from here on
    boolean readOnly = bottom.check(plan, offset, count);
    return new BufImpl<>(Memory.NATIVE, bottom, 0, Long.MAX_VALUE, offset, count, type, readOnly);
  }

  static void checkType(Datatype<?> type) {
    if (type == null) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", null, "a datatype");
    }
    if (type.isClosed()) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", type, "types that have not been freed");
    }
  }

  /** Makes a buffer of elements of any type that fits the array. */
  public static <T> Buf<T> ofArray(int kind, Object array, long length, long byteOffset, long count, Datatype<T> type) {
    if (type != null && !type.acceptsArray(array.getClass())) {
      throw notInArray(type, array);
    }
    long end = length * Memory.elementSize(kind);
    return new BufImpl<>(kind, array, 0, end, move(0, byteOffset, 0, end), count, type, false);
  }

  /** Makes a buffer of all elements of any type that fits the array. */
  public static <T> Buf<T> ofArray(int kind, Object array, long length, Datatype<T> type) {
    return ofArray(kind, array, length, 0, wholeCount("array", length * Memory.elementSize(kind), type), type);
  }

  /** Makes a buffer of all elements of an array, of the predefined type of such elements. Nothing can be wrong. */
  public static <T> Buf<T> ofWhole(int kind, Object array, int length, Datatype<T> type, Plan plan) {
    return new BufImpl<>(kind, array, length, 0, length, type, plan);
  }

  /** Makes a buffer of some elements of an array, whose type is the predefined one of such elements. */
  public static <T> Buf<T> ofSlice(
      int kind, Object array, int length, int from, int count, Datatype<T> type, Plan plan) {
    if (count < 0) {
      throw MpiException.argument(ErrorClass.ERR_COUNT, "count", count, "0 or more elements");
    }
    if (count > length) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "count", count,
          "0.." + Math.max(0, length - from) + " with from = " + from + " in an array of " + length + " elements");
    }
    if (from < 0 || from > length - count) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "from", from,
          "0.." + (length - count) + " for " + count + " of " + length + " elements");
    }
    return new BufImpl<>(kind, array, length, from, count, type, plan);
  }

  /** Makes {@link Buf#in} and, where the count is that of one block, {@link Buf#perRank}. */
  public static <T> Buf<T> in(Object memory, long byteOffset, long count, Datatype<T> type, boolean perRank) {
    if (memory instanceof MemorySegment || memory instanceof java.nio.Buffer) {
      return inAnySegment(memory, byteOffset, count, type, perRank);
    }
    int kind = Memory.kindOfArray(memory);
    if (type != null && !type.acceptsArray(memory.getClass())) {
      throw notInArray(type, memory);
    }
    long end = (long) Array.getLength(memory) * Memory.elementSize(kind);
    return new BufImpl<>(kind, memory, 0, end, move(0, byteOffset, 0, end), count, type, false, null, perRank);
  }

  private static <T> Buf<T> inAnySegment(
      Object memory, long byteOffset, long count, Datatype<T> type, boolean perRank) {
    MemorySegment segment = memory instanceof MemorySegment given ? given : segmentOf((java.nio.Buffer) memory);
    if (!Memory.isAlive(segment)) {
      throw new MpiException(ErrorClass.ERR_BUFFER, Failures.CLOSED_ARENA + ": segment = " + segment);
    }
    long start = Memory.offsetOf(segment);
    long end = start + segment.byteSize();
    return new BufImpl<>(Memory.kindOf(segment), Memory.ownerOf(segment), start, end,
        move(start, byteOffset, start, end), count, type, segment.isReadOnly(), null, perRank);
  }

  private static MpiException notInArray(Datatype<?> type, Object array) {
    return MpiException.argument(
        ErrorClass.ERR_TYPE, "type", type, "types whose elements lie in " + array.getClass().getSimpleName());
  }

  /** Returns whether the count is that of one block, see {@link Buf#perRank}. */
  public boolean isPerRank() {
    return perRank;
  }

  /**
   * Returns the elements of all blocks, where the count is that of one.
   *
   * @param buf null or a marker is returned as it is, as is a buffer whose count is that of all blocks
   * @throws MpiException ERR_COUNT, ERR_BUFFER when the memory does not hold them
   */
  public static <T> Buf<T> all(Buf<T> buf, int blocks) {
    return buf instanceof BufImpl<T> one && one.perRank ? one.times(blocks) : buf;
  }

  private Buf<T> times(int blocks) {
    long all = count * blocks;
    if (Math.multiplyHigh(count, blocks) != 0 || all < 0) {
      throw MpiException.argument(ErrorClass.ERR_COUNT, "count of one block", count, "those of which " + blocks
          + " times as many can be counted");
    }
    return new BufImpl<>(kind, owner, start, end, offset, all, type, readOnly, counted);
  }

  /** Turns an NIO buffer's elements from position to limit into a segment. */
  private static MemorySegment segmentOf(java.nio.Buffer buffer) {
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

  /** Refuses elements in another byte order than the machine's. */
  public static void checkOrder(ByteOrder order) {
    if (order != ByteOrder.nativeOrder()) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "byte order of buffer", order, "the machine's own, " + ByteOrder.nativeOrder());
    }
  }

  /** Returns the error of an array that is null. */
  public static MpiException noArray() {
    return MpiException.argument(ErrorClass.ERR_BUFFER, "array", null, "an array");
  }

  @Override
  public Buf<T> at(long byteOffset) {
    if (type == null) {
      throw markerHasNone();
    }
    long moved = move(offset, byteOffset, start, end);
    if (isOfObjects() && byteOffset != 0) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "byteOffset", byteOffset,
          "0: the elements are objects, of which Buf.of(elements, from, count) takes others");
    }
    return owner instanceof BottomMemory bottom
        ? inBottom(bottom, moved, count, type)
        : new BufImpl<>(kind, owner, start, end, moved, count, type, readOnly, counted, perRank);
  }

  /**
   * Returns some of the elements, from one on; none of them lies behind this buffer's.
   *
   * @param from negative for elements before this buffer's first one
   * @throws MpiException ERR_BUFFER when the memory does not reach so far
   */
  public Buf<T> part(long from, long elements) {
    long moved = offset + from * type.extent();
    if (from < 0) {
      try {
        moved = Math.addExact(offset, Math.multiplyExact(from, type.extent()));
      } catch (ArithmeticException e) {
        throw MpiException.argument(ErrorClass.ERR_BUFFER, "displacement", from, "those within the memory");
      }
      if (owner instanceof BottomMemory bottom) {
        return inBottom(bottom, moved, elements, type);
      }
    }
    return new BufImpl<>(kind, owner, start, end, moved, elements, type, readOnly, counted);
  }

  /**
   * Returns elements of any type in the bytes that this buffer's elements span, or in the memory before them.
   *
   * @param byteOffset where the displacements of the first element count from, in bytes from this buffer's beginning
   */
  public <U> Buf<U> within(long byteOffset, long elements, Datatype<U> elementType) {
    long moved = move(offset, byteOffset, start, end);
    if (owner instanceof BottomMemory bottom) {
      return inBottom(bottom, moved, elements, elementType);
    }
    if (counted instanceof ObjectElements<?> objects
        && (elementType != (Datatype<?>) type || (moved - start) % objects.extent() != 0)) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type at byte " + byteOffset, elementType,
          type + " at multiples of its extent, " + objects.extent() + ": the elements are objects");
    }
    Class<?> array = owner.getClass();
    boolean ofBytes = TypeHandle.alignmentOf(type) == 1; // which fits any memory
    if (!ofBytes && type.acceptsArray(array) && !elementType.acceptsArray(array)) {
      throw MpiException.argument(
          ErrorClass.ERR_TYPE, "type", elementType, "types whose elements lie in " + array.getSimpleName());
    }
    long high = offset;
    if (packedBytes > 0) {
      long ends = (count - 1) * type.extent();
      high += type.trueLowerBound() + type.trueExtent() + Math.max(0, ends);
    }
    return new BufImpl<>(kind, owner, start, high, moved, elements, elementType, readOnly, counted);
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
  public Buf<Byte> asBytes(Datatype<Byte> bytes) {
    return new BufImpl<>(
        kind, owner, start, end, offset + plan().trueLowerBound(), packedBytes(), bytes, readOnly, counted);
  }

  /** Returns some of this buffer's bytes; it is one of bytes. */
  public Buf<Byte> firstBytes(long n, Datatype<Byte> bytes) {
    return new BufImpl<>(kind, owner, start, end, offset, n, bytes, readOnly, counted);
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public Datatype<T> type() {
    if (type == null) {
      throw markerHasNone();
    }
    return type;
  }

  @Override
  public boolean isInPlace() {
    return this == IN_PLACE;
  }

  @Override
  public boolean isAutomatic() {
    return this == AUTOMATIC;
  }

  @Override
  public boolean isReadOnly() {
    return readOnly;
  }

  /** Returns the kind of the memory, one of the kinds of {@link Memory}. */
  public int memoryKind() {
    return kind;
  }

  /** Returns the array, or the object that keeps off-heap memory alive; null for the markers. */
  public Object memoryOwner() {
    return owner;
  }

  /** Returns where the elements begin: an address, or bytes from the beginning of the owner, by the kind. */
  public long memoryOffset() {
    return offset;
  }

  /** Returns how many bytes of memory there are from the beginning of the elements on. */
  public long memoryBytes() {
    return end - offset;
  }

  /**
   * Returns the plan of the element type.
   *
   * @throws MpiException ERR_TYPE when the type is not committed, ERR_BUFFER for the markers
   */
  public Plan plan() {
    return plan != null ? plan : TypeHandle.planOf(type());
  }

  /** Describes the elements as an argument of a call to the engine. Throws as {@link #plan} does. */
  public void describe(FlatBuffer into) {
    into.set(kind, owner, offset, count, plan != null ? plan : plan());
  }

  /** Copies the packed bytes of all elements to an absolute address. */
  public void pack(long to) {
    plan().pack(kind, owner, offset, count, 0, packedBytes, to);
  }

  /** Returns whether two buffers share no byte, if that needs no more than a look at where they lie. */
  public boolean isApart(BufImpl<?> other) {
    return kind == Memory.NATIVE ? !overlaps(other) : owner != other.owner;
  }

  /** Returns whether another buffer has as many elements of the same type, and {@link #isApart} of this one. */
  public boolean isTwin(BufImpl<?> other) {
    return type == other.type && count == other.count && isApart(other);
  }

  /** Returns whether the elements may be read now; {@link #unusable} returns the reason. */
  public boolean isSendable() {
    return simple || isUsableNow();
  }

  /** Returns whether the elements may be written now; {@link #unusable} returns the reason. */
  public boolean isReceivable() {
    return simple || (!readOnly && isUsableNow());
  }

  private boolean isUsableNow() {
    return plan != null && !type.isClosed() && counted == null && isTouchable();
  }

  /**
   * Returns whether the memory exists and the calling thread may access it; {@link #untouchable} returns the reason.
   */
  public boolean isTouchable() {
    return simple || Memory.isAlive(owner) && Memory.accessibleByCurrentThread(kind, owner)
        && (counted == null || counted.missing() == null);
  }

  /** Returns whether calls have to hold the memory while they use it, see {@link BufUses}. */
  public boolean isCounted() {
    return counted != null;
  }

  /** Returns whether elements are objects, which {@link #encode} and {@link #deliver} move. */
  public boolean isOfObjects() {
    return counted instanceof ObjectElements<?>;
  }

  /** Writes some elements that are objects to the memory that messages are sent from. */
  public void encode(long from, long n) {
    ObjectElements<?> objects = (ObjectElements<?>) counted;
    objects.encode((offset - start) / objects.extent() + from, n);
  }

  /**
   * Replaces elements that are objects by received ones.
   *
   * @param from the first of them
   * @param bytes received bytes, packed
   * @param of plan of the type, as it was when the operation started: the type may have been freed since
   */
  public void deliver(long from, long bytes, Plan of) {
    ObjectElements<?> objects = (ObjectElements<?>) counted;
    objects.decode((offset - start) / objects.extent() + from, of, bytes);
  }

  /** Holds counted memory until the lease is closed; null for other memory. */
  public CountedMemory.Lease lease() {
    return counted == null ? null : counted.lease();
  }

  /**
   * Makes the checks that depend on the time and thread of the call; returns why the buffer cannot be used, or null.
   */
  public MpiException unusable(String argument, boolean receive) {
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
    if (receive && counted instanceof ObjectElements<?> objects && count > 0) {
      String fixed = objects.readOnly((offset - start) / objects.extent());
      return fixed == null ? null : MpiException.argument(ErrorClass.ERR_BUFFER, argument, this, fixed);
    }
    return null;
  }

  /** Checks properties of the memory that depend on time and thread; returns why it cannot be used, or null. */
  public MpiException untouchable(String argument) {
    if (!Memory.isAlive(owner)) {
      return new MpiException(ErrorClass.ERR_BUFFER, Failures.CLOSED_ARENA + ": " + argument + " = " + this);
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
  public long packedBytes() {
    return packedBytes;
  }

  /** Returns whether two buffers certainly share a byte of memory. */
  public boolean overlaps(Buf<?> other) {
    return SharedBytes.isCertain(this, other);
  }

  private MpiException markerHasNone() {
    return new MpiException(ErrorClass.ERR_BUFFER, this + " has no memory and no type of its own");
  }

  @Override
  public String toString() {
    if (type == null) {
      return isInPlace() ? "Buf.inPlace()" : "Buf.automatic()";
    }
    if (owner instanceof BottomMemory) {
      return "Buf[" + count + " x " + type + " at absolute addresses in " + owner + "]";
    }
    if (counted instanceof ObjectElements<?> objects) {
      return "Buf[" + count + " x " + type + " in " + objects + "]";
    }
    String where = owner instanceof MemorySegment ? "segment" : owner.getClass().getSimpleName();
    return "Buf[" + count + " x " + type + " in " + where + " of " + (end - start) + " bytes at byte "
        + (offset - start) + "]";
  }
}
