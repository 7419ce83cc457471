// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.external32;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;

/**
 * Writes elements in the "external32" representation and reads them back (MPI-4.1 §14.5.2). This form is the same on
 * all machines and in all MPI libraries: big-endian, in typemap order, without gaps, and with the standard's widths.
 *
 * <p>The widths are those in memory but for three types: {@code MPI_LONG} and {@code MPI_UNSIGNED_LONG} (also in
 * {@code MPI_LONG_INT}) have 4 bytes and {@code MPI_WCHAR} has 2. A value that does not fit there is an ERR_CONVERSION
 * and never cut off. {@code long double} becomes IEEE quadruple precision, exactly, and is rounded to nearest on the
 * way back. Complex numbers are their two parts, pairs value and index.
 *
 * <p>A converter works on packed streams: the type's plan brings elements into stream order piece by piece and the
 * pieces are converted, so any kind of memory and any type is supported. It owns memory for the pieces; one thread at a
 * time may use it. As with {@link Plan}s, callers check before that memory is large enough and accessible.
 */
public final class External32 {
  /** Bytes of a piece; a multiple of the widest scalar's, and of two pieces in the first-level cache. */
  private static final int PIECE = 8192;

  private final MemorySegment pieces = Arena.ofAuto().allocate(2 * PIECE, 64);

  /** Creates a converter. */
  public External32() {}

  /**
   * Returns the length of elements in "external32" (the rule of {@code MPI_Pack_external_size}, MPI-4.1 §5.3).
   *
   * @param count number of elements, not negative
   * @param type their type; need not be committed
   * @return bytes
   * @throws MpiException ERR_COUNT when that does not fit in 63 bits
   */
  public static long size(long count, Datatype<?> type) {
    long each = CanonicalForm.of(TypeHandle.of(type).tree()).externalBytes();
    try {
      return Math.multiplyExact(count, each);
    } catch (ArithmeticException e) {
      throw MpiException.argument(
          ErrorClass.ERR_COUNT, "count", count, "as many of " + type + " as fit in 63 bits of bytes");
    }
  }

  /**
   * Returns a type whose plan places the data of another one in a file of this representation (MPI-4.1 §14.5.1).
   *
   * @param type an etype or filetype, committed
   * @return the same where widths do not differ, otherwise a type of bytes
   * @throws MpiException ERR_UNSUPPORTED_DATAREP for displacements in bytes around types whose width differs
   */
  public static Datatype<?> layout(Datatype<?> type) {
    return ExternalLayout.of(type).commit();
  }

  /**
   * Writes elements in "external32".
   *
   * @param type type of the elements, committed
   * @param kind kind of memory that the elements lie in
   * @param owner array or segment of that memory
   * @param offset where the first element lies, by the rules of {@code kind}
   * @param count number of elements
   * @param toKind kind of memory to write to
   * @param to array or segment of that memory
   * @param toOffset where to write, by the rules of {@code toKind}
   * @throws MpiException ERR_CONVERSION when a value does not fit; the contents of the target are undefined then
   */
  public void pack(
      Datatype<?> type, int kind, Object owner, long offset, long count, int toKind, Object to, long toOffset) {
    try {
      Packing packing = new Packing(TypeHandle.planOf(type), kind, owner, offset, count, toKind, to, toOffset);
      packing.run(CanonicalForm.repeat(count, CanonicalForm.of(TypeHandle.of(type).tree())));
      packing.flush();
    } finally {
      Reference.reachabilityFence(owner);
      Reference.reachabilityFence(to);
      Reference.reachabilityFence(pieces);
    }
  }

  /**
   * Reads elements from "external32".
   *
   * @param type type of the elements, committed
   * @param fromKind kind of memory to read from
   * @param from array or segment of that memory
   * @param fromOffset where to read, by the rules of {@code fromKind}
   * @param kind kind of memory that the elements go to
   * @param owner array or segment of that memory, writable
   * @param offset where the first element lies, by the rules of {@code kind}
   * @param count number of elements
   */
  public void unpack(
      Datatype<?> type, int fromKind, Object from, long fromOffset, int kind, Object owner, long offset, long count) {
    try {
      CanonicalForm form = CanonicalForm.repeat(count, CanonicalForm.of(TypeHandle.of(type).tree()));
      Unpacking unpacking =
          new Unpacking(TypeHandle.planOf(type), kind, owner, offset, count, fromKind, from, fromOffset,
              form.externalBytes());
      unpacking.run(form);
      unpacking.flush();
    } finally {
      Reference.reachabilityFence(owner);
      Reference.reachabilityFence(from);
      Reference.reachabilityFence(pieces);
    }
  }

  /** A stream in conversion, with a movable window onto its native form and another one onto its external form. */
  private abstract class Passage {
    final Plan plan;
    final int kind;
    final Object owner;
    final long offset;
    final long count;
    final int externalKind;
    final Object external;
    /** Whether the elements are native memory in stream order, and so are their own window. */
    final boolean nativeInPlace;
    /** Whether the external form lies in native memory, and so is its own window. */
    final boolean externalInPlace;
    long nativeAt;
    long nativeEnd;
    long externalAt;
    long externalEnd;

