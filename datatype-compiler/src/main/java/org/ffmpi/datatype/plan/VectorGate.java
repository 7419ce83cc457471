// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.PlanSettings.Generate;

/**
 * Lets calls through to some vector kernels once these are compiled. Until then they are a hundred times slower than
 * plain loops: the JVM makes an object of each vector.
 *
 * <p>Counts the bytes that could go through, and when they are many, has the generating thread rehearse the kernels.
 * With a setting under which nothing happens in the background, the gate is open from the start. A rehearsal that fails
 * leaves it closed.
 *
 * <p>May be used by any thread. All accesses are plain: a thread that sees the gate open late uses plain loops a little
 * longer, lost counts only make the rehearsal come later.
 */
final class VectorGate implements Runnable {
  /** What is behind a gate: the loops of one direction over every second block, other blocks, grids or runs. */
  enum Loops {
    MOVE_SECONDS, OUT_SECONDS, IN_SECONDS, MOVE_BLOCKS, OUT_BLOCKS, IN_BLOCKS, MOVE_GRID, OUT_GRID, IN_GRID,
    RUNS_PACKED, RUNS_UNPACKED, RUNS_COPIED
  }

  /** Bytes before a rehearsal: what plain loops move in some tens of microseconds. */
  static final long HOT = 256 << 10;

  /** The same for runs: generated classes, which are made earlier, are better than these kernels. */
  private static final long HOT_RUNS = 8 << 20;

  /** The same after a first rehearsal that could not be had, or failed; each later one waits for more. */
  private static final long AGAIN = 64L << 20;

  private static final int MORE = 16;

  private static final VectorGate[][] ALL = new VectorGate[Memory.DOUBLES + 1][Loops.values().length];

  /** Late, like all settings that are read when something is used for the first time. */
  private static final class OfProcess {
    static final boolean REHEARSED = PlanSettings.generate(Settings.ofProcess()) == Generate.BACKGROUND;
  }

  private final int kind;
  private final Loops loops;
  private boolean open;
  private long left;
  private boolean used;
  private long again = AGAIN;

  /** The thread that rehearses, for which the gate is open. */
  private Thread rehearsing;

  private VectorGate(int kind, Loops loops) {
    this.kind = kind;
    this.loops = loops;
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

  /** Tells whether the vector kernels may move some bytes. */
  boolean open(long bytes) {
    return open || rehearsing == Thread.currentThread() || count(bytes);
  }

  private boolean count(long bytes) {
    long now = left - bytes;
    left = now;
    return now < 0 && ask();
  }

  /** Apart from the way of each call, which has to stay small. */
  private boolean ask() {
    if (!OfProcess.REHEARSED) {
      left = Long.MAX_VALUE;
      open = Vectors.wide();
    } else if (!used) {
      used = true;
      left = loops.compareTo(Loops.RUNS_PACKED) < 0 ? HOT : HOT_RUNS;
    } else {
      // Not again until much more is moved: a full queue is empty by then, and what failed is not tried too often.
      left = again;
      again = Math.min(again, Long.MAX_VALUE / MORE) * MORE;
      Generation.ofProcess().submit(this);
    }
    return open;
  }

  /** Rehearses; called by the generating thread. */
  @Override
  public void run() {
    if (open) {
      return;
    }
    try {
      if (Vectors.wide()) {
        rehearsing = Thread.currentThread();
        boolean compiled = VectorRehearsal.run(kind, loops);
        // Loops over runs of any length seldom settle at a steady time; rehearsed at all, they beat plain ones by far.
        open = compiled || loops.compareTo(Loops.RUNS_PACKED) >= 0;
      } else {
        left = Long.MAX_VALUE;
      }
    } catch (Throwable e) {
      System.getLogger("org.ffmpi.datatype").log(System.Logger.Level.DEBUG, "no vectors for " + loops, e);
    } finally {
      rehearsing = null;
    }
  }

  // ---- for tests

  /** Opens all gates of a kind of memory where there are vectors, or closes them for good. */
  static synchronized void setAll(int kind, boolean open) {
    for (VectorGate gate : ALL[kind]) {
      if (gate != null) {
        gate.open = open && Vectors.wide();
        gate.left = Long.MAX_VALUE;
      }
    }
  }

  /** Makes it as if no gate of a kind of memory had ever been used. */
  static synchronized void resetAll(int kind) {
    for (VectorGate gate : ALL[kind]) {
      if (gate != null) {
        gate.open = false;
        gate.used = false;
        gate.left = 0;
        gate.again = AGAIN;
      }
    }
  }
}
