// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.ffmpi.base.MpiException;
import org.ffmpi.shm.posix.Posix;
import org.ffmpi.shm.posix.PosixLoader;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.Operation;

/**
 * How threads wait. One thread of a rank at a time is the poller: it looks at the rings, spins, yields and finally
 * sleeps on the rank's wait word. All others park on their own operation and are unparked by its completion or, when
 * the poller leaves, to take over.
 *
 * <p><b>Sleeping without a fence on the sender's path.</b> A sender publishes with a release store and then looks at
 * the receiver's wait word, with no fence between: on its way to sleep, a receiver may miss a message whose sender
 * misses the announcement. Both can only happen while the sender's store is still in its core's buffer, some
 * microseconds at the most. So the first sleep is {@value #FIRST_SLEEP_NANOS} ns at the longest, and the word stays
 * announced over all further ones: whoever stores after that first sleep sees it. The decision and its measurements are
 * in {@code docs/decisions/0004-waiting.md}.
 */
final class Waiting {
  static final long FIRST_SLEEP_NANOS = 1_000_000;

  /** Later sleeps end now and then to look for the end of the job and for peers that have gone. */
  private static final long LATER_SLEEP_NANOS = 20_000_000;

  /** While libc is not linked, and for virtual threads, which must not block their carrier in a system call. */
  private static final long NAP_NANOS = 50_000;

  private static final long PARK_NANOS = 1_000_000;
  private static final int PARKS_PER_SWEEP = 32;

  /** Waits until both sides' code is compiled yield early: a spinning rank would starve its own compiler threads. */
  private static final int COLD_WAITS = 20_000;

  private static final int COLD_SPINS = 50;

  private static final int FIRST_LOOKS = 32;

  /** Looks at the one ring from which the message must come, between two looks at everything. */
  private static final int LOOKS = 8;

  /** Looks at the one word that a peer is about to store to, between two looks at everything; a power of two. */
  private static final int LOOKS_AT_STORE = 16;

  /**
   * How often a thread that waits for a store yields before it looks at everything: where ranks share cores, the store
   * is there when it has its core back, while all rings together fill a good part of a cache. Later looks see them.
   */
  private static final int FIRST_YIELDS = 2;

  /** Looks of the progress thread in a row that find nothing, before it sleeps. */
  private static final int SERVING_LOOKS = 20;

  private final ShmEngine engine;
  private final ConcurrentLinkedQueue<Thread> parked = new ConcurrentLinkedQueue<>();

  /** Those of the parked that wait for no operation and are to look again whenever something has moved. */
  private final ConcurrentLinkedQueue<Thread> lookers = new ConcurrentLinkedQueue<>();

  /** How many platform threads are parked: the progress thread leaves polling to them, virtual ones rely on it. */
  private final AtomicInteger parkedThreads = new AtomicInteger();

  /** The rank's progress thread, or null. */
  private volatile Thread server;

  /** The progress thread is the poller. */
  private volatile boolean serving;

  private volatile boolean resting;

  private final int spins;
  private final int storeSpins;
  private final int yields;
  private final int firstLooks;
  private int waits;

  Waiting(ShmEngine engine) {
    this.engine = engine;
    this.spins = engine.options.spins();
    this.storeSpins = engine.options.storeSpins();
    this.yields = engine.options.yields();
    this.firstLooks = Math.min(FIRST_LOOKS, spins / 2);
  }

  /** Blocks until the operation is complete. */
  void await(Operation op) {
    if (op.isDone()) {
      return;
    }
    if (op instanceof Posted || op instanceof SendOp) {
      if (engine.lock.tryLock()) {
        try {
          spinLocked(op);
        } finally {
          engine.unlock();
        }
      }
      if (!op.isDone()) {
        awaitAfterLock(op);
      }
      return;
    }
    awaitParts(op);
    if (!op.isDone()) {
      slowly(op::isDone, op, Long.MAX_VALUE);
    }
  }

  /** The fast part of waiting for an operation made of others: alone, it is driven, like a blocking call. */
  private void awaitParts(Operation op) {
    Registered registered = engine.registered();
    if (registered.takeOnly(op)) {
      op.drive();
      if (op.isDone()) {
        return;
      }
      engine.register(op);
    }
    op.advance();
    spin(op);
    if (op.isDone()) {
      registered.forget(op);
    }
  }

  /** Blocks until one of the engine's own operations is complete; to spin with the lock held was no use, or no way. */
  void awaitAfterLock(Operation op) {
    if (engine.hasRegistered()) {
      spin(op);
    }
    slowly(op::isDone, op, Long.MAX_VALUE);
  }

  /** Looks at one ring before a blocking receive is posted: about a microsecond, in which nothing else moves. */
  int firstLooks() {
    return engine.hasRegistered() ? 0 : firstLooks;
  }

  private int limit() {
    return waits++ < COLD_WAITS ? Math.min(COLD_SPINS, spins) : spins;
  }

