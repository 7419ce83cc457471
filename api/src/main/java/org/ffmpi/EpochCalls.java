// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;

/**
 * The synchronization of a window (MPI-4.1 §12.5): the calls between which accesses are allowed and after which their
 * effects are to be seen. There are three ways, and at one time a window uses one of them: {@link #fence} at all ranks;
 * {@link #post}, {@link #start}, {@link #complete} and {@link #await} among some; {@link #lock} and {@link #lockAll} by
 * the origin alone.
 *
 * {@snippet :
 * win.fence();
 * win.put(Buf.of(edge), left, 0);
 * win.fence();                                             // the edge has arrived, here and everywhere
 *
 * try (Epoch _ = win.lock(LockType.EXCLUSIVE, 1)) {        // or win.lock(…) and win.unlock(1)
 *   win.accumulate(Buf.of(part), 1, 0, Op.SUM);
 * }
 * }
 *
 * <p>Assertions are sums of {@code MODE_NOCHECK}, {@code MODE_NOSTORE}, {@code MODE_NOPUT}, {@code MODE_NOPRECEDE} and
 * {@code MODE_NOSUCCEED} of {@link org.ffmpi.base.Constants}. They promise something, which can save time.
 *
 * <p>All calls throw: ERR_WIN when the window has been closed, ERR_RMA_SYNC when the call does not fit those before it,
 * ERR_ASSERT for assertions that the call has not, ERR_RANK for ranks that the window has not, and ERR_PROC_ABORTED
 * when a rank has died for which it would wait. In a job that outlives its dead, calls that would wait throw
 * ERR_PROC_FAILED once any rank of the window has died.
 */
public sealed interface EpochCalls permits Win {
  // ---- fence

  /**
   * Ends all accesses since the last fence, and allows others ({@code MPI_Win_fence}, MPI-4.1 §12.5.1). Collective;
   * blocks until all ranks have called it, and then all accesses are complete.
   *
   * @throws MpiException as described above
   */
  @Standard({"MPI_Win_fence"})
  default void fence() {
    fence(0);
  }

  /**
   * Ends all accesses since the last fence, and allows others ({@code MPI_Win_fence}, MPI-4.1 §12.5.1), as
   * {@link #fence()}.
   *
   * @param assertions {@code MODE_NOSTORE}, {@code MODE_NOPUT}, {@code MODE_NOPRECEDE} (nothing to end, at all ranks)
   *     and {@code MODE_NOSUCCEED} (nothing follows, at all ranks)
   * @throws MpiException as described above
   */
  @Standard({"MPI_Win_fence"})
  void fence(int assertions);

  // ---- post, start, complete, wait

  /**
   * Lets some ranks access this rank's part ({@code MPI_Win_post}, MPI-4.1 §12.5.2). Local.
   *
   * @param origins who may: those that call {@link #start} with a group that has this rank
   * @throws MpiException as described above; ERR_GROUP when the group is null, freed, or not within the window's
   */
  @Standard({"MPI_Win_post"})
  default void post(Group origins) {
    post(origins, 0);
  }

  /**
   * Lets some ranks access this rank's part ({@code MPI_Win_post}, MPI-4.1 §12.5.2). Local.
   *
   * @param origins who may: those that call {@link #start} with a group that has this rank
   * @param assertions {@code MODE_NOCHECK}, {@code MODE_NOSTORE} and {@code MODE_NOPUT}
   * @throws MpiException as {@link #post(Group)}
   */
  @Standard({"MPI_Win_post"})
  void post(Group origins, int assertions);

  /**
   * Begins to access the parts of some ranks ({@code MPI_Win_start}, MPI-4.1 §12.5.2). Blocks until each of them has
   * called {@link #post}.
   *
   * @param targets whose parts
   * @return the epoch, which {@link #complete} ends
   * @throws MpiException as described above; ERR_GROUP when the group is null, freed, or not within the window's
   */
  @Standard({"MPI_Win_start"})
  default Epoch start(Group targets) {
    return start(targets, 0);
  }

  /**
   * Begins to access the parts of some ranks ({@code MPI_Win_start}, MPI-4.1 §12.5.2), as {@link #start(Group)}.
   *
   * @param targets whose parts
   * @param assertions {@code MODE_NOCHECK}: all of them have called {@link #post} already
   * @return the epoch, which {@link #complete} ends
   * @throws MpiException as {@link #start(Group)}
   */
  @Standard({"MPI_Win_start"})
  Epoch start(Group targets, int assertions);

  /**
   * Ends the accesses that {@link #start} began ({@code MPI_Win_complete}, MPI-4.1 §12.5.2). Blocks until they are
   * complete here; they are at a target when its {@link #await} returns.
   *
   * @throws MpiException as described above
   */
  @Standard({"MPI_Win_complete"})
  void complete();

  /**
   * Waits until the ranks of {@link #post} have called {@link #complete} ({@code MPI_Win_wait}, MPI-4.1 §12.5.2); what
   * they wrote is there then.
   *
   * @throws MpiException as described above
   */
  @Standard({"MPI_Win_wait"})
  void await();

