// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGeneratorFactory;
import org.ffmpi.Codec;
import org.ffmpi.CodecInput;
import org.ffmpi.CodecOutput;
import org.ffmpi.Worlds;
import org.ffmpi.base.ErrorClass;
import org.junit.jupiter.api.Test;

/** Values become bytes and parts, and values again. */
class JavaCodecTest {
  private static final int VALUES = 400;

  record Holder(String name, double[] data, Object other) implements Serializable {}

  /** Not serializable. */
  static final class Plain {}

  @Test
  void randomValuesAreWhatPlainSerializationMakesOfThem() throws IOException, ClassNotFoundException {
    Long given = Long.getLong("ffmpi.test.seed");
    for (int i = 0; i < (given == null ? VALUES : 1); i++) {
      long seed = given == null ? ThreadLocalRandom.current().nextLong() : given;
      Object value = new RandomValues(RandomGeneratorFactory.of("L64X128MixRandom").create(seed)).next(4);
      byte[] expected = plain(plain(plain(value)));
      byte[] found = plain(Encoded.copy(value));
      assertArrayEquals(expected, found, () -> "with -Dffmpi.test.seed=" + seed);
    }
  }

  private static byte[] plain(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private static Object plain(byte[] bytes) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }

  @Test
  void longArraysTravelBesideTheBytes() {
    double[] data = new double[10_000];
    Holder holder = new Holder("h", data, List.of(data, new double[10]));
    OutgoingObject out = Encoded.write(holder, Codec.objects());
    assertEquals(1, out.parts().size());
    assertSame(data, out.parts().getFirst().array());
    assertTrue(out.headBytes() < 1_000, "head of " + out.headBytes());
    Holder copy = Encoded.copy(holder);
    assertNotSame(data, copy.data());
    assertArrayEquals(data, copy.data());
    assertSame(copy.data(), ((List<?>) copy.other()).getFirst());
  }

  @Test
  void aBareArrayIsAPartAndNoBytes() {
    int[] data = new int[512];
    data[511] = 7;
    OutgoingObject out = Encoded.write(data, Codec.objects());
    assertEquals(1, out.parts().size());
    assertArrayEquals(data, Encoded.copy(data));
    assertEquals(0, Encoded.write(new int[400], Codec.objects()).parts().size());
  }

  @Test
  void aLongValueFollowsItsHead() {
    String text = "x".repeat(100_000);
    OutgoingObject out = Encoded.write(text, Codec.objects());
    assertEquals(OutgoingObject.HEADER, out.headBytes());
    assertEquals(1, out.parts().size());
    assertEquals(text, Encoded.copy(text));
    assertNull(Encoded.copy(null));
  }

  @Test
  void whatCannotBeWrittenIsNamed() {
    Worlds.assertError(ErrorClass.ERR_CONVERSION, () -> Encoded.write(new Plain(), Codec.objects()),
        "value", Plain.class.getName(), "is not Serializable");
    List<Object> deep = null;
    for (int i = 0; i < 100_000; i++) {
      List<Object> outer = new ArrayList<>();
      outer.add(deep);
      deep = outer;
    }
    Object value = deep;
    Worlds.assertError(
        ErrorClass.ERR_CONVERSION, () -> Encoded.write(value, Codec.objects()), "nested too deeply");
  }

  @Test
  void bytesThatEndTooEarlyAreCalledSo() {
    Worlds.assertError(
        ErrorClass.ERR_CONVERSION, () -> Codec.objects().decode(new byte[Integer.BYTES]), "the bytes end too early");
  }

  // ---- codecs of programs

  /** Writes values of all types of a codec's output. */
  private static final class Everything implements Codec<Object[]> {
    @Override
    public void write(Object[] v, CodecOutput out) throws IOException {
      out.writeBoolean((boolean) v[0]);
      out.writeByte((byte) v[1]);
      out.writeShort((short) v[2]);
      out.writeChar((char) v[3]);
      out.writeInt((int) v[4]);
      out.writeLong((long) v[5]);
      out.writeFloat((float) v[6]);
      out.writeDouble((double) v[7]);
      out.writeUTF((String) v[8]);
      for (int i = 9; i < v.length - 1; i++) {
        out.writeArray(v[i]);
      }
      Codec.objects().write(v[v.length - 1], out);
      out.write(new byte[] {1, 2, 3});
    }

