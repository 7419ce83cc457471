// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.Codec;
import org.ffmpi.base.Settings;
import org.ffmpi.fake.FakeEngine;
import org.ffmpi.spi.Channel;

/** Encodes values and decodes them, without ranks. */
final class Encoded {
  private static final Channel CHANNEL = new Channel(
      new FakeEngine(0, 1, Settings.of(Map.of()), new AtomicReference<>()), Channel.WORLD_CONTEXT);

  private Encoded() {}

  static <T> OutgoingObject write(T value, Codec<? super T> codec) {
    return OutgoingObject.of(value, codec, CHANNEL, OutgoingObject.HEAD);
  }

  /** Receives a written object, part after part. */
  static IncomingObject receive(OutgoingObject out) {
    IncomingObject in = new IncomingObject(out.bytes(), 0, out.headBytes(), OutgoingObject.HEAD, true);
    for (ObjectPart part : out.parts()) {
      long bytes = part.count() * part.plan().size();
      ObjectPart room = in.accept(bytes);
      System.arraycopy(part.array(), part.from(), room.array(), room.from(), (int) part.count());
    }
    return in;
  }

  static <T> T copy(T value) {
    return receive(write(value, Codec.<T>objects())).value(Codec.<T>objects(), ClassPolicy.DEFAULT);
  }

  /** Decodes a stream of Java's serialization, which may be damaged. */
  static Object read(byte[] stream, ClassPolicy policy) {
    byte[] head = new byte[OutgoingObject.HEADER + Integer.BYTES + stream.length];
    ValueWriter.INT.set(head, 0, OutgoingObject.MAGIC);
    ValueWriter.INT.set(head, OutgoingObject.LENGTH_AT, Integer.BYTES + stream.length);
    ValueWriter.INT.set(head, OutgoingObject.HEADER, stream.length);
    System.arraycopy(stream, 0, head, OutgoingObject.HEADER + Integer.BYTES, stream.length);
    return new IncomingObject(head, 0, head.length, Integer.MAX_VALUE, true).value(Codec.objects(), policy);
  }
}