    Passage(
        Plan plan, int kind, Object owner, long offset, long count, int externalKind, Object external,
        long externalOffset, long externalBytes) {
      this.plan = plan;
      this.kind = kind;
      this.owner = owner;
      this.offset = offset;
      this.count = count;
      this.externalKind = externalKind;
      this.external = external;
      this.nativeInPlace = kind == Memory.NATIVE && plan.isContiguous();
      this.externalInPlace = externalKind == Memory.NATIVE;
      if (nativeInPlace) {
        nativeAt = offset + plan.trueLowerBound();
        nativeEnd = nativeAt + plan.packedBytes(count);
      }
      if (externalInPlace) {
        externalAt = externalOffset;
        externalEnd = externalOffset + externalBytes;
      }
    }

    final long nativePiece() {
      return Raw.address(pieces);
    }

    final long externalPiece() {
      return Raw.address(pieces) + PIECE;
    }

    final void run(CanonicalForm form) {
      switch (form) {
        case CanonicalForm.Scalars(Conversion how, long n) -> convert(how, n);
        case CanonicalForm.Repeat(long times, CanonicalForm body) -> {
          for (long i = 0; i < times; i++) {
            run(body);
          }
        }
        case CanonicalForm.Concatenation several -> {
          for (CanonicalForm part : several.parts()) {
            run(part);
          }
        }
      }
    }

    private void convert(Conversion how, long n) {
      for (long left = n; left > 0; ) {
        if (nativeEnd - nativeAt < how.width()) {
          moveNative();
        }
        if (externalEnd - externalAt < how.externalWidth()) {
          moveExternal();
        }
        long now = Math.min(
            left,
            Math.min((nativeEnd - nativeAt) / how.width(), (externalEnd - externalAt) / how.externalWidth()));
        convertHere(how, now);
        nativeAt += now * how.width();
        externalAt += now * how.externalWidth();
        left -= now;
      }
    }

    /** Converts scalars that lie in both windows. */
    abstract void convertHere(Conversion how, long n);

    /** Makes the native window begin with the next byte of the stream; it then has room for any scalar. */
    abstract void moveNative();

    /** The same for the external window. */
    abstract void moveExternal();

    /** Writes out the rest of a window. */
    abstract void flush();
  }

  /** The conversion from elements to "external32". */
  private final class Packing extends Passage {
    private final long streamBytes;
    private long streamDone;
    private long written;

    Packing(
        Plan plan, int kind, Object owner, long offset, long count, int externalKind, Object external,
        long externalOffset) {
      super(plan, kind, owner, offset, count, externalKind, external, externalOffset, Long.MAX_VALUE - externalOffset);
      this.streamBytes = plan.packedBytes(count);
      this.written = externalOffset;
      if (!externalInPlace) {
        externalAt = externalPiece();
        externalEnd = externalAt + PIECE;
      }
    }

    @Override
    void convertHere(Conversion how, long n) {
      how.toExternal(nativeAt, externalAt, n);
    }

    @Override
    void moveNative() {
      streamDone -= nativeEnd - nativeAt; // the beginning of a scalar is packed again
      long n = Math.min(PIECE, streamBytes - streamDone);
      plan.pack(kind, owner, offset, count, streamDone, n, nativePiece());
      streamDone += n;
      nativeAt = nativePiece();
      nativeEnd = nativeAt + n;
    }

    @Override
    void moveExternal() {
      long n = externalAt - externalPiece();
      Memory.write(externalKind, external, written, externalPiece(), n);
      written += n;
      externalAt = externalPiece();
    }

    @Override
    void flush() {
      if (!externalInPlace) {
        moveExternal();
      }
    }
  }

  /** The conversion from "external32" to elements. */
  private final class Unpacking extends Passage {
    private final long externalStop;
    private long streamDone;
    private long read;

    Unpacking(
        Plan plan, int kind, Object owner, long offset, long count, int externalKind, Object external,
        long externalOffset, long externalBytes) {
      super(plan, kind, owner, offset, count, externalKind, external, externalOffset, externalBytes);
      this.read = externalOffset;
      this.externalStop = externalOffset + externalBytes;
      if (!nativeInPlace) {
        nativeAt = nativePiece();
        nativeEnd = nativeAt + PIECE;
      }
    }

    @Override
    void convertHere(Conversion how, long n) {
      how.toNative(externalAt, nativeAt, n);
    }

    @Override
    void moveNative() {
      long n = nativeAt - nativePiece();
      plan.unpack(nativePiece(), kind, owner, offset, count, streamDone, n);
      streamDone += n;
      nativeAt = nativePiece();
    }

    @Override
    void moveExternal() {
      read -= externalEnd - externalAt; // the beginning of a scalar is read again
      long n = Math.min(PIECE, externalStop - read);
      Memory.read(externalKind, external, read, externalPiece(), n);
      read += n;
      externalAt = externalPiece();
      externalEnd = externalAt + n;
    }

    @Override
    void flush() {
      if (!nativeInPlace) {
        moveNative();
      }
    }
  }
}