    @Override
    public Object[] read(CodecInput in) throws IOException, ClassNotFoundException {
      Object[] v = {
        in.readBoolean(), in.readByte(), in.readShort(), in.readChar(), in.readInt(), in.readLong(), in.readFloat(),
        in.readDouble(), in.readUTF(), in.readArray(byte[].class), in.readArray(boolean[].class),
        in.readArray(char[].class), in.readArray(short[].class), in.readArray(int[].class), in.readArray(long[].class),
        in.readArray(float[].class), in.readArray(double[].class), in.readArray(double[].class),
        in.readArray(Object.class), Codec.objects().read(in)};
      assertEquals(3, in.remaining());
      in.readFully(new byte[2]);
      assertEquals(1, in.skipBytes(5));
      return v;
    }
  }

  @Test
  void aCodecOfItsOwnWritesAnything() {
    Object[] value = {
      true, (byte) -1, (short) -2, 'ä', -3, -4L, 5.5f, 6.5, "text", new byte[] {1}, new boolean[] {true, false},
      new char[] {'x'}, new short[] {-9}, new int[] {1, 2}, new long[] {Long.MIN_VALUE}, new float[] {1, 2},
      new double[] {3}, new double[300], null, new Holder("inside", new double[400], 1)};
    OutgoingObject out = Encoded.write(value, new Everything());
    assertEquals(2, out.parts().size());
    Object[] copy = Encoded.receive(out).value(new Everything(), ClassPolicy.DEFAULT);
    Holder inside = assertInstanceOf(Holder.class, copy[copy.length - 1]);
    assertEquals(400, inside.data().length);
    copy[copy.length - 1] = value[value.length - 1];
    assertTrue(Arrays.deepEquals(value, copy), Arrays.deepToString(copy));
  }

  /** Writes two numbers and reads a given number of them. */
  private record Numbers(int read) implements Codec<Integer> {
    @Override
    public void write(Integer value, CodecOutput out) throws IOException {
      out.writeInt(value);
      out.writeInt(value);
    }

    @Override
    public Integer read(CodecInput in) throws IOException {
      int last = 0;
      for (int i = 0; i < read; i++) {
        last = in.readInt();
      }
      return last;
    }
  }

  @Test
  void codecsThatDisagreeAreFoundOut() {
    OutgoingObject out = Encoded.write(4, new Numbers(2));
    assertEquals(4, Encoded.receive(out).value(new Numbers(2), ClassPolicy.DEFAULT));
    Worlds.assertError(ErrorClass.ERR_CONVERSION,
        () -> Encoded.receive(out).value(new Numbers(1), ClassPolicy.DEFAULT), "value", "4 bytes are left");
    Worlds.assertError(ErrorClass.ERR_CONVERSION,
        () -> Encoded.receive(out).value(new Numbers(3), ClassPolicy.DEFAULT), "value", "too early");
    OutgoingObject array = Encoded.write(new Object[] {
      true, (byte) 0, (short) 0, 'x', 0, 0L, 0f, 0.0, "", new int[1], null}, new Everything());
    Worlds.assertError(ErrorClass.ERR_CONVERSION,
        () -> Encoded.receive(array).value(new Everything(), ClassPolicy.DEFAULT),
        "int[] was written", "byte[] is read");
    Worlds.assertError(ErrorClass.ERR_CONVERSION, () -> Encoded.write("s", new Codec<String>() {
      @Override
      public void write(String value, CodecOutput out) throws IOException {
        out.writeArray(value);
      }

      @Override
      public String read(CodecInput in) {
        return "";
      }
    }), "no array of primitives");
  }
}
