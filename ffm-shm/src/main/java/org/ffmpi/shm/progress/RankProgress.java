// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.function.LongPredicate;
import org.ffmpi.base.Incident;
import org.ffmpi.spi.Incidents;
import org.ffmpi.spi.Operation;

/**
 * Makes the progress of a rank, by moving its messages under the rank's lock and registered operations without it.
 * Every public method may be called by any thread and does a bounded amount of work.
 */
public final class RankProgress {
  /** Tests without progress between two sweeps. */
  private static final int FRUITLESS = 1_000;

  /** Receives between two checks for the end of the job; a power of two. */
  private static final int RECEIVES_PER_CHECK = 1_024;

  final RankLock lock;

  /** The role of the thread that polls for all others; acquired before every other lock. */
  final EngineLock poller = new EngineLock();

  final RegisteredOperations registered = new RegisteredOperations();
  final Traffic traffic;
  private final Departures departures;
  private final JobAbort end;
  private final int peers;
  private final Incidents incidents;

  /** Null in a job that ends with its first dead rank. */
  private final BrokenChannels broken;

  /** The progress that this rank makes elsewhere, in meetings or in its job; null for a rank that has met nobody. */
  private volatile RankProgress[] elsewhere;

  /** Number of looks for messages; guarded by the lock, read without it. */
  private long looks;

  /** Guarded by the lock. */
  private int receives;

  /** Tests since something moved, approximately. */
  private int fruitless;

  /**
   * Creates the progress of one rank.
   *
   * @param lock the rank's lock
   * @param traffic the rank's messages
   * @param departures the departed peers
   * @param end the job's end
   * @param peers number of ranks
   * @param broken the broken channels; null in a job that ends with its first dead rank
   * @param incidents what happens to the rank
   */
  public RankProgress(
      RankLock lock, Traffic traffic, Departures departures, JobAbort end, int peers, BrokenChannels broken,
      Incidents incidents) {
    this.lock = lock;
    this.traffic = traffic;
    this.departures = departures;
    this.end = end;
    this.peers = peers;
    this.broken = broken;
    this.incidents = incidents;
  }

  /**
   * Makes progress for a test that found its operation not complete.
   *
   * @return whether something moved
   */
  public boolean make() {
    end.check();
    if (pollOnce() > 0) {
      return true;
    }
    if (++fruitless > FRUITLESS) {
      fruitless = 0;
      sweep(true);
    }
    return false;
  }

  /**
   * Polls, unless another thread polls, and advances registered operations.
   *
   * @return number of things moved
   */
  public int pollOnce() {
    int moved = 0;
    if (lock.tryLock()) {
      try {
        moved = pollLocked();
      } finally {
        lock.unlock();
      }
    }
    if (!registered.isEmpty()) {
      int advanced = registered.advanceAll();
      if (advanced > 0) {
        lock.wakeOwn(); // the sleeping poller may wait for what is complete now
      }
      moved += advanced;
    }
    return elsewhere == null ? moved : moved + pollElsewhere(true);
  }

  // ---- elsewhere

  /** Sets what other progress this rank makes: null for none. */
  void setElsewhere(RankProgress[] others) {
    elsewhere = others;
  }

  /** Returns whether this rank takes part in more than this. */
  boolean isElsewhere() {
    return elsewhere != null;
  }

