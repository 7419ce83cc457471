// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.support;

import org.ffmpi.Group;
import org.ffmpi.Group.Range;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;

/** The world cut into two groups, with the communicator of this process's half and the one between the halves. */
public final class Halves implements AutoCloseable {
  public final int ranks;
  public final int border;
  public final boolean isUpper;
  public final IntraComm half;
  public final InterComm inter;

  public Halves(IntraComm world) {
    ranks = world.size();
    border = Math.max(1, ranks / 3);
    isUpper = world.rank() >= border;
    half = world.split(isUpper ? 1 : 0, world.rank());
    inter = half.intercomm(0, world, isUpper ? 0 : border, 77);
  }

  public int localSize() {
    return isUpper ? ranks - border : border;
  }

  public int remoteSize() {
    return ranks - localSize();
  }

  /** Rank in the world of a rank in the remote group. */
  public int remote(int rank) {
    return isUpper ? rank : border + rank;
  }

  public Group remoteGroup(IntraComm world) {
    return world.group().rangeIncl(new Range(remote(0), remote(remoteSize() - 1)));
  }

  @Override
  public void close() {
    inter.close();
    half.close();
  }
}
