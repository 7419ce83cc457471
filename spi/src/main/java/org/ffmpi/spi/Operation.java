// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.ffmpi.base.MpiException;

/**
 * The engine-neutral half of a request: one nonblocking operation in flight.
 *
 * <p>An operation completes exactly once, in the thread that makes the last step; {@link #isDone} then stays true and
 * its result ({@link #error}, {@link #envelope}) no longer changes. Completion is a plain field published with release
 * order and read with acquire order: everything the completing thread wrote (the received payload included) is visible
 * to a thread that has seen {@code isDone()}.
 *
 * <p>Threads wait through {@link Engine#await} only; a thread that is parked there is woken by the completion.
 */
public abstract class Operation implements WaitSubject {
  private static final VarHandle DONE;
  private static final VarHandle HEIR;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      DONE = lookup.findVarHandle(Operation.class, "done", boolean.class);
      HEIR = lookup.findVarHandle(Operation.class, "heir", Consumer.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Written with release order only, which is cheaper than a volatile write. */
  private volatile boolean done;

  private volatile Thread waiter;
  private Operation parent;
  private MpiException error;

  /** The number of an observer; 0 for operations without one. */
  private long mark;

  /** The consumer of the error of an abandoned operation. */
  private Consumer<MpiException> heir;

  /** Creates an operation that is not complete. */
  protected Operation() {}

  /**
   * Returns whether the operation has completed, successfully or not. Never blocks and makes no progress.
   *
   * @return true once complete
   */
  public final boolean isDone() {
    return done;
  }

  /**
   * Returns why the operation failed.
   *
   * @return the error, or null when it succeeded or is still pending
   */
  public final MpiException error() {
    return error;
  }

  /**
   * Returns the number that an observer has given this operation, by which it recognizes its end.
   *
   * @return 0 without an observer
   */
  public final long mark() {
    return mark;
  }

  /**
   * Sets the number of an observer. An operation that wraps another one takes over its number.
   *
   * @param number 0 once the end of the operation is known
   */
  public final void mark(long number) {
    mark = number;
  }

  /**
   * Copies the envelope of the received message into {@code into}; the empty envelope for operations that receive
   * nothing. Call only when complete.
   *
   * @param into the envelope to fill
   */
  public void envelope(Envelope into) {
    into.clear();
  }

  /**
   * Returns the matching context of the messages that this operation consists of, for operations that a communicator
   * has started and the engine's progress advances. The default is for all others.
   *
   * @return the context, or -1 for none
   */
  public long matchingContext() {
    return -1;
  }

  /**
   * Returns whether the program itself completes this operation, as a generalized request.
   *
   * @return false for operations that progress completes
   */
  public boolean isOfProgram() {
    return false;
  }

  /** {@inheritDoc} The default describes nothing. */
  @Override
  public void describe(WaitNote note) {}

  /**
   * Asks to cancel. Local: never waits for a peer. The operation still has to complete, as cancelled or normally.
   *
   * @return true when the operation will complete as cancelled
   */
  public boolean cancel() {
    return false;
  }

  /**
   * Declares that no thread will wait for or test this operation any more; it continues all the same. Called at most
   * once, with no engine lock held. Operations that progress only in {@link #advance} override this: they register
   * themselves, or pass the call on to their parts.
   *
   * @param onError receives the error, if the operation fails or has failed: at most once, by the thread that completes
   *     it or by this one, possibly under locks of the engine; neither blocks nor throws
   */
  public void abandon(Consumer<MpiException> onError) {
    HEIR.setVolatile(this, onError);
    VarHandle.fullFence();
    if (isDone()) {
      notifyHeir();
    }
  }

  @SuppressWarnings("unchecked") // the field's type
  private void notifyHeir() {
    Consumer<MpiException> onError = (Consumer<MpiException>) HEIR.getAndSet(this, null);
    if (onError != null && error != null) {
      onError.accept(error);
    }
  }

  /**
   * Makes as much progress as this operation itself can, in the calling thread; called with no engine lock held, by
   * threads that wait for or test it and, for registered operations, by the polling thread. The default does nothing.
   *
   * @return true when it made progress
   */
  public boolean advance() {
    return false;
  }

  /**
   * Carries this operation to its end in the calling thread, which waits for nothing else. Called by engines, with no
   * lock held and while no other thread advances it; an operation that cannot be driven now is left as it is, to
   * be advanced. The default does nothing.
   */
  public void drive() {}

  /**
   * Releases the object: the program has the result and will not ask for it again. The object may serve another
   * operation. The default does nothing.
   */
  public void release() {}

  /**
   * Makes the completion of this operation wake {@code parent}'s waiter; used by composite operations.
   *
   * @param parent the operation this one is a step of
   */
  public final void parent(Operation parent) {
    this.parent = parent;
  }

  /**
   * Returns whether this operation is a step of another one.
   *
   * @return true once {@link #parent(Operation)} has been called
   */
  protected final boolean hasParent() {
    return parent != null;
  }

  /**
   * Returns the operation that this one is a step of.
   *
   * @return null for an operation of its own
   */
  public final Operation parent() {
    return parent;
  }

  /**
   * Returns the place of the call that has started this operation, for those who explain why a job stands still.
   *
   * @return null where no layer has kept it
   */
  public CallPlace startPlace() {
    return null;
  }

  /**
   * Names the thread to wake on completion. The caller re-checks {@link #isDone} after this call and before it parks.
   *
   * @param thread the thread that is about to park, or null to withdraw
   */
  public final void waiter(Thread thread) {
    waiter = thread;
  }

  /**
   * Marks this operation complete and wakes the thread that waits for it or for its parent. Called exactly once.
   *
   * <p>No fence lies between the two, which would cost more than the rest of a small receive: a thread that parks at
   * this very moment may be missed. Engines therefore limit the first park to about a millisecond.
   */
  protected final void complete() {
    Operation p = parent;
    DONE.setRelease(this, true);
    wakeWaiter();
    if (p != null) {
      p.childCompleted();
    }
  }

  /**
   * Called when an operation whose {@link #parent(Operation) parent} this is has completed, by the completing thread,
   * which may hold locks of the engine. The default wakes the thread that waits for this operation, which may be
   * complete after its next {@link #advance}, and notifies this operation's own parent.
   */
  protected void childCompleted() {
    wakeWaiter();
    Operation p = parent;
    if (p != null) {
      p.childCompleted();
    }
  }

  /**
   * Marks this operation complete without waking a thread: for an operation whose waiter can only be the calling
   * thread.
   */
  protected final void completeQuietly() {
    DONE.setRelease(this, true);
  }

  /**
   * Completes with an error.
   *
   * @param reason what went wrong
   */
  protected final void fail(MpiException reason) {
    error = reason;
    complete();
    VarHandle.fullFence(); // either this thread sees the heir, or the heir's thread sees the completion
    notifyHeir();
  }

  /** Makes a completed operation pending again, for pooled and persistent operations; no thread may be using it. */
  protected final void renew() {
    error = null;
    parent = null;
    if (waiter != null) {
      waiter = null;
    }
    heir = null;
    if (mark != 0) {
      mark = 0;
    }
    DONE.setRelease(this, false);
  }

  private void wakeWaiter() {
    Thread t = waiter;
    if (t != null) {
      LockSupport.unpark(t);
    }
  }
}
