// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.GeneratedClass.Operation;

/**
 * Calls a new class on scratch memory until the JVM has compiled it at its best. Otherwise the first hundreds of calls
 * after a class is swapped in would be interpreted, which is up to a thousand times slower than the shared loops that
 * served before.
 */
final class GeneratedWarmUp {
  /** Elements that span more are not worth the memory: their calls are long, the JVM compiles them while they run. */
  private static final long MOST_SCRATCH = 4 << 20;

  /** Calls of one element that make the JVM compile with a profile; more would be wasted on the interpreter. */
  private static final int FIRST_CALLS = 256;

  /**
   * Moves and elements in each later call: enough for a loop to be recognised as one, too few for the JVM to replace
   * the loop of a running call, whose speed would be mistaken for that of the method.
   */
  private static final int WORK = 512;

  private static final int MOST_ELEMENTS = 32;

  private static final long ROUND_NANOS = 100_000;
  private static final long PAUSE_NANOS = 50_000;

  /** A compiled move takes less, an interpreted one, or one compiled at a lower tier, many times more. */
  private static final double COMPILED_NANOS_PER_MOVE = 2;

  /** When to give up on a machine that has no time to compile. */
  private static final long LIMIT_NANOS = 1_000_000_000;

  private final ElementCopier copier;
  private final int kind;
  private final Operation operation;

  private GeneratedWarmUp(ElementCopier copier, int kind, Operation operation) {
    this.copier = copier;
    this.kind = kind;
    this.operation = operation;
  }

  static void run(ElementCopier copier, ElementProgram program, int kind, Operation operation) {
    if (bytes(program, 1) > MOST_SCRATCH) {
      return;
    }
    long work = GeneratedClass.work(program, kind);
    int elements = 1;
    while (elements < MOST_ELEMENTS && elements * work < WORK && bytes(program, 2 * elements) <= MOST_SCRATCH) {
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
        array = Array.newInstance(component(kind), Math.toIntExact(bytes / width + 2));
        at = first + width - 1 & -width;
      }
      long start = operation == Operation.COPY ? other + first : other;
      new GeneratedWarmUp(copier, kind, operation).untilCompiled(array, at, start, elements, (double) work * elements);
      Reference.reachabilityFence(array);
    }
  }

  /** Covers the memory of some elements on either side, and the stream. */
  private static long bytes(ElementProgram program, int elements) {
    double span = Math.abs((double) program.stride()) * (elements - 1) + program.high() - program.low();
    double stream = (double) program.size() * elements;
    return (long) Math.max(span, stream) + Long.BYTES;
  }

  private static Class<?> component(int kind) {
    return switch (kind) {
      case Memory.BYTES -> byte.class;
      case Memory.CHARS -> char.class;
      case Memory.SHORTS -> short.class;
      case Memory.INTS -> int.class;
      case Memory.LONGS -> long.class;
      case Memory.FLOATS -> float.class;
      default -> double.class;
    };
  }

  private void untilCompiled(Object array, long at, long other, int elements, double moves) {
    long begin = System.nanoTime();
    for (int i = 0; i < FIRST_CALLS && System.nanoTime() - begin < LIMIT_NANOS; i++) {
      call(array, at, other, 1);
    }
    double best = Double.MAX_VALUE;
    while (best > COMPILED_NANOS_PER_MOVE * moves && System.nanoTime() - begin < LIMIT_NANOS) {
      LockSupport.parkNanos(PAUSE_NANOS);
      long start = System.nanoTime();
      long now = start;
      int calls = 0;
      do {
        call(array, at, other, elements);
        calls++;
        now = System.nanoTime();
      } while (now - start < ROUND_NANOS);
      best = Math.min(best, (double) (now - start) / calls);
    }
  }

  private void call(Object array, long at, long other, int elements) {
    switch (operation) {
      case PACK -> copier.pack(array, at, elements, other);
      case UNPACK -> copier.unpack(other, array, at, elements);
      case COPY -> copier.copy(other, array, at, elements);
    }
  }
}
