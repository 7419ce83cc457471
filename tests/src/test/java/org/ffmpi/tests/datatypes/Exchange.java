// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.Status;

/** Passes the same message on from every kind of memory to every other, by changing ways. */
final class Exchange {
  /** Passes on what the arguments say, once, and checks what has come. */
  @FunctionalInterface
  interface Once {
    void run(MemorySegment source, MemorySegment target, Passing passing);
  }

  /** Sends to the next rank what is in a buffer while receiving from the previous one. */
  @FunctionalInterface
  interface Passing {
    Status pass(Buf<?> send, Buf<?> recv);
  }

  private Exchange() {}

  /**
   * Runs a check between all pairs of places.
   *
   * @param fill writes the source, which is zeroed
   * @param once is given the source and a zeroed target
   */
  static void everywhere(
      Mpi mpi, long sourceBytes, Consumer<MemorySegment> fill, long targetBytes, Once once) {
    between(mpi, place -> true, sourceBytes, fill, targetBytes, once);
  }

  /** As {@link #everywhere}, out of memory that absolute displacements may name. */
  static void fromAddresses(Mpi mpi, long sourceBytes, Consumer<MemorySegment> fill, long targetBytes, Once once) {
    between(mpi, Place::hasAnAddress, sourceBytes, fill, targetBytes, once);
  }

  private static void between(
      Mpi mpi, Predicate<Place> sources, long sourceBytes, Consumer<MemorySegment> fill, long targetBytes, Once once) {
    int round = 0;
    for (Place from : Place.values()) {
      if (!sources.test(from)) {
        continue;
      }
      try (Arena arena = from.ordinal() % 2 == 0 ? Arena.ofConfined() : Arena.ofShared()) {
        MemorySegment source = from.allocate(mpi, arena, sourceBytes);
        fill.accept(source);
        for (Place to : Place.values()) {
          Way way = Way.values()[round++ % Way.values().length];
          try {
            once.run(source, to.allocate(mpi, arena, targetBytes), (send, recv) -> way.pass(mpi.world(), send, recv));
          } catch (Throwable e) {
            throw new AssertionError("from " + from + " to " + to + ", " + way + ": " + e, e);
          }
        }
      }
    }
  }
}
