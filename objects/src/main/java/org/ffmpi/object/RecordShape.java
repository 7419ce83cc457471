// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.io.InvalidObjectException;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** Reads the components of a record, and makes a record of them, as Java's serialization does it. */
final class RecordShape {
  private static final ClassValue<RecordShape> SHAPES = new ClassValue<>() {
    @Override
    protected RecordShape computeValue(Class<?> type) {
      return make(type);
    }
  };

  private final Class<?> type;
  private final Field[] fields;
  private final Constructor<?> constructor;
  private final int description;

  private RecordShape(Class<?> type, Field[] fields, Constructor<?> constructor, int description) {
    this.type = type;
    this.fields = fields;
    this.constructor = constructor;
    this.description = description;
  }

  /**
   * Returns the shape of a record class. Null when Java's serialization has to read and write its records: it refuses
   * them, or replaces them by other objects, or they lie in a module that does not open its packages.
   */
  static RecordShape of(Class<?> type) {
    return SHAPES.get(type);
  }

  private static RecordShape make(Class<?> type) {
    if (!Serializable.class.isAssignableFrom(type) || type.isHidden() || replaces(type)) {
      return null;
    }
    RecordComponent[] components = type.getRecordComponents();
    Field[] fields = new Field[components.length];
    Class<?>[] types = new Class<?>[components.length];
    StringBuilder description = new StringBuilder();
    try {
      for (int i = 0; i < components.length; i++) {
        fields[i] = type.getDeclaredField(components[i].getName());
        fields[i].setAccessible(true);
        types[i] = components[i].getType();
        description.append(components[i].getName()).append(' ').append(types[i].getName()).append('\n');
      }
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return new RecordShape(type, fields, constructor, description.toString().hashCode());
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  private static boolean replaces(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .anyMatch(m -> m.getName().equals("writeReplace") || m.getName().equals("readResolve"));
  }

  Class<?> type() {
    return type;
  }

  /** Returns a number that depends on names and types of the components. */
  int description() {
    return description;
  }

  int count() {
    return fields.length;
  }

  /** Returns a component of a record. */
  Object value(Object record, int component) {
    try {
      return fields[component].get(record);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(fields[component] + " has been made accessible", e);
    }
  }

  /**
   * Makes a record.
   *
   * @throws InvalidObjectException when the values do not fit, or the constructor refuses them
   */
  Object make(Object[] values) throws InvalidObjectException {
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new InvalidObjectException(String.valueOf(e.getCause().getMessage()), e.getCause());
    } catch (IllegalArgumentException e) {
      throw new InvalidObjectException("values that no " + type.getTypeName() + " has", e);
    } catch (ReflectiveOperationException e) {
      throw new InvalidObjectException(type.getTypeName() + " cannot be made", e);
    }
  }
}
