// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.Nodes;
import org.ffmpi.shm.wire.Wire;

/**
 * The parts of sending and receiving for peers on other nodes.
 *
 * @param nodes the nodes of the peers
 * @param packets the packets to them
 * @param mirrors completion words of messages from them
 * @param sends long messages to them
 * @param receives long messages from them
 */
record Remote(Nodes nodes, WirePackets packets, MirrorWords mirrors, WireSends sends, WireReceives receives) {
  static Remote over(Wire wire, JobSegment segment, int self, CompletionWords words) {
    WirePackets packets = new WirePackets(wire, segment, self);
    MirrorWords mirrors = new MirrorWords(segment, packets);
    return new Remote(
        segment.nodes(), packets, mirrors, new WireSends(wire, words), new WireReceives(wire, mirrors));
  }

  /** Makes the way to a peer on another node. */
  Outbound outbound(Endpoint endpoint, CompletionWords words, int peer, AtomicInteger backlogs) {
    return new RemoteOutbound(endpoint, words, peer, backlogs, packets, sends);
  }

  /** Returns whether a peer is on another node; {@code remote} is null on a single node. */
  static boolean isRemote(Remote remote, int peer) {
    return remote != null && !remote.nodes.isLocal(peer);
  }
}
