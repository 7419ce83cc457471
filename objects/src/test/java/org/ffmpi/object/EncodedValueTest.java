// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.ffmpi.Codec;
import org.ffmpi.CodecInput;
import org.ffmpi.CodecOutput;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.Test;

/** Values that a program encodes and decodes itself, without a message. */
class EncodedValueTest {
  record Holder(String name, double[] data) implements Serializable {}

  /** Does not use Java's serialization. */
  private static final Codec<Holder> HOLDERS = new Codec<>() {
    @Override
    public void write(Holder value, CodecOutput out) throws IOException {
      out.writeUTF(value.name());
      out.writeArray(value.data());
    }

    @Override
    public Holder read(CodecInput in) throws IOException {
      return new Holder(in.readUTF(), in.readArray(double[].class));
    }
  };

  private static double[] numbers(int count) {
    double[] numbers = new double[count];
    Arrays.setAll(numbers, i -> i / 3.0);
    return numbers;
  }

  @Test
  void whatIsDecodedIsWhatWasEncoded() {
    Codec<Object> objects = Codec.objects();
    for (int count : new int[] {0, 3, 1000}) { // the arrays of a message lie beside it from 2 KiB on
      Holder value = new Holder("n" + count, numbers(count));
      for (Codec<Holder> codec : List.of(HOLDERS, Codec.<Holder>objects())) {
        Holder copy = codec.decode(codec.encode(value));
        assertEquals(value.name(), copy.name());
        assertArrayEquals(value.data(), copy.data());
      }
      assertArrayEquals(value.data(), (double[]) objects.decode(objects.encode(value.data())));
    }
    assertEquals(List.of("a", 1), objects.decode(objects.encode(List.of("a", 1))));
    assertNull(objects.decode(objects.encode(null)));
  }

  @Test
  void theBytesOfAnArrayAreAmongThem() {
    assertTrue(HOLDERS.encode(new Holder("", numbers(1000))).length >= 8000);
    assertTrue(Codec.objects().encode(numbers(1000)).length >= 8000);
  }

  @Test
  void onlyTheBytesOfOneValueAreRead() {
    byte[] bytes = HOLDERS.encode(new Holder("abc", numbers(4)));
    for (int length = 0; length < bytes.length; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      assertConversionFails(() -> HOLDERS.decode(part));
    }
    assertConversionFails(() -> HOLDERS.decode(Arrays.copyOf(bytes, bytes.length + 1)));
    byte[] object = Codec.objects().encode("abc");
    assertConversionFails(() -> Codec.objects().decode(Arrays.copyOf(object, object.length + 1)));
  }

  @Test
  void bytesOfAnyKindAreAValueOrAnError() {
    byte[] bytes = Codec.objects().encode(List.of(new Holder("abc", numbers(300)), "def", 1));
    Random random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      byte[] changed = bytes.clone();
      for (int k = random.nextInt(3); k >= 0; k--) {
        changed[random.nextInt(Math.min(changed.length, 300))] = (byte) random.nextInt();
      }
      try {
        Codec.objects().decode(changed);
      } catch (MpiException e) {
        assertEquals(ErrorClass.ERR_CONVERSION, e.errorClass());
      }
    }
  }

  @Test
  void whatIsNotAllowedIsNotRead() {
    byte[] bytes = Codec.objects().encode(URI.create("http://example.org"));
    assertTrue(assertConversionFails(() -> Codec.objects().decode(bytes)).contains("java.net.URI"));
  }

  @Test
  void errorsTellWhatIsWrong() {
    String text = assertConversionFails(() -> Codec.objects().encode(new Object()));
    assertTrue(text.contains("java.lang.Object is not Serializable"), text);
    MpiException e = assertThrows(MpiException.class, () -> Codec.objects().decode(null));
    assertEquals(ErrorClass.ERR_ARG, e.errorClass());
    assertTrue(e.getMessage().contains("bytes = null"), e::getMessage);
  }

  private static String assertConversionFails(Runnable call) {
    MpiException e = assertThrows(MpiException.class, call::run);
    assertEquals(ErrorClass.ERR_CONVERSION, e.errorClass());
    return e.getMessage();
  }
}
