// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.posix.Posix;
import org.ffmpi.shm.posix.PosixLoader;

/**
 * Reads a peer's memory outside the segment, where the kernel lets this process do so: one copy instead of two for
 * large messages out of private off-heap memory. Whether it is allowed is found out by the first read; after a refusal
 * the engine never asks again, and messages go through pipes.
 *
 * <p>Messages are read with the engine's lock held; the rest may be called by any thread.
 */
final class CrossMemory {
  /** Receives that have no address of their own are filled from a stage that stays in the second-level cache. */
  private static final long STAGE_BYTES = 1 << 16;

  private final boolean peersAreThreads;
  private final int ownProcess;
  private final AtomicBoolean asked = new AtomicBoolean();
  private volatile boolean prepared;
  private volatile boolean refused;
  private MemorySegment stage;

  CrossMemory(boolean peersAreThreads) {
    this.peersAreThreads = peersAreThreads;
    this.prepared = peersAreThreads;
    this.ownProcess = (int) ProcessHandle.current().pid();
  }

  /**
   * Whether this rank's buffers may be offered to peers: the functions are linked, and the kernel has been told. The
   * first that asks has that done.
   */
  boolean mayOffer() {
    if (!prepared && asked.compareAndSet(false, true)) {
      PosixLoader.whenReady(this::prepare);
    }
    return prepared;
  }

  private void prepare() {
    Posix.allowReads();
    prepared = true;
  }

  /**
   * Whether it is worth trying to read from a process. Another one that has this one's number lives in another
   * namespace of processes, where numbers mean nothing here.
   */
  boolean mayRead(int process) {
    return peersAreThreads || !refused && process != ownProcess && PosixLoader.isReady();
  }

  /**
   * Stores part of a message straight from where the sender keeps it.
   *
   * @param process the sender's
   * @param source absolute address there of the message's first byte
   * @param from first byte of the message to store
   * @return false when it cannot be read; what was stored before may be stored again
   */
  boolean read(RecvOp op, int process, long source, long from, long bytes) {
    if (peersAreThreads) {
      op.write(source + from, from, bytes);
      return true;
    }
    long target = op.run(from, bytes);
    if (target != 0) {
      return fetch(process, source + from, target, bytes);
    }
    if (stage == null) {
      stage = Arena.ofAuto().allocate(STAGE_BYTES, 64);
    }
    long staged = Raw.address(stage);
    try {
      for (long done = 0; done < bytes; done += STAGE_BYTES) {
        long n = Math.min(STAGE_BYTES, bytes - done);
        if (!fetch(process, source + from + done, staged, n)) {
          return false;
        }
        op.write(staged, from + done, n);
      }
      return true;
    } finally {
      Reference.reachabilityFence(stage);
    }
  }

  /** Copies from a peer's memory; false when it cannot be read. */
  boolean read(int process, long source, long target, long bytes) {
    if (peersAreThreads) {
      Raw.copy(source, target, bytes);
      return true;
    }
    return fetch(process, source, target, bytes);
  }

  private boolean fetch(int process, long source, long target, long bytes) {
    long done = 0;
    while (done < bytes) {
      long n = Posix.readMemory(process, source + done, target + done, bytes - done);
      if (n <= 0) {
        if (n == -Posix.EPERM || n == -Posix.ENOSYS) {
          refused = true;
        }
        return false;
      }
      done += n;
    }
    return true;
  }
}
