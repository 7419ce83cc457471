// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.io.IOException;
import org.ffmpi.port.ObjectProvider;

/**
 * A conversion of values of one kind to bytes and back, for the calls of {@link ObjectCalls}, in the place of
 * {@linkplain #objects Java's serialization}, and for bytes of the program's own.
 *
 * {@snippet :
 * record Particle(double x, double y, double[] history) {}
 *
 * class ParticleCodec implements Codec<Particle> {
 *   public void write(Particle p, CodecOutput out) throws IOException {
 *     out.writeDouble(p.x());
 *     out.writeDouble(p.y());
 *     out.writeArray(p.history());
 *   }
 *
 *   public Particle read(CodecInput in) throws IOException {
 *     return new Particle(in.readDouble(), in.readDouble(), in.readArray(double[].class));
 *   }
 * }
 * }
 *
 * <p>All ranks that exchange a value use the same codec. A codec may call another one for a part of its value, and
 * several threads may call it at the same time. Its exceptions reach the program as an {@link
 * org.ffmpi.base.MpiException} of class ERR_CONVERSION.
 *
 * @param <T> type of the values
 */
public interface Codec<T> {
  /**
   * Writes a value.
   *
   * @param value the argument of the call, possibly null
   * @param out takes the bytes; not to be used after the call
   * @throws IOException when the value cannot be written
   */
  void write(T value, CodecOutput out) throws IOException;

  /**
   * Reads a value: all that {@link #write} has written.
   *
   * @param in has the bytes; not to be used after the call
   * @return the value, perhaps null
   * @throws IOException when the bytes are not those of a value
   * @throws ClassNotFoundException when the bytes name a class that this rank does not have
   */
  T read(CodecInput in) throws IOException, ClassNotFoundException;

  /**
   * Returns what {@link #write} makes of a value, to be kept, or sent by the program's own messages. The bytes of all
   * arrays are among them. Needs no communicator.
   *
   * {@snippet :
   * byte[] bytes = Codec.objects().encode(List.of("a", "b"));
   * List<String> list = Codec.<List<String>>objects().decode(bytes);
   * }
   *
   * @param value perhaps null
   * @return the bytes, which {@link #decode} of the same codec reads
   * @throws org.ffmpi.base.MpiException ERR_CONVERSION when the value cannot be written
   */
  default byte[] encode(T value) {
    return ObjectProvider.get().encode(value, this);
  }

  /**
   * Reads what {@link #encode} has returned, in this process or another one. What Java's serialization may read, the
   * setting {@code ffmpi.objects.allow} of this process says.
   *
   * @param bytes all bytes of the value and no others; they need not be trusted more than a message
   * @return the value, perhaps null
   * @throws org.ffmpi.base.MpiException ERR_ARG when the bytes are null, ERR_CONVERSION when they are not those of a
   *     value that may be read
   */
  default T decode(byte[] bytes) {
    return ObjectProvider.get().decode(bytes, this);
  }

  /**
   * Returns the codec of all calls that name none: Java's serialization, with a short form for simple values. It takes
   * null, boxed values, strings, enums, records that are {@link java.io.Serializable}, arrays and collections of such,
   * and whatever else is Serializable.
   * Arrays of primitives inside travel as {@link CodecOutput#writeArray} sends them.
   *
   * <p>It reads classes of the program (those of class path and module path, found by the thread's context class
   * loader) and value types of the JDK: those of {@code java.lang}, {@code java.math}, {@code java.time} and the
   * collections of {@code java.util}. The setting {@code ffmpi.objects.allow} allows more, or less.
   *
   * @param <T> any type
   * @return the codec, always the same
   */
  static <T> Codec<T> objects() {
    return ObjectProvider.get().defaultCodec();
  }
}
