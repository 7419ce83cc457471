// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/** A message packed into memory of its own, so that the program's buffer may be changed before the message leaves. */
public final class PackedCopy {
  private static final int ALIGNMENT = 64;

  private final MemorySegment memory;
  private final long count;
  private final Plan plan;

  private PackedCopy(MemorySegment memory, long count, Plan plan) {
    this.memory = memory;
    this.count = count;
    this.plan = plan;
  }

  /**
   * Packs a checked buffer into memory that the garbage collector frees.
   *
   * @param plan of the buffer's elements
   * @param checking whether messages carry their signatures
   * @throws MpiException ERR_NO_MEM when there is not so much memory
   */
  public static PackedCopy of(Buf<?> buf, Plan plan, boolean checking) {
    long bytes = BufImpl.of(buf).packedBytes();
    MemorySegment memory;
    try {
      memory = Arena.ofAuto().allocate(bytes, ALIGNMENT);
    } catch (OutOfMemoryError e) {
      throw new MpiException(
          ErrorClass.ERR_NO_MEM, "no memory for a packed copy of " + bytes + " bytes of " + buf + ": " + e, e);
    }
    try {
      plan.pack(
          BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(), BufImpl.of(buf).memoryOffset(), buf.count(), 0,
          bytes, Raw.address(memory));
    } finally {
      Reference.reachabilityFence(BufImpl.of(buf).memoryOwner());
      Reference.reachabilityFence(memory);
    }
    Plan packed = planOf(plan, checking);
    return new PackedCopy(memory, countOf(bytes, packed), packed);
  }

  /**
   * Returns the plan of elements that have been packed: bytes, or where messages carry their signatures, pieces of an
   * element's length with that signature.
   */
  public static Plan planOf(Plan elements, boolean checking) {
    return checking && elements.signature() != null && elements.size() > 0
        ? TypeHandle.planOf(Datatype.contiguous(elements.size(), Datatype.BYTE).commit())
            .withSignature(elements.signature())
        : TypeHandle.planOf(Datatype.BYTE);
  }

  /** Returns how many elements of such a plan some bytes are. */
  public static long countOf(long bytes, Plan packed) {
    return bytes / packed.size();
  }

  /** Sends the copy and blocks until it has left. */
  public void send(Engine engine, int peer, long context, int tag) {
    engine.send(Engine.STANDARD, Memory.NATIVE, memory, Raw.address(memory), count, plan, peer, context, tag);
  }

  /** Starts to send the copy. */
  public Operation isend(Engine engine, int peer, long context, int tag) {
    return engine.isend(Engine.STANDARD, Memory.NATIVE, memory, Raw.address(memory), count, plan, peer, context, tag);
  }
}
