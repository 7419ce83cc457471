// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.function.ToLongFunction;
import org.ffmpi.base.Measure;
import org.ffmpi.shm.match.Matcher;
import org.ffmpi.spi.Gauge;

/**
 * The gauges of one rank's messages. Most are sums over the ways to and from its peers, whose fields a message writes
 * in any case; so nothing is counted for a gauge alone. Any thread, without locks: the values are Java fields, which
 * outlive the segment.
 */
final class TrafficGauges {
  private final OutboundRings outbound;
  private final InboundRings inbound;
  private final RendezvousReceiver receivers;
  private final SelfMessages self;
  private final Matcher matcher;
  private final UnexpectedMessages unexpected;

  TrafficGauges(
      OutboundRings outbound, InboundRings inbound, RendezvousReceiver receivers, SelfMessages self, Matcher matcher,
      UnexpectedMessages unexpected) {
    this.outbound = outbound;
    this.inbound = inbound;
    this.receivers = receivers;
    this.self = self;
    this.matcher = matcher;
    this.unexpected = unexpected;
  }

  /** Returns the gauge of a measure, or null when another part of the engine has it. */
  Gauge of(Measure measure, int rank) {
    return switch (measure) {
      case SENT_MESSAGES -> i -> outbound.sum(TrafficGauges::messages) + self.messages();
      case SENT_BYTES -> i -> outbound.sum(TrafficGauges::bytes) + self.bytes();
      case SENT_EAGER -> i -> outbound.sum(Outbound::eagerMessages);
      case SENT_EAGER_BYTES -> i -> outbound.sum(Outbound::eagerBytes);
      case SENT_PIPED -> i -> outbound.sum(Outbound::pipedMessages);
      case SENT_DIRECT -> i -> outbound.sum(Outbound::directMessages);
      case SENT_CROSS -> i -> outbound.sum(Outbound::crossMessages);
      case SENT_RENDEZVOUS_BYTES -> i -> outbound.sum(Outbound::rendezvousBytes);
      case SENT_SELF -> i -> self.messages();
      case SENT_SELF_BYTES -> i -> self.bytes();
      case SENT_MESSAGES_TO -> new ByPeer(TrafficGauges::messages, rank, i -> self.messages());
      case SENT_BYTES_TO -> new ByPeer(TrafficGauges::bytes, rank, i -> self.bytes());
      case RECEIVED_MESSAGES -> i -> inbound.sum(Inbound::eagerMessages) + receivers.messages() + self.messages();
      case RECEIVED_BYTES -> i -> inbound.sum(Inbound::eagerBytes) + receivers.bytes() + self.bytes();
      case RECEIVED_EAGER -> i -> inbound.sum(Inbound::eagerMessages);
      case RECEIVED_RENDEZVOUS -> i -> receivers.messages();
      case POSTED -> i -> matcher.postedCount();
      case UNEXPECTED -> i -> matcher.unexpectedCount();
      case UNEXPECTED_PEAK -> Gauge.highest(matcher.marks(), i -> matcher.unexpectedCount());
      case UNEXPECTED_BYTES -> i -> unexpected.usedBytes();
      case RING_FULL -> i -> outbound.sum(Outbound::refusedSends);
      case BACKLOG -> i -> outbound.sum(o -> o.backlog.length());
      default -> null;
    };
  }

  private static long messages(Outbound o) {
    return o.eagerMessages() + o.pipedMessages() + o.directMessages() + o.crossMessages();
  }

  private static long bytes(Outbound o) {
    return o.eagerBytes() + o.rendezvousBytes();
  }

  /** A number for each peer; the rank itself has no way to itself. */
  private final class ByPeer implements Gauge {
    private final ToLongFunction<Outbound> number;
    private final int rank;
    private final Gauge ofSelf;

    ByPeer(ToLongFunction<Outbound> number, int rank, Gauge ofSelf) {
      this.number = number;
      this.rank = rank;
      this.ofSelf = ofSelf;
    }

    @Override
    public int length() {
      return outbound.size();
    }

    @Override
    public long read(int index) {
      return index == rank ? ofSelf.read(0) : outbound.number(index, number);
    }
  }
}
