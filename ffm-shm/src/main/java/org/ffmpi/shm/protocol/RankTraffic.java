// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.ffmpi.base.Measure;
import org.ffmpi.shm.account.AccountBuilder;
import org.ffmpi.shm.match.Matcher;
import org.ffmpi.shm.memory.CrossMemory;
import org.ffmpi.shm.memory.SharedHeapArena;
import org.ffmpi.shm.progress.BrokenChannels;
import org.ffmpi.shm.progress.Departures;
import org.ffmpi.shm.progress.JobAbort;
import org.ffmpi.shm.progress.OpenChannels;
import org.ffmpi.shm.progress.RankLock;
import org.ffmpi.shm.progress.RankProgress;
import org.ffmpi.shm.progress.Source;
import org.ffmpi.shm.progress.Traffic;
import org.ffmpi.shm.progress.Waiting;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.shm.wire.Wire;
import org.ffmpi.spi.Gauge;
import org.ffmpi.spi.LeftMessage;

/** All messages of a rank. Makes the parts of sending and receiving, and polls them. */
public final class RankTraffic implements Traffic {
  private final Endpoint endpoint;
  private final RankLock lock;
  private final OpenChannels channels;
  private final CrossMemory cross;
  private final CompletionWords words;
  private final OutboundRings outbound;
  private final RendezvousSender senders;
  private final RendezvousReceiver receivers;
  private final Delivery delivery;
  private final InboundRings inbound;
  private final SelfMessages selfMessages;
  private final Matcher matcher;
  private final UnexpectedMessages unexpected;

  /** Null where all ranks share memory, as the next. */
  private final Remote remote;

  private final WireTraffic wire;

  /**
   * Creates the traffic of one rank.
   *
   * @param endpoint the rank's end of the segment
   * @param lock its lock
   * @param end the job's end
   * @param channels its channels
   * @param cross reads of private memory
   * @param wire the way to other nodes, or null
   */
  public RankTraffic(
      Endpoint endpoint, RankLock lock, JobAbort end, OpenChannels channels, CrossMemory cross, Wire wire) {
    this.endpoint = endpoint;
    this.lock = lock;
    this.channels = channels;
    this.cross = cross;
    this.words = new CompletionWords(endpoint.segment());
    this.remote = wire == null ? null : Remote.over(wire, endpoint.segment(), endpoint.self(), words);
    this.outbound = new OutboundRings(endpoint, words, remote);
    this.senders = new RendezvousSender(words, outbound, remote);
    this.matcher = new Matcher();
    this.unexpected = new UnexpectedMessages(endpoint);
    SignatureCheck signatures = new SignatureCheck(channels, endpoint.types());
    this.receivers = new RendezvousReceiver(endpoint, cross, unexpected, remote);
    this.delivery = new Delivery(endpoint, matcher, unexpected, receivers, signatures, end, new FailedCalls(channels));
    if (remote != null) {
      remote.receives().setKeeper(delivery);
    }
    this.inbound = new InboundRings(endpoint, delivery);
    this.selfMessages = new SelfMessages(endpoint, matcher, delivery, lock);
    this.wire = wire == null ? null : new WireTraffic(
        endpoint.segment(), wire, remote.packets(), remote.mirrors(), words, inbound, remote.sends(),
        remote.receives());
  }

  /**
   * Makes the sending half.
   *
   * @param heap the rank's shared heap
   * @param progress its progress
   * @param departures the departed peers
   * @param waiting its waits
   * @return the sends
   */
  public Sending sending(SharedHeapArena heap, RankProgress progress, Departures departures, Waiting waiting) {
    return new Sending(
        endpoint, outbound, selfMessages, new SendBuffers(endpoint, heap, cross),
        new SendControl(outbound, selfMessages, progress), departures, waiting);
  }

  /**
   * Makes the receiving half.
   *
   * @param progress the rank's progress
   * @param waiting its waits
   * @return the receives
   */
  public Receiving receiving(RankProgress progress, Waiting waiting) {
    return new Receiving(endpoint.self(), endpoint.options().checking(), inbound, delivery, lock, progress, waiting);
  }

  /**
   * Makes the probes.
   *
   * @param departures the departed peers
   * @param broken the broken channels, or null
   * @param waiting the rank's waits
   * @return the probes
   */
  public Probing probing(Departures departures, BrokenChannels broken, Waiting waiting) {
    return new Probing(delivery, departures, broken, lock, waiting);
  }

  /**
   * Returns the gauge of a measure of messages and queues.
   *
   * @param measure the measure
   * @return the gauge, or null for all other measures
   */
  public Gauge gauge(Measure measure) {
    return new TrafficGauges(outbound, inbound, receivers, selfMessages, matcher, unexpected)
        .of(measure, endpoint.self());
  }

