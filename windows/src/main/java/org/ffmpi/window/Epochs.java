// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.ffmpi.Epoch;
import org.ffmpi.Group;
import org.ffmpi.LockType;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.GroupAccess;
import org.ffmpi.spi.EpochSource;
import org.ffmpi.spi.Members;
import org.ffmpi.spi.WindowWatch;
import org.ffmpi.spi.WindowWatch.Order;

/**
 * The epochs of a window at this rank: the targets that may be accessed, and the order of synchronization calls. Each
 * call completes the accesses of the epoch that it ends, and waits by a {@link Synchronizer}. Several threads may call:
 * this object's monitor guards the open epochs, and no thread holds it while it waits for another rank. Locking and
 * unlocking one target is a single atomic step instead: concurrent calls have different targets.
 *
 * <p>This file is long: the order of the calls is one table, and each call has its row.
 */
public final class Epochs {
  /** The first access acquires the lock of the target, for {@link #lockAll}. */
  private static final byte LATE = -2;
  /** A thread waits for the lock of the target. */
  private static final byte LOCKING = -1;
  private static final byte NONE = 0;
  private static final byte FENCE = 1;
  private static final byte START = 2;
  private static final byte SHARED = 3;
  private static final byte EXCLUSIVE = 4;
  private static final byte ALL = 5;

  private static final int OTHER = -1;

  private static final int FENCE_ASSERTIONS =
      Constants.MODE_NOSTORE | Constants.MODE_NOPUT | Constants.MODE_NOPRECEDE | Constants.MODE_NOSUCCEED;
  private static final int POST_ASSERTIONS = Constants.MODE_NOCHECK | Constants.MODE_NOSTORE | Constants.MODE_NOPUT;
  private static final int NO_EPOCH = Constants.MODE_NOPRECEDE | Constants.MODE_NOSUCCEED;

  private final WindowState state;
  private final Synchronizer synchronizer;
  private final Completion completion;
  private final WindowHints hints;
  /** Null unless everything is checked. */
  private final WindowChecks checks;
  /** For each target the kind of epoch that covers it; accesses read it without the monitor. */
  private final byte[] access;
  /** For each target whether this rank holds its lock: not with {@code MODE_NOCHECK}. */
  private final boolean[] holds;
  /** Held while the lock of a target is acquired late, by target; null before the first such epoch. */
  private ReentrantLock[] acquiring;
  /** The epochs that {@link #lock} returns, made on first use. */
  private final Epoch[] epochs;
  private final Epoch allEpoch = this::closeLockAll;
  private final Epoch startEpoch = this::closeStart;

  private volatile boolean fenced;
  /** Number of locked targets; {@link #OTHER} inside an access epoch of another kind. */
  private final AtomicInteger locks = new AtomicInteger();
  private volatile boolean lockedAll;
  /** Targets of the epoch that {@link #start} began; null without one. */
  private volatile int[] started;
  /** Origins of the epoch that {@link #post} began; null without one. */
  private volatile int[] posted;

  Epochs(WindowState state, Synchronizer synchronizer, Completion completion, WindowHints hints, WindowChecks checks) {
    this.state = state;
    this.synchronizer = synchronizer;
    this.completion = completion;
    this.hints = hints;
    this.checks = checks;
    this.access = new byte[state.size];
    this.holds = new boolean[state.size];
    this.epochs = new Epoch[state.size];
  }

  // ---- checks

  /** Returns whether an epoch covers a target, which is a rank of the window. */
  boolean covers(int target) {
    return access[target] > NONE;
  }

  /** Throws when no epoch covers a target. */
  void checkCovers(int target) {
    if (access[target] <= NONE && !acquireLate(target)) {
      throw state.syncError("target " + target
          + ": no epoch covers it; fence(), start(), lock() or lockAll() has to come before");
    }
  }

  /** Throws when no lock covers a target, as calls with requests need it. */
  void checkLocks(int target) {
    if (access[target] < SHARED && !acquireLate(target)) {
      throw state.syncError("target " + target + ": not locked; accesses with requests need lock() or lockAll()");
    }
  }

