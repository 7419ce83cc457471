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
 * An operation on memory whose users are counted, or on elements that are objects: holds it until the operation it
 * stands for is complete. Ordinary memory never meets this class.
 *
 * <p>Made by the thread that starts the operation. Any thread that waits for it or tests it may be the one that finds
 * it complete and gives the memory back, with objects
 * replaced by what has come, which happens before it counts as complete here; an operation that no call
 * completes is given back when the rank leaves its world.
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
  }

  /**
   * Starts an operation, with its memory held from before it starts. What goes wrong is thrown, and left to the caller
   * to put through an error handler.
   *
   * @param uses the buffers it uses
   * @return what was started; for memory that is held, unless that is complete already, an operation that stands for it
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

  /** Returns what starts an operation that is started again and again: the given one when nothing has to be held. */
  public static Supplier<Operation> starter(World world, Supplier<Operation> start, BufUses uses) {
    return uses.isEmpty() ? start : () -> start(world, start, uses);
  }

  /** Has nothing to send: the engine flushes what the operation has started. */
  @Override
  public boolean flush(long nanos) {
    return true;
  }

  @Override
  public void withdraw() {
    cancel();
  }

  /** Gives the memory back although the operation has not ended. */
  @Override
  public void release() {
    if (ENDED.compareAndSet(this, false, true)) {
      end(false);
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

  /** Gives the memory back, with what has come in it; returns what went wrong with that, or null. */
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

  /** No call will check it any more: the threads that make progress do. */
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
