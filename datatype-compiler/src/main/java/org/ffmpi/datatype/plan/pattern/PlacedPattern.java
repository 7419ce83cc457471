// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

/**
 * A pattern somewhere.
 *
 * @param displacement where its stream begins
 * @param pattern the pattern
 */
public record Placed(long displacement, Pattern pattern) {
  public Placed moved(long by) {
    return by == 0 ? this : new Placed(Math.addExact(displacement, by), pattern);
  }
}