  /**
   * The fast part of waiting for one of the engine's own operations: no allocation, no system call. Called with the
   * engine's lock held and keeps it, as long as no other thread wants it: taking it anew for each look would cost more
   * than the look.
   */
  void spinLocked(Operation op) {
    if (engine.hasRegistered()) {
      return; // their steps take the lock themselves
    }
    Inbound likely = op instanceof Posted p && p.peer >= 0 ? engine.inbound(p.peer) : null;
    int left = limit(); // every look counts: a rank that shares its core must not wait it away
    while (left > 0 && !engine.lock.isWanted()) {
      if (likely != null) {
        for (int look = Math.min(LOOKS, left); look > 0 && !likely.isReady(); look--) {
          Thread.onSpinWait();
          left--;
        }
        if (likely.drain() > 0 && op.isDone()) {
          return;
        }
      }
      if (engine.pollLocked() > 0) {
        if (op.isDone()) {
          return;
        }
        engine.wake(engine.ownBlock); // what moved may be another thread's, and that thread asleep as the poller
        left = limit();
      }
      Thread.onSpinWait();
      left--;
    }
  }

  /** Polls for an operation, with operations made of others moving as well. */
  private void spin(Operation op) {
    int limit = limit();
    for (int i = 0; i <= limit && !op.isDone(); i++) {
      if (engine.pollOnce() > 0) {
        op.advance();
        i = 0;
      }
      Thread.onSpinWait();
    }
  }

  /** Blocks until a store of a peer makes the condition true: no allocation and no system call while that is soon. */
  void awaitStore(BooleanSupplier condition) {
    int limit = Math.min(limit(), storeSpins);
    for (int i = 0; i <= limit; i++) {
      if (condition.getAsBoolean()) {
        return;
      }
      if ((i & LOOKS_AT_STORE - 1) == LOOKS_AT_STORE - 1 && engine.pollOnce() > 0) {
        i = 0;
      }
      Thread.onSpinWait();
    }
    for (int i = 0; i < FIRST_YIELDS; i++) {
      Thread.yield();
      if (condition.getAsBoolean()) {
        return;
      }
    }
    if (!awaitAsPoller(condition)) {
      awaitStoreParked(condition);
    }
  }

  /** Waits as the thread that looks for messages, if that role is free; false when it is not, or no more. */
  private boolean awaitAsPoller(BooleanSupplier condition) {
    if (!mayPoll() || !engine.poller.tryLock()) {
      return false;
    }
    try {
      return poll(condition, null, Long.MAX_VALUE);
    } finally {
      leavePoller();
    }
  }

  /** Waits while another thread looks for messages, and has it look at this condition, too. */
  private void awaitStoreParked(BooleanSupplier condition) {
    StoreWait wait = new StoreWait(condition);
    engine.register(wait);
    slowly(wait::isDone, wait, Long.MAX_VALUE);
    if (wait.error() != null) {
      throw wait.error();
    }
  }

  /** The wait for a store of a peer as an operation that anybody who makes progress completes. */
  private static final class StoreWait extends GatedOperation {
    private final BooleanSupplier condition;

    StoreWait(BooleanSupplier condition) {
      this.condition = condition;
      open();
    }

    @Override
    public boolean advance() {
      if (!enter()) {
        return false;
      }
      try {
        do {
          if (condition.getAsBoolean()) {
            close();
            complete();
            return true;
          }
        } while (!leave());
      } catch (MpiException e) {
        close();
        fail(e);
        return true;
      }
      return false;
    }
  }

  /** Blocks until the condition holds; {@code op} may be null. False when the time was over first. */
  boolean until(BooleanSupplier condition, Operation op, long nanos) {
    return slowly(condition, op, nanos);
  }