  /**
   * Ends what is open when the window is closed, so that no rank waits for this one; returns the error if something
   * was, or null. A fence leaves nothing open.
   */
  MpiException endAll() {
    MpiException failure;
    synchronized (this) {
      if (locks.get() == 0 && posted == null) {
        return fenced && checks != null && checks.hasOpen() ? new MpiException(
            ErrorClass.ERR_RMA_SYNC, "close(): fence() has not followed the accesses since the last one") : null;
      }
      failure = new MpiException(ErrorClass.ERR_RMA_SYNC, "close() inside an epoch, which it has ended: " + open());
    }
    if (lockedAll) {
      endLockAll();
    } else if (started != null) {
      endStart(started);
    } else {
      for (int target = 0; target < access.length; target++) {
        if (access[target] == SHARED || access[target] == EXCLUSIVE) {
          endLock(target);
        }
      }
    }
    endPost();
    return failure;
  }

  private String open() {
    if (lockedAll) {
      return "all ranks are locked since lockAll()";
    }
    if (locks.get() > 0) {
      int first = 0;
      while (first < access.length - 1 && access[first] < SHARED && access[first] != LOCKING) {
        first++;
      }
      return "rank " + first + " is locked since lock()";
    }
    if (started != null) {
      return "start() has not been followed by complete()";
    }
    return posted == null ? "none is open" : "post() has not been followed by await()";
  }

