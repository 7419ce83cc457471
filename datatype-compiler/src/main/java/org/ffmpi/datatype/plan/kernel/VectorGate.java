// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.kernel.PlanSettings.Generate;

/**
 * Lets calls through to some vector kernels once these are compiled. Until then they are a hundred times slower than
 * plain loops: the JVM makes an object of each vector.
 *
 * <p>Counts the bytes that could go through, and when they are many, has the background thread warm up the kernels.
 * With a setting under which nothing happens in the background, the gate is open from the start. A warm-up that fails
 * leaves it closed.
 *
 * <p>May be used by any thread. All accesses are plain: a thread that sees the gate open late uses plain loops a little
 * longer, lost counts only make the warm-up come later.
 */
final class VectorGate implements Runnable {
  /** What is behind a gate: the loops of one direction over every second block, other blocks, grids or runs. */
  enum Loops {
    MOVE_SECONDS, OUT_SECONDS, IN_SECONDS, MOVE_BLOCKS, OUT_BLOCKS, IN_BLOCKS, MOVE_GRID, OUT_GRID, IN_GRID,
    RUNS_PACKED, RUNS_UNPACKED, RUNS_COPIED
  }

  /** Bytes before a warm-up: what plain loops move in some tens of microseconds. */
  static final long HOT = 256 << 10;

  /** The same for runs: generated classes, which are made earlier, are better than these kernels. */
  private static final long HOT_RUNS = 8 << 20;

  /** The same after a first warm-up that was refused, or failed; each later one waits for more. */
  private static final long AGAIN = 64L << 20;

  private static final int MORE = 16;

  /** Bytes that a run of a list counts for. */
  static final long RUN = 16;

  private static final VectorGate[][] ALL = new VectorGate[Memory.DOUBLES + 1][Loops.values().length];

  /** How the kernels behind a gate are warmed up. */
  interface WarmUp {
    /** Runs them until they are compiled; returns false when that fails. */
    boolean run(int kind, Loops loops);
  }

  private static volatile WarmUp warmUp;

  /** Late, like all settings that are read when something is used for the first time. */
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

  /** Sets how all gates' kernels are warmed up. */
  static void warmUpBy(WarmUp how) {
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
    return now < 0 && ask();
  }

  /** Out of line: the way of each call has to stay small. */
  private boolean ask() {
    if (!OfProcess.IN_BACKGROUND) {
      left = Long.MAX_VALUE;
      open = Vectors.wide();
    } else if (!used) {
      used = true;
      left = loops.compareTo(Loops.RUNS_PACKED) < 0 ? HOT : HOT_RUNS;
    } else {
      // Not again until much more is moved: a full queue is empty by then, and what failed is not tried too often.
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
        // Loops over runs of any length seldom settle at a steady time; even so they beat plain ones by far.
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

  /** Makes it as if no gate of a kind of memory had ever been used. */
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
