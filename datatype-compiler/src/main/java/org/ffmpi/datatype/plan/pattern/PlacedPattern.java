// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

/**
 * A pattern and the displacement of its first byte.
 *
 * @param displacement where its stream begins
 * @param pattern the pattern
 */
public record PlacedPattern(long displacement, Pattern pattern) {
  public PlacedPattern moved(long by) {
    return by == 0 ? this : new PlacedPattern(Math.addExact(displacement, by), pattern);
  }
}
