// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.buffer.PackedBytes;

/**
 * Takes packed data apart again, piece by piece ({@code MPI_Unpack}, MPI-4.1 §5.2): what a {@link Packer} has made, or
 * any message that was received as {@code PACKED}.
 *
 * {@snippet :
 * byte[] message = new byte[4096];
 * world.recv(Buf.of(message, message.length, Datatype.PACKED), 0, 3);
 * Unpacker unpacker = Unpacker.from(message).unpack(Buf.of(ids)).unpack(Buf.of(xs));
 * }
 *
 * <p>Unlike a receive, {@link #unpack} takes exactly as many elements as the buffer has. Local and never blocking; one
 * thread at a time may use an unpacker.
 */
public final class Unpacker {
  private final PackedBytes bytes;

  private Unpacker(Buf<Byte> memory, boolean external32) {
    this.bytes = new PackedBytes(memory, external32);
  }

  /**
   * Returns an unpacker of all bytes of a segment.
   *
   * @param segment memory of any kind
   * @return the unpacker, at position 0
   * @throws MpiException ERR_BUFFER when the segment is null or its arena is closed
   */
  @Standard({"MPI_Unpack", "MPI_Unpack_c"})
  public static Unpacker from(MemorySegment segment) {
    return new Unpacker(PackedBytes.bytesOf(segment), false);
  }

  /**
   * Returns an unpacker of all bytes of an array.
   *
   * @param array packed data
   * @return the unpacker, at position 0
   * @throws MpiException ERR_BUFFER when the array is null
   */
  @Standard({"MPI_Unpack", "MPI_Unpack_c"})
  public static Unpacker from(byte[] array) {
    return new Unpacker(PackedBytes.bytesOf(array), false);
  }

  /**
   * Returns an unpacker of all bytes of a buffer, for example of {@link Packer#packed}.
   *
   * @param packed elements without gaps
   * @return the unpacker, at position 0
   * @throws MpiException ERR_BUFFER when the buffer is null, has gaps, cannot be used or is the in-place marker;
   *     ERR_TYPE when its type is not committed or freed
   */
  @Standard({"MPI_Unpack", "MPI_Unpack_c"})
  public static Unpacker from(Buf<?> packed) {
    return new Unpacker(PackedBytes.bytesOf(packed), false);
  }

  /**
   * Returns an unpacker of data in the "external32" representation ({@code MPI_Unpack_external}, MPI-4.1 §5.3).
   *
   * @param segment memory of any kind
   * @return the unpacker, at position 0
   * @throws MpiException ERR_BUFFER when the segment is null or its arena is closed
   */
  @Standard({"MPI_Unpack_external", "MPI_Unpack_external_c"})
  public static Unpacker external32(MemorySegment segment) {
    return new Unpacker(PackedBytes.bytesOf(segment), true);
  }

  /**
   * Returns an unpacker of data in the "external32" representation ({@code MPI_Unpack_external}, MPI-4.1 §5.3).
   *
   * @param array packed data
   * @return the unpacker, at position 0
   * @throws MpiException ERR_BUFFER when the array is null
   */
  @Standard({"MPI_Unpack_external", "MPI_Unpack_external_c"})
  public static Unpacker external32(byte[] array) {
    return new Unpacker(PackedBytes.bytesOf(array), true);
  }

  /**
   * Returns an unpacker of data in the "external32" representation ({@code MPI_Unpack_external}, MPI-4.1 §5.3).
   *
   * @param packed elements without gaps
   * @return the unpacker, at position 0
   * @throws MpiException ERR_BUFFER when the buffer is null, has gaps, cannot be used or is the in-place marker;
   *     ERR_TYPE when its type is not committed or freed
   */
  @Standard({"MPI_Unpack_external", "MPI_Unpack_external_c"})
  public static Unpacker external32(Buf<?> packed) {
    return new Unpacker(PackedBytes.bytesOf(packed), true);
  }

  /**
   * Fills a buffer with what comes next.
   *
   * @param buf where to put the elements, of a committed type; gaps are left as they are
   * @return this unpacker, its position moved on by the bytes unpacked
   * @throws MpiException ERR_TRUNCATE when fewer bytes are left than the buffer takes: then nothing has been written
   *     and the position is where it was. ERR_BUFFER when either memory cannot be used, ERR_TYPE when the type is not
   *     committed or freed
   */
  @Standard({"MPI_Unpack", "MPI_Unpack_c", "MPI_Unpack_external", "MPI_Unpack_external_c"})
  public Unpacker unpack(Buf<?> buf) {
    bytes.unpack(buf);
    return this;
  }

  /**
   * Returns the position of unpacking.
   *
   * @return bytes from the beginning of the packed data
   */
  public long position() {
    return bytes.position();
  }

  /**
   * Moves the position.
   *
   * @param position bytes from the beginning of the packed data, where an element that was packed begins
   * @return this unpacker
   * @throws MpiException ERR_ARG when the position lies outside the data
   */
  public Unpacker position(long position) {
    bytes.position(position);
    return this;
  }

  /**
   * Returns how much is left.
   *
   * @return bytes from the position to the end of the packed data
   */
  public long remaining() {
    return bytes.size() - bytes.position();
  }

  /**
   * Describes the unpacker for messages.
   *
   * @return position, size and representation
   */
  @Override
  public String toString() {
    return "Unpacker[" + position() + " of " + bytes.size() + " bytes" + (bytes.isExternal() ? ", external32]" : "]");
  }
}
