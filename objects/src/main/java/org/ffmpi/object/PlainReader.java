// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads a value of the {@link PlainForm}. The bytes are not trusted; the limits are those of Java's serialization. */
final class PlainReader {
  private final ValueReader from;
  private final ClassPolicy policy;

  /** Whether also classes of the JDK that are values may be refused. */
  private final boolean isCustom;

  private final List<Class<?>> classes = new ArrayList<>(0);

  /** Strings and objects by their numbers; null while an object's content is being read. */
  private final List<Object> known = new ArrayList<>(4);

  /** Bytes that the value may have. */
  private final int bytes;

  private int depth;

  /** Elements that all arrays and lists so far have announced; each takes at least a byte. */
  private long elements;

  PlainReader(ValueReader from) {
    this.from = from;
    this.policy = from.policy();
    this.isCustom = policy.isCustom();
    this.bytes = from.remaining();
  }

  /** Reads the outermost value. */
  Object read() throws IOException, ClassNotFoundException {
    Object value = read(from.readUnsignedByte() & ~PlainForm.OUTERMOST);
    check("", bytes - from.remaining(), policy.bytes(), " bytes");
    return value;
  }

  private Object read(int tag) throws IOException, ClassNotFoundException {
    return switch (tag) {
      case PlainForm.NULL -> null;
      case PlainForm.LATIN, PlainForm.UTF16 -> {
        String s = string(tag);
        known.set(next(), s);
        yield s;
      }
      case PlainForm.INT -> box(Integer.class, from.readInt());
      case PlainForm.DOUBLE -> box(Double.class, from.readDouble());
      case PlainForm.LONG -> box(Long.class, from.readLong());
      case PlainForm.FALSE -> box(Boolean.class, false);
      case PlainForm.TRUE -> box(Boolean.class, true);
      case PlainForm.FLOAT -> box(Float.class, from.readFloat());
      case PlainForm.CHAR -> box(Character.class, from.readChar());
      case PlainForm.SHORT -> box(Short.class, from.readShort());
      case PlainForm.BYTE -> box(Byte.class, from.readByte());
      case PlainForm.ENUM -> constant();
      case PlainForm.AGAIN -> again();
      default -> object(tag);
    };
  }

  private Object object(int tag) throws IOException, ClassNotFoundException {
    check("nested ", ++depth, Math.min(policy.depth(), PlainForm.DEEPEST), " deep");
    int number = next();
    Object value = switch (tag) {
      case PlainForm.PRIMITIVES -> primitives();
      case PlainForm.STRINGS -> strings();
      case PlainForm.ARRAY_LIST -> {
        allow(ArrayList.class);
        yield new ArrayList<>(Arrays.asList(elements()));
      }
      case PlainForm.LIST_OF -> listOf();
      case PlainForm.AS_LIST -> {
        allow(PlainForm.AS_LIST_CLASS);
        yield Arrays.asList(elements());
      }
      case PlainForm.RECORD -> record();
      default -> throw new StreamCorruptedException("no value begins with " + tag);
    };
    depth--;
    known.set(number, value);
    return value;
  }

  private int next() throws InvalidObjectException {
    check("", known.size() + 1, policy.references(), " references");
    known.add(null);
    return known.size() - 1;
  }

  private Object again() throws IOException {
    int number = from.readCount();
    Object value = number < known.size() ? known.get(number) : null;
    if (value == null) {
      throw new StreamCorruptedException("object " + number + " of " + known.size());
    }
    return value;
  }

  /** A class that is allowed by default costs no more than a look. */
  private Object box(Class<?> type, Object value) throws InvalidObjectException {
    if (isCustom) {
      allow(type);
    }
    return value;
  }

  private String string(int tag) throws IOException {
    int length = from.readCount();
    if (tag == PlainForm.UTF16) {
      return from.readUtf16(length);
    }
    if (tag != PlainForm.LATIN) {
      throw new StreamCorruptedException("a string is expected, not " + tag);
    }
    return from.readText(length, StandardCharsets.ISO_8859_1);
  }

  private Object primitives() throws IOException {
    Object array = from.readArray(Object.class);
    PrimitiveArray a = array == null ? null : PrimitiveArray.of(array);
    if (a == null) {
      throw new StreamCorruptedException("an array is expected");
    }
    checkArray(a.length());
    return array;
  }

  private String[] strings() throws IOException, ClassNotFoundException {
    allow(String.class);
    String[] strings = new String[length()];
    for (int i = 0; i < strings.length; i++) {
      Object element = read(from.readUnsignedByte());
      if (element != null && !(element instanceof String)) {
        throw new StreamCorruptedException("a " + element.getClass().getTypeName() + " among strings");
      }
      strings[i] = (String) element;
    }
    return strings;
  }

  private List<Object> listOf() throws IOException, ClassNotFoundException {
    Object[] elements = elements();
    allow(PlainForm.LIST_OF_CLASS);
    try {
      return List.of(elements);
    } catch (NullPointerException e) {
      throw new InvalidObjectException("null in a list that cannot have it", e);
    }
  }

  private Object[] elements() throws IOException, ClassNotFoundException {
    Object[] elements = new Object[length()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = read(from.readUnsignedByte());
    }
    return elements;
  }

  private int length() throws IOException {
    int length = from.readCount();
    checkArray(length);
    elements += length;
    if (length > from.remaining() || elements > bytes) {
      throw new StreamCorruptedException("an array of " + length + " elements in " + from.remaining() + " bytes");
    }
    return length;
  }

  private Object constant() throws IOException, ClassNotFoundException {
    Class<?> type = type();
    if (!type.isEnum()) {
      throw new InvalidClassException(type.getTypeName(), "no enum");
    }
    String name = string(from.readUnsignedByte());
    for (Object constant : type.getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    throw new InvalidObjectException("enum " + type.getTypeName() + " has no constant " + name);
  }

  private Object record() throws IOException, ClassNotFoundException {
    Class<?> type = type();
    RecordShape shape = type.isRecord() ? RecordShape.of(type) : null;
    if (shape == null || shape.description() != from.readInt()) {
      throw new InvalidClassException(type.getTypeName(), "the sender's class has other components");
    }
    Object[] values = new Object[shape.count()];
    for (int i = 0; i < values.length; i++) {
      values[i] = read(from.readUnsignedByte());
    }
    return shape.make(values);
  }

  private Class<?> type() throws IOException, ClassNotFoundException {
    int number = from.readCount();
    if (number < classes.size()) {
      return classes.get(number);
    }
    String name = string(from.readUnsignedByte());
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    Class<?> type = Class.forName(name, false, context == null ? ClassLoader.getSystemClassLoader() : context);
    allow(type);
    classes.add(type);
    return type;
  }

  private void allow(Class<?> type) throws InvalidObjectException {
    String refused = ReadLimits.refusal(policy, type);
    if (refused != null) {
      throw new InvalidObjectException(refused);
    }
  }

  private void checkArray(int length) throws InvalidObjectException {
    check("an array of ", length, policy.arrayLength(), " elements");
  }

  private static void check(String before, long value, long limit, String after) throws InvalidObjectException {
    if (value > limit) {
      throw new InvalidObjectException(before + value + after + ", allowed are " + limit);
    }
  }
}
