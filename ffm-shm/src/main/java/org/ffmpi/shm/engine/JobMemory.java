// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.spi.SharedMemory;

/** The job segment as memory that ranks build structures of their own in. Any thread. */
final class JobMemory implements SharedMemory {
  private final ShmEngine engine;
  private final JobSegment segment;

  JobMemory(ShmEngine engine) {
    this.engine = engine;
    this.segment = engine.segment;
  }

  @Override
  public long offset(long address, long bytes) {
    long offset = address - segment.base();
    return offset >= 0 && bytes >= 0 && offset <= segment.limit() - bytes ? offset : NOT_SHARED;
  }

  @Override
  public long address(long offset, long bytes) {
    return segment.address(offset, bytes);
  }

  @Override
  public MemorySegment view(long offset, long bytes) {
    engine.checkEnded();
    long address = address(offset, bytes);
    segment.retain();
    return Raw.view(address, bytes, Arena.ofAuto(), segment::release);
  }

  @Override
  public void wake(int peer) {
    engine.wake(segment.rankBlock(peer));
  }

  @Override
  public boolean mayBeAsleep() {
    return RankLayout.getOpaqueWait(engine.ownBlock) != 0;
  }

  @Override
  public void await(BooleanSupplier condition) {
    engine.awaitStore(condition);
  }

  @Override
  public boolean isGone(int peer) {
    return segment.state(peer) >= RankLayout.GONE;
  }

  @Override
  public MpiException goneError(int peer) {
    String end = segment.state(peer) == RankLayout.DEAD ? " has died" : " has finalized";
    return new MpiException(ErrorClass.ERR_PROC_ABORTED, "rank " + peer + end + " and takes part in nothing more");
  }

  @Override
  public boolean isReadable(long bytes) {
    return engine.options.isCross(bytes) && engine.cross.mayOffer();
  }

  @Override
  public boolean read(int peer, long source, long target, long bytes) {
    if (peer == engine.self) {
      Raw.copy(source, target, bytes);
      return true;
    }
    int process = segment.process(peer);
    if (!engine.cross.mayOffer() || !engine.cross.mayRead(process)) { // the first asks to be made ready
      return false;
    }
    return engine.cross.read(process, source, target, bytes);
  }
}
