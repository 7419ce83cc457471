// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;

/** A view of one complex number in memory: real part, then imaginary part, as {@link MPI#DOUBLE_COMPLEX} has them. */
public final class DoubleComplex {
  private static final int PARTS = 2;

  private final DoubleBuffer buffer;
  private final int offset;

  private DoubleComplex(DoubleBuffer buffer, int index) {
    this.buffer = buffer;
    offset = index * PARTS;
  }

  /**
   * Returns a view of the number at the beginning of a buffer.
   *
   * @param buffer real and imaginary parts in turns
   * @return the view
   */
  public static DoubleComplex get(DoubleBuffer buffer) {
    return new DoubleComplex(buffer, 0);
  }

  /**
   * Returns a view of a number in a buffer.
   *
   * @param buffer real and imaginary parts in turns
   * @param index index of the number
   * @return the view
   */
  public static DoubleComplex get(DoubleBuffer buffer, int index) {
    return new DoubleComplex(buffer, index);
  }

  /**
   * Returns a view of the number at the beginning of an array.
   *
   * @param array real and imaginary parts in turns
   * @return the view
   */
  public static DoubleComplex get(double[] array) {
    return get(array, 0);
  }

  /**
   * Returns a view of a number in an array.
   *
   * @param array real and imaginary parts in turns
   * @param index index of the number
   * @return the view
   */
  public static DoubleComplex get(double[] array, int index) {
    return get(DoubleBuffer.wrap(array), index);
  }

  /**
   * Returns a view of the number at the position of a buffer.
   *
   * @param buffer real and imaginary parts in turns, in the buffer's byte order
   * @return the view
   */
  public static DoubleComplex get(ByteBuffer buffer) {
    return get(buffer, 0);
  }

  /**
   * Returns a view of a number from the position of a buffer on.
   *
   * @param buffer real and imaginary parts in turns, in the buffer's byte order
   * @param index index of the number
   * @return the view
   */
  public static DoubleComplex get(ByteBuffer buffer, int index) {
    return get(buffer.asDoubleBuffer(), index);
  }

  /**
   * Returns the real part.
   *
   * @return the part
   */
  public double getReal() {
    return buffer.get(offset);
  }

  /**
   * Returns the imaginary part.
   *
   * @return the part
   */
  public double getImag() {
    return buffer.get(offset + 1);
  }

  /**
   * Sets the real part.
   *
   * @param real the part
   */
  public void putReal(double real) {
    buffer.put(offset, real);
  }

  /**
   * Sets the imaginary part.
   *
   * @param imag the part
   */
  public void putImag(double imag) {
    buffer.put(offset + 1, imag);
  }

  /**
   * Returns the memory of the number, for sends and receives.
   *
   * @return the buffer, from the real part
   */
  public DoubleBuffer getBuffer() {
    return offset == 0 ? buffer : MPI.slice(buffer, offset);
  }
}
