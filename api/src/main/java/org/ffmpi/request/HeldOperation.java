// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ffmpi.Buf;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.spi.CountedMemory;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * An operation on memory whose users are counted: holds it until the operation it stands for is complete. Ordinary
 * memory never meets this class.
 *
 * <p>Made by the thread that starts the operation. Any thread that waits for it or tests it may be the one that finds
 * it complete and gives the memory back, which happens before it counts as complete here; an operation that no call
 * completes is given back when the rank leaves its world.
 */
public final class HeldOperation extends Operation {
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
  private final List<CountedMemory.Lease> leases;
  private boolean ended;

  private HeldOperation(World world, Operation held, List<CountedMemory.Lease> leases) {
    this.world = world;
    this.held = held;
    this.leases = leases;
  }

  /**
   * Starts an operation, with its memory held from before it starts. What goes wrong is thrown, and left to the caller
   * to put through an error handler.
   *
   * @param bufs the buffers it uses; null and in-place ones are passed over
   * @return what was started; for counted memory, unless that is complete already, an operation that stands for it
   */
  public static Operation start(World world, Supplier<Operation> start, Buf<?>... bufs) {
    List<CountedMemory.Lease> leases = hold(bufs);
    if (leases.isEmpty()) {
      return start.get();
    }
    Operation started;
    try {
      started = start.get();
    } catch (RuntimeException e) {
      try {
        giveBack(leases);
      } catch (MpiException lost) {
        e.addSuppressed(lost);
      }
      throw e;
    }
    if (started == world.engine().completed()) { // which many share
      giveBack(leases);
      return started;
    }
    HeldOperation operation = new HeldOperation(world, started, leases);
    world.hold(operation);
    started.parent(operation);
    operation.advance();
    return operation;
  }

  /** Returns what starts an operation that is started again and again: the given one when no memory is counted. */
  public static Supplier<Operation> starter(World world, Supplier<Operation> start, Buf<?>... bufs) {
    for (Buf<?> buf : bufs) {
      if (buf != null && BufImpl.of(buf).isCounted()) {
        return () -> start(world, start, bufs);
      }
    }
    return start;
  }

  private static List<CountedMemory.Lease> hold(Buf<?>... bufs) {
    List<CountedMemory.Lease> leases = List.of();
    for (Buf<?> buf : bufs) {
      if (buf != null && BufImpl.of(buf).isCounted()) {
        leases = leases.isEmpty() ? new ArrayList<>(bufs.length) : leases;
        try {
          leases.add(BufImpl.of(buf).lease());
        } catch (RuntimeException e) {
          giveBack(leases);
          throw e;
        }
      }
    }
    return leases;
  }

  /** Gives all back, then throws the first thing that went wrong with that. */
  private static void giveBack(List<CountedMemory.Lease> leases) {
    RuntimeException lost = null;
    for (CountedMemory.Lease lease : leases) {
      try {
        lease.close();
      } catch (RuntimeException e) {
        lost = lost == null ? e : lost;
      }
    }
    if (lost != null) {
      throw Failures.translate(lost);
    }
  }

  /** Gives the memory back although the operation has not ended: its world has, and nothing touches memory any more. */
  public void giveUp() {
    if (ENDED.compareAndSet(this, false, true)) {
      end();
    }
  }

  @Override
  public boolean advance() {
    if (!held.isDone() && !(held.advance() && held.isDone()) || !ENDED.compareAndSet(this, false, true)) {
      return false;
    }
    MpiException lost = end();
    MpiException error = held.error() != null ? held.error() : lost;
    if (error != null) {
      fail(error);
    } else {
      complete();
    }
    return true;
  }

  /** Gives the memory back; returns what went wrong with that, or null. */
  private MpiException end() {
    world.release(this);
    try {
      giveBack(leases);
      return null;
    } catch (MpiException lost) {
      return lost;
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
