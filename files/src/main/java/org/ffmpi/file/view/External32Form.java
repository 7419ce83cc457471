// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.view;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.external32.External32;

/** The representation {@code external32}, big-endian and in the standard's widths (MPI-4.1 §14.5.2). */
public final class External32Form implements Representation {
  /** The only one. */
  public static final External32Form INSTANCE = new External32Form();

  private External32Form() {}

  @Override
  public long extent(Datatype<?> type) {
    return External32.layout(type).extent();
  }

  @Override
  public Datatype<?> inFile(Datatype<?> type) {
    return External32.layout(type);
  }

  @Override
  public long bytes(BufImpl<?> elements) {
    return External32.size(elements.count(), elements.type());
  }

  @Override
  public void write(BufImpl<?> elements, MemorySegment stream) {
    new External32().pack(
        elements.type(), elements.memoryKind(), elements.memoryOwner(), elements.memoryOffset(), elements.count(),
        Memory.NATIVE, stream, Raw.address(stream));
  }

  @Override
  public long read(MemorySegment stream, long bytes, BufImpl<?> elements) {
    long each = External32.size(1, elements.type());
    long whole = each == 0 ? elements.count() : bytes / each;
    new External32().unpack(
        elements.type(), Memory.NATIVE, stream, Raw.address(stream), elements.memoryKind(), elements.memoryOwner(),
        elements.memoryOffset(), whole);
    return whole * elements.type().size();
  }
}
