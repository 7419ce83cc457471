// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.function.BooleanSupplier;
import org.ffmpi.shm.progress.BrokenChannels;
import org.ffmpi.shm.progress.Departures;
import org.ffmpi.shm.progress.RankLock;
import org.ffmpi.shm.progress.Waiting;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.WaitNote;
import org.ffmpi.spi.WaitSubject;

/** Probes, which find messages without receiving them, and matched probes, which claim them. Any thread. */
public final class Probing {
  private final Delivery delivery;
  private final Departures departures;

  /** Null in a job that ends with its first dead rank. */
  private final BrokenChannels broken;

  private final RankLock lock;
  private final Waiting waiting;

  Probing(
      Delivery delivery, Departures departures, BrokenChannels broken, RankLock lock, Waiting waiting) {
    this.delivery = delivery;
    this.departures = departures;
    this.broken = broken;
    this.lock = lock;
    this.waiting = waiting;
  }

  /**
   * Blocks until a message matches; arguments as {@link Engine#probe}.
   *
   * @param peer sender, or ANY_SOURCE
   * @param context matching context
   * @param tag message tag, or ANY_TAG
   * @param envelope filled on return
   */
  public void probe(int peer, long context, int tag, Envelope envelope) {
    waiting.until(
        new Sought(this, peer, context, tag, () -> find(peer, context, tag, envelope)), null, Long.MAX_VALUE);
  }

  /**
   * Finds a message that matches; arguments as {@link Engine#iprobe}. The caller has made progress.
   *
   * @param peer sender, or ANY_SOURCE
   * @param context matching context
   * @param tag message tag, or ANY_TAG
   * @param envelope filled when true is returned
   * @return whether a message matches
   */
  public boolean iprobe(int peer, long context, int tag, Envelope envelope) {
    return find(peer, context, tag, envelope)
        || (broken != null || departures.isUnsatisfiableByDeath(context, peer))
            && isFound(peer, context, () -> find(peer, context, tag, envelope));
  }

  /**
   * Blocks until a message matches, and claims it; arguments as {@link Engine#mprobe}.
   *
   * @param peer sender, or ANY_SOURCE
   * @param context matching context
   * @param tag message tag, or ANY_TAG
   * @param envelope filled on return
   * @return the message
   */
  public Matched mprobe(int peer, long context, int tag, Envelope envelope) {
    Matched[] claimed = new Matched[1];
    BooleanSupplier claim = // called again after it has returned true
        () -> claimed[0] != null || (claimed[0] = claim(peer, context, tag, envelope)) != null;
    waiting.until(new Sought(this, peer, context, tag, claim), null, Long.MAX_VALUE);
    return claimed[0];
  }

  /**
   * Finds a message that matches, and claims it; arguments as {@link Engine#improbe}. The caller has made progress.
   *
   * @param peer sender, or ANY_SOURCE
   * @param context matching context
   * @param tag message tag, or ANY_TAG
   * @param envelope filled when there is a message
   * @return the message, or null
   */
  public Matched improbe(int peer, long context, int tag, Envelope envelope) {
    Matched message = claim(peer, context, tag, envelope);
    if (message == null && (broken != null || departures.isUnsatisfiableByDeath(context, peer))) {
      Matched[] claimed = new Matched[1];
      isFound(peer, context, () -> (claimed[0] = claim(peer, context, tag, envelope)) != null);
      return claimed[0];
    }
    return message;
  }

  /** A wait for a message. */
  private record Sought(Probing probing, int peer, long context, int tag, BooleanSupplier found)
      implements BooleanSupplier, WaitSubject {
    @Override
    public boolean getAsBoolean() {
      return probing.isFound(peer, context, found);
    }

    @Override
    public void describe(WaitNote note) {
      note.message(WaitNote.Kind.PROBE, peer, context, tag, -1);
    }
  }

  /** Returns whether a message is found; fails when no message can come any more. */
  private boolean isFound(int peer, long context, BooleanSupplier found) {
    if (found.getAsBoolean()) {
      return true;
    }
    if (broken != null) {
      checkHealth(peer, context);
    }
    if (!departures.isEmpty() && departures.isUnsatisfiable(context, peer)) {
      if (found.getAsBoolean()) {
        return true; // it came with the last records of a peer, before that peer's departure was noted
      }
      throw departures.receiveError(peer);
    }
    return false;
  }

  /** Fails when the channel is broken, or a possible sender has failed. */
  private void checkHealth(int peer, long context) {
    broken.update();
    if (broken.isBroken(context)) {
      throw broken.error(context);
    }
    if (peer < 0 && broken.isUnacknowledged(context)) {
      throw broken.anySourceError(context);
    }
  }

  private boolean find(int peer, long context, int tag, Envelope envelope) {
    lock.acquire();
    try {
      return fill(delivery.find(context, peer, tag), envelope);
    } finally {
      lock.unlock();
    }
  }

  private Matched claim(int peer, long context, int tag, Envelope envelope) {
    lock.acquire();
    try {
      UnexpectedMessage m = delivery.claim(context, peer, tag);
      return fill(m, envelope) ? m : null;
    } finally {
      lock.unlock();
    }
  }

  private static boolean fill(UnexpectedMessage m, Envelope envelope) {
    if (m != null) {
      envelope.set(m.peer(), m.tag(), m.total, false);
    }
    return m != null;
  }
}
