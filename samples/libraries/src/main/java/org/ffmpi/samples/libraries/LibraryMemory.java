// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.libraries;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.ffmpi.Buf;
import org.ffmpi.datatype.Datatype;

/**
 * Memory of a library that gives its address, and frees it when the object that owns it is garbage. For memory whose
 * references are counted, {@link ArrowMemory} is the example.
 */
final class LibraryMemory {
  private LibraryMemory() {}

  /**
   * Returns a buffer over memory of a library. Buffer and operations keep the owner from being collected; a library
   * that frees at a call, and not by the garbage collector, must not be called while a message is on its way.
   *
   * @param address the address of the first number
   * @param count how many there are
   * @param owner the object with which the memory goes
   */
  @SuppressWarnings("restricted") // the address is the library's
  static Buf<Double> doubles(long address, long count, Object owner) {
    MemorySegment memory = MemorySegment.ofAddress(address).reinterpret(
        count * Double.BYTES, Arena.ofAuto(), gone -> Reference.reachabilityFence(owner));
    return Buf.of(memory, count, Datatype.DOUBLE);
  }
}