  private void checkAssertions(int given, int allowed, String names) {
    if ((given & ~allowed) != 0) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_ASSERT, "assertions", given, "0 or a sum of " + names));
    }
  }

  // ---- fence

  public void fence(int assertions) {
    state.checkCommunication();
    checkAssertions(assertions, FENCE_ASSERTIONS, "MODE_NOSTORE, MODE_NOPUT, MODE_NOPRECEDE and MODE_NOSUCCEED");
    synchronized (this) {
      if (locks.get() != 0 || posted != null) {
        throw state.syncError("fence(): " + open());
      }
    }
    if ((assertions & NO_EPOCH) != NO_EPOCH) {
      MpiException failure = null;
      boolean wasOpen = checks != null && checks.hasOpen();
      try {
        completion.completeAll();
        if (checks != null) {
          checks.completedByFence();
        }
      } catch (RuntimeException e) {
        failure = state.translate(e);
      }
      failure = checks == null ? failure : first(failure, brokenPromise(assertions, wasOpen));
      try {
        fenceBarrier(assertions); // even if accesses have failed: the other ranks wait for this one
      } catch (RuntimeException e) {
        throw state.failed(e);
      }
      throwIfAny(failure);
    }
    synchronized (this) {
      boolean opens = (assertions & Constants.MODE_NOSUCCEED) == 0;
      if (opens != fenced) {
        fenced = opens;
        Arrays.fill(access, opens ? FENCE : NONE);
      }
    }
  }

  /** Returns the error of assertions that are not true, or null. */
  private MpiException brokenPromise(int assertions, boolean wasOpen) {
    boolean precedes = (assertions & Constants.MODE_NOPRECEDE) == 0;
    if (!precedes && wasOpen) {
      return new MpiException(
          ErrorClass.ERR_ASSERT,
          "fence(): MODE_NOPRECEDE says that it ends no accesses, but this rank has started some since the last one");
    }
    return !precedes || checks.lockInFence() == null ? null : new MpiException(
        ErrorClass.ERR_RMA_SYNC,
        "fence(): " + checks.lockInFence() + " lies in the epoch between two fences: give the first one"
            + " MODE_NOSUCCEED, or this one MODE_NOPRECEDE");
  }

  private void fenceBarrier(int assertions) {
    if (checks != null) {
      checks.beforeFence();
    }
    synchronizer.barrier();
    if (checks != null && checks.afterFence(
        (assertions & Constants.MODE_NOSUCCEED) == 0, (assertions & Constants.MODE_NOPUT) == 0)) {
      synchronizer.barrier(); // no rank may access a part before all have removed their completed accesses
    }
  }

  /** Completes all accesses to a target. */
  private void completeAt(int target) {
    completion.complete(target);
    if (checks != null) {
      checks.completed(target);
    }
  }

  private void completeAt(int[] targets) {
    completion.completeAll(targets);
    for (int i = 0; checks != null && i < targets.length; i++) {
      checks.completed(targets[i]);
    }
  }

  private void completeAtAll() {
    completion.completeAll();
    if (checks != null) {
      checks.completedAll();
    }
  }

  /** Ends the epoch after a fence when the program synchronizes in another way. */
  private synchronized void endFenceEpoch() {
    if (fenced) {
      Arrays.fill(access, NONE);
      fenced = false; // a thread that sees this finds the array filled
    }
  }

  // ---- post, start, complete, wait

  public void post(Group origins, int assertions) {
    state.checkCommunication();
    checkAssertions(assertions, POST_ASSERTIONS, "MODE_NOCHECK, MODE_NOSTORE and MODE_NOPUT");
    int[] ranks = ranks("origins", origins);
    synchronized (this) {
      if (posted != null) {
        throw state.syncError("post(): " + open());
      }
      if (started == null) {
        endFenceEpoch();
      }
      posted = ranks;
    }
    try {
      if (checks != null) {
        checks.before(Order.POST, ranks);
      }
      for (int origin : ranks) {
        synchronizer.post(origin);
      }
    } catch (RuntimeException e) {
      endPost();
      throw state.failed(e);
    }
  }

  public Epoch start(Group targets, int assertions) {
    state.checkCommunication();
    checkAssertions(assertions, Constants.MODE_NOCHECK, "MODE_NOCHECK");
    int[] ranks = ranks("targets", targets);
    synchronized (this) {
      if (!locks.compareAndSet(0, OTHER)) {
        throw state.syncError("start(): " + open());
      }
      endFenceEpoch();
      started = ranks;
    }
    int posts = 0;
    try {
      for (; assertions == 0 && posts < ranks.length; posts++) {
        synchronizer.awaitPost(ranks[posts]);
      }
      AccessOrder.completeReads(); // what the targets have stored before they posted, if no call waits for their posts
    } catch (RuntimeException e) {
      started = null;
      locks.set(0);
      throw state.failed(e);
    } finally {
      for (; posts < ranks.length; posts++) {
        synchronizer.skipPost(ranks[posts]);
      }
    }
    for (int target : ranks) {
      access[target] = START;
    }
    if (checks != null) {
      run(() -> checks.after(Order.POST, ranks));
    }
    return startEpoch;
  }

  public void complete() {
    state.checkCommunication();
    int[] targets = started;
    if (targets == null) {
      throw state.syncError("complete(): no start() before it");
    }
    throwIfAny(endStart(targets));
  }

  /** Completes the accesses of an epoch, and notifies its targets, also of those that have failed. */
  private MpiException endStart(int[] targets) {
    for (int target : targets) {
      access[target] = NONE;
    }
    MpiException failure = state.failureOf(() -> completeAt(targets));
    synchronized (this) {
      started = null;
      locks.set(0);
    }
    if (checks != null) {
      failure = first(failure, state.failureOf(() -> checks.before(Order.COMPLETE, targets)));
    }
    for (int target : targets) {
      failure = first(failure, state.failureOf(() -> synchronizer.complete(target)));
    }
    return failure;
  }

  private synchronized void endPost() {
    posted = null;
  }

  private void closeStart() {
    if (started != null) {
      complete();
    }
  }

  public void await() {
    state.checkCommunication();
    int[] origins = posted;
    if (origins == null) {
      throw state.syncError("await(): no post() before it");
    }
    MpiException failure = state.failureOf(() -> synchronizer.awaitCompletes(origins));
    endPost();
    if (checks != null && failure == null) {
      failure = state.failureOf(() -> checks.after(Order.COMPLETE, origins));
    }
    throwIfAny(failure);
  }

  public boolean test() {
    state.checkCommunication();
    int[] origins = posted;
    if (origins == null) {
      throw state.syncError("test(): no post() before it");
    }
    boolean done;
    try {
      done = synchronizer.testCompletes(origins);
    } catch (RuntimeException e) {
      endPost();
      throw state.failed(e);
    }
    if (done) {
      endPost();
      if (checks != null) {
        run(() -> checks.after(Order.COMPLETE, origins));
      }
    }
    return done;
  }

  /** Returns the ranks of a group in the window. */
  private int[] ranks(String argument, Group group) {
    MpiException wrong = GroupAccess.notWithin(argument, group, state.world, state.channel);
    if (wrong != null) {
      throw state.raise(wrong);
    }
    Members members = GroupAccess.members(group, state.channel.engine());
    int[] ranks = new int[members.size()];
    for (int i = 0; i < ranks.length; i++) {
      ranks[i] = state.channel.rankOf(members.peer(i));
    }
    return ranks;
  }

  // ---- locks

  public Epoch lock(LockType type, int target, int assertions) {
    state.checkCommunication();
    if (type == null) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_LOCKTYPE, "type", null, "SHARED and EXCLUSIVE"));
    }
    state.checkRank("target", target);
    checkAssertions(assertions, Constants.MODE_NOCHECK, "MODE_NOCHECK");
    boolean exclusive = type == LockType.EXCLUSIVE;
    checkLocksAllowed();
    if (access[target] >= SHARED || access[target] == LOCKING || !countLock()) {
      throw state.syncError("lock() of rank " + target + ": " + open());
    }
    if (fenced) {
      lockAfterFence();
    }
    access[target] = LOCKING;
    if (assertions == 0) {
      try {
        acquire(target, exclusive);
      } catch (RuntimeException e) {
        access[target] = NONE;
        locks.getAndDecrement();
        throw state.failed(e);
      }
    } else {
      AccessOrder.complete();
    }
    access[target] = exclusive ? EXCLUSIVE : SHARED;
    Epoch epoch = epochs[target];
    if (epoch == null) {
      epoch = () -> closeLock(target);
      epochs[target] = epoch;
    }
    return epoch;
  }

  private void lockAfterFence() {
    if (fenced && checks != null) {
      checks.lockedAfterFence();
    }
    endFenceEpoch();
  }

  /** Counts one more lock. Returns false, with nothing counted, inside an epoch of another kind. */
  private boolean countLock() {
    int count = locks.get();
    while (count >= 0 && !locks.compareAndSet(count, count + 1)) {
      count = locks.get();
    }
    return count >= 0;
  }

  private void acquire(int target, boolean exclusive) {
    synchronizer.lock(target, exclusive);
    holds[target] = true;
    if (checks != null) {
      checks.locked(target, exclusive);
    }
  }

  private void checkLocksAllowed() {
    if (hints.noLocks()) {
      throw state.syncError("lock(): the window has the hint no_locks = true");
    }
  }

  public void unlock(int target) {
    state.checkCommunication();
    state.checkRank("target", target);
    byte by = access[target];
    if (by != SHARED && by != EXCLUSIVE) {
      throw state.syncError("unlock(): rank " + target + " is not locked by lock()");
    }
    throwIfAny(endLock(target));
  }

  /** Completes all operations at a target, and releases its lock if this rank holds it; returns the error, or null. */
  private MpiException endLock(int target) {
    boolean exclusive = access[target] == EXCLUSIVE;
    access[target] = NONE;
    MpiException failure = state.failureOf(() -> completeAt(target));
    if (!holds[target]) {
      AccessOrder.complete();
    }
    failure = first(failure, release(target, exclusive));
    locks.getAndDecrement();
    return failure;
  }

  /** Releases the lock of a target if this rank holds it; returns the error, or null. */
  private MpiException release(int target, boolean exclusive) {
    if (!holds[target]) {
      return null;
    }
    holds[target] = false;
    MpiException failure = checks == null ? null : state.failureOf(() -> checks.unlocking(target, exclusive));
    return first(failure, state.failureOf(() -> synchronizer.unlock(target, exclusive)));
  }

  private void closeLock(int target) {
    byte by = access[target];
    if (by == SHARED || by == EXCLUSIVE) {
      unlock(target);
    }
  }

  public Epoch lockAll(int assertions) {
    state.checkCommunication();
    checkAssertions(assertions, Constants.MODE_NOCHECK, "MODE_NOCHECK");
    synchronized (this) {
      checkLocksAllowed();
      if (!locks.compareAndSet(0, OTHER)) {
        throw state.syncError("lockAll(): " + open());
      }
      lockAfterFence();
      lockedAll = true;
    }
    try {
      for (int target = 0; target < access.length; target++) {
        if (assertions == 0 && isLate(target)) {
          access[target] = LATE;
        } else {
          if (assertions == 0) {
            acquire(target, false);
          }
          access[target] = ALL;
        }
      }
    } catch (RuntimeException e) {
      releaseAll(); // only the first error is reported
      throw state.failed(e);
    }
    if (assertions != 0) {
      AccessOrder.complete();
    }
    return allEpoch;
  }

  /**
   * Returns whether the first access acquires the lock of a target: it takes a round trip, and an answer of the target.
   * The own part may be accessed by loads and stores, of which the window does not know.
   */
  private boolean isLate(int target) {
    if (target == state.channel.rank() || !synchronizer.isFar(target)) {
      return false;
    }
    if (acquiring == null) {
      ReentrantLock[] made = new ReentrantLock[access.length];
      Arrays.setAll(made, _ -> new ReentrantLock());
      acquiring = made;
    }
    return true;
  }

  /** Acquires a lock that {@link #lockAll} has left to the first access; returns whether lockAll covers the target. */
  private boolean acquireLate(int target) {
    if (!lockedAll || acquiring == null || access[target] == NONE) {
      return false;
    }
    acquiring[target].lock(); // other threads that access the target need the lock as well
    try {
      if (access[target] == LATE) {
        acquire(target, false);
        access[target] = ALL;
      }
    } catch (RuntimeException e) {
      throw state.failed(e);
    } finally {
      acquiring[target].unlock();
    }
    return access[target] == ALL;
  }

  /** Releases the locks that {@link #lockAll} and accesses after it have acquired; returns the first error, or null. */
  private MpiException releaseAll() {
    Arrays.fill(access, NONE);
    MpiException failure = null;
    for (int target = 0; target < holds.length; target++) {
      failure = first(failure, release(target, false));
    }
    synchronized (this) {
      lockedAll = false;
      locks.set(0);
    }
    return failure;
  }

  public void unlockAll() {
    state.checkCommunication();
    if (!lockedAll) {
      throw state.syncError("unlockAll(): no lockAll() before it");
    }
    throwIfAny(endLockAll());
  }

  private MpiException endLockAll() {
    MpiException failure = state.failureOf(this::completeAtAll);
    AccessOrder.complete();
    return first(failure, releaseAll());
  }

  private void closeLockAll() {
    if (lockedAll) {
      unlockAll();
    }
  }

  /** Lists the open epochs that other ranks may wait for, by ranks of the window; -1 stands for all of them. */
  void list(EpochSource.Sink sink) {
    boolean all = lockedAll;
    for (boolean held : holds) {
      all &= held;
    }
    if (all) {
      sink.add(EpochSource.Kind.SHARED, Constants.ANY_SOURCE);
    }
    for (int target = 0; !all && target < holds.length; target++) {
      if (holds[target]) {
        sink.add(access[target] == EXCLUSIVE ? EpochSource.Kind.EXCLUSIVE : EpochSource.Kind.SHARED, target);
      }
    }
    list(sink, EpochSource.Kind.START, started);
    list(sink, EpochSource.Kind.POST, posted);
  }

  private static void list(EpochSource.Sink sink, EpochSource.Kind kind, int[] ranks) {
    for (int i = 0; ranks != null && i < ranks.length; i++) {
      sink.add(kind, ranks[i]);
    }
  }

  // ---- flush and sync

  public void flush(int target) {
    checkFlush(target);
    run(() -> completeAt(target));
    AccessOrder.complete();
  }

  public void flushLocal(int target) {
    checkFlush(target);
    run(() -> {
      completion.completeLocally(target);
      if (checks != null) {
        checks.completedLocally(target);
      }
    });
    AccessOrder.completeReads();
  }

  private void checkFlush(int target) {
    state.checkCommunication();
    state.checkRank("target", target);
    if (access[target] < SHARED && access[target] != LATE) {
      throw state.syncError("flush: rank " + target + " is not locked by lock() or lockAll()");
    }
  }

  public void flushAll() {
    checkFlushAll();
    run(this::completeAtAll);
    AccessOrder.complete();
  }

  public void flushLocalAll() {
    checkFlushAll();
    run(() -> {
      completion.completeAllLocally();
      if (checks != null) {
        checks.completedLocally(WindowWatch.ALL);
      }
    });
    AccessOrder.completeReads();
  }

  private void checkFlushAll() {
    state.checkCommunication();
    if (!lockedAll && locks.get() <= 0) {
      throw state.syncError("flush: no rank is locked by lock() or lockAll()");
    }
  }

  public void sync() {
    state.checkOpen();
    VarHandle.fullFence();
  }

  private static MpiException first(MpiException failure, MpiException later) {
    return failure == null ? later : failure;
  }

  private void throwIfAny(MpiException failure) {
    if (failure != null) {
      throw state.raise(failure);
    }
  }

  private void run(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }
}
