// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.util.HashMap;
import java.util.Map;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Members;

/** Finds the processes of one engine among those of another: one that has met others has several numbers. */
public final class Identities {
  private Identities() {}

  /**
   * Returns the numbers that members have in another engine.
   *
   * @param members peers of {@code from}
   * @return the members as peers of {@code to}; a process that it does not know has a number beyond them
   */
  public static Members in(Engine to, Engine from, Members members) {
    if (to == from || members.size() == 0) {
      return members;
    }
    Map<Long, Integer> numbers = new HashMap<>();
    for (int peer = 0; peer < to.peers(); peer++) {
      if (to.hasJoined(peer)) {
        numbers.put(to.identity(peer), peer);
      }
    }
    int[] peers = new int[members.size()];
    for (int r = 0; r < peers.length; r++) {
      peers[r] = numbers.getOrDefault(from.identity(members.peer(r)), to.peers() + r);
    }
    return Members.of(peers);
  }

  /** Returns whether an engine knows all members that {@link #in} has returned. */
  public static boolean areKnown(Engine engine, Members members) {
    for (int r = 0; r < members.size(); r++) {
      if (members.peer(r) >= engine.peers()) {
        return false;
      }
    }
    return true;
  }
}
