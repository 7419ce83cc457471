// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

/**
 * One point to measure.
 *
 * @param bench what is timed
 * @param name the case: kind of memory, a hyphen, {@code clean} or {@code dirty}
 * @param bytes message size
 */
record Work(String bench, String name, long bytes) {
  /** Returns whether every byte is written freshly before each send. */
  boolean dirty() {
    return name.endsWith("-dirty");
  }

  /** Returns the kind of memory. */
  String memory() {
    return name.substring(0, Math.max(0, name.indexOf('-')));
  }

  @Override
  public String toString() {
    return bench + "/" + name + "/" + bytes;
  }
}