  private boolean slowly(BooleanSupplier condition, Operation op, long nanos) {
    boolean interrupted = false;
    int parks = 0;
    long deadline = nanos == Long.MAX_VALUE ? Long.MAX_VALUE : System.nanoTime() + nanos;
    try {
      while (!condition.getAsBoolean()) {
        interrupted |= Thread.interrupted(); // an interrupted thread could not park; it gets its status back at the end
        if (op != null) {
          op.advance();
        }
        if (isOver(deadline)) {
          return condition.getAsBoolean();
        }
        if (mayPoll() && engine.poller.tryLock()) {
          try {
            if (poll(condition, op, deadline)) {
              return true;
            }
          } finally {
            leavePoller();
          }
        } else if (engine.poller.isClosed()) {
          throw engine.left();
        } else {
          park(condition, op, deadline);
          if (++parks % PARKS_PER_SWEEP == 0) {
            engine.sweepGone(true); // the progress thread does not ask for those who wait
          }
        }
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Virtual threads leave polling to the progress thread, if there is one: they cannot sleep on the wait word. */
  private boolean mayPoll() {
    return server == null || !Thread.currentThread().isVirtual();
  }

  /**
   * Polls as the poller: true when the condition holds, false when the time is over or an interrupt is to be put aside.
   */
  private boolean poll(BooleanSupplier condition, Operation op, long deadline) {
    int idle = 0;
    while (true) {
      if (engine.pollOnce() > 0) {
        idle = 0;
        wakeLookers();
      }
      if (op != null) {
        op.advance(); // also when nothing moved: another thread may have left it a message that only this one may take
      }
      if (condition.getAsBoolean()) {
        return true;
      }
      if (idle++ < yields) {
        Thread.yield();
        continue;
      }
      if (isOver(deadline) || Thread.currentThread().isInterrupted()) {
        return false;
      }
      engine.checkEnded();
      if (engine.sweepGone(true) == 0) {
        sleep(condition, deadline);
        wakeLookers(); // what woke this thread may be theirs
      }
      idle = Math.max(0, yields - 2); // a look or two after each sleep, not the whole round again
    }
  }

  private static boolean isOver(long deadline) {
    return deadline != Long.MAX_VALUE && System.nanoTime() - deadline >= 0;
  }

  /** Sleeps on the wait word until a peer or another thread of this rank wakes it, or it is time to look around. */
  private void sleep(BooleanSupplier condition, long deadline) {
    if (!PosixLoader.isReady() || Thread.currentThread().isVirtual()) {
      PosixLoader.whenReady(engine.linked);
      LockSupport.parkNanos(NAP_NANOS);
      return;
    }
    long word = RankLayout.waitAddress(engine.ownBlock);
    RankLayout.setVolatileWait(engine.ownBlock, 1);
    try {
      long nanos = FIRST_SLEEP_NANOS;
      while (engine.findsNothing() && !condition.getAsBoolean() && !engine.segment.isEnded()) {
        if (deadline != Long.MAX_VALUE) {
          nanos = Math.clamp(deadline - System.nanoTime(), 1, nanos);
        }
        if (Posix.futexWait(word, 1, nanos) == 0 || RankLayout.getOpaqueWait(engine.ownBlock) == 0
            || nanos == LATER_SLEEP_NANOS || isOver(deadline)) {
          return;
        }
        nanos = LATER_SLEEP_NANOS;
      }
    } finally {
      RankLayout.setVolatileWait(engine.ownBlock, 0);
    }
  }

  /** Waits while another thread of this rank polls. */
  private void park(BooleanSupplier condition, Operation op, long deadline) {
    Thread me = Thread.currentThread();
    if (op != null) {
      op.waiter(me);
    }
    parked.add(me);
    boolean isThread = !me.isVirtual();
    if (isThread) {
      parkedThreads.getAndIncrement();
    }
    if (op == null) {
      lookers.add(me);
    }
    try {
      if (serving && isThread) {
        engine.wakeOwn(); // the progress thread, which gives way
      }
      if (!condition.getAsBoolean() && !isOver(deadline)) {
        LockSupport.parkNanos(PARK_NANOS);
      }
    } finally {
      parked.remove(me);
      if (isThread) {
        parkedThreads.getAndDecrement();
      }
      if (op == null) {
        lookers.remove(me);
      } else {
        op.waiter(null);
      }
    }
    engine.checkEnded();
    if (!condition.getAsBoolean()) {
      engine.pollOnce(); // a confined buffer may wait for this very thread
    }
  }

  /** Stops being the poller and has another waiting thread take over. */
  private void leavePoller() {
    engine.poller.unlock();
    Thread next = parked.peek();
    if (next != null) {
      LockSupport.unpark(next);
    } else if (server != null) {
      // Napping it looks up soon enough; to wake it each time would take a switch of threads from every longer wait.
      VarHandle.fullFence();
      if (resting) {
        LockSupport.unpark(server);
      }
    }
  }

  /** Has threads look again that wait for something else than an operation. */
  void wakeLookers() {
    for (Thread t : lookers) {
      LockSupport.unpark(t);
    }
  }

  // ---- for the progress thread

  void servedBy(Thread progress) {
    server = progress;
  }

  /** Says whether the progress thread, should it fail to {@link #serve}, is to be woken when the poller leaves. */
  void resting(boolean is) {
    resting = is;
  }

  /**
   * Polls for this rank as long as no other thread looks for messages or waits to.
   *
   * @param wanted whether {@code between} has something to do
   * @param asked whether somebody relies on being told of completions
   * @param between what to do after each look, no lock held
   * @return false when another thread is the poller
   */
  boolean serve(BooleanSupplier wanted, BooleanSupplier asked, Runnable between) {
    if (!engine.poller.tryLock()) {
      return false;
    }
    serving = true;
    try {
      int idle = 0;
      long looks = engine.looks();
      while (!engine.isOver() && parkedThreads.get() == 0 && engine.looks() == looks) {
        if (engine.pollOnce() > 0) {
          idle = 0;
          wakeLookers();
        }
        between.run();
        if (idle++ >= SERVING_LOOKS) {
          if (engine.sweepGone(asked.getAsBoolean()) == 0) {
            sleep(() -> wanted.getAsBoolean() || parkedThreads.get() != 0, Long.MAX_VALUE);
          }
          between.run();
          idle = SERVING_LOOKS / 2;
        }
        looks = engine.looks();
      }
      return true;
    } finally {
      serving = false;
      leavePoller();
    }
  }
}
