// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.carrier;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Length;
import org.ffmpi.datatype.tree.TypeTree;

/**
 * Lays records out as C structs, with each component at the next multiple of its alignment, and padding at the end so
 * that elements of an array are aligned.
 *
 * @param layout of one record, its components named
 * @param tree the type it is sent as
 * @param carrier reader and writer of records
 */
public record RecordTypes(StructLayout layout, TypeTree tree, Carrier<?> carrier) {
  /** Lives as long as the record class does. */
  private static final ClassValue<RecordTypes> KNOWN = new ClassValue<>() {
    @Override
    protected RecordTypes computeValue(Class<?> type) {
      return create(type);
    }
  };

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  private static final MethodHandle REQUIRE_PRESENT =
      find("requirePresent", RecordMember.class, MethodType.methodType(void.class, String.class, Object.class));

  private static final MethodHandle PLUS =
      find("sum", Long.class, MethodType.methodType(long.class, long.class, long.class));

  /** Returns the layout, tree and carrier of a record class, the same object at each call. */
  public static RecordTypes of(Class<?> type) {
    if (type == null || !type.isRecord()) {
      String value = type == null ? "null" : type.getTypeName();
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", value, "record classes");
    }
    return KNOWN.get(type);
  }

  private static RecordTypes create(Class<?> type) {
    try {
      RecordMember record = ofRecord(type.getSimpleName(), type, new LinkedHashSet<>());
      MethodHandle check = record.check();
      // Everything is checked before the first byte is written.
      MethodHandle writer = MethodHandles.foldArguments(
          record.writer(), MethodHandles.dropArguments(check, 0, MemorySegment.class, long.class));
      StructLayout layout = (StructLayout) record.layout().withName(type.getSimpleName());
      return new RecordTypes(layout, LayoutTypes.tree(layout), HandleCarriers.spin(record.reader(), writer));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new MpiException(ErrorClass.ERR_TYPE, "record " + type.getTypeName()
          + " has more components than a method can have parameters, or more bytes than fit in 63 bits", e);
    }
  }

  private static RecordMember ofRecord(String path, Class<?> type, SequencedSet<Class<?>> around) {
    if (!around.add(type)) {
      throw refused(path, type, "it would contain itself: "
          + around.stream().map(Class::getSimpleName).collect(Collectors.joining(" in ")));
    }
    RecordComponent[] components = type.getRecordComponents();
    List<MemoryLayout> layouts = new ArrayList<>();
    MethodHandle constructor = constructor(type, components);
    MethodHandle reader = MethodHandles.dropArguments(constructor, 0, MemorySegment.class, long.class);
    MethodHandle writer = MethodHandles.empty(MethodType.methodType(void.class, MemorySegment.class, long.class, type));
    MethodHandle check = MethodHandles.empty(MethodType.methodType(void.class, type));
    long at = 0;
    long alignment = 1;
    long[] displacements = new long[components.length];
    RecordMember[] members = new RecordMember[components.length];
    for (int i = 0; i < components.length; i++) {
      RecordComponent component = components[i];
      RecordMember member = ofComponent(path + "." + component.getName(), component, around);
      MemoryLayout layout = member.layout();
      at += pad(layouts, at, layout.byteAlignment());
      layouts.add(layout.withName(component.getName()));
      members[i] = member;
      displacements[i] = at;
      at = Math.addExact(at, layout.byteSize());
      alignment = Math.max(alignment, layout.byteAlignment());
    }
    pad(layouts, at, alignment);
    for (int i = components.length - 1; i >= 0; i--) {
      MethodHandle accessor = accessor(type, components[i]);
      reader = readInto(reader, shifted(members[i].reader(), displacements[i]));
      MethodHandle write = MethodHandles.filterArguments(shifted(members[i].writer(), displacements[i]), 2, accessor);
      writer = MethodHandles.foldArguments(writer, write);
      if (members[i].check() != null) {
        check = MethodHandles.foldArguments(check, MethodHandles.filterReturnValue(accessor, members[i].check()));
      }
    }
    around.remove(type);
    MemoryLayout layout = MemoryLayout.structLayout(layouts.toArray(MemoryLayout[]::new));
    MethodHandle present = REQUIRE_PRESENT.bindTo(path).asType(MethodType.methodType(void.class, type));
    return new RecordMember(layout, reader, writer, MethodHandles.foldArguments(check, present));
  }

