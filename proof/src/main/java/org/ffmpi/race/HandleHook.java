// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.ffmpi.base.raw.Raw;

/**
 * The entry points for accesses of rewritten classes through {@code VarHandle}s, and for the calls that make these. A
 * handle itself does not show which bytes of a segment it reads. Called by any thread of the program. Wrong arguments
 * are left to the calls themselves.
 */
public final class HandleHook {
  /** A plain access. */
  static final int PLAIN = 0;
  /** An access in one step, without an order. */
  static final int OPAQUE = 1;
  /** An access in one step, with an order. */
  static final int ORDERED = 2;

  /** Elements of a layout that has no end. */
  private static final long MANY = 1L << 20;

  /**
   * The first byte of an access, by the coordinates behind the segment.
   *
   * @param direct by each of them
   * @param spread by an array of them
   */
  private record Place(MethodHandle direct, MethodHandle spread) {
    static Place of(MethodHandle direct) {
      return new Place(direct, direct.asSpreader(long[].class, direct.type().parameterCount()));
    }
  }

  private static final Map<VarHandle, Place> PLACES = Collections.synchronizedMap(new WeakHashMap<>());

  static { // layouts keep their handles, which a program may have taken before its classes were rewritten
    for (ValueLayout layout : List.of(
        ValueLayout.JAVA_BYTE, ValueLayout.JAVA_BOOLEAN, ValueLayout.JAVA_CHAR, ValueLayout.JAVA_SHORT,
        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_FLOAT, ValueLayout.JAVA_DOUBLE,
        ValueLayout.JAVA_CHAR_UNALIGNED, ValueLayout.JAVA_SHORT_UNALIGNED, ValueLayout.JAVA_INT_UNALIGNED,
        ValueLayout.JAVA_LONG_UNALIGNED, ValueLayout.JAVA_FLOAT_UNALIGNED, ValueLayout.JAVA_DOUBLE_UNALIGNED)) {
      ofValue(Raw.handle(layout), layout);
    }
  }

  private HandleHook() {}

  // ---- handles that are made

  /**
   * Notes a handle that a program has made for a value.
   *
   * @param made the handle
   * @param layout its layout
   * @return the handle
   */
  public static VarHandle ofValue(VarHandle made, ValueLayout layout) {
    return known(made, layout, new MemoryLayout.PathElement[0]);
  }

  /**
   * Notes a handle that a program has made for what a path selects.
   *
   * @param made the handle
   * @param layout a layout
   * @param path leads to a value
   * @return the handle
   */
  public static VarHandle ofPath(VarHandle made, MemoryLayout layout, MemoryLayout.PathElement[] path) {
    return known(made, layout, path);
  }

  /**
   * Notes a handle that a program has made for what a path selects in each of many elements.
   *
   * @param made the handle
   * @param layout layout of an element
   * @param path leads to a value in it
   * @return the handle
   */
  public static VarHandle ofElements(VarHandle made, MemoryLayout layout, MemoryLayout.PathElement[] path) {
    MemoryLayout.PathElement[] all = new MemoryLayout.PathElement[path.length + 1];
    all[0] = MemoryLayout.PathElement.sequenceElement();
    System.arraycopy(path, 0, all, 1, path.length);
    long count = layout.byteSize() == 0 ? 1 : Math.min(MANY, Long.MAX_VALUE / layout.byteSize());
    return known(made, MemoryLayout.sequenceLayout(count, layout), all);
  }

  private static VarHandle known(VarHandle handle, MemoryLayout layout, MemoryLayout.PathElement[] path) {
    try {
      PLACES.put(handle, Place.of(layout.byteOffsetHandle(path)));
    } catch (RuntimeException e) {
      // a path through an address, behind which the memory is another one
    }
    return handle;
  }

