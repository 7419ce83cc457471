// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.PackedBytes;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.external32.External32;

/**
 * Packs data one after the other into memory of the program, to be sent as one message or kept ({@code MPI_Pack},
 * MPI-4.1 §5.2). What is packed may be unpacked by an {@link Unpacker} in the same order, or received with the types
 * that were packed.
 *
 * {@snippet :
 * Packer packer = Packer.into(arena.allocate(4096)).pack(Buf.of(ids)).pack(Buf.of(xs));
 * world.send(packer.packed(), 1, 3);
 * }
 *
 * <p>Each element of a type is packed in typemap order, without gaps. With {@link #into(MemorySegment) into} data keep
 * the machine's representation; with {@link #external32(MemorySegment) external32} they take the one that is the same
 * everywhere (MPI-4.1 §14.5.2), for files and other MPI libraries.
 *
 * <p>No method takes a communicator: all ranks share one representation. Local and never blocking; one thread at a time
 * may use a packer.
 */
public final class Packer {
  private final PackedBytes bytes;

  private Packer(PackedBytes bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns a packer that fills a segment from its first byte on.
   *
   * @param segment writable memory of any kind; its size is the most that can be packed
   * @return the packer, at position 0
   * @throws MpiException ERR_BUFFER when the segment is null, read-only or its arena is closed
   */
  @Standard({"MPI_Pack", "MPI_Pack_c"})
  public static Packer into(MemorySegment segment) {
    return of(PackedBytes.bytesOf(segment), false);
  }

  /**
   * Returns a packer that fills an array.
   *
   * @param array its length is the most that can be packed
   * @return the packer, at position 0
   * @throws MpiException ERR_BUFFER when the array is null
   */
  @Standard({"MPI_Pack", "MPI_Pack_c"})
  public static Packer into(byte[] array) {
    return of(PackedBytes.bytesOf(array), false);
  }

  /**
   * Returns a packer that fills a segment with data in the "external32" representation
   * ({@code MPI_Pack_external}, MPI-4.1 §5.3).
   *
   * @param segment writable memory of any kind; its size is the most that can be packed
   * @return the packer, at position 0
   * @throws MpiException ERR_BUFFER when the segment is null, read-only or its arena is closed
   */
  @Standard({"MPI_Pack_external", "MPI_Pack_external_c"})
  public static Packer external32(MemorySegment segment) {
    return of(PackedBytes.bytesOf(segment), true);
  }

  /**
   * Returns a packer that fills an array with data in the "external32" representation
   * ({@code MPI_Pack_external}, MPI-4.1 §5.3).
   *
   * @param array its length is the most that can be packed
   * @return the packer, at position 0
   * @throws MpiException ERR_BUFFER when the array is null
   */
  @Standard({"MPI_Pack_external", "MPI_Pack_external_c"})
  public static Packer external32(byte[] array) {
    return of(PackedBytes.bytesOf(array), true);
  }

  private static Packer of(Buf<Byte> memory, boolean external32) {
    MpiException unusable = BufImpl.of(memory).unusable("packed", true);
    if (unusable != null) {
      throw unusable;
    }
    return new Packer(new PackedBytes(memory, external32));
  }

  /**
   * Packs a buffer's elements behind those already packed.
   *
   * @param buf what to pack, of a committed type; must not lie in the memory that is packed into
   * @return this packer, its position moved on by the bytes packed
   * @throws MpiException ERR_TRUNCATE when there is too little room: then nothing has been written and the position is
   *     where it was. ERR_BUFFER when either memory cannot be used, ERR_TYPE when the type is not committed or freed.
   *     ERR_CONVERSION when "external32" has no room for a value: the position is where it was, what lies behind it is
   *     undefined
   */
  @Standard({"MPI_Pack", "MPI_Pack_c", "MPI_Pack_external", "MPI_Pack_external_c"})
  public Packer pack(Buf<?> buf) {
    bytes.pack(buf);
    return this;
  }

  /**
   * Returns the position of packing.
   *
   * @return bytes from the beginning of the memory
   */
  public long position() {
    return bytes.position();
  }

  /**
   * Moves the position, for example to a header that was left out.
   *
   * @param position bytes from the beginning of the memory
   * @return this packer
   * @throws MpiException ERR_ARG when the position lies outside the memory
   */
  public Packer position(long position) {
    bytes.position(position);
    return this;
  }

  /**
   * Begins again at position 0.
   *
   * @return this packer
   */
  public Packer reset() {
    bytes.position(0);
    return this;
  }

  /**
   * Returns the packed bytes: those before the position. Packing more later does not change the buffer
   * returned.
   *
   * @return {@link #position} elements of {@link Datatype#PACKED}, or of {@link Datatype#BYTE} for "external32", which
   *     a receiver takes as bytes
   */
  public Buf<Byte> packed() {
    return bytes.packed(bytes.isExternal() ? Datatype.BYTE : Datatype.PACKED);
  }

  /**
   * Returns how much room elements take in a packer of {@link #into(MemorySegment) into}
   * ({@code MPI_Pack_size}, MPI-4.1 §5.2). Exact: ffmpi packs data and nothing else.
   *
   * @param count number of elements
   * @param type their type; need not be committed
   * @return bytes
   * @throws MpiException ERR_COUNT when the count is negative or the bytes do not fit in 63 bits, ERR_TYPE when the
   *     type is null or freed
   */
  @Standard({"MPI_Pack_size", "MPI_Pack_size_c"})
  public static long size(long count, Datatype<?> type) {
    check(count, type);
    long bytes = count * type.size();
    if (Math.multiplyHigh(count, type.size()) != 0 || bytes < 0) {
      throw MpiException.argument(
          ErrorClass.ERR_COUNT, "count", count, "as many of " + type + " as fit in 63 bits of bytes");
    }
    return bytes;
  }

  /**
   * Returns {@link #size} as an {@code int}, as C's {@code MPI_Pack_size} does.
   *
   * @param count number of elements
   * @param type their type; need not be committed
   * @return bytes, or {@link Constants#UNDEFINED} when they do not fit in an {@code int}
   * @throws MpiException as {@link #size}
   */
  @Standard({"MPI_Pack_size"})
  public static int sizeInt(long count, Datatype<?> type) {
    long bytes = size(count, type);
    return bytes == (int) bytes ? (int) bytes : Constants.UNDEFINED;
  }

  /**
   * Returns how much room elements take in "external32" ({@code MPI_Pack_external_size}, MPI-4.1 §5.3).
   *
   * @param count number of elements
   * @param type their type; need not be committed
   * @return bytes
   * @throws MpiException as {@link #size}
   */
  @Standard({"MPI_Pack_external_size", "MPI_Pack_external_size_c"})
  public static long external32Size(long count, Datatype<?> type) {
    check(count, type);
    return External32.size(count, type);
  }

  private static void check(long count, Datatype<?> type) {
    if (type == null) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", null, "a datatype");
    }
    if (type.isClosed()) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", type, "types that have not been freed");
    }
    if (count < 0) {
      throw MpiException.argument(ErrorClass.ERR_COUNT, "count", count, "0 or more elements");
    }
  }

  /**
   * Describes the packer for messages.
   *
   * @return position, size and representation
   */
  @Override
  public String toString() {
    return "Packer[" + position() + " of " + bytes.size() + " bytes" + (bytes.isExternal() ? ", external32]" : "]");
  }
}
