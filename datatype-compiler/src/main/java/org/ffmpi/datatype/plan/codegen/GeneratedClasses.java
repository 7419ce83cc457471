// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.codegen;

import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.pattern.Copier.Direction;

/**
 * The classes of one program, shared by all loops that copy alike: one for each kind of memory, returned for an
 * operation once that is warm. They are unloaded with the last loop that uses one of them.
 */
final class GeneratedClasses {
  /** Attempts per operation: the JVM compiles a new class again, and seldom badly twice. */
  private static final int ATTEMPTS = 2;

  /** The smallest class takes 8 KiB of the JVM's metadata, a move 0.45 KiB more, and compiled code about as much. */
  private static final long WORDS = (16 << 10) / Long.BYTES;

  private static final long WORDS_OF_A_MOVE = 1024 / Long.BYTES;

  private final Generation generation;
  private final ElementProgram program;

  /** By kind of memory: the newest class, which may be warm for some operations. */
  private final ElementCopier[] made = new ElementCopier[Memory.DOUBLES + 1];

  /** By operation and kind: the class that is warm. */
  private final ElementCopier[][] warm = new ElementCopier[Direction.values().length][Memory.DOUBLES + 1];

  GeneratedClasses(Generation generation, ElementProgram program) {
    this.generation = generation;
    this.program = program;
  }

  /** Returns the bits that have to be clear in an origin in memory of a kind. */
  long misaligned(int kind) {
    return GeneratedClass.isTyped(program, kind) ? Memory.elementSize(kind) - 1 : 0;
  }

  /** Returns about how many words of memory the class for a kind costs, its compiled code included. */
  long words(int kind) {
    return WORDS + WORDS_OF_A_MOVE * GeneratedClass.moves(program, kind);
  }

  /** Returns loops for an operation, warm where the generator warms up; null when they cannot be made. */
  synchronized ElementCopier copier(Direction operation, int kind) {
    ElementCopier[] ready = warm[operation.ordinal()];
    for (int i = 0; i < ATTEMPTS && ready[kind] == null && GeneratedClass.supports(program, kind); i++) {
      if (made[kind] == null) {
        made[kind] = generation.define(program, kind);
      }
      if (made[kind] == null) {
        return null;
      }
      if (generation.warmUp(made[kind], program, kind, operation)) {
        ready[kind] = made[kind];
      } else {
        made[kind] = null;
      }
    }
    return ready[kind];
  }
}
