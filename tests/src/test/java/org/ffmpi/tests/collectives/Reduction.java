// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.tests.support.WideNumbers;

/** A call that combines elements; the oracle does it along the chain of ranks, in their order. */
final class Reduction extends Trial {
  /** An operation and elements that it takes. Floating-point numbers are small whole ones, whose sums are exact. */
  private record Operands(Op<Object> op, Layout layout, Floating floating) {}

  private enum Floating {
    NONE {
      @Override
      void put(MemorySegment memory, long at, int value) {
        throw new AssertionError();
      }
    },
    FLOAT {
      @Override
      void put(MemorySegment memory, long at, int value) {
        memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, value);
      }
    },
    DOUBLE {
      @Override
      void put(MemorySegment memory, long at, int value) {
        memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, value);
      }
    },
    LONG_DOUBLE {
      @Override
      void put(MemorySegment memory, long at, int value) {
        WideNumbers.putLongDouble(memory, at, value);
      }
    },
    LONG_DOUBLE_INT {
      @Override
      void put(MemorySegment memory, long at, int value) {
        WideNumbers.putLongDouble(memory, at, value / 100);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, at + 16, value % 100);
      }
    },
    COMPLEX_LONG_DOUBLE {
      @Override
      void put(MemorySegment memory, long at, int value) {
        WideNumbers.putLongDouble(memory, at, value);
        WideNumbers.putLongDouble(memory, at + 16, -value / 2);
      }
    },
    QUADRUPLE {
      @Override
      void put(MemorySegment memory, long at, int value) {
        WideNumbers.putQuadruple(memory, at, value);
      }
    };

    abstract void put(MemorySegment memory, long at, int value);
  }

  private static final List<Operands> OPERANDS = List.of(
      operands(Op.SUM, Datatype.INT32_T, 4), operands(Op.MAX, Datatype.UINT8_T, 1),
      operands(Op.MIN, Datatype.INT64_T, 8), operands(Op.BXOR, Datatype.INT16_T, 2),
      operands(Op.PROD, Datatype.UINT32_T, 4), operands(Op.LAND, Datatype.INT8_T, 1),
      new Operands(Op.SUM, Layout.of(Datatype.DOUBLE, 8, 0, 8), Floating.DOUBLE),
      new Operands(Op.MAX, Layout.of(Datatype.FLOAT, 4, 0, 4), Floating.FLOAT),
      new Operands(Op.SUM, Layout.of(Datatype.LONG_DOUBLE, 16, 0, 16), Floating.LONG_DOUBLE),
      new Operands(Op.MINLOC, Layout.of(Datatype.LONG_DOUBLE_INT, 32, 0, 20), Floating.LONG_DOUBLE_INT),
      new Operands(Op.SUM, Layout.of(Datatype.C_LONG_DOUBLE_COMPLEX, 32, 0, 32), Floating.COMPLEX_LONG_DOUBLE),
      new Operands(Op.MAX, Layout.of(Datatype.REAL16, 16, 0, 16), Floating.QUADRUPLE),
      new Operands(Matrices.PRODUCT, Matrices.CLOSE, Floating.NONE),
      new Operands(Matrices.PRODUCT, Matrices.APART, Floating.NONE));

  private final Place place;
  private final Operands operands;
  private final int count;
  /** What this rank contributes lies in the receive buffer. */
  private final boolean here;
  /** The part of the result that this rank gets. */
  private int first;
  private int length;

  private static Operands operands(Op<Object> op, Datatype<?> type, int size) {
    return new Operands(op, Layout.of(type, size, 0, size), Floating.NONE);
  }

  Reduction(Plan plan, Mpi mpi, RandomGenerator own) {
    super(plan, own);
    this.place = plan.place();
    this.operands = OPERANDS.get((int) Long.remainderUnsigned(plan.seed() >>> 7, OPERANDS.size()));
    int size = place.size();
    int peers = place.peers();
    int[] parts = parts(place.lows(), 0);
    if (place.isBetweenGroups()) {
      // As much is combined in both groups, however they share it out.
      parts = place.isLow() ? parts : shared(Arrays.stream(parts).sum(), place.highs());
    }
    if (plan.kind() == Plan.Kind.REDUCE_SCATTER_BLOCK) {
      int each = plan.length(1) * (place.isBetweenGroups() ? peers : 1);
      Arrays.fill(parts, each);
    }
    boolean scatters = plan.kind() == Plan.Kind.REDUCE_SCATTER || plan.kind() == Plan.Kind.REDUCE_SCATTER_BLOCK;
    this.count = scatters ? Arrays.stream(parts).sum() : plan.length(1);
    boolean rooted = plan.kind() == Plan.Kind.REDUCE;
    this.here = plan.inPlace() && (!rooted || plan.isRoot());
    boolean contributes = !rooted || plan.takesPart() && !(place.isBetweenGroups() && plan.isRoot());
    if (contributes && !here) {
      send = Side.uniform(mpi, own, operands.layout(), 1, count);
    }
    this.length = scatters ? parts[place.rank()] : count;
    this.first = scatters ? Arrays.stream(parts, 0, place.rank()).sum() : 0;
    if (!rooted || plan.isRoot()) {
      recv = Side.uniform(mpi, own, operands.layout(), 1, here ? count : length);
    }
    assert size == parts.length;
    calls = calls(place.comm(), Arrays.stream(parts).asLongStream().toArray());
  }

  private int[] parts(int ranks, int salt) {
    int[] parts = new int[ranks];
    for (int r = 0; r < ranks; r++) {
      parts[r] = plan.length(salt + 300 + r) / 2;
    }
    return parts;
  }

  private static int[] shared(int total, int ranks) {
    int[] parts = new int[ranks];
    for (int r = 0; r < ranks; r++) {
      parts[r] = total * (r + 1) / ranks - total * r / ranks;
    }
    return parts;
  }

  private Calls calls(Comm comm, long[] counts) {
    Buf<Object> out = here ? Buf.inPlace() : send == null ? null : send.buf();
    Buf<Object> in = recv == null ? null : recv.buf();
    Op<Object> op = operands.op();
    int root = plan.root();
    return switch (plan.kind()) {
      case REDUCE -> new Calls(() -> comm.reduce(out, in, op, root), () -> comm.ireduce(out, in, op, root),
          () -> comm.reduceInit(out, in, op, root, null));
      case ALLREDUCE -> new Calls(() -> comm.allreduce(out, in, op), () -> comm.iallreduce(out, in, op),
          () -> comm.allreduceInit(out, in, op, null));
      case REDUCE_SCATTER_BLOCK -> new Calls(() -> comm.reduceScatterBlock(out, in, op),
          () -> comm.ireduceScatterBlock(out, in, op), () -> comm.reduceScatterBlockInit(out, in, op, null));
      case REDUCE_SCATTER -> new Calls(() -> comm.reduceScatter(out, in, counts, op),
          () -> comm.ireduceScatter(out, in, counts, op), () -> comm.reduceScatterInit(out, in, counts, op, null));
      case SCAN -> new Calls(
          () -> comm.scan(out, in, op), () -> comm.iscan(out, in, op), () -> comm.scanInit(out, in, op, null));
      default -> new Calls(
          () -> comm.exscan(out, in, op), () -> comm.iexscan(out, in, op), () -> comm.exscanInit(out, in, op, null));
    };
  }

  @Override
  void ask() {
    Side from = send != null ? send : here ? recv : null;
    Layout layout = operands.layout();
    byte[] mine = new byte[count * layout.size()];
    if (from != null) {
      if (operands.floating() != Floating.NONE) {
        from.fill(0, numbers());
      }
      mine = from.block(0);
    }
    Place.Folded folded = place.fold(mine, this::combine);
    if (recv == null) {
      return;
    }
    byte[] result = switch (plan.kind()) {
      case SCAN -> folded.upTo();
      case EXSCAN -> folded.lower();
      default -> folded.all();
    };
    if (result != null) {
      int size = layout.size();
      recv.expect(0, Arrays.copyOfRange(result, first * size, (first + length) * size));
      if (length < count && here) {
        recv.leaveOpen(0, length, count); // the rest of the contributions
      }
    }
  }

  private byte[] numbers() {
    MemorySegment numbers = MemorySegment.ofArray(new byte[count * operands.layout().size()]);
    for (int i = 0; i < count; i++) {
      operands.floating().put(numbers, (long) i * operands.layout().size(), own.nextInt(-1_000, 1_000));
    }
    return numbers.toArray(ValueLayout.JAVA_BYTE);
  }

  private byte[] combine(byte[] left, byte[] right) {
    Layout layout = operands.layout();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment inout = laidOut(arena, right);
      operands.op().reduceLocal(
          Buf.of(laidOut(arena, left), count, layout.type), Buf.of(inout, count, layout.type));
      return layout.pack(inout.toArray(ValueLayout.JAVA_BYTE), 0, count);
    }
  }

  private MemorySegment laidOut(Arena arena, byte[] packed) {
    Layout layout = operands.layout();
    byte[] bytes = new byte[layout.span(count)];
    layout.unpack(packed, bytes, 0);
    MemorySegment segment = arena.allocate(Math.max(8, bytes.length), 8);
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return segment;
  }
}
