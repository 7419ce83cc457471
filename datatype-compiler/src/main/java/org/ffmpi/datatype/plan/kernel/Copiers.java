// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.pattern.Copier;

/**
 * The copiers for each kind of memory and direction. All are made at once: the JVM's compiler assumes that a class is
 * the only one of its kind until another is loaded, and then discards compiled code.
 *
 * <p>Memory of confined arenas has no copier. It is copied as native memory, by address.
 */
public final class Copiers {
  private static final int KINDS = Memory.DOUBLES + 1;
  private static final Copier[] PACK = new Copier[KINDS];
  private static final Copier[] UNPACK = new Copier[KINDS];
  private static final Copier[] COPY = new Copier[KINDS];

  static {
    for (int kind = 0; kind < KINDS; kind++) {
      PACK[kind] = make(kind, Copier.Direction.PACK);
      UNPACK[kind] = make(kind, Copier.Direction.UNPACK);
      COPY[kind] = make(kind, Copier.Direction.COPY);
    }
    VectorGate.setWarmUp(new VectorWarmUp.OfKind(PACK, UNPACK, COPY));
  }

  private Copiers() {}

  private static Copier make(int kind, Copier.Direction direction) {
    boolean pack = direction == Copier.Direction.PACK;
    return switch (kind) {
      case Memory.NATIVE -> pack ? new NativePacker() : new NativeUnpacker(direction);
      case Memory.BYTES -> pack ? new BytePacker() : new ByteUnpacker(direction);
      case Memory.CHARS -> pack ? new CharPacker() : new CharUnpacker(direction);
      case Memory.SHORTS -> pack ? new ShortPacker() : new ShortUnpacker(direction);
      case Memory.INTS -> pack ? new IntPacker() : new IntUnpacker(direction);
      case Memory.LONGS -> pack ? new LongPacker() : new LongUnpacker(direction);
      case Memory.FLOATS -> pack ? new FloatPacker() : new FloatUnpacker(direction);
      case Memory.DOUBLES -> pack ? new DoublePacker() : new DoubleUnpacker(direction);
      case Memory.SESSION, Memory.BOOLEANS -> new RunwiseCopier(direction, kind);
      default -> null;
    };
  }

  /** Returns the loops from a kind of memory into a stream. */
  public static Copier packing(int kind) {
    return PACK[kind];
  }

  /** Returns the loops from a stream into a kind of memory. */
  public static Copier unpacking(int kind) {
    return UNPACK[kind];
  }

  /** Returns the loops into a kind of memory from native memory with gaps. */
  public static Copier copying(int kind) {
    return COPY[kind];
  }
}
