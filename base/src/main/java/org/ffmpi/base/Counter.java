// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A number that an engine keeps for observers: a count of events, a level, or a high watermark.
 *
 * <p>Meant for paths where an atomic addition would be felt: a change is a plain read and a plain write. Any thread may
 * read; threads that change one counter at the same time without a lock lose some of the changes.
 */
public final class Counter {
  /** The kinds of counters. */
  public enum Kind {
    /** How often something happened; only grows. */
    COUNT,
    /** How much of something there is now. */
    LEVEL,
    /** The most of something there was. */
    HIGH_WATERMARK
  }

  private static final VarHandle VALUE;

  static {
    try {
      VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final String name;
  private final Kind kind;
  private final Setting.Scope scope;
  private final String description;
  private long value;

  Counter(String name, Kind kind, Setting.Scope scope, String description) {
    this.name = name;
    this.kind = kind;
    this.scope = scope;
    this.description = description;
  }

  /** Adds one. */
  public void increment() {
    add(1);
  }

  /**
   * Adds an amount.
   *
   * @param amount what to add; negative for levels only
   */
  public void add(long amount) {
    VALUE.setOpaque(this, value + amount);
  }

  /**
   * Raises the value to another one if that is larger, as for a high watermark.
   *
   * @param candidate the other value
   */
  public void raiseTo(long candidate) {
    if (candidate > value) {
      VALUE.setOpaque(this, candidate);
    }
  }

  /**
   * Returns the value as it is now, or was a moment ago.
   *
   * @return the value
   */
  public long get() {
    return (long) VALUE.getOpaque(this);
  }

  /**
   * Returns the name.
   *
   * @return a name such as {@code ffmpi.sends.eager}
   */
  public String name() {
    return name;
  }

  /**
   * Returns what kind of number it is.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }

  /**
   * Returns the scope of the count.
   *
   * @return the scope
   */
  public Setting.Scope scope() {
    return scope;
  }

  /**
   * Returns the description.
   *
   * @return one phrase
   */
  public String description() {
    return description;
  }

  @Override
  public String toString() {
    return name + " = " + get();
  }
}
