// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

/**
 * The result of a run, over the whole plate.
 *
 * @param heat total heat: the temperatures' integral
 * @param exactHeat the same of the exact solution, summed in the same way
 * @param error largest distance of a temperature from the exact one
 * @param errorBound largest distance that the scheme explains, see {@link SineModes}
 * @param lowest lowest temperature
 * @param highest highest temperature
 * @param checksum depends on every bit of every temperature and on nothing else
 * @param seconds duration of the time steps
 */
public record HeatResult(
    double heat,
    double exactHeat,
    double error,
    double errorBound,
    double lowest,
    double highest,
    long checksum,
    double seconds) {
  /**
   * Returns whether the error is the scheme's.
   *
   * @return false when something else has gone wrong
   */
  public boolean isGood() {
    return error <= errorBound;
  }
}
