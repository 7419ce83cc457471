// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

/** The parts of a window that is not dynamic. Immutable. */
final class FixedTable extends WindowTable {
  /** Addresses of the parts that this rank reaches by loads and stores; 0 for the others. */
  private final long[] addresses;
  private final long[] bytes;

  FixedTable(long[] addresses, long[] bytes, int[] units) {
    super(units);
    this.addresses = addresses;
    this.bytes = bytes;
  }

  @Override
  long bytes(int rank) {
    return bytes[rank];
  }

  @Override
  long address(int target, long position, long low) {
    long address = addresses[target];
    return address == 0 ? 0 : address + position;
  }

  @Override
  void check(int target, long disp, long count, long first, long end) {
    if (first < 0 || end > bytes[target]) {
      throw outside(
          target, disp, count, "bytes " + first + " to " + (end - 1), ", which has " + bytes[target] + " bytes");
    }
  }
}
