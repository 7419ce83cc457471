// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.SharedMemory;

/**
 * The shadows of all parts of one window, as one rank has them, and the clocks that ranks leave at the parts. Ranks of
 * one process have each shadow in common; the shadow of a part of another process knows the accesses of this rank
 * alone. Made by the thread that makes the window, which waits for those of the other ranks; then any thread.
 */
final class PartShadows {
  /** Number under which words about a part are told; smaller ones are those of orders. */
  private static final long MADE = 15;
  private static final long NUMBERS = 16;

  /** Words about a part. */
  private static final int PROCESS = 0;
  private static final int SHADOW = 1;
  private static final int CLOCKS = 2;
  private static final int WORDS = 3;

  /** Names this process. */
  private static final long THIS_PROCESS = ThreadLocalRandom.current().nextLong();

  /** The shadows of parts whose owners are in this process, by numbers that the owners tell. */
  private static final Map<Long, PartShadow> SHADOWS = new ConcurrentHashMap<>();

  private static final AtomicLong NEXT = new AtomicLong();

  private final int[] peers;
  private final int rank;
  private final long window;
  private final BooleanSupplier sameOp;
  private final BooleanSupplier ordered;
  private final long own = NEXT.incrementAndGet();
  private final PartShadow[] shadows;
  private final boolean[] isFar;
  private final LockClocks[] clocks;
  private boolean hasFar;

  /**
   * Creates the shadow of this rank's part.
   *
   * @param peers peers of the ranks
   * @param window number of the window's channel
   * @param sameOp whether accumulates of one place have one operation
   * @param ordered whether those of one rank are made in its order
   */
  PartShadows(int[] peers, int rank, long window, BooleanSupplier sameOp, BooleanSupplier ordered) {
    this.peers = peers;
    this.rank = rank;
    this.window = window;
    this.sameOp = sameOp;
    this.ordered = ordered;
    this.shadows = new PartShadow[peers.length];
    this.isFar = new boolean[peers.length];
    this.clocks = new LockClocks[peers.length];
    shadows[rank] = new PartShadow(sameOp, ordered);
  }

  /** Returns the first number under which ranks tell each other words about a window. */
  static long key(long window, long what) {
    return -(window * NUMBERS + what) - 1;
  }

  /** Exchanges with the other ranks where the parts are looked after. */
  void meet(Engine engine, ClockStream stream) {
    SharedMemory shared = engine.sharedMemory();
    clocks[rank] = LockClocks.make(engine);
    SHADOWS.put(own, shadows[rank]);
    long[] words = new long[WORDS + engine.peers() + 1]; // longer than a clock
    words[PROCESS] = THIS_PROCESS;
    words[SHADOW] = own;
    words[CLOCKS] = clocks[rank].place(shared);
    for (int r = 0; r < peers.length; r++) {
      if (r != rank) {
        stream.tell(peers[r], key(window, MADE), 0, words);
      }
    }
    for (int r = 0; r < peers.length; r++) {
      if (r != rank) {
        long[] theirs = stream.await(peers[r], key(window, MADE), 0, 0);
        isFar[r] = theirs[PROCESS] != THIS_PROCESS;
        hasFar |= isFar[r];
        shadows[r] = isFar[r] ? new PartShadow(sameOp, ordered) : SHADOWS.get(theirs[SHADOW]);
        clocks[r] = LockClocks.at(shared, theirs[CLOCKS], engine.peers());
      }
    }
  }

  /** Ends the window: no rank looks for this one's shadow any more. */
  void forget() {
    SHADOWS.remove(own);
  }

  PartShadow shadow(int r) {
    return shadows[r];
  }

  LockClocks clocks(int r) {
    return clocks[r];
  }

  /** Returns whether another process looks after a part. */
  boolean isFar(int r) {
    return isFar[r];
  }

  boolean hasFar() {
    return hasFar;
  }
}