  /** Adds the gap before something aligned; returns its bytes. */
  private static long pad(List<MemoryLayout> layouts, long at, long alignment) {
    long gap = -at & (alignment - 1);
    if (gap > 0) {
      layouts.add(MemoryLayout.paddingLayout(gap));
    }
    return gap;
  }

  private static RecordMember ofComponent(String path, RecordComponent component, SequencedSet<Class<?>> around) {
    Class<?> type = component.getType();
    Length length = component.getAnnotation(Length.class);
    if (!type.isArray()) {
      if (length != null) {
        throw refused(path, type, "@Length belongs to arrays");
      }
      return ofElement(path, type, around);
    }
    if (length == null) {
      throw refused(path, type, "an array needs @Length(…), since a struct in memory has a fixed size");
    }
    int[] lengths = length.value();
    Class<?> element = type;
    for (int dimension : lengths) {
      if (dimension < 1 || !element.isArray()) {
        element = null;
        break;
      }
      element = element.getComponentType();
    }
    if (lengths.length == 0 || element == null || element.isArray()) {
      throw refused(path, type, "@Length = " + Arrays.toString(lengths)
          + ": allowed are as many lengths of at least 1 as the array has dimensions");
    }
    return ofArray(path, type, lengths, 0, around);
  }

  private static RecordMember ofArray(
      String path, Class<?> type, int[] lengths, int dimension, SequencedSet<Class<?>> around) {
    Class<?> component = type.getComponentType();
    RecordMember element = component.isArray()
        ? ofArray(path + "[]", component, lengths, dimension + 1, around)
        : ofElement(path + "[]", component, around);
    return RecordMember.ofArray(path, type, element, lengths[dimension]);
  }

  private static RecordMember ofElement(String path, Class<?> type, SequencedSet<Class<?>> around) {
    if (type.isPrimitive()) {
      return RecordMember.ofPrimitive(type);
    } else if (type.isRecord()) {
      return ofRecord(path, type, around);
    }
    throw refused(path, type, "components are primitive types, records, and arrays of them with @Length");
  }

  private static MpiException refused(String path, Class<?> type, String why) {
    return new MpiException(
        ErrorClass.ERR_TYPE, "record component " + path + " of type " + type.getTypeName() + ": " + why);
  }

  // ---- composition of handles

  private static MethodHandle find(String name, Class<?> type, MethodType signature) {
    try {
      return LOOKUP.findStatic(type, name, signature);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Adds a displacement to the offset that a reader or writer takes. */
  private static MethodHandle shifted(MethodHandle access, long displacement) {
    return displacement == 0
        ? access
        : MethodHandles.filterArguments(access, 1, MethodHandles.insertArguments(PLUS, 1, displacement));
  }

  /** Lets a reader fetch the last of the constructor's arguments that are still missing. */
  private static MethodHandle readInto(MethodHandle constructor, MethodHandle reader) {
    int last = constructor.type().parameterCount() - 1;
    MethodHandle both = MethodHandles.collectArguments(constructor, last, reader);
    int[] order = new int[last + 2];
    Arrays.setAll(order, i -> i < last ? i : i - last);
    return MethodHandles.permuteArguments(both, constructor.type().dropParameterTypes(last, last + 1), order);
  }

  // ---- access to the record

  private static MethodHandle constructor(Class<?> type, RecordComponent[] components) {
    Class<?>[] parameters = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return lookup(type).findConstructor(type, MethodType.methodType(void.class, parameters));
    } catch (ReflectiveOperationException e) {
      throw inaccessible(type, e);
    }
  }

  private static MethodHandle accessor(Class<?> type, RecordComponent component) {
    try {
      return lookup(type).findVirtual(type, component.getName(), MethodType.methodType(component.getType()));
    } catch (ReflectiveOperationException e) {
      throw inaccessible(type, e);
    }
  }

  /** Returns a lookup with all rights where the record's module opens its package, and public rights elsewhere. */
  private static MethodHandles.Lookup lookup(Class<?> type) {
    RecordTypes.class.getModule().addReads(type.getModule());
    try {
      return MethodHandles.privateLookupIn(type, LOOKUP);
    } catch (IllegalAccessException e) {
      return MethodHandles.publicLookup();
    }
  }

  private static MpiException inaccessible(Class<?> type, ReflectiveOperationException cause) {
    String self = RecordTypes.class.getModule().getName();
    return new MpiException(ErrorClass.ERR_TYPE, "record " + type.getTypeName() + " cannot be accessed: module "
        + type.getModule().getName() + " must say \"opens " + type.getPackageName()
        + (self == null ? "" : " to " + self) + "\", or make the record public and export its package", cause);
  }
}
