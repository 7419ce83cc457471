// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/**
 * The level of profiling that the program of this JVM has set by {@code MPI_Pcontrol}. Ranks that are threads share it.
 * Any thread; a benign race: one that records calls may see a new level a little later.
 */
public final class ProfilingLevel {
  private static boolean off;

  private ProfilingLevel() {}

  /**
   * Sets the level.
   *
   * @param level 0 for no records, another number for records
   */
  public static void set(int level) {
    off = level == 0;
  }

  /**
   * Returns whether the program wants no records.
   *
   * @return true at level 0
   */
  public static boolean isOff() {
    return off;
  }
}
