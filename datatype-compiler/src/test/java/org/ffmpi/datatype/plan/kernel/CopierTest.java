// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.plan.pattern.Copier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every copy kernel against byte-by-byte copies, on every kind of memory. All bytes of both sides are compared, and
 * some arrays end where the data end, so that a byte too many is found. Plain and vector loops take turns.
 */
@Tag("long")
class CopierTest {
  /** Enough for the loops to be compiled under way. */
  private static final int ROUNDS = 3000;

  private static final int GUARD = 128;

  @AfterAll
  static void leaveTheChoiceToTheJvm() {
    for (int kind : new int[] {0, 3, 5, 6, 7, 8, 9, 10}) {
      VectorGate.resetAll(kind);
    }
  }

  // ---- one dimension

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 5, 6, 7, 8, 9, 10})
  void blocksAtOneDistance(int kind) {
    Seed.repeat(1, random -> {
      for (int round = 0; round < ROUNDS; round++) {
        int unit = unit(kind, random);
        int block = block(random, unit);
        int count = random.nextInt(random.nextInt(8) == 0 ? 300 : 40);
        long any = unit * (random.nextLong(8L * block / unit + 9) - 4L * block / unit - 4);
        long stride = random.nextInt(3) == 0 ? 2L * block : any;
        Moves read = new Moves();
        Moves write = new Moves();
        Moves both = new Moves();
        long apart = apart(block, unit, random);
        for (int i = 0; i < count; i++) {
          read.add(i * stride, (long) i * block, block);
          write.add((long) i * block, i * apart, block);
          both.add(i * stride, i * apart, block);
        }
        read.pack(kind, unit, random, "pack of " + count + " times " + block + " bytes every " + stride,
            (copier, array, at, dst) -> copier.blocks(array, at, stride, count, block, dst, block));
        write.unpack(kind, unit, random, "unpack of " + count + " times " + block + " bytes every " + apart,
            (copier, array, at, src) -> copier.blocks(array, at, apart, count, block, src, block));
        both.copy(kind, unit, random, "copy of " + count + " times " + block + " bytes " + stride + " to " + apart,
            (copier, array, at, src) -> copier.blocks(array, at, apart, count, block, src, stride));
      }
    });
  }

  // ---- two dimensions

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 5, 6, 7, 8, 9, 10})
  void grids(int kind) {
    Seed.repeat(1, random -> {
      for (int round = 0; round < ROUNDS; round++) {
        grid(kind, random, 30, 2000);
      }
      for (int round = 0; round < 60; round++) {
        grid(kind, random, 100, 16);
      }
    });
  }

  private static void grid(int kind, RandomGenerator random, int longest, int largest) {
    int unit = unit(kind, random);
    int block = Math.min(block(random, unit), largest / unit * unit);
    int outer = random.nextInt(longest);
    int inner = random.nextInt(longest);
    // Sources may overlap.
    boolean transposed = random.nextInt(2) == 0;
    long step = random.nextInt(2) == 0 ? block : unit * (long) random.nextInt(-40, 40);
    long readOuter = transposed ? step : unit * (long) random.nextInt(-100, 100);
    long readInner = transposed ? (long) block * (outer + random.nextInt(3)) : unit * (long) random.nextInt(-100, 100);
    // Targets may not: one dimension lies within a step of the other.
    boolean columns = random.nextInt(2) == 0;
    long fine = random.nextInt(2) == 0 ? block : apart(block, unit, random);
    long coarse = Math.abs(fine) * (columns ? outer : inner) + unit * random.nextInt(9);
    if (coarse < Math.abs(fine) || random.nextInt(4) == 0) {
      coarse = -coarse - Math.abs(fine);
    }
    long writeOuter = columns ? fine : coarse;
    long writeInner = columns ? coarse : fine;
    Moves read = new Moves();
    Moves write = new Moves();
    Moves both = new Moves();
    for (int i = 0; i < outer; i++) {
      for (int j = 0; j < inner; j++) {
        long stream = ((long) i * inner + j) * block;
        read.add(i * readOuter + j * readInner, stream, block);
        write.add(stream, i * writeOuter + j * writeInner, block);
        both.add(i * readOuter + j * readInner, i * writeOuter + j * writeInner, block);
      }
    }
    String what = outer + " times " + inner + " times " + block + " bytes, ";
    read.pack(kind, unit, random, "packGrid of " + what + readOuter + " and " + readInner + " apart",
        (copier, array, at, dst) ->
            copier.grid(
                array, at, readOuter, outer, readInner, inner, block, dst, (long) inner * block, block));
    write.unpack(kind, unit, random, "unpackGrid of " + what + writeOuter + " and " + writeInner + " apart",
        (copier, array, at, src) ->
            copier.grid(
                array, at, writeOuter, outer, writeInner, inner, block, src, (long) inner * block, block));
    both.copy(kind, unit, random,
        "copyGrid of " + what + readOuter + " and " + readInner + " to " + writeOuter + " and " + writeInner,
        (copier, array, at, src) ->
            copier.grid(array, at, writeOuter, outer, writeInner, inner, block, src, readOuter, readInner));
  }

  // ---- lists

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 5, 6, 7, 8, 9, 10})
  void runsAtAnyPlace(int kind) {
    Seed.repeat(1, random -> {
      for (int round = 0; round < ROUNDS; round++) {
        list(kind, random, false);
      }
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 5, 6, 7, 8, 9, 10})
  void blocksAtAnyPlace(int kind) {
    Seed.repeat(1, random -> {
      for (int round = 0; round < ROUNDS; round++) {
        list(kind, random, true);
      }
    });
  }

  private static void list(int kind, RandomGenerator random, boolean equal) {
    int unit = unit(kind, random);
    boolean small = random.nextInt(3) == 0; // elements like those of structs, which fit a vector
    int total = 1 + random.nextInt(small ? 4 : random.nextInt(6) == 0 ? 100 : 12);
    int from = random.nextInt(total);
    int to = from + random.nextInt(total - from + 1);
    int count = random.nextInt(small || random.nextInt(6) == 0 ? 40 : 5);
    int longest = unit * (1 + random.nextInt(small ? Math.max(1, 24 / unit) : random.nextInt(6) == 0 ? 40 : 9));
    int block = block(random, unit);
    long[] displacements = new long[total];
    long[] lengths = new long[total];
    long position = 0;
    for (int r = 0; r < total; r++) {
      lengths[r] = equal ? block : unit * (random.nextInt(longest / unit) + (random.nextInt(9) == 0 ? 0 : 1L));
      displacements[r] = position;
      position += lengths[r] + unit * random.nextInt(random.nextInt(4) == 0 ? 40 : 3);
    }
    if (random.nextInt(3) == 0) { // any order
      for (int r = total - 1; r > 0; r--) {
        int other = random.nextInt(r + 1);
        long displacement = displacements[r];
        displacements[r] = displacements[other];
        displacements[other] = displacement;
        long length = lengths[r];
        lengths[r] = lengths[other];
        lengths[other] = length;
      }
    }
    long apart = (position + unit * random.nextInt(3)) * (random.nextInt(4) == 0 ? -1 : 1);
    long stride = random.nextInt(2) == 0 ? apart : unit * (long) random.nextInt(-100, 100);
    Moves read = new Moves();
    Moves write = new Moves();
    Moves both = new Moves();
    long stream = 0;
    for (int i = 0; i < count; i++) {
      for (int r = from; r < to; r++) {
        read.add(i * stride + displacements[r], stream, lengths[r]);
        write.add(stream, i * apart + displacements[r], lengths[r]);
        both.add(i * stride + displacements[r], i * apart + displacements[r], lengths[r]);
        stream += lengths[r];
      }
    }
    String what = count + " times " + (to - from) + (equal ? " blocks of " + block : " runs of up to " + longest)
        + " bytes, ";
    if (equal) {
      read.pack(kind, unit, random, "packing equal runs of " + what + stride + " apart", (copier, array, at, dst) ->
          copier.equalRuns(array, at, stride, count, displacements, from, to, block, dst, 0));
      write.unpack(kind, unit, random, "unpacking equal runs of " + what + apart + " apart", (copier, array, at, src) ->
          copier.equalRuns(array, at, apart, count, displacements, from, to, block, src, 0));
      String copying = "copying equal runs of " + what + stride + " to " + apart;
      both.copy(kind, unit, random, copying, (copier, array, at, src) ->
          copier.equalRuns(array, at, apart, count, displacements, from, to, block, src, stride));
    } else {
      read.pack(kind, unit, random, "packRuns of " + what + stride + " apart", (copier, array, at, dst) ->
          copier.runs(array, at, stride, count, displacements, lengths, from, to, dst, 0));
      write.unpack(kind, unit, random, "unpackRuns of " + what + apart + " apart", (copier, array, at, src) ->
          copier.runs(array, at, apart, count, displacements, lengths, from, to, src, 0));
      both.copy(kind, unit, random, "copyRuns of " + what + stride + " to " + apart, (copier, array, at, src) ->
          copier.runs(array, at, apart, count, displacements, lengths, from, to, src, stride));
    }
  }

  // ---- edges

  @Test
  void emptyBlocksTakeNoTimeHoweverMany() {
    for (int kind : new int[] {0, 3, 5, 6, 7, 8, 9, 10}) {
      Object array = kind == Memory.NATIVE ? null : array(kind, 0);
      for (Copier copier : new Copier[] {Copiers.packing(kind), Copiers.unpacking(kind), Copiers.copying(kind)}) {
        copier.blocks(array, 0, 8, Long.MAX_VALUE, 0, 0, 0);
        copier.grid(array, 0, 8, 1L << 40, 8, 1L << 40, 0, 0, 0, 0);
        copier.grid(array, 0, 8, 1L << 40, 8, 0, 8, 0, 8, 8);
        copier.equalRuns(array, 0, 8, Long.MAX_VALUE, new long[] {8}, 0, 1, 0, 0, 0);
        copier.runs(array, 0, 8, Long.MAX_VALUE, new long[] {8}, new long[] {8}, 1, 1, 0, 0);
      }
    }
  }

  @Test
  void confinedMemoryHasNoLoops() {
    assertNull(Copiers.packing(Memory.CONFINED));
    assertNull(Copiers.unpacking(Memory.CONFINED));
    assertNull(Copiers.copying(Memory.CONFINED));
  }

  // ---- choices

  /** The unit of all offsets and sizes of a round; usually the array's element, as in programs. */
  private static int unit(int kind, RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> 1;
      case 1 -> 8;
      default -> kind == Memory.NATIVE ? 1 << random.nextInt(4) : Memory.elementSize(kind);
    };
  }

  private static int block(RandomGenerator random, int unit) {
    return switch (random.nextInt(8)) {
      case 0 -> unit * (1 + random.nextInt(2000 / unit));
      case 1 -> 64;
      case 2, 3 -> unit * (1 + random.nextInt(128 / unit));
      default -> Math.max(unit, 1 << random.nextInt(5));
    };
  }

  /** A distance at which blocks do not overlap. */
  private static long apart(int block, int unit, RandomGenerator random) {
    long gap = switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> block;
      default -> unit * (long) random.nextInt(30);
    };
    return random.nextInt(4) == 0 ? -block - gap : block + gap;
  }

  // ---- the comparison

  private interface Kernel {
    void run(Copier copier, Object array, long at, long nativeAddress);
  }

  /** Bytes to be moved, as positions relative to the origin of either side. */
  private static final class Moves {
    private long[] moves = new long[3 * 16];
    private int used;

    void add(long from, long to, long bytes) {
      if (used == moves.length) {
        moves = Arrays.copyOf(moves, 2 * used);
      }
      moves[used++] = from;
      moves[used++] = to;
      moves[used++] = bytes;
    }

    private long lowest(int side) {
      long lowest = used == 0 ? 0 : Long.MAX_VALUE;
      for (int i = 0; i < used; i += 3) {
        lowest = Math.min(lowest, moves[i + side]);
      }
      return lowest;
    }

    private long end(int side) {
      long end = used == 0 ? 0 : Long.MIN_VALUE;
      for (int i = 0; i < used; i += 3) {
        end = Math.max(end, moves[i + side] + moves[i + 2]);
      }
      return end;
    }

    void pack(int kind, int unit, RandomGenerator random, String what, Kernel kernel) {
      run(Copiers.packing(kind), 0, unit, random, what, kernel);
    }

    void unpack(int kind, int unit, RandomGenerator random, String what, Kernel kernel) {
      run(Copiers.unpacking(kind), 1, unit, random, what, kernel);
    }

    void copy(int kind, int unit, RandomGenerator random, String what, Kernel kernel) {
      run(Copiers.copying(kind), 1, unit, random, what, kernel);
    }

    /** The user's memory is read (side 0) or written (side 1). */
    private void run(Copier copier, int side, int unit, RandomGenerator random, String what, Kernel kernel) {
      int kind = copier.kind;
      Area user = new Area(kind, unit, lowest(side), end(side), random);
      Area other = new Area(Memory.NATIVE, 1, lowest(1 - side), end(1 - side), random);
      Area source = side == 0 ? user : other;
      Area target = side == 0 ? other : user;
      byte[] from = source.bytes();
      byte[] expected = target.bytes();
      for (int i = 0; i < used; i += 3) {
        int s = (int) (source.origin + moves[i]);
        int d = (int) (target.origin + moves[i + 1]);
        System.arraycopy(from, s, expected, d, (int) moves[i + 2]);
      }
      String where = what + " in kind " + kind + " at " + user.at;
      VectorGate.setAll(kind, random.nextInt(3) > 0);
      try {
        kernel.run(copier, user.array, user.at, other.at);
      } catch (RuntimeException e) {
        throw new AssertionError(where, e);
      }
      byte[] actual = target.bytes();
      int wrong = Arrays.mismatch(expected, actual);
      if (wrong >= 0) {
        throw new AssertionError(where + ": byte " + (wrong - target.origin) + " is " + actual[wrong] + ", not "
            + expected[wrong]);
      }
      if (!Arrays.equals(from, source.bytes())) {
        throw new AssertionError(where + ": the source has changed");
      }
      Reference.reachabilityFence(user);
      Reference.reachabilityFence(other);
    }
  }

  /** Memory of some kind, full of random bytes, with room from {@code lowest} to {@code end} around an origin. */
  private static final class Area {
    final Object array;

    /** All accessible bytes. */
    final MemorySegment view;

    /** Where the origin is in the view. */
    final long origin;

    /** Where it is for a kernel. */
    final long at;

    Area(int kind, int unit, long lowest, long end, RandomGenerator random) {
      int before = random.nextInt(2) == 0 ? 0 : unit * random.nextInt(GUARD / unit);
      int after = random.nextInt(2) == 0 ? 0 : random.nextInt(GUARD);
      if (kind == Memory.NATIVE) {
        array = null;
        before += GUARD;
        after += GUARD;
        view = Arena.ofAuto().allocate(before + end - lowest + after, 64);
        origin = before - lowest;
        at = Raw.address(view) + origin;
      } else {
        array = array(kind, (int) (before + end - lowest + after));
        view = viewOf(array);
        origin = before - lowest;
        at = origin;
      }
      byte[] content = new byte[(int) view.byteSize()];
      random.nextBytes(content);
      MemorySegment.copy(content, 0, view, ValueLayout.JAVA_BYTE, 0, content.length);
    }

    byte[] bytes() {
      return view.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static Object array(int kind, int bytes) {
    int elements = (bytes + Memory.elementSize(kind) - 1) / Memory.elementSize(kind);
    return switch (kind) {
      case Memory.BYTES -> new byte[elements];
      case Memory.CHARS -> new char[elements];
      case Memory.SHORTS -> new short[elements];
      case Memory.INTS -> new int[elements];
      case Memory.LONGS -> new long[elements];
      case Memory.FLOATS -> new float[elements];
      default -> new double[elements];
    };
  }

  private static MemorySegment viewOf(Object array) {
    return switch (array) {
      case byte[] a -> MemorySegment.ofArray(a);
      case char[] a -> MemorySegment.ofArray(a);
      case short[] a -> MemorySegment.ofArray(a);
      case int[] a -> MemorySegment.ofArray(a);
      case long[] a -> MemorySegment.ofArray(a);
      case float[] a -> MemorySegment.ofArray(a);
      default -> MemorySegment.ofArray((double[]) array);
    };
  }
}
