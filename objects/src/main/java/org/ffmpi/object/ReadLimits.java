// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.io.ObjectInputFilter;
import java.util.Arrays;

/**
 * The limits on one value that Java's serialization reads: the size of its bytes, and the policy. Has the reason of the
 * first refusal. Used by the thread that decodes.
 *
 * <p>An array of n references takes n bytes or more, so that all arrays of a sound value together are no longer than
 * its bytes; the table of a hash collection is up to eight times as long as its content. Some collections announce more
 * elements than they have written, {@code Collections.nCopies} for example, so that all arrays of references together
 * may be as long as {@link #FREE} in any case.
 */
final class ReadLimits implements ObjectInputFilter {
  /** Longest table of a hash collection, in elements for each of its bytes. */
  private static final int TABLE = 8;

  /** Length of all arrays of references that any value may have: a mebibyte, or two. */
  private static final int FREE = 1 << 18;

  /**
   * Deepest nesting of hash collections: adding one to another computes the hash codes of all that it contains, which
   * takes at least twice as long for each level of crafted ones.
   */
  private static final int DEEPEST_TABLE = 16;

  private final ClassPolicy policy;
  private final long bytes;
  private long elements;
  private long primitiveBytes;
  private String refused = "";

  /** The class of the array that replaces the stand-in read last, or null. */
  private Class<?> expected;

  /** The depths of the hash collections that are being read, ascending. */
  private long[] tables = new long[4];

  private int tableCount;

  /**
   * Creates the limits of a value.
   *
   * @param bytes number of bytes of the value
   */
  ReadLimits(ClassPolicy policy, long bytes) {
    this.policy = policy;
    this.bytes = bytes;
  }

  /** Returns the reason of the first refusal; empty for none. */
  String refused() {
    return refused;
  }

  /** Returns whether a class is allowed; records the refusal if it is not. */
  boolean allows(Class<?> type) {
    String refusal = refusal(policy, type);
    return refusal == null || refuse(refusal);
  }

  /** Returns why a class is not allowed; null when it is. */
  static String refusal(ClassPolicy policy, Class<?> type) {
    return policy.allows(type)
        ? null
        : "class " + type.getTypeName() + " is neither the program's own nor a value type of the JDK; the setting "
            + ObjectSettings.ALLOW.name() + " can allow it";
  }

  /** Announces that the next array has travelled beside the bytes, which do not limit it. */
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
    if (component != null && component.isPrimitive()) {
      primitiveBytes += length * elementBytes(component);
      if (primitiveBytes > bytes) {
        return refuse("an array of " + length + " elements, in a message of " + bytes + " bytes");
      }
    } else {
      elements += length;
      if (elements > TABLE * bytes + free()) {
        return refuse("an array of " + length + " elements, in a message of " + bytes + " bytes; allowed are "
            + free() + " in all and " + TABLE + " for each byte, and more with maxarray in the setting "
            + ObjectSettings.ALLOW.name());
      }
    }
    if (array.getName().endsWith("Map$Entry;")) {
      enterTable(info.depth());
      return isWithin("hash collections nested ", tableCount, DEEPEST_TABLE, " deep");
    }
    return true;
  }

  /** Returns how many elements arrays of references may have in any case; a limit of the program takes precedence. */
  private long free() {
    return policy.arrayLength() == Long.MAX_VALUE ? FREE : policy.arrayLength();
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

  /** Removes the hash collections at a depth and below: a value read at that depth follows them. */
  private void leaveTables(long depth) {
    while (tableCount > 0 && tables[tableCount - 1] >= depth) {
      tableCount--;
    }
  }

  private boolean refuse(String reason) {
    recordRefusal(reason);
    return false;
  }

  private void recordRefusal(String reason) {
    if (refused.isEmpty()) {
      refused = reason;
    }
  }
}
