// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.ffmpi.Codec;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.Test;

/** Which values have the short form, and what is made of bytes that no sender has written. */
class PlainFormTest {
  private static final int MUTATIONS = 20_000;

  record Point(int x, double y) implements Serializable {}

  record Tree(String name, List<Tree> below) implements Serializable {}

  record Positive(int n) implements Serializable {
    Positive {
      if (n <= 0) {
        throw new IllegalArgumentException(n + " is not positive");
      }
    }
  }

  record Bare(int n) {}

  record Replaced(int n) implements Serializable {
    private Object writeReplace() {
      return "replaced " + n;
    }
  }

  /** Nothing but a subclass. */
  static final class OwnList extends ArrayList<Object> {
    private static final long serialVersionUID = 1;
  }

  private static byte[] encode(Object value) {
    return EncodedValue.encode(value, Codec.objects());
  }

  private static Object decode(byte[] bytes, ClassPolicy policy) {
    return EncodedValue.read(new ValueReader(bytes, 0, bytes.length, new Object[0], policy), Codec.objects());
  }

  private static boolean isShort(Object value) {
    return encode(value)[0] < 0;
  }

  @Test
  void simpleValuesHaveTheShortForm() {
    List<Object> values = new ArrayList<>(Arrays.asList(
        null, true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6.0, "", "text", "ä€𝄞", TimeUnit.DAYS, new int[3],
        new String[] {"a", null}, List.of(), List.of(1), List.of(1, 2, 3), Arrays.asList(1, null), new Point(1, 2),
        new Tree("a", List.of(new Tree("b", List.of())))));
    for (Object value : values) {
      assertTrue(isShort(value), () -> "is long: " + value);
    }
    assertTrue(isShort(values));
  }

  @Test
  void othersAreLeftToJavasSerialization() {
    List<Object> inside = new ArrayList<>();
    inside.add(inside);
    Object deep = "end";
    for (int i = 0; i <= PlainForm.DEEPEST; i++) {
      deep = List.of(deep);
    }
    for (Object value : List.of(
        new OwnList(), new LinkedList<>(List.of(1)), inside, deep, new Replaced(1), new Object[] {1},
        List.of("before", new LinkedList<>()), List.of(1).stream().toList())) {
      assertTrue(!isShort(value), () -> "is short: " + value.getClass());
    }
    assertEquals("replaced 1", Encoded.copy((Object) new Replaced(1)));
    MpiException e = assertThrows(MpiException.class, () -> encode(new Bare(1)));
    assertEquals(ErrorClass.ERR_CONVERSION, e.errorClass());
  }

  @Test
  void whatWasOneObjectIsOneAgain() {
    int[] numbers = {1, 2};
    String text = new String("text");
    List<Object> copy = Encoded.copy(new ArrayList<>(Arrays.asList(numbers, text, numbers, text, List.of(numbers))));
    assertArrayEquals(numbers, (int[]) copy.getFirst());
    assertSame(copy.get(0), copy.get(2));
    assertSame(copy.get(1), copy.get(3));
    assertSame(copy.get(0), ((List<?>) copy.get(4)).getFirst());
    List<Object> many = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      many.add("string " + i % 50);
      many.add(many.get(i));
    }
    assertEquals(many, Encoded.copy(many));
  }

  @Test
  void aConstructorThatRefusesIsTheCause() {
    byte[] bytes = encode(new Positive(1));
    assertEquals(new Positive(1), decode(bytes, ClassPolicy.DEFAULT));
    bytes[bytes.length - 1] = 0;
    MpiException e = assertThrows(MpiException.class, () -> decode(bytes, ClassPolicy.DEFAULT));
    assertTrue(e.getMessage().contains("0 is not positive"), e.getMessage());
  }

  @Test
  void thePolicyHoldsForTheShortFormToo() {
    for (String pattern : List.of(
        "!" + Point.class.getName(), "maxdepth=1", "maxrefs=1", "maxarray=1", "maxbytes=10", "!java.util.ArrayList",
        "!java.lang.Integer")) {
      ClassPolicy policy = ClassPolicy.of(pattern);
      List<Object> value = new ArrayList<>(List.of(new Point(1, 2), 3));
      byte[] bytes = encode(value);
      assertEquals(value, decode(bytes, ClassPolicy.of("maxdepth=2;maxrefs=2;maxarray=2;maxbytes=100;!java.util.Map")));
      MpiException e = assertThrows(MpiException.class, () -> decode(bytes, policy), pattern);
      assertEquals(ErrorClass.ERR_CONVERSION, e.errorClass());
    }
  }

  @Test
  void anotherClassOfTheSameNameIsRefused() {
    byte[] bytes = encode(new Point(1, 2));
    int description = bytes.length - Integer.BYTES - 1 - Double.BYTES - 1 - Integer.BYTES;
    bytes[description]++;
    MpiException e = assertThrows(MpiException.class, () -> decode(bytes, ClassPolicy.DEFAULT));
    assertTrue(e.getMessage().contains("other components"), e.getMessage());
  }

  @Test
  void anObjectIsNotPartOfItself() {
    byte[] bytes = {(byte) (PlainForm.OUTERMOST | PlainForm.ARRAY_LIST), 1, PlainForm.AGAIN, 0};
    assertThrows(MpiException.class, () -> decode(bytes, ClassPolicy.DEFAULT));
  }

  @Test
  void mutatedBytesAreReadOrRefused() {
    long seed = Long.getLong("ffmpi.test.seed", ThreadLocalRandom.current().nextLong());
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    byte[] sound = encode(new ArrayList<>(Arrays.asList(
        "text", "ä€", 1, 2.0, null, new int[] {1, 2}, new String[] {"a", "text"}, TimeUnit.DAYS, List.of(1, 2, 3),
        new Point(1, 2), new Point(3, 4), new Tree("t", List.of()), Arrays.asList(true, 'c'))));
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] bytes = Arrays.copyOf(sound, random.nextInt(4) == 0 ? random.nextInt(sound.length) : sound.length);
      for (int n = random.nextInt(3); n >= 0 && bytes.length > 0; n--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        decode(bytes, ClassPolicy.DEFAULT);
      } catch (MpiException e) {
        assertEquals(ErrorClass.ERR_CONVERSION, e.errorClass(), () -> "seed " + seed);
        assertInstanceOf(Throwable.class, e.getCause(), () -> "seed " + seed);
      }
    }
  }
}
