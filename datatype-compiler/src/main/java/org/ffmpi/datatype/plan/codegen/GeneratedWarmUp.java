// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.codegen;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.kernel.ScratchArrays;
import org.ffmpi.datatype.plan.pattern.Copier.Direction;

/**
 * Calls a new class on scratch memory until the JVM has compiled it at its best. Otherwise the first hundreds of calls
 * after a class is swapped in would be interpreted, which is up to a thousand times slower than the shared loops that
 * served before.
 */
final class GeneratedWarmUp {
  /** Elements that span more are not warmed up: their calls are long, and the JVM compiles them while they run. */
  private static final long MOST_SCRATCH = 4 << 20;

  /** Preferred size, so that no time is spent on memory. */
  private static final long NEAR_SCRATCH = 256 << 10;

  /** Calls of one element that make the JVM compile with a profile; more would be wasted on the interpreter. */
  private static final int FIRST_CALLS = 256;

  /**
   * Moves and elements in each later call: enough for the JVM to compile the loop, too few for it to replace the loop
   * of a running call, whose speed would be mistaken for that of the method.
   */
  private static final int WORK = 512;

  private static final int MOST_ELEMENTS = 32;

  /** Calls after which the JVM has been asked to compile every method at its best. */
  private static final int ENOUGH_CALLS = 5500;

  private static final long ROUND_NANOS = 100_000;
  private static final long PAUSE_NANOS = 100_000;

  /** Pause while only the JVM's compiler still works, which may share a core with this thread. */
  private static final long WAIT_NANOS = 1_000_000;

  /** A compiled move takes less, an interpreted one, or one compiled at a lower tier, many times more. */
  private static final double COMPILED_NANOS_PER_MOVE = 2;

  /** The same where each move may miss the caches. */
  private static final double COMPILED_NANOS_PER_FAR_MOVE = 10;

  /**
   * The least improvement, and how long there has to be none before the end: methods are compiled one after the other.
   */
  private static final double BETTER = 0.9;

  private static final long SETTLING_NANOS = 20_000_000;

  /** The same while it is too slow. */
  private static final long HOPELESS_NANOS = 300_000_000;

  /** When to stop on a machine that has no time to compile. */
  private static final long LIMIT_NANOS = 2_000_000_000;

  private final ElementCopier copier;
  private final int kind;
  private final Direction operation;

  private GeneratedWarmUp(ElementCopier copier, int kind, Direction operation) {
    this.copier = copier;
    this.kind = kind;
    this.operation = operation;
  }

  /**
   * Runs one operation of a new class until it is compiled.
   *
   * @param copier the class
   * @param program the program of the class
   * @param kind the kind of memory it was made for
   * @param operation which method
   * @return false when the JVM compiled it badly: rarely, it stops inlining in the middle of a method
   */
  static boolean run(ElementCopier copier, ElementProgram program, int kind, Direction operation) {
    if (bytes(program, 1) > MOST_SCRATCH) {
      return true;
    }
    long work = GeneratedClass.work(program, kind);
    int elements = 1;
    while (elements < MOST_ELEMENTS && elements * work < WORK && bytes(program, 2 * elements) <= NEAR_SCRATCH) {
      elements *= 2;
    }
    try (Arena arena = Arena.ofConfined()) {
      long bytes = bytes(program, elements);
      long first = -(program.low() + Math.min(0, (elements - 1) * program.stride()));
      long other = Raw.address(arena.allocate(bytes, Long.BYTES));
      Object array = null;
      long at;
      if (kind == Memory.NATIVE) {
        at = first + Raw.address(arena.allocate(bytes, Long.BYTES));
      } else {
        int width = Memory.elementSize(kind);
        array = ScratchArrays.make(kind, Math.toIntExact(bytes / width + 2));
        at = first + width - 1 & -width;
      }
      long start = operation == Direction.COPY ? other + first : other;
      double nanosPerMove = bytes <= NEAR_SCRATCH ? COMPILED_NANOS_PER_MOVE : COMPILED_NANOS_PER_FAR_MOVE;
      try {
        return new GeneratedWarmUp(copier, kind, operation)
            .untilCompiled(array, at, start, elements, nanosPerMove * work * elements);
      } finally {
        Reference.reachabilityFence(array);
      }
    }
  }

  /** Covers the memory of some elements on either side, and the stream. */
  private static long bytes(ElementProgram program, int elements) {
    double span = Math.abs((double) program.stride()) * (elements - 1) + program.high() - program.low();
    double stream = (double) program.size() * elements;
    return (long) Math.max(span, stream) + Long.BYTES;
  }

  private boolean untilCompiled(Object array, long at, long other, int elements, double enough) {
    long begin = System.nanoTime();
    long now = begin;
    for (int i = 0; i < FIRST_CALLS && now - begin < LIMIT_NANOS; i++) {
      call(array, at, other, 1);
      now = System.nanoTime();
    }
    long calls = 0;
    double best = Double.MAX_VALUE;
    long improved = now;
    while (now - begin < LIMIT_NANOS
        && (calls < ENOUGH_CALLS || now - improved < (best <= enough ? SETTLING_NANOS : HOPELESS_NANOS))) {
      LockSupport.parkNanos(calls < ENOUGH_CALLS ? PAUSE_NANOS : WAIT_NANOS);
      long start = System.nanoTime();
      int more = 0;
      do {
        call(array, at, other, elements);
        more++;
        now = System.nanoTime();
      } while (now - start < ROUND_NANOS);
      calls += more;
      double nanos = (double) (now - start) / more;
      if (nanos < best * BETTER) {
        best = nanos;
        improved = now;
      }
    }
    return best <= enough;
  }

  private void call(Object array, long at, long other, int elements) {
    switch (operation) {
      case PACK -> copier.pack(array, at, elements, other);
      case UNPACK -> copier.unpack(other, array, at, elements);
      case COPY -> copier.copy(other, array, at, elements);
    }
  }
}
