// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.bench.type.TypeCase;

/**
 * A ping-pong of two ranks with a derived type at both ends; {@code ddt.c} in Java. A case is {@code type|memory}, the
 * size its payload.
 */
public final class Ddt extends RankProgram {
  private static final int TAG = 1;
  private static final int LARGEST = 16 << 20;
  private static final int LARGEST_STRUCTS = 1 << 20;
  private static final List<String> MEMORIES = List.of("native", "heap", "shared");

  private final int peer;

  /** Kept, so that measuring meets the plans the warm-up has met. */
  private final Map<String, TypeCase> types = new HashMap<>();

  private final Map<String, Buffers> buffers = new HashMap<>();

  /** The memory of the messages; each case uses the beginning. */
  private record Buffers(Object send, Object receive) {
    Buf<?> sendBuf(TypeCase t) {
      return buf(send, t);
    }

    Buf<?> receiveBuf(TypeCase t) {
      return buf(receive, t);
    }

    MemorySegment sent() {
      return segment(send);
    }

    MemorySegment received() {
      return segment(receive);
    }

    private static Buf<?> buf(Object memory, TypeCase t) {
      return switch (memory) {
        case double[] array -> Buf.of(array, t.count(), t.type());
        case byte[] array -> Buf.of(array, t.count(), t.type());
        default -> Buf.of((MemorySegment) memory, t.count(), t.type());
      };
    }

    private static MemorySegment segment(Object memory) {
      return switch (memory) {
        case double[] array -> MemorySegment.ofArray(array);
        case byte[] array -> MemorySegment.ofArray(array);
        default -> (MemorySegment) memory;
      };
    }
  }

  private Ddt(Mpi mpi) {
    super(mpi);
    requireTwoRanks("ddt");
    peer = 1 - rank;
  }

  public static void main(String[] args) {
    start(args, Ddt::new);
  }

  @Override
  List<Work> warmUpWork() {
    List<Work> works = new ArrayList<>();
    for (String memory : MEMORIES) {
      works.addAll(Work.of("ddt", in(memory, "contig", "vec1s2", "vec8s16", "indexed"), 1 << 10, 64 << 10, 1 << 20));
      works.addAll(Work.of("ddt", in(memory, "partstruct"), 944, 59_000));
      works.addAll(Work.of("ddt", in(memory, "face_xy", "face_xz", "face_yz", "transpose"), 8 << 10, 128 << 10));
    }
    return works;
  }

  private static List<String> in(String memory, String... types) {
    return Arrays.stream(types).map(type -> type + "|" + memory).toList();
  }

  /** Generated classes come when a type is hot, and what calls them is then compiled once more. */
  @Override
  int warmUpParts() {
    return 8;
  }

  /** Each piece of work has kernels of its own. */
  @Override
  void turn(Work work, Loop loop) {
    turnBySeconds(loop);
  }

  @Override
  Prepared prepare(Work work) {
    if (!work.bench().equals("ddt")) {
      throw new IllegalArgumentException("unknown bench: " + work);
    }
    int bar = work.name().indexOf('|');
    String name = work.name().substring(0, bar);
    TypeCase type = types.computeIfAbsent(name + "/" + work.bytes(), k -> TypeCase.of(name, work.bytes()));
    Buffers memory = buffers(work.name().substring(bar + 1), type);
    Buf<?> send = memory.sendBuf(type);
    Buf<?> receive = memory.receiveBuf(type);
    type.fill(memory.sent());
    type.wipe(memory.received());
    return Prepared.micros(n -> pingPong(send, receive, n), 2, () -> {
      type.fill(memory.sent());
      type.wipe(memory.received());
      world.barrier();
      pingPong(send, receive, 1);
      if (!type.arrived(memory.sent(), memory.received())) {
        throw new IllegalStateException(work + ": rank " + rank + " received wrong bytes");
      }
    });
  }

  private Buffers buffers(String memory, TypeCase type) {
    if (type.span() > LARGEST || !type.ofDoubles() && type.span() > LARGEST_STRUCTS) {
      throw new IllegalArgumentException(type + " does not fit into the buffers");
    }
    if (!memory.equals("heap")) {
      return buffers.computeIfAbsent(memory, k -> new Buffers(
          allocate(memory, Arena.global(), LARGEST), allocate(memory, Arena.global(), LARGEST)));
    }
    return type.ofDoubles()
        ? buffers.computeIfAbsent("double[]", k -> new Buffers(
            new double[LARGEST / Double.BYTES], new double[LARGEST / Double.BYTES]))
        : buffers.computeIfAbsent("byte[]", k -> new Buffers(new byte[LARGEST_STRUCTS], new byte[LARGEST_STRUCTS]));
  }

  private void pingPong(Buf<?> send, Buf<?> receive, long iterations) {
    if (rank == 0) {
      for (long i = 0; i < iterations; i++) {
        world.send(send, peer, TAG);
        world.recv(receive, peer, TAG);
      }
    } else {
      for (long i = 0; i < iterations; i++) {
        world.recv(receive, peer, TAG);
        world.send(send, peer, TAG);
      }
    }
  }
}