  /**
   * Returns whether the ranks of {@link #post} have called {@link #complete} ({@code MPI_Win_test}, MPI-4.1 §12.5.2).
   * Does not block.
   *
   * @return true when they have; this is {@link #await} then
   * @throws MpiException as described above
   */
  @Standard({"MPI_Win_test"})
  boolean test();

  // ---- locks

  /**
   * Begins to access the part of one rank ({@code MPI_Win_lock}, MPI-4.1 §12.5.3). Blocks while another rank has a lock
   * of that part that excludes this one; who waits longer comes first.
   *
   * @param type whether others may have a lock of it too
   * @param target rank of the window; may be this rank
   * @return the epoch, which {@link #unlock} ends
   * @throws MpiException as described above; ERR_LOCKTYPE when the type is null
   */
  @Standard({"MPI_Win_lock"})
  default Epoch lock(LockType type, int target) {
    return lock(type, target, 0);
  }

  /**
   * Begins to access the part of one rank ({@code MPI_Win_lock}, MPI-4.1 §12.5.3), as {@link #lock(LockType, int)}.
   *
   * @param type whether others may have a lock of it too
   * @param target rank of the window; may be this rank
   * @param assertions {@code MODE_NOCHECK}: no other rank has or wants a lock that excludes this one
   * @return the epoch, which {@link #unlock} ends
   * @throws MpiException as {@link #lock(LockType, int)}
   */
  @Standard({"MPI_Win_lock"})
  Epoch lock(LockType type, int target, int assertions);

  /**
   * Ends the accesses to a part ({@code MPI_Win_unlock}, MPI-4.1 §12.5.3). Blocks until they are complete, at the
   * target too.
   *
   * @param target the rank that {@link #lock} was given
   * @throws MpiException as described above
   */
  @Standard({"MPI_Win_unlock"})
  void unlock(int target);

  /**
   * Begins to access the parts of all ranks, with shared locks ({@code MPI_Win_lock_all}, MPI-4.1 §12.5.3). Not
   * collective. Blocks as {@link #lock(LockType, int)}, or the first access to a part does, where only messages reach
   * the part's lock.
   *
   * @return the epoch, which {@link #unlockAll} ends
   * @throws MpiException as described above
   */
  @Standard({"MPI_Win_lock_all"})
  default Epoch lockAll() {
    return lockAll(0);
  }

  /**
   * Begins to access the parts of all ranks, with shared locks ({@code MPI_Win_lock_all}, MPI-4.1 §12.5.3), as
   * {@link #lockAll()}.
   *
   * @param assertions {@code MODE_NOCHECK}: no other rank has or wants an exclusive lock
   * @return the epoch, which {@link #unlockAll} ends
   * @throws MpiException as described above
   */
  @Standard({"MPI_Win_lock_all"})
  Epoch lockAll(int assertions);

  /**
   * Ends the accesses that {@link #lockAll()} began ({@code MPI_Win_unlock_all}, MPI-4.1 §12.5.3). Blocks until they
   * are complete, at the targets too.
   *
   * @throws MpiException as described above
   */
  @Standard({"MPI_Win_unlock_all"})
  void unlockAll();

  // ---- flush and sync

  /**
   * Completes all accesses of this rank to a target, here and there ({@code MPI_Win_flush}, MPI-4.1 §12.5.4), in an
   * epoch of {@link #lock} or {@link #lockAll}. Blocks.
   *
   * @param target a rank that is locked
   * @throws MpiException as described above
   */
  @Standard({"MPI_Win_flush"})
  void flush(int target);

  /**
   * Completes all accesses of this rank to all targets, here and there ({@code MPI_Win_flush_all}, MPI-4.1 §12.5.4), in
   * an epoch of {@link #lock} or {@link #lockAll}. Blocks.
   *
   * @throws MpiException as described above
   */
  @Standard({"MPI_Win_flush_all"})
  void flushAll();

  /**
   * Completes all accesses of this rank to a target as far as this rank is concerned ({@code MPI_Win_flush_local},
   * MPI-4.1 §12.5.4): its buffers may be used again. Blocks.
   *
   * @param target a rank that is locked
   * @throws MpiException as described above
   */
  @Standard({"MPI_Win_flush_local"})
  void flushLocal(int target);

  /**
   * Completes all accesses of this rank as far as this rank is concerned ({@code MPI_Win_flush_local_all}, MPI-4.1
   * §12.5.4). Blocks.
   *
   * @throws MpiException as described above
   */
  @Standard({"MPI_Win_flush_local_all"})
  void flushLocalAll();

  /**
   * Orders this rank's own loads and stores in window memory ({@code MPI_Win_sync}, MPI-4.1 §12.5.4): those before the
   * call against those after it. A full fence of the processor and of Java's memory model. Local.
   *
   * @throws MpiException ERR_WIN when the window has been closed
   */
  @Standard({"MPI_Win_sync"})
  void sync();
}
