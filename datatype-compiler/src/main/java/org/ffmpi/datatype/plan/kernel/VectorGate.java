// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.kernel.PlanSettings.Generate;

/**
 * Admits calls to some vector kernels once these are compiled. Until then they are a hundred times slower than plain
 * loops, since the JVM makes an object of each vector.
 *
 * <p>The gate counts the bytes that the kernels could move, and when they are many, the background thread warms up the
 * kernels. With a setting without background work, the gate is open from the start. A warm-up that fails leaves it
 * closed.
 *
 * <p>May be used by any thread. All accesses are plain: a thread that sees the gate open late uses plain loops a little
 * longer, and lost counts only delay the warm-up.
 */
final class VectorGate implements Runnable {
  /** The loops behind a gate, of one direction: over every second block, other blocks, grids or runs. */
  enum Loops {
    MOVE_SECONDS, OUT_SECONDS, IN_SECONDS, MOVE_BLOCKS, OUT_BLOCKS, IN_BLOCKS, MOVE_GRID, OUT_GRID, IN_GRID,
    RUNS_PACKED, RUNS_UNPACKED, RUNS_COPIED
  }

  /** Bytes before a warm-up, which plain loops move in some tens of microseconds. */
  static final long HOT = 256 << 10;

  /** The same for runs: generated classes, which are made earlier, are better than these kernels. */
  private static final long HOT_RUNS = 8 << 20;

  /** The same after a first warm-up that was refused or failed; it grows with each later one. */
  private static final long AGAIN = 64L << 20;

  private static final int MORE = 16;

  /** Bytes that each run of a list counts as. */
  static final long RUN = 16;

  private static final VectorGate[][] ALL = new VectorGate[Memory.DOUBLES + 1][Loops.values().length];

  /** The warm-up of the kernels behind a gate. */
  interface WarmUp {
    /** Runs them until they are compiled; returns false when that fails. */
    boolean run(int kind, Loops loops);
  }

  private static volatile WarmUp warmUp;

  /** A class of its own, so that the setting is read at the first use. */
  private static final class OfProcess {
    static final boolean IN_BACKGROUND = PlanSettings.generate(Settings.ofProcess()) == Generate.BACKGROUND;
  }

  private final int kind;
  private final Loops loops;
  private boolean open;
  private long left;
  private boolean used;
  private long again = AGAIN;

  /** The thread that warms up, for which the gate is open. */
  private Thread warming;

  private VectorGate(int kind, Loops loops) {
    this.kind = kind;
    this.loops = loops;
  }

  /** Sets the warm-up of all gates' kernels. */
  static void setWarmUp(WarmUp how) {
    warmUp = how;
  }

  /** Returns the gate to some loops. */
  static synchronized VectorGate of(int kind, Loops loops) {
    VectorGate gate = ALL[kind][loops.ordinal()];
    if (gate == null) {
      gate = new VectorGate(kind, loops);
      ALL[kind][loops.ordinal()] = gate;
    }
    return gate;
  }

  /** Returns whether the vector kernels may move some bytes. */
  boolean open(long bytes) {
    return open || warming == Thread.currentThread() || count(bytes);
  }

  private boolean count(long bytes) {
    long now = left - bytes;
    left = now;
    return now < 0 && requestWarmUp();
  }

  /** A method of its own, since the path of each call has to stay small. */
  private boolean requestWarmUp() {
    if (!OfProcess.IN_BACKGROUND) {
      left = Long.MAX_VALUE;
      open = Vectors.wide();
    } else if (!used) {
      used = true;
      left = loops.compareTo(Loops.RUNS_PACKED) < 0 ? HOT : HOT_RUNS;
    } else {
      // No new request until much more is moved: a full queue is empty by then, and failures are not repeated too
      // often.
      left = again;
      again = Math.min(again, Long.MAX_VALUE / MORE) * MORE;
      BackgroundWork.ofProcess().submit(this);
    }
    return open;
  }

  /** Warms up; called by the background thread. */
  @Override
  public void run() {
    if (open) {
      return;
    }
    try {
      if (Vectors.wide()) {
        warming = Thread.currentThread();
        boolean compiled = warmUp.run(kind, loops);
        // Loops over runs of any length seldom reach a steady time; even so they are far faster than plain ones.
        open = compiled || loops.compareTo(Loops.RUNS_PACKED) >= 0;
      } else {
        left = Long.MAX_VALUE;
      }
    } catch (Throwable e) {
      System.getLogger("org.ffmpi.datatype").log(System.Logger.Level.DEBUG, "no vectors for " + loops, e);
    } finally {
      warming = null;
    }
  }

  // ---- for tests

  /** Opens all gates of a kind of memory where there are vectors, or closes them for good. */
  static synchronized void setAll(int kind, boolean open) {
    for (Loops loops : Loops.values()) {
      VectorGate gate = of(kind, loops);
      gate.open = open && Vectors.wide();
      gate.left = Long.MAX_VALUE;
    }
  }

  /** Resets all gates of a kind of memory to unused. */
  static synchronized void resetAll(int kind) {
    for (Loops loops : Loops.values()) {
      VectorGate gate = of(kind, loops);
      gate.open = false;
      gate.used = false;
      gate.left = 0;
      gate.again = AGAIN;
    }
  }
}
