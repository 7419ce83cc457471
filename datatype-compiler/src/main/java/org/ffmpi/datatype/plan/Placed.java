// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/**
 * A pattern somewhere.
 *
 * @param displacement where its stream begins
 * @param pattern the pattern
 */
record Placed(long displacement, Pattern pattern) {
  Placed moved(long by) {
    return by == 0 ? this : new Placed(Math.addExact(displacement, by), pattern);
  }
}
