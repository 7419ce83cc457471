// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.ffmpi.base.MpiException;

/**
 * The port to memory that peers share, in which several ranks read and write common structures. Optional: an engine
 * without it carries messages only.
 *
 * <p>Peers name places in the memory by <em>offsets</em>, since each has its own addresses. The writer of a word
 * that a peer may sleep on calls {@link #wake} afterwards; a rank that waits for a word waits in {@link #await}, or
 * checks it in {@link Operation#advance} of a {@linkplain Engine#register registered} operation.
 */
public interface SharedMemory {
  /** Result of {@link #offset} for memory that is not shared. */
  long NOT_SHARED = -1;

  /** Result of {@link #waitWord} where {@link #wake} has to be called each time. */
  long NO_WORD = 0;

  /**
   * Returns where memory lies for the peers.
   *
   * @param address absolute address in this process
   * @param bytes length
   * @return its offset, or {@link #NOT_SHARED} when not all of it is shared
   */
  long offset(long address, long bytes);

  /**
   * Returns where shared memory lies in this process. It may be touched as long as a {@link #view} of some of it is
   * reachable.
   *
   * @param offset what a peer's {@link #offset} returned; not trusted
   * @param bytes length
   * @return absolute address
   * @throws MpiException ERR_INTERN when that is not in the shared memory
   */
  long address(long offset, long bytes);

  /**
   * Returns a part of the shared memory that a peer has allocated, for as long as that peer keeps it. The result keeps
   * the memory mapped, also after this rank has left.
   *
   * @param offset what the peer's {@link #offset} returned; not trusted
   * @param bytes length
   * @return a native segment
   * @throws MpiException ERR_INTERN when that is not in the shared memory
   */
  MemorySegment view(long offset, long bytes);

  /**
   * Wakes a peer if it sleeps, after a store that it may wait for. Two loads in the usual case.
   *
   * @param peer a rank; this one too, when another of its threads may sleep
   */
  void wake(int peer);

  /**
   * Returns the word that shows whether a peer may sleep, so that a look at it saves the call of {@link #wake}.
   *
   * @param peer a rank
   * @return the absolute address of an int that is 0 as long as the peer needs not be woken, mapped as long as this
   *     rank has joined; or {@link #NO_WORD}
   */
  default long waitWord(int peer) {
    return NO_WORD;
  }

  /**
   * Returns whether this rank sleeps or is about to: it has published that, with a fence, before it checks conditions
   * and registered operations for the last time. Only then do peers need any other notice to {@link #wake} it.
   *
   * @return false when it will check once more before it sleeps, or sleep for a short while only
   */
  boolean mayBeAsleep();

  /**
   * Returns whether a peer maps this memory too: whether it is on this node.
   *
   * @param peer a peer
   * @return false when only messages reach it
   */
  default boolean reaches(int peer) {
    return true;
  }

  /**
   * Returns whether all members of a channel map this memory.
   *
   * @param channel a channel of this engine
   * @return true when they are on this node
   */
  default boolean reachesAll(Channel channel) {
    for (int rank = 0; rank < channel.remote().size(); rank++) {
      if (!reaches(channel.remote().peer(rank))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Blocks until a condition holds that a peer's store makes true; everything else of this rank progresses meanwhile.
   *
   * @param condition checks shared memory and changes nothing, since it is asked again after it has held; may throw,
   *     which ends the wait
   * @throws MpiException ERR_PROC_ABORTED when the job has ended
   */
  void await(BooleanSupplier condition);

  /**
   * Returns whether a peer has finalized or died. What it stored before that is visible afterwards.
   *
   * @param peer a rank
   * @return true when it will send nothing more
   */
  boolean isGone(int peer);

  /**
   * Returns the error of waiting for a peer that has gone.
   *
   * @param peer a rank of which {@link #isGone} holds
   * @return an exception of class ERR_PROC_ABORTED
   */
  MpiException departureError(int peer);

  /**
   * Returns whether peers may try to read private memory of this process. It pays for long runs of bytes only; the
   * engine decides from which length.
   *
   * @param bytes how many in a run
   * @return false when they need a copy
   */
  default boolean isReadable(long bytes) {
    return false;
  }

  /**
   * Returns whether peers may try {@link #read} and {@link #write} on private memory of this process. The first call
   * may prepare that in the background.
   *
   * @return false when they cannot, or not yet
   */
  default boolean isReachable() {
    return false;
  }

  /**
   * Copies to the private memory of a peer, which keeps it alive meanwhile.
   *
   * @param peer another rank, which {@linkplain #isReachable is reachable}, or this one
   * @param source address in this process
   * @param target address in that peer's process
   * @param bytes how many
   * @return false when it cannot be written: nothing, or a part, has been stored then
   */
  default boolean write(int peer, long source, long target, long bytes) {
    return false;
  }

  /**
   * Copies from the private memory of a peer that waits meanwhile.
   *
   * @param peer another rank, whose {@link #isReadable} returned true
   * @param source address in that peer's process
   * @param target address in this process
   * @param bytes how many
   * @return false when it cannot be read: nothing, or a part, has been stored then
   */
  default boolean read(int peer, long source, long target, long bytes) {
    return false;
  }
}
