// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Members;

/**
 * The ranks that compare their calls, in an order that all of them know: by rank, and between groups those of the group
 * whose rank 0 has the lower process number first. Immutable.
 */
final class ComparedRanks {
  private final Channel channel;
  private final boolean between;
  private final boolean oursFirst;
  private final int ours;
  private final int theirs;

  ComparedRanks(Channel channel) {
    this.channel = channel;
    between = CollectiveChecks.isBetweenGroups(channel);
    ours = channel.size();
    theirs = between ? CollectiveChecks.peers(channel) : 0;
    oursFirst = !between || channel.local().peer(0) <= channel.remote().peer(0);
  }

  int size() {
    return ours + theirs;
  }

  boolean areInTwoGroups() {
    return between;
  }

  /** Returns how many ranks the group has that comes first; all, where there is one group. */
  int inFirstGroup() {
    return oursFirst ? ours : theirs;
  }

  boolean isOurs(int index) {
    return oursFirst ? index < ours : index >= theirs;
  }

  /** Returns the place of a rank. */
  int index(boolean isOurs, int rank) {
    return isOurs == oursFirst ? rank : inFirstGroup() + rank;
  }

  /** Returns the place of a rank that another one names: within a group one of its own, else of the other group. */
  int indexOfPeer(int by, int rank) {
    return index(isOurs(by) != between, rank);
  }

  /** Returns this rank's own place. */
  int self() {
    return index(true, channel.rank());
  }

  /** Returns the rank at a place, in its group. */
  int rank(int index) {
    return index < inFirstGroup() ? index : index - inFirstGroup();
  }

  int peer(int index) {
    Members group = isOurs(index) ? channel.local() : channel.remote();
    return group.peer(rank(index));
  }

  /** Names the rank at a place, as one of this group or the other. */
  String name(int index) {
    return "rank " + rank(index) + (isOurs(index) ? "" : " of the other group");
  }
}
