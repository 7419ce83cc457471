// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.datatype.plan.pattern.EndlessPattern;
import org.ffmpi.datatype.plan.transfer.RunCursor;

/**
 * A position in the endless stream of a plan's elements, which knows where that byte lies and how many of those that
 * follow lie beside it. Runs that happen to touch are not joined. For one thread at a time.
 */
public final class StreamCursor {
  private final EndlessPattern pattern;
  private final RunCursor runs = new RunCursor();

  StreamCursor(EndlessPattern pattern) {
    this.pattern = pattern;
  }

  /**
   * Moves to a byte of the stream.
   *
   * @param from its number, not negative
   */
  public void seek(long from) {
    runs.seek(pattern, 0, from);
  }

  /**
   * Returns where the byte lies.
   *
   * @return displacement from the first element's place
   */
  public long place() {
    return runs.address();
  }

  /**
   * Returns the length of the rest of the run.
   *
   * @return bytes from this one on that lie one beside the other; {@code Long.MAX_VALUE} where all do
   */
  public long left() {
    return runs.length();
  }

  /**
   * Moves forward.
   *
   * @param bytes how far, at most the rest of the run
   */
  public void skip(long bytes) {
    runs.skip(bytes);
  }
}
