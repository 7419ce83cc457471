// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.util.Arrays;
import java.util.List;

/**
 * One point to measure.
 *
 * @param bench the bench
 * @param name the case: kind of memory, a hyphen, {@code clean} or {@code dirty}
 * @param bytes message size
 */
record Work(String bench, String name, long bytes) {
  /** Reads an argument: bench, case and sizes. */
  static List<Work> parse(String argument) {
    String[] f = argument.split("/");
    return Arrays.stream(f[2].split(",")).map(size -> new Work(f[0], f[1], Long.parseLong(size))).toList();
  }

  /** Returns the work of one bench: each case with each size. */
  static List<Work> of(String bench, List<String> names, long... sizes) {
    return names.stream().flatMap(name -> Arrays.stream(sizes).mapToObj(n -> new Work(bench, name, n))).toList();
  }

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
