// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.util.Arrays;

/**
 * The blocks of one side of a collective call, one for each rank or neighbour, in their order. Reused for call after
 * call; absent between calls, and where the argument is not significant. Used by one thread at a time.
 */
public final class FlatBlocks {
  private static final int ABSENT = -1;

  private FlatBuffer[] blocks = {};
  private int length = ABSENT;

  /** Creates absent blocks. */
  public FlatBlocks() {}

  /**
   * Makes room for blocks, all of which the caller sets.
   *
   * @param number how many; may be 0
   */
  public void resize(int number) {
    if (number > blocks.length) {
      int from = blocks.length;
      blocks = Arrays.copyOf(blocks, number);
      for (int i = from; i < number; i++) {
        blocks[i] = new FlatBuffer();
      }
    }
    length = number;
  }

  /** Makes the blocks absent. */
  public void clear() {
    for (int i = 0; i < length; i++) {
      blocks[i].clear();
    }
    length = ABSENT;
  }

  /**
   * Returns whether there are blocks.
   *
   * @return false between calls and where the argument is not significant or in place
   */
  public boolean isPresent() {
    return length != ABSENT;
  }

  /**
   * Returns the number of blocks.
   *
   * @return how many, or -1 when the blocks are absent
   */
  public int length() {
    return length;
  }

  /**
   * Returns a block.
   *
   * @param index its rank or number
   * @return the block
   */
  public FlatBuffer get(int index) {
    return blocks[index];
  }
}
