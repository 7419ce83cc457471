// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

/**
 * A call that a rank has made, for the comparison of two runs.
 *
 * @param name name of the call
 * @param peer the other rank, negative for any
 * @param tag its tag, negative for any or none
 * @param context matching context
 * @param bytes length of the message, negative where it is not known
 */
record RankCall(String name, int peer, int tag, long context, long bytes) {
  @Override
  public String toString() {
    return name + (peer < 0 ? " of any rank" : " of rank " + peer) + (tag < 0 ? "" : ", tag " + tag)
        + (bytes < 0 ? "" : ", " + bytes + " bytes");
  }
}
