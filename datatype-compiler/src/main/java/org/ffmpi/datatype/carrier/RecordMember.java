// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.carrier;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The layout of a record's member, and the handles that read and write it. A member is a number, an array of fixed
 * length or a record. Handles are composed once; reading and writing need no lookup.
 *
 * @param layout layout of the member in memory, by the rules of C
 * @param reader (segment, offset) to value
 * @param writer (segment, offset, value) to nothing; does not check the value
 * @param check (value) to nothing; throws when the value cannot be written; null for members that are always valid
 */
record RecordMember(MemoryLayout layout, MethodHandle reader, MethodHandle writer, MethodHandle check) {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  /** The interfaces by which segments name their accessors. */
  private static final Map<Class<?>, Class<?>> LAYOUT_CLASSES = Map.of(
      boolean.class, ValueLayout.OfBoolean.class,
      byte.class, ValueLayout.OfByte.class,
      char.class, ValueLayout.OfChar.class,
      short.class, ValueLayout.OfShort.class,
      int.class, ValueLayout.OfInt.class,
      long.class, ValueLayout.OfLong.class,
      float.class, ValueLayout.OfFloat.class,
      double.class, ValueLayout.OfDouble.class);

  /** Returns a member of a primitive type. */
  static RecordMember ofPrimitive(Class<?> type) {
    ValueLayout layout = PrimitiveLayouts.of(type);
    // Elements of a message may lie anywhere, in a byte array for example.
    ValueLayout unaligned = layout.withByteAlignment(1);
    return new RecordMember(layout, access("get", unaligned, type), access("set", unaligned, type), null);
  }

  /** Finds a segment's accessor and binds it to a layout. */
  private static MethodHandle access(String name, ValueLayout layout, Class<?> type) {
    Class<?> form = LAYOUT_CLASSES.get(type);
    MethodType signature = name.equals("get")
        ? MethodType.methodType(type, form, long.class)
        : MethodType.methodType(void.class, form, long.class, type);
    try {
      return MethodHandles.insertArguments(LOOKUP.findVirtual(MemorySegment.class, name, signature), 1, layout);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("segments have accessors for all primitive types", e);
    }
  }

  /**
   * Returns a member that is an array.
   *
   * @param path the member's name for messages
   * @param type the array's class
   * @param element the member for one element
   * @param length number of elements
   */
  static RecordMember ofArray(String path, Class<?> type, RecordMember element, int length) {
    Class<?> component = type.getComponentType();
    MemoryLayout layout = MemoryLayout.sequenceLayout(length, element.layout);
    Object moves;
    if (component == boolean.class) {
      moves = new Booleans(path, length);
    } else if (component.isPrimitive()) {
      moves = new Numbers(path, component, ((ValueLayout) element.layout).withByteAlignment(1), length);
    } else {
      moves = new Objects(path, component, length, element.layout.byteSize(),
          element.reader.asType(HandleCarriers.READ), element.writer.asType(HandleCarriers.WRITE),
          element.check.asType(MethodType.methodType(void.class, Object.class)));
    }
    return new RecordMember(layout,
        bind(moves, "read", HandleCarriers.READ).asType(HandleCarriers.READ.changeReturnType(type)),
        bind(moves, "write", HandleCarriers.WRITE).asType(HandleCarriers.WRITE.changeParameterType(2, type)),
        bind(moves, "check", MethodType.methodType(void.class, Object.class))
            .asType(MethodType.methodType(void.class, type)));
  }

  private static MethodHandle bind(Object receiver, String name, MethodType type) {
    try {
      return LOOKUP.bind(receiver, name, type);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Refuses null. Every check of an object begins with this one. */
  static void requirePresent(String path, Object value) {
    if (value == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, path, "null", "objects: an element in memory has all its parts");
    }
  }

  private static void requireLength(String path, Object array, int length) {
    requirePresent(path, array);
    if (Array.getLength(array) != length) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, path + ".length", Array.getLength(array), Integer.toString(length));
    }
  }

  // Three kinds of arrays. They are records because the compiler treats the fields of records as constants.

  /** Arrays of a numeric primitive type. */
  private record Numbers(String path, Class<?> component, ValueLayout layout, int length) {
    Object read(MemorySegment segment, long offset) {
      Object array = Array.newInstance(component, length);
      MemorySegment.copy(segment, layout, offset, array, 0, length);
      return array;
    }

    void write(MemorySegment segment, long offset, Object array) {
      MemorySegment.copy(array, 0, segment, layout, offset, length);
    }

    void check(Object array) {
      requireLength(path, array, length);
    }
  }

  /** Arrays of {@code boolean}, which the JDK does not copy to segments. */
  private record Booleans(String path, int length) {
    Object read(MemorySegment segment, long offset) {
      boolean[] array = new boolean[length];
      for (int i = 0; i < length; i++) {
        array[i] = segment.get(ValueLayout.JAVA_BOOLEAN, offset + i);
      }
      return array;
    }

    void write(MemorySegment segment, long offset, Object value) {
      boolean[] array = (boolean[]) value;
      for (int i = 0; i < length; i++) {
        segment.set(ValueLayout.JAVA_BOOLEAN, offset + i, array[i]);
      }
    }

    void check(Object array) {
      requireLength(path, array, length);
    }
  }

  /** Arrays of records or of arrays. */
  private record Objects(String path, Class<?> component, int length, long stride,
      MethodHandle reader, MethodHandle writer, MethodHandle checker) {
    Object read(MemorySegment segment, long offset) throws Throwable {
      Object[] array = (Object[]) Array.newInstance(component, length);
      for (int i = 0; i < length; i++) {
        array[i] = (Object) reader.invokeExact(segment, offset + i * stride);
      }
      return array;
    }

    void write(MemorySegment segment, long offset, Object value) throws Throwable {
      Object[] array = (Object[]) value;
      for (int i = 0; i < length; i++) {
        writer.invokeExact(segment, offset + i * stride, array[i]);
      }
    }

    void check(Object value) throws Throwable {
      requireLength(path, value, length);
      for (Object element : (Object[]) value) {
        checker.invokeExact(element);
      }
    }
  }
}
