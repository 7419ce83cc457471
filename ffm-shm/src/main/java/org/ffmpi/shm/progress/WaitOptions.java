// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.Arrays;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;

/**
 * Limits of spinning and yielding before a thread sleeps; read once.
 *
 * @param spins looks of a waiting thread before it yields its core
 * @param storeSpins looks of a wait for a word in shared memory
 * @param spinsAgain looks after progress in a wait that yields already, before it yields again
 * @param yields yields before a thread sleeps
 * @param hasOwnCore whether ranks are no more than cores
 */
public record WaitOptions(int spins, int storeSpins, int spinsAgain, int yields, boolean hasOwnCore) {
  /** The job's cores. */
  public static final Setting<String> CORES =
      Setting.ofString(
          "ffmpi.cores", "", Setting.Scope.JOB,
          "cores that the job may use, as numbers separated by commas, set by the launcher; empty: what the JVM sees");

  /** Looks before a yield. */
  public static final Setting<Integer> SPIN =
      Setting.ofInt(
          "ffmpi.spin", -1, -1, 1 << 24, Setting.Scope.JOB,
          "looks before a waiting thread yields its core; -1: 1000 when ranks are no more than cores, else 20 or less");

  /** Yields before sleep. */
  public static final Setting<Integer> YIELD =
      Setting.ofInt(
          "ffmpi.yield", -1, -1, 1 << 24, Setting.Scope.JOB,
          "yields before a waiting thread sleeps; -1: 1000 when ranks are no more than cores, else 100");

  private static final int SPINS_WITH_OWN_CORE = 1000;
  private static final int SPINS_WHEN_CROWDED = 20;
  private static final int LEAST_STORE_SPINS = 4;

  /** Long enough to copy a megabyte: a sender that fell asleep meanwhile would be woken too late. */
  private static final int YIELDS_WITH_OWN_CORE = 1000;

  private static final int YIELDS_WHEN_CROWDED = 100;

  /**
   * Reads the options of a rank.
   *
   * @param settings the rank's settings
   * @param ranks number of ranks
   * @return the options
   */
  public static WaitOptions of(Settings settings, int ranks) {
    int spin = SPIN.get(settings);
    int yields = YIELD.get(settings);
    int cores = cores(settings).length;
    int available = cores == 0 ? Runtime.getRuntime().availableProcessors() : cores;
    boolean crowded = ranks > available;
    int spins = spin >= 0 ? spin : crowded ? SPINS_WHEN_CROWDED : SPINS_WITH_OWN_CORE;
    // The more ranks share a core, the less likely the storing rank has one at this moment.
    int storeSpins =
        spin >= 0 || !crowded ? spins : Math.max(LEAST_STORE_SPINS, SPINS_WHEN_CROWDED * available / ranks);
    int most = yields >= 0 ? yields : crowded ? YIELDS_WHEN_CROWDED : YIELDS_WITH_OWN_CORE;
    return new WaitOptions(spins, storeSpins, crowded ? 0 : spins, most, !crowded);
  }

  /**
   * Returns the launcher's list of cores.
   *
   * @param settings the rank's settings
   * @return their numbers; empty without a launcher
   */
  public static int[] cores(Settings settings) {
    String list = CORES.get(settings);
    if (list.isEmpty()) {
      return new int[0];
    }
    try {
      return Arrays.stream(list.split(",")).mapToInt(c -> Integer.parseInt(c.strip())).toArray();
    } catch (NumberFormatException e) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "ffmpi.cores", list, "numbers separated by commas");
    }
  }
}
