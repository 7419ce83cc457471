// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.SharedMemory;

/**
 * Clocks that ranks leave at one part of a window, in shared memory, for those that come after them. There are three
 * vectors, of exclusive locks, of shared ones, and of accumulates. Each entry only grows. Any thread; never waits.
 *
 * <pre>
 *   0                  8 * peers          16 * peers
 *  +------------------+------------------+------------------+
 *  | exclusive        | shared           | accumulates      |
 *  +------------------+------------------+------------------+
 * </pre>
 */
final class LockClocks {
  static final int EXCLUSIVE = 0;
  static final int SHARED = 1;
  static final int ATOMIC = 2;
  private static final int VECTORS = 3;

  /** Keeps the memory mapped. */
  private final MemorySegment memory;
  private final long address;
  private final int peers;

  private LockClocks(MemorySegment memory, int peers) {
    this.memory = memory;
    this.address = Raw.address(memory);
    this.peers = peers;
  }

  /** Makes the clocks of this rank's own part. */
  static LockClocks make(Engine engine) {
    int peers = engine.peers();
    return new LockClocks(engine.allocateShared((long) VECTORS * peers * Long.BYTES, Long.BYTES, null), peers);
  }

  /** Returns where the clocks lie for others. */
  long place(SharedMemory shared) {
    return shared.offset(address, memory.byteSize());
  }

  /** Returns the clocks that another rank has made. */
  static LockClocks at(SharedMemory shared, long place, int peers) {
    return new LockClocks(shared.view(place, (long) VECTORS * peers * Long.BYTES), peers);
  }

  /** Leaves a clock. */
  void leave(int vector, long[] clock) {
    for (int i = 0; i < peers; i++) {
      long at = entry(vector, i);
      long before = Raw.getVolatileLong(at);
      while (before < clock[i] && !Raw.compareAndSetLong(at, before, clock[i])) {
        before = Raw.getVolatileLong(at);
      }
    }
  }

  /** Returns the join of all that ranks have left. */
  long[] read(int vector) {
    long[] clock = new long[peers];
    for (int i = 0; i < peers; i++) {
      clock[i] = Raw.getVolatileLong(entry(vector, i));
    }
    return clock;
  }

  private long entry(int vector, int peer) {
    return address + ((long) vector * peers + peer) * Long.BYTES;
  }
}
