// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.Arrays;
import org.ffmpi.spi.Members;

/** The colours and keys of a split, exchanged as one number for each rank. */
public final class Coloring {
  private Coloring() {}

  /** Packs colour and key of one rank. */
  static long word(int color, int key) {
    return (long) color << Integer.SIZE | key & 0xFFFF_FFFFL;
  }

  /** Selects the ranks of a colour, ordered by key and then by rank. */
  static Members members(long[] words, int color, Members group) {
    long[] keyed = new long[words.length];
    int n = 0;
    for (int r = 0; r < words.length; r++) {
      if (words[r] >> Integer.SIZE == color) {
        keyed[n++] = (long) (int) words[r] << Integer.SIZE | r;
      }
    }
    Arrays.sort(keyed, 0, n);
    int[] peers = new int[n];
    for (int i = 0; i < n; i++) {
      peers[i] = group.peer((int) keyed[i]);
    }
    Members members = Members.of(peers);
    return members.equals(group) ? group : members;
  }
}
