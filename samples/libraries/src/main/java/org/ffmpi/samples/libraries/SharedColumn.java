// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.libraries;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ForeignAllocation;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.ffmpi.Mpi;

/** Vectors of Arrow whose values lie in the shared heap, where other ranks read them. */
final class SharedColumn {
  private SharedColumn() {}

  /**
   * Makes a vector of fixed length. Its bits of validity are in memory of the allocator; all are set.
   *
   * @param mpi this rank
   * @param allocator counts the vector's memory as its own
   * @param name the vector's name
   * @param length number of entries
   */
  static Float8Vector allocate(Mpi mpi, BufferAllocator allocator, String name, int length) {
    MemorySegment memory = mpi.shared().allocate(ValueLayout.JAVA_DOUBLE, Math.max(length, 1));
    Float8Vector vector = new Float8Vector(name, allocator);
    try (ArrowBuf values = allocator.wrapForeignAllocation(new Allocation(memory));
        ArrowBuf allSet = allocator.getEmpty()) {
      vector.loadFieldBuffers(new ArrowFieldNode(length, 0), List.of(allSet, values)); // which retains the values
    }
    return vector;
  }

  /** Keeps the segment reachable, and thereby its memory alive, until Arrow's last reference has gone. */
  private static final class Allocation extends ForeignAllocation {
    private final MemorySegment memory;

    Allocation(MemorySegment memory) {
      super(memory.byteSize(), memory.address());
      this.memory = memory;
    }

    @Override
    protected void release0() {
      Reference.reachabilityFence(memory); // the garbage collector does the rest
    }
  }
}
