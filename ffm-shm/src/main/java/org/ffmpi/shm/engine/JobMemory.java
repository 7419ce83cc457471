// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.memory.CrossMemory;
import org.ffmpi.shm.progress.JobAbort;
import org.ffmpi.shm.progress.Waiting;
import org.ffmpi.shm.protocol.Endpoint;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.spi.SharedMemory;

/**
 * The port {@link SharedMemory}, by which ranks build structures of their own in the job segment. Any thread.
 */
final class JobMemory implements SharedMemory {
  private final Endpoint endpoint;
  private final JobSegment segment;
  private final JobAbort end;
  private final Waiting waiting;
  private final CrossMemory cross;

  JobMemory(Endpoint endpoint, JobAbort end, Waiting waiting, CrossMemory cross) {
    this.endpoint = endpoint;
    this.segment = endpoint.segment();
    this.end = end;
    this.waiting = waiting;
    this.cross = cross;
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
    end.check();
    long address = address(offset, bytes);
    segment.retain();
    return Raw.view(address, bytes, Arena.ofAuto(), segment::release);
  }

  @Override
  public boolean reaches(int peer) {
    return segment.nodes().isLocal(peer);
  }

  @Override
  public void wake(int peer) {
    endpoint.wakeups().wake(segment.rankBlock(peer));
  }

  @Override
  public long waitWord(int peer) {
    return RankLayout.waitAddress(segment.rankBlock(peer));
  }

  @Override
  public boolean mayBeAsleep() {
    return RankLayout.getOpaqueWait(segment.rankBlock(endpoint.self())) != 0;
  }

  @Override
  public void await(BooleanSupplier condition) {
    waiting.awaitStore(condition);
  }

  @Override
  public boolean isGone(int peer) {
    return segment.ends().hasDeparted(peer);
  }

  @Override
  public MpiException departureError(int peer) {
    if (segment.isEnded()) { // why the peer is gone
      return new MpiException(ErrorClass.ERR_PROC_ABORTED, "the job has ended: " + segment.abortReason());
    }
    boolean died = segment.state(peer) == RankLayout.DEAD;
    return new MpiException(
        died && segment.survives() ? ErrorClass.ERR_PROC_FAILED : ErrorClass.ERR_PROC_ABORTED,
        segment.name(peer, endpoint.self()) + (died ? " has died" : " has finalized")
            + " and takes part in nothing more");
  }

  @Override
  public boolean isReadable(long bytes) {
    return endpoint.options().selector().isCross(bytes) && cross.mayBeRead();
  }

  @Override
  public boolean isReachable() {
    return endpoint.options().selector().isCross(endpoint.options().selector().crossLimit()) && cross.mayBeRead();
  }

  @Override
  public boolean write(int peer, long source, long target, long bytes) {
    if (peer == endpoint.self()) {
      Raw.copy(source, target, bytes);
      return true;
    }
    int process = segment.process(peer);
    return cross.mayBeRead() && cross.mayRead(process) && cross.write(process, source, target, bytes);
  }

  @Override
  public boolean read(int peer, long source, long target, long bytes) {
    if (peer == endpoint.self()) {
      Raw.copy(source, target, bytes);
      return true;
    }
    int process = segment.process(peer);
    if (!cross.mayBeRead() || !cross.mayRead(process)) { // the first call links the functions
      return false;
    }
    return cross.read(process, source, target, bytes);
  }
}
