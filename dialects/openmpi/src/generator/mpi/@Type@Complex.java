// SPDX-License-Identifier: Apache-2.0
//for-each Type type KIND
//| Double  double  DOUBLE
//| Float   float   FLOAT
package mpi;

import java.nio.ByteBuffer;
import java.nio.@Type@Buffer;

/** A view of one complex number in memory: real part, then imaginary part, as {@link MPI#@KIND@_COMPLEX} has them. */
public final class @Type@Complex {
  private static final int PARTS = 2;

  private final @Type@Buffer buffer;
  private final int offset;

  private @Type@Complex(@Type@Buffer buffer, int index) {
    this.buffer = buffer;
    offset = index * PARTS;
  }

  /**
   * Returns a view of the number at the beginning of a buffer.
   *
   * @param buffer real and imaginary parts in turns
   * @return the view
   */
  public static @Type@Complex get(@Type@Buffer buffer) {
    return new @Type@Complex(buffer, 0);
  }

  /**
   * Returns a view of a number in a buffer.
   *
   * @param buffer real and imaginary parts in turns
   * @param index index of the number
   * @return the view
   */
  public static @Type@Complex get(@Type@Buffer buffer, int index) {
    return new @Type@Complex(buffer, index);
  }

  /**
   * Returns a view of the number at the beginning of an array.
   *
   * @param array real and imaginary parts in turns
   * @return the view
   */
  public static @Type@Complex get(@type@[] array) {
    return get(array, 0);
  }

  /**
   * Returns a view of a number in an array.
   *
   * @param array real and imaginary parts in turns
   * @param index index of the number
   * @return the view
   */
  public static @Type@Complex get(@type@[] array, int index) {
    return get(@Type@Buffer.wrap(array), index);
  }

  /**
   * Returns a view of the number at the position of a buffer.
   *
   * @param buffer real and imaginary parts in turns, in the buffer's byte order
   * @return the view
   */
  public static @Type@Complex get(ByteBuffer buffer) {
    return get(buffer, 0);
  }

  /**
   * Returns a view of a number from the position of a buffer on.
   *
   * @param buffer real and imaginary parts in turns, in the buffer's byte order
   * @param index index of the number
   * @return the view
   */
  public static @Type@Complex get(ByteBuffer buffer, int index) {
    return get(buffer.as@Type@Buffer(), index);
  }

  /**
   * Returns the real part.
   *
   * @return the part
   */
  public @type@ getReal() {
    return buffer.get(offset);
  }

  /**
   * Returns the imaginary part.
   *
   * @return the part
   */
  public @type@ getImag() {
    return buffer.get(offset + 1);
  }

  /**
   * Sets the real part.
   *
   * @param real the part
   */
  public void putReal(@type@ real) {
    buffer.put(offset, real);
  }

  /**
   * Sets the imaginary part.
   *
   * @param imag the part
   */
  public void putImag(@type@ imag) {
    buffer.put(offset + 1, imag);
  }

  /**
   * Returns the memory of the number, for sends and receives.
   *
   * @return the buffer, from the real part
   */
  public @Type@Buffer getBuffer() {
    return offset == 0 ? buffer : MPI.slice(buffer, offset);
  }
}
