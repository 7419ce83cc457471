// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.function.LongPredicate;
import org.ffmpi.spi.Operation;

/**
 * Moves everything of a rank that can move: its messages under the rank's lock, and registered operations without it.
 * Every public method may be called by any thread and does a bounded amount of work.
 */
public final class RankProgress {
  /** Tests that find nothing, after which departed peers are looked for. */
  private static final int FRUITLESS = 1_000;

  /** Receives after which one looks whether the job has ended; a power of two. */
  private static final int RECEIVES_PER_CHECK = 1_024;

  final RankLock lock;

  /** The role of the thread that polls for all others; acquired before every other lock. */
  final EngineLock poller = new EngineLock();

  final RegisteredOperations registered = new RegisteredOperations();
  final Traffic traffic;
  private final Departures departures;
  private final JobAbort end;
  private final int peers;

  /** Null in a job that ends with its first dead rank. */
  private final BrokenChannels broken;

  /** How often this rank has looked for messages; guarded by the lock, read without it. */
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
   * @param departures which peers have departed
   * @param end the job's end
   * @param peers number of ranks
   * @param broken the channels in which something can go on no more; null in a job that ends with its first dead rank
   */
  public RankProgress(
      RankLock lock, Traffic traffic, Departures departures, JobAbort end, int peers, BrokenChannels broken) {
    this.lock = lock;
    this.traffic = traffic;
    this.departures = departures;
    this.end = end;
    this.peers = peers;
    this.broken = broken;
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
   * @return how many things moved
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
    return moved;
  }

  /**
   * Polls. Called with the rank's lock held.
   *
   * @return how many things moved
   */
  public int pollLocked() {
    looks++;
    return traffic.poll();
  }

  /** Notes that a call has looked for its own message. Called with the rank's lock held. */
  public void looked() {
    looks++;
  }

  /**
   * Notes that a receive starts. Every so often it fails if the job has ended: a rank to which messages come all the
   * time never waits, and would not find out. Called with the rank's lock held.
   */
  public void receives() {
    if ((++receives & RECEIVES_PER_CHECK - 1) == 0) {
      end.checkLocked();
    }
  }

  /** Returns how often this rank has looked for messages: a rank that is attended to has a growing number. Racy. */
  long looks() {
    return looks;
  }

  /**
   * Polls on the way to sleep, without waking the sleeper that the caller is about to be. Registered operations are
   * advanced as well, because they may wait for words that no ring announces.
   */
  boolean findsNothing() {
    if (!lock.tryLock()) {
      return false;
    }
    int moved;
    try {
      looks++;
      moved = traffic.pollThoroughly();
    } finally {
      lock.unlockQuietly();
    }
    return moved == 0 && (registered.isEmpty() || registered.advanceAll() == 0);
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
   * Drops an operation that is complete from the registered ones.
   *
   * @param op the operation
   */
  public void forget(Operation op) {
    registered.forget(op);
  }

  /**
   * Returns whether an operation of some contexts is under way. False also when another thread moves things just now:
   * then the caller looks again.
   *
   * @param contexts accepts their matching contexts
   * @return true when none was found
   */
  public boolean isQuiet(LongPredicate contexts) {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      return !traffic.isUnderWay(contexts) && !registered.any(contexts);
    } finally {
      lock.unlockQuietly();
    }
  }

  /**
   * Looks for peers that have departed, and ends what only they could have completed; also ends receives of collective
   * calls that other ranks do not take part in as this one does, and checks the words that this rank waits for.
   *
   * @param asked whether a thread waits for completions, see {@link Traffic#failAfter}
   * @return how many peers are newly departed, and how many receives of such calls have ended
   */
  public int sweep(boolean asked) {
    if (!lock.tryLock()) {
      return 0;
    }
    try {
      traffic.verify();
      int found = traffic.failMismatched();
      for (int peer = 0; peer < peers; peer++) {
        if (departures.isNew(peer) && traffic.hasAllOf(peer)) {
          pollLocked(); // opens the peer's ring, if it is not open yet
          traffic.settle(peer);
          departures.note(peer);
          found++;
        }
      }
      if (broken != null && broken.beginSweep()) {
        traffic.failBroken(broken); // before what follows: others may have finalized because of a failure
      }
      if (!departures.isEmpty()) {
        traffic.failAfter(departures, asked);
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  /** Ends progress in the order of the locks: afterwards no thread polls. */
  public void close() {
    poller.close();
    lock.close();
    registered.close();
  }
}
