// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.posix.LinuxNumbers;
import org.ffmpi.shm.posix.Posix;
import org.ffmpi.shm.posix.PosixLoader;

/**
 * Reads, and for windows writes, a peer's memory outside the segment, where the kernel permits it. That is one copy
 * instead of two for large messages out of private off-heap memory. The first read shows whether it is permitted; after
 * a refusal messages go through pipes.
 *
 * <p>{@link #readStaged} is called with the rank's lock held, all other methods by any thread.
 */
public final class CrossMemory {
  /** Consumer of bytes that were read into a stage. */
  public interface Sink {
    /**
     * Stores bytes.
     *
     * @param at absolute address of the bytes, valid during the call
     * @param from their offset in the message
     * @param bytes number of bytes
     */
    void accept(long at, long from, long bytes);
  }

  /** Bytes of the stage for receives without an address of their own; it stays in the second-level cache. */
  private static final long STAGE_BYTES = 1 << 16;

  private final boolean peersAreThreads;
  private final int ownProcess;
  private final AtomicBoolean asked = new AtomicBoolean();
  private volatile boolean prepared;
  private volatile boolean refused;
  private MemorySegment stage;

  /**
   * Creates the reads of one rank.
   *
   * @param peersAreThreads whether all peers share this process
   */
  public CrossMemory(boolean peersAreThreads) {
    this.peersAreThreads = peersAreThreads;
    this.prepared = peersAreThreads;
    this.ownProcess = (int) ProcessHandle.current().pid();
  }

  /**
   * Returns whether peers may try to read this rank's buffers, because the functions are linked and the kernel permits
   * peers to read. The first call starts both in the background.
   *
   * @return true when a message may be READABLE
   */
  public boolean mayBeRead() {
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
   * Returns whether this rank may try to read from a process. Another process with this one's number is in another
   * namespace of processes, whose numbers have no meaning here.
   *
   * @param process the kernel's number of the process
   * @return true when {@link #read} may succeed
   */
  public boolean mayRead(int process) {
    return peersAreThreads || !refused && process != ownProcess && PosixLoader.isReady();
  }

  /**
   * Returns whether all peers share this process, so that plain copies read their memory.
   *
   * @return true for ranks in threads
   */
  public boolean peersAreThreads() {
    return peersAreThreads;
  }

  /**
   * Reads part of a message through a stage in this rank's memory, for receives without an address of their own.
   *
   * @param process the sender's process
   * @param source absolute address there of the message's first byte
   * @param from first byte of the message to read
   * @param bytes number of bytes
   * @param sink stores the bytes
   * @return false when the memory cannot be read; bytes that were stored before may be stored again
   */
  public boolean readStaged(int process, long source, long from, long bytes, Sink sink) {
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
        sink.accept(staged, from + done, n);
      }
      return true;
    } finally {
      Reference.reachabilityFence(stage);
    }
  }

  /**
   * Copies from a peer's memory.
   *
   * @param process the peer's process
   * @param source absolute address there
   * @param target absolute address here
   * @param bytes number of bytes
   * @return false when the memory cannot be read
   */
  public boolean read(int process, long source, long target, long bytes) {
    if (peersAreThreads) {
      Raw.copy(source, target, bytes);
      return true;
    }
    return fetch(process, source, target, bytes);
  }

  /**
   * Copies to a peer's memory.
   *
   * @param process the peer's process
   * @param source absolute address here
   * @param target absolute address there
   * @param bytes number of bytes
   * @return false when the memory cannot be written; part of it may have been written
   */
  public boolean write(int process, long source, long target, long bytes) {
    if (peersAreThreads) {
      Raw.copy(source, target, bytes);
      return true;
    }
    long done = 0;
    while (done < bytes) {
      long n = Posix.writeMemory(process, source + done, target + done, bytes - done);
      if (n <= 0) {
        return failed(n);
      }
      done += n;
    }
    return true;
  }

  /** Records a refusal of the kernel; returns false. */
  private boolean failed(long result) {
    if (result == -LinuxNumbers.EPERM || result == -LinuxNumbers.ENOSYS) {
      refused = true;
    }
    return false;
  }

  private boolean fetch(int process, long source, long target, long bytes) {
    long done = 0;
    while (done < bytes) {
      long n = Posix.readMemory(process, source + done, target + done, bytes - done);
      if (n <= 0) {
        return failed(n);
      }
      done += n;
    }
    return true;
  }
}
