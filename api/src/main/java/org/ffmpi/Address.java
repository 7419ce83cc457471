// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;

/**
 * Absolute addresses of off-heap memory, for datatypes whose displacements are addresses (MPI-4.1 §2.5.6 and §5.1.5).
 * An address is a {@code long} on one flat scale; data at such addresses are named by {@link Buf#bottom}.
 *
 * {@snippet :
 * long[] at = {Address.of(head), Address.of(body)};
 * Datatype<?> both = Datatype.struct(new long[] {1, 100}, at, Datatype.INT, Datatype.DOUBLE).commit();
 * world.send(Buf.bottom(List.of(head, body), 1, both), 1, 7);
 * }
 *
 * <p>An address keeps nothing alive: the program keeps the segment reachable. Memory on the Java heap has no
 * address, since the garbage collector moves it. All methods are local and may be called at any time by any thread.
 */
public final class Address {
  /**
   * {@code MPI_BOTTOM}: the address that absolute displacements count from, 0. A buffer at this address is
   * {@link Buf#bottom}.
   */
  @Standard({"MPI_BOTTOM"})
  public static final long BOTTOM = 0L;

  private Address() {}

  /**
   * Returns where a segment begins ({@code MPI_Get_address}, MPI-4.1 §5.1.5).
   *
   * @param segment off-heap memory; one of its elements is at {@code segment.asSlice(bytes)}
   * @return the absolute address of its first byte
   * @throws MpiException ERR_BUFFER when the segment is null, lies on the Java heap, or its arena is closed
   */
  @Standard({"MPI_Get_address"})
  public static long of(MemorySegment segment) {
    if (segment == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "segment", null, "an off-heap memory segment");
    }
    if (!segment.isNative()) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "segment", segment, "off-heap segments: memory on the Java heap has no address");
    }
    if (!Memory.isAlive(segment)) {
      throw new MpiException(
          ErrorClass.ERR_BUFFER, "the arena of this segment has been closed: segment = " + segment);
    }
    return Raw.address(segment);
  }

  /**
   * Returns the address some bytes further on ({@code MPI_Aint_add}, MPI-4.1 §5.1.5).
   *
   * @param base an address
   * @param displacement bytes, possibly negative
   * @return the sum; like a machine's addresses it wraps around
   */
  @Standard({"MPI_Aint_add"})
  public static long add(long base, long displacement) {
    return base + displacement;
  }

  /**
   * Returns how far one address is behind another ({@code MPI_Aint_diff}, MPI-4.1 §5.1.5).
   *
   * @param address an address
   * @param base another address
   * @return {@code address - base}, in bytes, possibly negative
   */
  @Standard({"MPI_Aint_diff"})
  public static long diff(long address, long base) {
    return address - base;
  }
}