  /**
   * Makes a handle that has some coordinates already.
   *
   * @param handle a handle
   * @param at the first coordinate that is given
   * @param values the coordinates
   * @return the new handle
   */
  public static VarHandle bound(VarHandle handle, int at, Object[] values) {
    VarHandle made = MethodHandles.insertCoordinates(handle, at, values);
    Place place = PLACES.get(handle);
    if (place != null && at > 0) {
      PLACES.put(made, Place.of(MethodHandles.insertArguments(place.direct, at - 1, values)));
    }
    return made;
  }

  /**
   * Notes that a handle reads the same bytes as another one.
   *
   * @param made a handle
   * @param handle the one that it has been made from
   * @return the first
   */
  public static VarHandle same(VarHandle made, VarHandle handle) {
    Place place = PLACES.get(handle);
    if (place != null) {
      PLACES.put(made, place);
    }
    return made;
  }

  // ---- accesses

  /**
   * Notes an access that is about to be made.
   *
   * @param handle the handle
   * @param memory its first coordinate
   * @param rest the numbers behind it: coordinates, and perhaps values
   * @param mode whether it is made in one step, and has an order
   * @param stores whether it stores
   * @param site place in the program
   */
  public static void before(VarHandle handle, Object memory, long[] rest, int mode, boolean stores, String site) {
    if (handle == null || memory == null || TrackedMemory.isEmpty()) {
      return;
    }
    SeenAccess.Kind kind = mode == PLAIN ? stores ? SeenAccess.Kind.STORE : SeenAccess.Kind.LOAD
        : stores ? SeenAccess.Kind.ORDERED_STORE : SeenAccess.Kind.ORDERED_LOAD;
    long size = size(handle.varType());
    int coordinates = handle.coordinateTypes().size() - 1;
    if (memory instanceof MemorySegment segment) {
      long offset = offset(handle, rest, coordinates);
      if (offset >= 0) {
        RaceHook.bytes(segment, offset, size, kind, site);
      }
      order(segment, mode == ORDERED && stores, true);
    } else if (coordinates == 1 && rest.length > 0) {
      view(memory, rest[0], size, kind, site);
    }
  }

  /** Notes an access of an element of an array, or of some bytes of one or of a buffer. */
  private static void view(Object memory, long index, long size, SeenAccess.Kind kind, String site) {
    if (memory instanceof ByteBuffer buffer) {
      RaceHook.bytes(MemorySegment.ofBuffer(buffer.duplicate().clear()), index, size, kind, site);
    } else if (memory.getClass().isArray() && memory.getClass().componentType().isPrimitive()) {
      long scale = memory instanceof byte[] ? 1 : size;
      if (index >= 0 && index < Array.getLength(memory)) {
        TrackedMemory.touchArray(memory, index * scale, index * scale + size, kind, site);
      }
    }
  }

  /**
   * Notes that an access with an order that loads has been made.
   *
   * @param memory the handle's first coordinate
   */
  public static void after(Object memory) {
    if (memory instanceof MemorySegment segment) {
      order(segment, true, false);
    }
  }

  private static void order(MemorySegment segment, boolean is, boolean stores) {
    if (is && segment.isNative() && segment.byteSize() > 0) {
      TrackedMemory.order(Raw.address(segment), Raw.address(segment) + segment.byteSize(), stores);
    }
  }

  /** Returns the first byte of an access; -1 where it is not known. */
  private static long offset(VarHandle handle, long[] rest, int coordinates) {
    Place place = PLACES.get(handle);
    if (place == null || rest.length < coordinates) {
      return -1;
    }
    try {
      long[] given = rest.length == coordinates ? rest : Arrays.copyOf(rest, coordinates);
      return (long) place.spread.invokeExact(given);
    } catch (Throwable e) { // an index that is too high, which the access reports
      return -1;
    }
  }

  private static long size(Class<?> type) {
    if (type == long.class || type == double.class) {
      return Long.BYTES;
    }
    if (type == int.class || type == float.class) {
      return Integer.BYTES;
    }
    return type == short.class || type == char.class ? Short.BYTES : type.isPrimitive() ? 1 : Long.BYTES;
  }
}
