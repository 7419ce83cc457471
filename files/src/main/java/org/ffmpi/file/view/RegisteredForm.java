// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.view;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ffmpi.DataRepresentation;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.plan.Plan;

/**
 * A representation of the program's own (MPI-4.1 §14.5.3). Its functions get elements as their type places them in
 * memory, in memory of ours, as theirs may be an array or another thread's.
 */
public final class RegisteredForm implements Representation {
  private static final int ALIGNMENT = 16;

  private final String name;
  private final DataRepresentation functions;

  /** Creates the representation of a name. */
  public RegisteredForm(String name, DataRepresentation functions) {
    this.name = name;
    this.functions = functions;
  }

  @Override
  public long extent(Datatype<?> type) {
    try {
      long extent = functions.extent(type);
      if (extent < 0) {
        throw MpiException.argument(ErrorClass.ERR_CONVERSION, "extent of " + type, extent, "0 or more");
      }
      return extent;
    } catch (Exception e) {
      throw failed("extent", e);
    }
  }

  @Override
  public Datatype<?> inFile(Datatype<?> type) {
    long extent = extent(type);
    if (extent == type.extent() && type.size() == extent) {
      return type;
    }
    if (type.size() != type.extent()) {
      if (extent == type.extent()) {
        return type;
      }
      throw new MpiException(ErrorClass.ERR_UNSUPPORTED_DATAREP, "datarep " + name + ": " + type
          + " has gaps and another extent in the file: allowed are types without gaps, and those of the same extent");
    }
    return Datatype.contiguous(extent, Datatype.BYTE).commit();
  }

  @Override
  public long bytes(BufImpl<?> elements) {
    return Math.multiplyExact(elements.count(), extent(elements.type()));
  }

  @Override
  public void write(BufImpl<?> elements, MemorySegment stream) {
    try (Arena arena = Arena.ofConfined()) {
      Plan plan = elements.plan();
      MemorySegment memory = memory(arena, elements);
      MemorySegment packed = arena.allocate(Math.max(1, elements.packedBytes()), ALIGNMENT);
      elements.pack(Raw.address(packed));
      plan.unpack(Raw.address(packed), Memory.NATIVE, null, Raw.address(memory) - plan.trueLowerBound(),
          elements.count(), 0, elements.packedBytes());
      functions.write(memory, stream, elements.count(), elements.type());
    } catch (Exception e) {
      throw failed("write", e);
    }
  }

  @Override
  public long read(MemorySegment stream, long bytes, BufImpl<?> elements) {
    long each = extent(elements.type());
    long whole = each == 0 ? elements.count() : bytes / each;
    long packedBytes = whole * elements.type().size();
    try (Arena arena = Arena.ofConfined()) {
      Plan plan = elements.plan();
      MemorySegment memory = memory(arena, elements);
      MemorySegment packed = arena.allocate(Math.max(1, packedBytes), ALIGNMENT);
      functions.read(stream.asSlice(0, whole * each), memory, whole, elements.type());
      plan.pack(Memory.NATIVE, null, Raw.address(memory) - plan.trueLowerBound(), whole, 0, packedBytes,
          Raw.address(packed));
      plan.unpack(Raw.address(packed), elements.memoryKind(), elements.memoryOwner(), elements.memoryOffset(),
          elements.count(), 0, packedBytes);
      return packedBytes;
    } catch (Exception e) {
      throw failed("read", e);
    }
  }

  /** Returns memory for the elements, from the first byte of their data on. */
  private static MemorySegment memory(Arena arena, BufImpl<?> elements) {
    long extent = elements.type().extent();
    long last = (elements.count() - 1) * extent + elements.plan().trueExtent();
    return arena.allocate(Math.max(1, Math.max(elements.count() * extent, last)), ALIGNMENT);
  }

  private MpiException failed(String function, Exception e) {
    return e instanceof MpiException known ? known
        : new MpiException(ErrorClass.ERR_CONVERSION, "datarep " + name + ": its " + function + " function has thrown "
            + e, e);
  }
}
