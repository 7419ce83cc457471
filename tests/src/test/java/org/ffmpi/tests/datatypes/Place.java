// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ffmpi.Mpi;

/** The kinds of memory that messages are sent out of and received into. */
enum Place {
  BYTES {
    @Override
    MemorySegment allocate(Mpi mpi, Arena arena, long bytes) {
      return MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    }
  },
  DOUBLES {
    @Override
    MemorySegment allocate(Mpi mpi, Arena arena, long bytes) {
      return MemorySegment.ofArray(new double[Math.toIntExact((bytes + 7) / 8)]).asSlice(0, bytes);
    }
  },
  NATIVE {
    @Override
    MemorySegment allocate(Mpi mpi, Arena arena, long bytes) {
      return Arena.ofAuto().allocate(bytes, 8);
    }
  },
  /** Of an arena that a thread closes: confined or shared, as the arena is. */
  OF_ARENA {
    @Override
    MemorySegment allocate(Mpi mpi, Arena arena, long bytes) {
      return arena.allocate(bytes, 8);
    }
  },
  SHARED_HEAP {
    @Override
    MemorySegment allocate(Mpi mpi, Arena arena, long bytes) {
      return mpi.shared().allocate(bytes, 8);
    }
  };

  /** Allocates zeroed memory, aligned to 8 bytes where its kind allows. */
  abstract MemorySegment allocate(Mpi mpi, Arena arena, long bytes);

  /** Returns whether the memory has an address that nobody can take away. */
  boolean hasAnAddress() {
    return this == NATIVE || this == SHARED_HEAP;
  }
}
