// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.ffmpi.datatype.reduce.PredefinedOp;

/**
 * An access to a part of a window, by a call of one rank or by a load or store. It happens at some time between its
 * start and its end; a load or store has one time only. Guarded by the shadow that holds it, except {@link #end}.
 */
final class SeenAccess {
  /** The kinds of accesses. The ordered ones are loads and stores in one step, which programs use for flags. */
  enum Kind {
    LOAD, STORE, ORDERED_LOAD, ORDERED_STORE, GET, PUT, ACCUMULATE, SWAP;

    /** Returns whether it is a load or store. */
    boolean isLocal() {
      return this == LOAD || this == STORE || isOrdered();
    }

    boolean isOrdered() {
      return this == ORDERED_LOAD || this == ORDERED_STORE;
    }

    /** Returns whether a load or store is a store. */
    boolean stores() {
      return this == STORE || this == ORDERED_STORE;
    }
  }

  /** End of an access that is not complete. */
  static final long OPEN = Long.MAX_VALUE;

  final Kind kind;
  /** Operation of an accumulate; null for others. */
  final PredefinedOp op;
  /** Representation and length of what an accumulate combines. */
  final int representation;
  final int unit;
  /** Whether it returns elements of the part: it is complete when they have arrived. */
  final boolean fetches;
  final int peer;
  final RunSet bytes;
  /** Clock of its rank when it began. */
  final long[] clock;
  /** Place in the program, such as {@code MPI_Put at Halo.java:41}. */
  final String site;
  /** Entry of the rank's own clock from which on others are later. */
  volatile long end;

  SeenAccess(
      Kind kind, PredefinedOp op, int representation, int unit, boolean fetches, int peer, RunSet bytes, long[] clock,
      long end, String site) {
    this.kind = kind;
    this.op = op;
    this.representation = representation;
    this.unit = unit;
    this.fetches = fetches;
    this.peer = peer;
    this.bytes = bytes;
    this.clock = clock;
    this.end = end;
    this.site = site;
  }

  /** Creates a load or store. */
  static SeenAccess local(Kind kind, int peer, RunSet bytes, long[] clock, boolean open, String site) {
    return new SeenAccess(kind, null, 0, 0, false, peer, bytes, clock, open ? OPEN : clock[peer], site);
  }

  long start() {
    return clock[peer];
  }

  boolean isLocal() {
    return kind.isLocal();
  }

  boolean reads() {
    return kind.isLocal() && !kind.stores() || kind == Kind.GET || kind == Kind.ACCUMULATE && op == PredefinedOp.NO_OP;
  }

  private boolean isInOneStep() {
    return kind.isOrdered() || accumulates();
  }

  private boolean accumulates() {
    return kind == Kind.ACCUMULATE || kind == Kind.SWAP;
  }

  /** Returns the same access to other bytes, as one that combines nothing. */
  SeenAccess writing(RunSet to) {
    return new SeenAccess(
        reads() ? Kind.GET : Kind.PUT, null, 0, 0, fetches, peer, to, clock, end, site);
  }

  /** Returns whether this access has ended before another one begins. */
  boolean isBefore(SeenAccess other) {
    return end <= other.clock[peer];
  }

  /**
   * Returns the bytes at which two accesses contradict each other, as first position and end, in any order
   * (MPI-4.1 §12.7); null when they do not.
   */
  long[] contradicts(SeenAccess other, boolean sameOp, boolean ordered) {
    if (reads() && other.reads() || peer == other.peer && isLocal() && other.isLocal()
        || isInOneStep() && other.isInOneStep() && (kind.isOrdered() || other.kind.isOrdered())) {
      return null;
    }
    boolean compatible = accumulates() && other.accumulates()
        && representation == other.representation && unit == other.unit
        && (op == other.op || kind == Kind.SWAP || other.kind == Kind.SWAP
            || !sameOp && (op == PredefinedOp.NO_OP || other.op == PredefinedOp.NO_OP
                || ordered && peer == other.peer));
    return bytes.meets(other.bytes, compatible ? unit : 0);
  }

  /** Returns whether this access, which begins, and an earlier one of its rank differ in their time alone. */
  boolean repeats(SeenAccess earlier) {
    if (end != OPEN || kind != earlier.kind || fetches != earlier.fetches || op != earlier.op
        || representation != earlier.representation || unit != earlier.unit
        || !Arrays.equals(bytes.words(), earlier.bytes.words()) || clock.length != earlier.clock.length) {
      return false;
    }
    for (int i = 0; i < clock.length; i++) {
      if (i != peer && clock[i] != earlier.clock[i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns words such as "MPI_Accumulate (SUM of MPI_INT) at Halo.java:41". */
  @Override
  public String toString() {
    return site;
  }

  // ---- as bytes

  void write(DataOutput out) throws IOException {
    out.writeByte(kind.ordinal());
    out.writeByte(op == null ? -1 : op.ordinal());
    out.writeInt(representation);
    out.writeInt(unit);
    out.writeBoolean(fetches);
    writeLongs(out, bytes.words());
    writeLongs(out, clock);
    out.writeLong(end);
    out.writeUTF(site);
  }

  static SeenAccess read(DataInput in, int peer) throws IOException {
    Kind kind = Kind.values()[in.readByte()];
    int op = in.readByte();
    int representation = in.readInt();
    int unit = in.readInt();
    boolean fetches = in.readBoolean();
    RunSet bytes = new RunSet(readLongs(in));
    long[] clock = readLongs(in);
    long end = in.readLong();
    return new SeenAccess(kind, op < 0 ? null : PredefinedOp.values()[op], representation, unit, fetches, peer, bytes,
        clock, end, in.readUTF());
  }

  static void writeLongs(DataOutput out, long[] longs) throws IOException {
    out.writeInt(longs.length);
    for (long value : longs) {
      out.writeLong(value);
    }
  }

  static long[] readLongs(DataInput in) throws IOException {
    long[] longs = new long[in.readInt()];
    for (int i = 0; i < longs.length; i++) {
      longs[i] = in.readLong();
    }
    return longs;
  }
}
