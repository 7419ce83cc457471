// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Writes one value in the {@link PlainForm}, or finds that it has none. */
final class PlainWriter {
  /** Objects that are compared one by one; more are kept in a set. */
  private static final int FEW = 16;

  private final ValueWriter to;

  /** Strings and objects so far, by their numbers. */
  private Object[] first;

  private int count;

  /** The numbers of all strings and objects, once they are more than a few. */
  private Map<Object, Integer> numbers;

  private List<Class<?>> classes;

  /** Objects of which the content is being written. */
  private final Object[] open = new Object[PlainForm.DEEPEST];

  private int depth;

  private PlainWriter(ValueWriter to) {
    this.to = to;
  }

  /** Writes a value; returns false, with nothing written, when Java's serialization has to. */
  static boolean write(Object value, ValueWriter to) throws IOException {
    int at = to.end();
    int arrays = to.beside().size();
    if (value instanceof String s) {
      writeString(s, PlainForm.OUTERMOST, to);
      return true;
    }
    if (new PlainWriter(to).write(value, PlainForm.OUTERMOST)) {
      return true;
    }
    to.truncate(at, arrays);
    return false;
  }

  private boolean write(Object value, int flag) throws IOException {
    switch (value) {
      case null -> to.writeByte(flag | PlainForm.NULL);
      case String s -> {
        if (!isAgain(s, flag)) {
          writeString(s, flag, to);
        }
      }
      case Integer v -> {
        to.writeByte(flag | PlainForm.INT);
        to.writeInt(v);
      }
      case Double v -> {
        to.writeByte(flag | PlainForm.DOUBLE);
        to.writeDouble(v);
      }
      case Long v -> {
        to.writeByte(flag | PlainForm.LONG);
        to.writeLong(v);
      }
      case Boolean v -> to.writeByte(flag | (v ? PlainForm.TRUE : PlainForm.FALSE));
      case Float v -> {
        to.writeByte(flag | PlainForm.FLOAT);
        to.writeFloat(v);
      }
      case Character v -> {
        to.writeByte(flag | PlainForm.CHAR);
        to.writeChar(v);
      }
      case Short v -> {
        to.writeByte(flag | PlainForm.SHORT);
        to.writeShort(v);
      }
      case Byte v -> {
        to.writeByte(flag | PlainForm.BYTE);
        to.writeByte(v);
      }
      case Enum<?> v -> writeEnum(v, flag);
      default -> {
        return writeObject(value, flag);
      }
    }
    return true;
  }

  static void writeString(String s, int flag, ValueWriter to) throws IOException {
    byte[] latin = s.getBytes(StandardCharsets.ISO_8859_1);
    if (latin.length == s.length() && new String(latin, StandardCharsets.ISO_8859_1).equals(s)) {
      to.writeByte(flag | PlainForm.LATIN);
      to.writeCount(latin.length);
      to.write(latin);
    } else {
      to.writeByte(flag | PlainForm.UTF16);
      to.writeCount(s.length());
      to.writeUtf16(s);
    }
  }

  private void writeEnum(Enum<?> v, int flag) throws IOException {
    to.writeByte(flag | PlainForm.ENUM);
    writeClass(v.getDeclaringClass());
    writeString(v.name(), 0, to);
  }

  private boolean writeObject(Object value, int flag) throws IOException {
    if (depth == PlainForm.DEEPEST || isOpen(value)) {
      return false;
    }
    if (isAgain(value, flag)) {
      return true;
    }
    open[depth++] = value;
    boolean isWritten = writeContent(value, flag);
    depth--;
    return isWritten;
  }

  private boolean isOpen(Object value) {
    for (int i = 0; i < depth; i++) {
      if (open[i] == value) {
        return true;
      }
    }
    return false;
  }

  private boolean writeContent(Object value, int flag) throws IOException {
    Class<?> type = value.getClass();
    if (type.isArray()) {
      return writeArray(value, type, flag);
    }
    if (type == ArrayList.class) {
      return writeAll(PlainForm.ARRAY_LIST | flag, (List<?>) value);
    }
    if (type.isRecord()) {
      return writeRecord(value, RecordShape.of(type), flag);
    }
    if (PlainForm.isListOf(value, type)) {
      return writeAll(PlainForm.LIST_OF | flag, (List<?>) value);
    }
    return type == PlainForm.AS_LIST_CLASS && writeAll(PlainForm.AS_LIST | flag, (List<?>) value);
  }

  private boolean writeArray(Object array, Class<?> type, int flag) throws IOException {
    if (type == String[].class) {
      return writeAll(PlainForm.STRINGS | flag, Arrays.asList((String[]) array));
    }
    if (!type.getComponentType().isPrimitive()) {
      return false;
    }
    to.writeByte(flag | PlainForm.PRIMITIVES);
    to.writeArray(array);
    return true;
  }

  private boolean writeAll(int tag, List<?> elements) throws IOException {
    int size = elements.size();
    to.writeByte(tag);
    to.writeCount(size);
    for (int i = 0; i < size; i++) {
      if (!write(elements.get(i), 0)) {
        return false;
      }
    }
    return true;
  }

  private boolean writeRecord(Object value, RecordShape shape, int flag) throws IOException {
    if (shape == null) {
      return false;
    }
    to.writeByte(flag | PlainForm.RECORD);
    writeClass(shape.type());
    to.writeInt(shape.description());
    for (int i = 0; i < shape.count(); i++) {
      if (!write(shape.value(value, i), 0)) {
        return false;
      }
    }
    return true;
  }

  /** Writes the number of a class in this value, and its name where it is met first. */
  private void writeClass(Class<?> type) throws IOException {
    if (classes == null) {
      classes = new ArrayList<>(2);
    }
    int number = classes.indexOf(type);
    if (number >= 0) {
      to.writeCount(number);
      return;
    }
    to.writeCount(classes.size());
    classes.add(type);
    writeString(type.getName(), 0, to);
  }

  /** Writes the number of an object that the value has had before; else gives it the next one. */
  private boolean isAgain(Object object, int flag) throws IOException {
    int number = number(object);
    if (number < 0) {
      return false;
    }
    to.writeByte(flag | PlainForm.AGAIN);
    to.writeCount(number);
    return true;
  }

  private int number(Object object) {
    if (numbers != null) {
      Integer known = numbers.putIfAbsent(object, count);
      if (known != null) {
        return known;
      }
      count++;
      return -1;
    }
    if (first == null) {
      first = new Object[FEW];
    }
    for (int i = 0; i < count; i++) {
      if (first[i] == object) {
        return i;
      }
    }
    if (count < FEW) {
      first[count++] = object;
      return -1;
    }
    numbers = new IdentityHashMap<>();
    for (int i = 0; i < FEW; i++) {
      numbers.put(first[i], i);
    }
    numbers.put(object, count++);
    return -1;
  }
}
