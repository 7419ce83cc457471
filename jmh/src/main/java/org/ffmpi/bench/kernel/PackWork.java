// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.bench.kernel.Pollution.Place;
import org.ffmpi.bench.type.TypeCase;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;

/** Packing or unpacking of one type; the case is {@code type|memory|...}. */
final class PackWork implements PackProgram.Measured {
  private final String label;
  private final boolean packs;
  private final TypeCase type;
  private final PackBuffers.Piece memory;
  private final MemorySegment stream;

  PackWork(String bench, String name, long bytes, PackBuffers buffers) {
    String[] parts = name.split("\\|");
    label = bench + "," + name + "," + bytes;
    packs = bench.equals("pack");
    type = TypeCase.of(parts[0], bytes);
    memory = buffers.get(parts[1], type);
    stream = PackBuffers.offHeap(bytes);
    type.fill(memory.segment());
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public double run(long iterations) {
    long start = System.nanoTime();
    if (packs) {
      pack(iterations);
    } else {
      unpack(iterations);
    }
    return (System.nanoTime() - start) * 1e-9;
  }

  private void pack(long iterations) {
    Plan plan = TypeHandle.planOf(type.type());
    Place p = memory.place();
    long count = type.count();
    long bytes = type.payload();
    long to = Raw.address(stream);
    for (long i = 0; i < iterations; i++) {
      plan.pack(p.kind(), p.owner(), p.offset(), count, 0, bytes, to);
    }
  }

  private void unpack(long iterations) {
    Plan plan = TypeHandle.planOf(type.type());
    Place p = memory.place();
    long count = type.count();
    long bytes = type.payload();
    long from = Raw.address(stream);
    for (long i = 0; i < iterations; i++) {
      plan.unpack(from, p.kind(), p.owner(), p.offset(), count, 0, bytes);
    }
  }

  @Override
  public void check() {
    try (Arena arena = Arena.ofConfined()) {
      check(arena.allocate(type.span()));
    }
  }

  private void check(MemorySegment sent) {
    type.fill(sent);
    if (packs) {
      type.fill(memory.segment());
      pack(1);
      if (!type.packed(sent, stream)) {
        throw new IllegalStateException(label + ": packed wrong bytes");
      }
    } else {
      type.pack(sent, stream);
      type.wipe(memory.segment());
      unpack(1);
      if (!type.arrived(sent, memory.segment())) {
        throw new IllegalStateException(label + ": unpacked wrong bytes");
      }
    }
  }
}