  @Override
  public int poll() {
    int moved = inbound.drain();
    if (wire != null) {
      moved += wire.poll();
    }
    if (receivers.hasTransfers()) {
      moved += receivers.poll();
    }
    if (delivery.hasBound()) {
      moved += delivery.deliverBound();
    }
    if (senders.hasWork()) {
      moved += senders.poll();
    }
    if (outbound.hasBacklogs()) {
      moved += outbound.flushBacklogs();
    }
    return moved;
  }

  @Override
  public int pollThoroughly() {
    return poll() + (wire == null ? 0 : wire.drain());
  }

  /**
   * Returns whether sends are under way that the engine has to progress. Racy.
   *
   * @return false when all sends have left this rank
   */
  public boolean hasSends() {
    return senders.hasWork() || outbound.hasBacklogs() || wire != null && wire.hasNotes();
  }

  /**
   * Describes the sends for which {@link #hasSends} is true.
   *
   * @return the events for which they wait; empty when all sends have left, or when this rank has left
   */
  public String unsent() {
    UnsentMessages unsent = new UnsentMessages();
    if (lock.lock()) {
      try {
        senders.forEach(unsent::add);
        outbound.forEach(unsent::add);
      } finally {
        lock.unlock();
      }
    }
    return unsent.text();
  }

  /**
   * Describes what the program has left behind: messages that have come and that it has not received, and its receives
   * without a message.
   *
   * @return a line for each kind; empty when there is nothing, or when this rank has left
   */
  public List<String> unfinished() {
    return listUnfinished().lines(endpoint.self());
  }

  /**
   * Returns the messages that have come and that the program has not received.
   *
   * @return their envelopes; none when this rank has left
   */
  public List<LeftMessage> unreceived() {
    return listUnfinished().envelopes();
  }

  private UnfinishedMessages listUnfinished() {
    UnfinishedMessages unfinished = new UnfinishedMessages(channels);
    if (lock.lock()) {
      try {
        delivery.list(unfinished);
      } finally {
        lock.unlock();
      }
    }
    return unfinished;
  }

  @Override
  public boolean isUnderWay(LongPredicate contexts) {
    return delivery.hasReceives(contexts) || senders.any(contexts) || outbound.any(contexts)
        || receivers.hasTransfers() || inbound.isReceiving();
  }

  @Override
  public void list(AccountBuilder into) {
    Consumer<SendOp> sends = op -> {
      if (op.mode != SendOp.FAILURE) {
        into.addSend(op.peer, op.tag, op.context, op.total);
      }
    };
    senders.forEach(sends);
    outbound.forEach(sends);
    outbound.forEachMade(o -> o.list(into));
    delivery.list(into);
    inbound.list(into);
  }

  @Override
  public Source from(int peer) {
    return Remote.isRemote(remote, peer) ? wire : inbound.from(peer);
  }

  @Override
  public boolean hasAllOf(int peer) {
    return !Remote.isRemote(remote, peer) || wire.hasLeft(peer);
  }

  @Override
  public void drainDeparted(int peer) {
    Source in = from(peer);
    while (in != null && (in.drain() > 0 || receivers.drain(peer) > 0)) {
      Thread.onSpinWait();
    }
    senders.scanAll();
  }

  @Override
  public int failMismatched(boolean now) {
    return delivery.failMismatched(now);
  }

  @Override
  public void verify() {
    inbound.verify();
    outbound.verify();
    receivers.verify();
  }

  @Override
  public void failAfter(Departures departures, boolean asked) {
    delivery.failAfter(departures, asked);
    for (int peer = 0; peer < outbound.size(); peer++) {
      if (departures.hasDeparted(peer)) {
        if (endpoint.segment().survives() && departures.isDead(peer)) {
          outbound.to(peer).shut();
        }
        outbound.failAllTo(peer, departures);
        senders.failAllTo(peer, departures);
      }
    }
    inbound.failAfter(departures);
    receivers.failAfter(departures);
  }

  @Override
  public void failBroken(BrokenChannels broken) {
    delivery.failBroken(broken);
    outbound.failBroken(broken);
    senders.failBroken(broken);
  }

  /**
   * Sends other nodes the note that this rank leaves, after all its messages.
   *
   * @param failed whether it leaves because of an error
   */
  public void announceLeaving(boolean failed) {
    if (wire != null) {
      wire.sendLeft(endpoint.self(), failed ? RankLayout.DEAD : RankLayout.FINALIZED, outbound::isOpen);
    }
  }

  /** Stops all sending; the segment is not touched afterwards. The rank's lock is already closed. */
  public void close() {
    outbound.close();
    words.close();
  }

  /** Returns the parts for peers on other nodes; for tests. */
  Remote remote() {
    return remote;
  }

  /** Returns the transfers of payload into this rank; for tests. */
  RendezvousReceiver receivers() {
    return receivers;
  }
}
