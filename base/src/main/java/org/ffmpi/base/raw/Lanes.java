// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base.raw;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Eight numbers side by side at an absolute address, for loops that are unrolled by hand. The rules are those of
 * {@link Raw}; any alignment will do.
 *
 * <p>Each access checks that all eight lie at possible addresses, so that the compiler keeps one check for all of them.
 * In loops that it unrolls itself it needs none, but whether it does so depends on how long the first few thousand
 * calls were: after short ones, long ones take three times as long, for good. A loop over eights does not depend on
 * that.
 *
 * <p>One method for each lane, and not one with a lane to choose: the compiler always inlines methods of this size.
 */
public final class Lanes {
  /** Number of lanes. */
  public static final int COUNT = 8;

  private static final VarHandle INT_0 = lane(JAVA_INT_UNALIGNED, 0);
  private static final VarHandle INT_1 = lane(JAVA_INT_UNALIGNED, 1);
  private static final VarHandle INT_2 = lane(JAVA_INT_UNALIGNED, 2);
  private static final VarHandle INT_3 = lane(JAVA_INT_UNALIGNED, 3);
  private static final VarHandle INT_4 = lane(JAVA_INT_UNALIGNED, 4);
  private static final VarHandle INT_5 = lane(JAVA_INT_UNALIGNED, 5);
  private static final VarHandle INT_6 = lane(JAVA_INT_UNALIGNED, 6);
  private static final VarHandle INT_7 = lane(JAVA_INT_UNALIGNED, 7);

  private static final VarHandle LONG_0 = lane(JAVA_LONG_UNALIGNED, 0);
  private static final VarHandle LONG_1 = lane(JAVA_LONG_UNALIGNED, 1);
  private static final VarHandle LONG_2 = lane(JAVA_LONG_UNALIGNED, 2);
  private static final VarHandle LONG_3 = lane(JAVA_LONG_UNALIGNED, 3);
  private static final VarHandle LONG_4 = lane(JAVA_LONG_UNALIGNED, 4);
  private static final VarHandle LONG_5 = lane(JAVA_LONG_UNALIGNED, 5);
  private static final VarHandle LONG_6 = lane(JAVA_LONG_UNALIGNED, 6);
  private static final VarHandle LONG_7 = lane(JAVA_LONG_UNALIGNED, 7);

  private Lanes() {}

  private static VarHandle lane(ValueLayout number, int lane) {
    return MemoryLayout.sequenceLayout(COUNT, number).varHandle(PathElement.sequenceElement(lane))
        .withInvokeExactBehavior();
  }

  /**
   * Reads the first int.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static int getInt0(long a) {
    return (int) INT_0.get(Raw.EVERYTHING, a);
  }

  /**
   * Reads the second int.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static int getInt1(long a) {
    return (int) INT_1.get(Raw.EVERYTHING, a);
  }

  /**
   * Reads the third int.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static int getInt2(long a) {
    return (int) INT_2.get(Raw.EVERYTHING, a);
  }

  /**
   * Reads the fourth int.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static int getInt3(long a) {
    return (int) INT_3.get(Raw.EVERYTHING, a);
  }

  /**
   * Reads the fifth int.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static int getInt4(long a) {
    return (int) INT_4.get(Raw.EVERYTHING, a);
  }

  /**
   * Reads the sixth int.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static int getInt5(long a) {
    return (int) INT_5.get(Raw.EVERYTHING, a);
  }

  /**
   * Reads the seventh int.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static int getInt6(long a) {
    return (int) INT_6.get(Raw.EVERYTHING, a);
  }

  /**
   * Reads the eighth int.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static int getInt7(long a) {
    return (int) INT_7.get(Raw.EVERYTHING, a);
  }

  /**
   * Writes the first int.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putInt0(long a, int v) {
    INT_0.set(Raw.EVERYTHING, a, v);
  }

  /**
   * Writes the second int.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putInt1(long a, int v) {
    INT_1.set(Raw.EVERYTHING, a, v);
  }

  /**
   * Writes the third int.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putInt2(long a, int v) {
    INT_2.set(Raw.EVERYTHING, a, v);
  }

  /**
   * Writes the fourth int.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putInt3(long a, int v) {
    INT_3.set(Raw.EVERYTHING, a, v);
  }

  /**
   * Writes the fifth int.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putInt4(long a, int v) {
    INT_4.set(Raw.EVERYTHING, a, v);
  }

  /**
   * Writes the sixth int.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putInt5(long a, int v) {
    INT_5.set(Raw.EVERYTHING, a, v);
  }

  /**
   * Writes the seventh int.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putInt6(long a, int v) {
    INT_6.set(Raw.EVERYTHING, a, v);
  }

  /**
   * Writes the eighth int.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putInt7(long a, int v) {
    INT_7.set(Raw.EVERYTHING, a, v);
  }

  /**
   * Reads the first long.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static long getLong0(long a) {
    return (long) LONG_0.get(Raw.EVERYTHING, a);
  }

  /**
   * Reads the second long.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static long getLong1(long a) {
    return (long) LONG_1.get(Raw.EVERYTHING, a);
  }

  /**
   * Reads the third long.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static long getLong2(long a) {
    return (long) LONG_2.get(Raw.EVERYTHING, a);
  }

  /**
   * Reads the fourth long.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static long getLong3(long a) {
    return (long) LONG_3.get(Raw.EVERYTHING, a);
  }

  /**
   * Reads the fifth long.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static long getLong4(long a) {
    return (long) LONG_4.get(Raw.EVERYTHING, a);
  }

  /**
   * Reads the sixth long.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static long getLong5(long a) {
    return (long) LONG_5.get(Raw.EVERYTHING, a);
  }

  /**
   * Reads the seventh long.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static long getLong6(long a) {
    return (long) LONG_6.get(Raw.EVERYTHING, a);
  }

  /**
   * Reads the eighth long.
   *
   * @param a absolute address of the eight
   * @return the value there
   */
  public static long getLong7(long a) {
    return (long) LONG_7.get(Raw.EVERYTHING, a);
  }

  /**
   * Writes the first long.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putLong0(long a, long v) {
    LONG_0.set(Raw.EVERYTHING, a, v);
  }

  /**
   * Writes the second long.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putLong1(long a, long v) {
    LONG_1.set(Raw.EVERYTHING, a, v);
  }

  /**
   * Writes the third long.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putLong2(long a, long v) {
    LONG_2.set(Raw.EVERYTHING, a, v);
  }

  /**
   * Writes the fourth long.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putLong3(long a, long v) {
    LONG_3.set(Raw.EVERYTHING, a, v);
  }

  /**
   * Writes the fifth long.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putLong4(long a, long v) {
    LONG_4.set(Raw.EVERYTHING, a, v);
  }

  /**
   * Writes the sixth long.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putLong5(long a, long v) {
    LONG_5.set(Raw.EVERYTHING, a, v);
  }

  /**
   * Writes the seventh long.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putLong6(long a, long v) {
    LONG_6.set(Raw.EVERYTHING, a, v);
  }

  /**
   * Writes the eighth long.
   *
   * @param a absolute address of the eight
   * @param v the value
   */
  public static void putLong7(long a, long v) {
    LONG_7.set(Raw.EVERYTHING, a, v);
  }
}
