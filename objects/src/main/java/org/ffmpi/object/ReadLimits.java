// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.io.ObjectInputFilter;
import java.util.Arrays;

/**
 * The limits of one value that is read by Java's serialization: what its bytes can hold, and what the policy says.
 * Remembers what it has refused. Used by the thread that decodes.
 *
 * <p>An array of n references takes n bytes or more, so that all arrays of a sound value together are no longer than
 * its bytes; tables of hash collections are up to eight times as long as what is in them.
 */
final class ReadLimits implements ObjectInputFilter {
  /** The longest table of a hash collection is this many times as long as its bytes. */
  private static final int TABLE = 8;

  /** The table of a hash collection with one element. */
  private static final int SMALLEST_TABLE = 16;

  /**
   * How deep hash collections are nested at most: to add one to another computes the hash codes of all that it reaches,
   * which takes twice as long, or more, for each level of crafted ones.
   */
  private static final int DEEPEST_TABLE = 16;

  private final ClassPolicy policy;
  private final long bytes;
  private long elements;
  private long primitiveBytes;
  private String refused = "";

  /** The class of an array that takes the place of its stand-in, or null. */
  private Class<?> expected;

  /** The depths of the hash collections that are being read, ascending. */
  private long[] tables = new long[4];

  private int tableCount;

  /**
   * Creates limits.
   *
   * @param bytes as many as there are to be read
   */
  ReadLimits(ClassPolicy policy, long bytes) {
    this.policy = policy;
    this.bytes = bytes;
  }

  /** Returns what was refused and why; empty for nothing. */
  String refused() {
    return refused;
  }

  /** Returns whether a class is allowed, and notes it if it is not. */
  boolean allows(Class<?> type) {
    if (policy.allows(type)) {
      return true;
    }
    note("class " + type.getTypeName() + " is neither the program's own nor a value type of the JDK; the setting "
        + ObjectSettings.ALLOW.name() + " can allow it");
    return false;
  }

  /** Notes that the next array is one that has travelled beside the bytes, which hold it in no way. */
  void expect(Object array) {
    expected = array.getClass();
  }

  @Override
  public Status checkInput(FilterInfo info) {
    if (expected != null && expected == info.serialClass() && info.arrayLength() >= 0) {
      expected = null;
      return isWithin("an array of ", info.arrayLength(), policy.arrayLength(), " elements")
          ? Status.ALLOWED
          : Status.REJECTED;
    }
    leaveTables(info.depth());
    Class<?> type = info.serialClass();
    boolean allowed = isWithin("nested ", info.depth(), policy.depth(), " deep")
        && isWithin("", info.references(), Math.min(policy.references(), bytes), " references")
        && isWithin("", info.streamBytes(), policy.bytes(), " bytes")
        && (type == null || allows(type))
        && (info.arrayLength() < 0 || type == null || holds(type, info));
    return allowed ? Status.ALLOWED : Status.REJECTED;
  }

  private boolean isWithin(String before, long value, long limit, String after) {
    return value <= limit || refuse(before + value + after + ", allowed are " + limit);
  }

  private boolean holds(Class<?> array, FilterInfo info) {
    long length = info.arrayLength();
    if (!isWithin("an array of ", length, policy.arrayLength(), " elements")) {
      return false;
    }
    Class<?> component = array.getComponentType();
    boolean held;
    if (component != null && component.isPrimitive()) {
      primitiveBytes += length * elementBytes(component);
      held = primitiveBytes <= bytes;
    } else {
      elements += length;
      held = elements <= TABLE * bytes + SMALLEST_TABLE;
    }
    if (!held) {
      return refuse("an array of " + length + " elements, in a message of " + bytes + " bytes");
    }
    if (array.getName().endsWith("Map$Entry;")) {
      enterTable(info.depth());
      return isWithin("hash collections nested ", tableCount, DEEPEST_TABLE, " deep");
    }
    return true;
  }

  private static int elementBytes(Class<?> primitive) {
    if (primitive == long.class || primitive == double.class) {
      return Long.BYTES;
    }
    if (primitive == int.class || primitive == float.class) {
      return Integer.BYTES;
    }
    return primitive == short.class || primitive == char.class ? Short.BYTES : Byte.BYTES;
  }

  private void enterTable(long depth) {
    if (tableCount == tables.length) {
      tables = Arrays.copyOf(tables, 2 * tableCount);
    }
    tables[tableCount++] = depth;
  }

  /** What is read at a depth ends all that was read as deep or deeper. */
  private void leaveTables(long depth) {
    while (tableCount > 0 && tables[tableCount - 1] >= depth) {
      tableCount--;
    }
  }

  private boolean refuse(String what) {
    note(what);
    return false;
  }

  private void note(String what) {
    if (refused.isEmpty()) {
      refused = what;
    }
  }
}