  /** Returns whether operations are registered elsewhere, which only a thread without a lock may advance. */
  boolean isBusyElsewhere() {
    RankProgress[] others = elsewhere;
    if (others != null) {
      for (RankProgress other : others) {
        if (!other.registered.isEmpty()) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Polls what this rank takes part in besides. Never waits for a lock: the caller may hold one.
   *
   * @param advances whether to advance registered operations, too; the caller holds no lock then
   * @return number of things moved
   */
  int pollElsewhere(boolean advances) {
    RankProgress[] others = elsewhere;
    int moved = 0;
    if (others != null) {
      for (RankProgress other : others) {
        moved += other.pollAside(advances);
      }
    }
    return moved;
  }

  private int pollAside(boolean advances) {
    int moved = 0;
    if (lock.tryLock()) {
      int found = 0;
      try {
        found = pollLocked();
      } finally {
        lock.unlock(found > 0);
      }
      moved = found;
    }
    if (advances && !registered.isEmpty()) {
      int advanced = registered.advanceAll();
      if (advanced > 0) {
        lock.wakeOwn();
      }
      moved += advanced;
    }
    return moved;
  }

  /**
   * Polls for a program that makes no call. Registered operations are left to its calls.
   *
   * @return number of things moved
   */
  int pollForAbsent() {
    if (!lock.tryLock()) {
      return 0;
    }
    try {
      looks++;
      return traffic.pollThoroughly();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Polls. Called with the rank's lock held.
   *
   * @return number of things moved
   */
  public int pollLocked() {
    looks++;
    return traffic.poll();
  }

  /**
   * Counts a receive, which is a look too, and fails at times if the job has ended: a rank to which messages keep
   * coming never waits, and would not notice. Called with the rank's lock held.
   */
  public void countReceive() {
    looks++;
    if ((++receives & RECEIVES_PER_CHECK - 1) == 0) {
      end.checkLocked();
    }
  }

  /** Returns the number of looks for messages, which grows while a thread of the rank is in calls. Racy. */
  long lookCount() {
    return looks;
  }

  /**
   * Polls on the way to sleep, and returns whether nothing moved. Wakes no poller, since the caller is the one about to
   * sleep. Registered operations are advanced as well, because they may wait for words that no ring announces.
   */
  boolean pollFindsNothing() {
    if (!lock.tryLock()) {
      return false;
    }
    int moved;
    try {
      looks++;
      moved = traffic.pollThoroughly();
    } finally {
      lock.unlock(false);
    }
    return moved == 0 && (registered.isEmpty() || registered.advanceAll() == 0)
        && (elsewhere == null || pollElsewhere(true) == 0);
  }

  /**
   * Registers an operation that every poll advances until it is complete.
   *
   * @param op the operation
   */
  public void register(Operation op) {
    if (!registered.add(op)) {
      throw lock.finalizedError();
    }
  }

  /**
   * Removes a complete operation from the registered ones.
   *
   * @param op the operation
   */
  public void forget(Operation op) {
    registered.forget(op);
  }

  /**
   * Returns whether no operation of some contexts is under way. Also false while another thread holds the lock; the
   * caller then repeats the call.
   *
   * @param contexts accepts their matching contexts
   * @return true when all were found complete
   */
  public boolean isQuiet(LongPredicate contexts) {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      return !traffic.isUnderWay(contexts) && !registered.any(contexts);
    } finally {
      lock.unlock(false);
    }
  }

  /**
   * Notes departures, and ends the operations that only departed peers could have completed. Also ends receives of
   * collective calls that differ from those of other ranks, and checks the words that this rank waits for.
   *
   * @param asked whether a thread waits for completions, see {@link Traffic#failAfter}
   * @return the number of new departures and of ended receives of such calls
   */
  public int sweep(boolean asked) {
    if (!lock.tryLock()) {
      return 0;
    }
    try {
      traffic.verify();
      int found = 0;
      for (int peer = 0; peer < peers; peer++) {
        if (departures.isNew(peer) && traffic.hasAllOf(peer)) {
          pollLocked(); // opens the peer's ring, if it is not open yet
          traffic.drainDeparted(peer);
          departures.add(peer);
          incidents.raise(Incident.DEPARTURE, null, peer, departures.isDead(peer) ? 1 : 0, 0);
          found++;
        }
      }
      found += traffic.failMismatched(!departures.isEmpty()); // first: a departure would end them with less to say
      if (broken != null && broken.beginSweep()) {
        traffic.failBroken(broken); // first: others may have finalized because of a failure
      }
      if (!departures.isEmpty()) {
        traffic.failAfter(departures, asked);
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  /** Closes the locks in their order; afterwards no thread polls. */
  public void close() {
    poller.close();
    lock.close();
    registered.close();
  }
}
