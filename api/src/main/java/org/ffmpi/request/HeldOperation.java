// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.buffer.HeldMemory;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.process.WorldPart;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * An operation that wraps another one on counted memory or on elements that are objects, and holds that memory until
 * the other is complete. Operations on ordinary memory are not wrapped.
 *
 * <p>Made by the thread that starts the operation. Any thread that waits for it or tests it may find the wrapped
 * operation complete, deliver objects and release the memory, which happens before this one is complete. The memory of
 * an operation that no call completes is released when the rank leaves its world.
 */
public final class HeldOperation extends Operation implements WorldPart {
  private static final VarHandle ENDED;

  static {
    try {
      ENDED = MethodHandles.lookup().findVarHandle(HeldOperation.class, "ended", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final World world;
  private final Operation held;
  private final HeldMemory memory;
  private boolean ended;

  private HeldOperation(World world, Operation held, HeldMemory memory) {
    this.world = world;
    this.held = held;
    this.memory = memory;
    mark(held.mark());
  }

  /**
   * Holds the memory of an operation, then starts it. Errors are thrown, for the caller to pass to an error handler.
   *
   * @param uses the buffers it uses
   * @return the started operation, or for held memory its wrapper unless it is complete already
   */
  public static Operation start(World world, Supplier<Operation> start, BufUses uses) {
    if (uses.isEmpty()) {
      return start.get();
    }
    HeldMemory memory = uses.hold();
    Operation started;
    try {
      started = start.get();
      if (started == world.engine().completed()) { // which many share
        memory.deliver(started);
      }
    } catch (RuntimeException e) {
      try {
        memory.close();
      } catch (MpiException lost) {
        e.addSuppressed(lost);
      }
      throw e;
    }
    if (started == world.engine().completed()) {
      memory.close();
      return started;
    }
    HeldOperation operation = new HeldOperation(world, started, memory);
    world.add(operation);
    started.parent(operation);
    operation.advance();
    return operation;
  }

  /** Returns the starter of a persistent operation: the given one when no memory has to be held. */
  public static Supplier<Operation> starter(World world, Supplier<Operation> start, BufUses uses) {
    return uses.isEmpty() ? start : () -> start(world, start, uses);
  }

  /** Does nothing: the engine flushes the wrapped operation. */
  @Override
  public boolean flush(long nanos) {
    return true;
  }

  @Override
  public void withdraw() {
    cancel();
  }

  /** Releases the memory although the operation has not ended. */
  @Override
  public void release() {
    if (ENDED.compareAndSet(this, false, true)) {
      end(false);
    }
    if (held.isDone()) {
      held.release();
    }
  }

  @Override
  public boolean advance() {
    if (!held.isDone() && !(held.advance() && held.isDone()) || !ENDED.compareAndSet(this, false, true)) {
      return false;
    }
    MpiException lost = end(held.error() == null);
    MpiException error = held.error() != null ? held.error() : lost;
    if (error != null) {
      fail(error);
    } else {
      complete();
    }
    return true;
  }

  /** Delivers the result and releases the memory; returns the error of that, or null. */
  private MpiException end(boolean good) {
    world.remove(this);
    try (memory) {
      if (good) {
        memory.deliver(held);
      }
      return null;
    } catch (RuntimeException lost) {
      return Failures.translate(lost);
    }
  }

  /** No call will check it any more, so the threads that make progress do. */
  @Override
  public void abandon(Consumer<MpiException> onError) {
    super.abandon(onError);
    if (!isDone()) {
      world.engine().register(this);
    }
  }

  @Override
  public void describe(WaitNote note) {
    held.describe(note);
  }

  @Override
  public void envelope(Envelope into) {
    held.envelope(into);
  }

  @Override
  public boolean cancel() {
    boolean cancelled = held.cancel();
    advance();
    return cancelled;
  }
}
