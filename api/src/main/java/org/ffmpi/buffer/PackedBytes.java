// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.ffmpi.Buf;
import org.ffmpi.Packer;
import org.ffmpi.Unpacker;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.external32.External32;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.process.Failures;

/** Memory that holds packed data, with the position of a {@link Packer} or {@link Unpacker} in it. */
public final class PackedBytes {
  /** Bytes per copy between two places of which neither has an address that any thread may use. */
  private static final int PIECE = 8192;

  private final Buf<Byte> memory;
  private final long size;
  /** Null for the machine's own representation, in which messages travel. */
  private final External32 external;
  private long position;
  private MemorySegment piece;

  /** Uses all of a buffer of bytes. */
  public PackedBytes(Buf<Byte> memory, boolean external32) {
    this.memory = memory;
    this.size = memory.count();
    this.external = external32 ? new External32() : null;
  }

  public static Buf<Byte> bytesOf(MemorySegment segment) {
    return Buf.of(segment, segment == null ? 0 : segment.byteSize(), Datatype.PACKED);
  }

  public static Buf<Byte> bytesOf(byte[] array) {
    return Buf.of(array, array == null ? 0 : array.length, Datatype.PACKED);
  }

  /** Uses a buffer of any type whose elements lie side by side. */
  public static Buf<Byte> bytesOf(Buf<?> buf) {
    MpiException unusable = buf == null
        ? MpiException.argument(ErrorClass.ERR_BUFFER, "packed", null, "buffers without gaps")
        : BufImpl.of(buf).unusable("packed", false);
    if (unusable != null) {
      throw unusable;
    }
    if (!BufImpl.of(buf).plan().isContiguous() || BufImpl.of(buf).isOfObjects()) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "packed", buf, "buffers without gaps, over memory");
    }
    return BufImpl.of(buf).asBytes(Datatype.PACKED);
  }

  public long position() {
    return position;
  }

  public void position(long bytes) {
    if (bytes < 0 || bytes > size) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "position", bytes, "0.." + size);
    }
    position = bytes;
  }

  public long size() {
    return size;
  }

  public boolean isExternal() {
    return external != null;
  }

  /** Returns the bytes before the position, as elements of a type of one byte. */
  public Buf<Byte> packed(Datatype<Byte> type) {
    return BufImpl.of(memory).firstBytes(position, type);
  }

  /** Appends a buffer's elements; nothing is written when they do not fit. */
  public void pack(Buf<?> buf) {
    long bytes = check(buf, false);
    if (bytes > size - position) {
      throw new MpiException(
          ErrorClass.ERR_TRUNCATE,
          "buf = " + buf + " is " + bytes + " bytes packed: allowed are " + (size - position)
              + ", what is left of " + size);
    }
    try (HeldMemory _ = BufUses.reading(buf).holds(memory).hold()) {
      long to = BufImpl.of(memory).memoryOffset() + position;
      if (external != null) {
        external.pack(
            buf.type(), BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(), BufImpl.of(buf).memoryOffset(),
            buf.count(),
            BufImpl.of(memory).memoryKind(), BufImpl.of(memory).memoryOwner(), to);
      } else {
        packTo(to, buf, bytes);
      }
    } catch (IllegalStateException | WrongThreadException e) { // an arena was closed in between
      throw Failures.translate(e);
    }
    position += bytes;
  }

  /** Fills a buffer with the next elements; nothing is written when there are too few. */
  public void unpack(Buf<?> buf) {
    long bytes = check(buf, true);
    if (bytes > size - position) {
      throw new MpiException(
          ErrorClass.ERR_TRUNCATE,
          "buf = " + buf + " takes " + bytes + " packed bytes: allowed are " + (size - position)
              + ", what is left of " + size);
    }
    try (HeldMemory held = BufUses.holding(memory).writes(buf).hold()) {
      long from = BufImpl.of(memory).memoryOffset() + position;
      if (external != null) {
        external.unpack(
            buf.type(), BufImpl.of(memory).memoryKind(), BufImpl.of(memory).memoryOwner(), from,
            BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(), BufImpl.of(buf).memoryOffset(), buf.count());
      } else {
        unpackFrom(from, buf, bytes);
      }
      held.deliver(null);
    } catch (IllegalStateException | WrongThreadException e) { // an arena was closed in between
      throw Failures.translate(e);
    }
    position += bytes;
  }

  /** Checks both sides, and returns the bytes that the elements have in packed form. */
  private long check(Buf<?> buf, boolean intoBuf) {
    if (buf == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "buf", null, "a Buf");
    }
    MpiException unusable = BufImpl.of(buf).unusable("buf", intoBuf);
    if (unusable == null) {
      unusable = BufImpl.of(memory).unusable("packed", !intoBuf);
    }
    if (unusable != null) {
      throw unusable;
    }
    return external != null ? External32.size(buf.count(), buf.type()) : BufImpl.of(buf).packedBytes();
  }

  private void packTo(long to, Buf<?> buf, long bytes) {
    Plan plan = BufImpl.of(buf).plan();
    try {
      if (BufImpl.of(memory).memoryKind() == Memory.NATIVE) {
        plan.pack(BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(), BufImpl.of(buf).memoryOffset(),
            buf.count(), 0, bytes, to);
        return;
      }
      for (long done = 0; done < bytes; done += PIECE) {
        long n = Math.min(PIECE, bytes - done);
        plan.pack(BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(), BufImpl.of(buf).memoryOffset(),
            buf.count(), done, n, piece());
        Memory.write(BufImpl.of(memory).memoryKind(), BufImpl.of(memory).memoryOwner(), to + done, piece(), n);
      }
    } finally {
      fence(buf);
    }
  }

  private void unpackFrom(long from, Buf<?> buf, long bytes) {
    Plan plan = BufImpl.of(buf).plan();
    try {
      if (BufImpl.of(memory).memoryKind() == Memory.NATIVE) {
        plan.unpack(from, BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(), BufImpl.of(buf).memoryOffset(),
            buf.count(), 0, bytes);
        return;
      }
      for (long done = 0; done < bytes; done += PIECE) {
        long n = Math.min(PIECE, bytes - done);
        Memory.read(BufImpl.of(memory).memoryKind(), BufImpl.of(memory).memoryOwner(), from + done, piece(), n);
        plan.unpack(piece(), BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(),
            BufImpl.of(buf).memoryOffset(), buf.count(), done, n);
      }
    } finally {
      fence(buf);
    }
  }

  private long piece() {
    if (piece == null) {
      piece = Arena.ofAuto().allocate(PIECE, 64);
    }
    return Raw.address(piece);
  }

  private void fence(Buf<?> buf) {
    Reference.reachabilityFence(BufImpl.of(buf).memoryOwner());
    Reference.reachabilityFence(BufImpl.of(memory).memoryOwner());
    Reference.reachabilityFence(piece);
  }
}
