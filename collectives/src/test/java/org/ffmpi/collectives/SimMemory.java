// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BooleanSupplier;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.spi.SharedMemory;

/** Memory that the engines of a {@link SimNetwork} share: what they have allocated as such, and nothing else. */
final class SimMemory implements SharedMemory {
  /** Shorter runs of private memory are not read by others. */
  static final long READABLE_FROM = 2_000;

  private final SimNetwork network;
  private final Random random;
  private final double refusals;
  private final ConcurrentSkipListMap<Long, Long> allocated = new ConcurrentSkipListMap<>();

  /**
   * Creates it empty.
   *
   * @param refusals how often private memory cannot be read, from 0 to 1
   */
  SimMemory(SimNetwork network, double refusals, Random random) {
    this.network = network;
    this.refusals = refusals;
    this.random = random;
  }

  MemorySegment allocate(long bytes, long alignment) {
    MemorySegment segment = Arena.global().allocate(bytes, alignment); // freed by the collector, it could come back
    allocated.put(Raw.address(segment), bytes);
    return segment;
  }

  @Override
  public long offset(long address, long bytes) {
    Map.Entry<Long, Long> below = allocated.floorEntry(address);
    return below != null && address + bytes <= below.getKey() + below.getValue() ? address : NOT_SHARED;
  }

  @Override
  public long address(long offset, long bytes) {
    if (offset(offset, bytes) == NOT_SHARED) {
      throw new MpiException(ErrorClass.ERR_INTERN, "not in the shared memory");
    }
    return offset;
  }

  @Override
  public MemorySegment view(long offset, long bytes) {
    return Raw.view(address(offset, bytes), bytes);
  }

  @Override
  public void wake(int peer) {
    network.happened();
  }

  @Override
  public void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      network.pause.run();
    }
  }

  @Override
  public boolean mayBeAsleep() {
    return false;
  }

  @Override
  public boolean isGone(int peer) {
    return false;
  }

  @Override
  public MpiException departureError(int peer) {
    throw new AssertionError("nobody goes");
  }

  @Override
  public boolean isReadable(long bytes) {
    return bytes >= READABLE_FROM;
  }

  @Override
  public boolean read(int peer, long source, long target, long bytes) {
    if (random.nextDouble() < refusals) {
      Raw.copy(source, target, bytes / 2); // as far as it came
      return false;
    }
    Raw.copy(source, target, bytes);
    return true;
  }
}
