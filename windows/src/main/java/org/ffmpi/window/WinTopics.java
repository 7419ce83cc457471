// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.port.WindowBase;
import org.ffmpi.spi.CallObserver;
import org.ffmpi.spi.CountedMemory;
import org.ffmpi.spi.WindowWatch;

/**
 * The implementation of every {@link org.ffmpi.Win}: one object for each topic of its calls. The generated subclass
 * forwards the methods of {@code Win} to these objects.
 */
abstract sealed class WinTopics implements WindowBase permits ForwardingWin {
  final WindowState state;
  final WindowMemory memory;
  final WindowProperties properties;
  final Epochs epochs;
  final WindowData data;
  final Accumulations accumulations;
  final WindowRequests requests;
  private final Synchronizer synchronizer;
  private final RemoteAccess remote;
  /** Null unless everything is checked. */
  private final WindowChecks checks;
  /** Lease of the memory that the window was made over, if its users are counted; null otherwise. */
  private final CountedMemory.Lease lease;

  WinTopics(
      WindowState state, WindowMemory memory, WindowProperties properties, Epochs epochs, WindowData data,
      Accumulations accumulations, Synchronizer synchronizer, RemoteAccess remote,
      WindowChecks checks, CountedMemory.Lease lease) {
    this.state = state;
    this.memory = memory;
    this.properties = properties;
    this.epochs = epochs;
    this.data = data;
    this.accumulations = accumulations;
    this.requests = new WindowRequests(state, epochs, data, accumulations, remote, checks);
    this.synchronizer = synchronizer;
    this.remote = remote;
    this.checks = checks;
    this.lease = lease;
    state.setWindow(this);
    if (Lifetimes.kept) {
      Lifetimes.made(this, "window");
    }
  }

  // ---- reports of the calls of observed windows

  /** Reports the beginning of a call; the buffer may be null. */
  final long begin(String call, int target, Buf<?> buffer) {
    long bytes = buffer == null ? 0 : buffer.count() * buffer.type().size();
    boolean isRank = target >= 0 && target < state.size;
    return state.engine.observer()
        .begin(CallObserver.Kind.WINDOW, call, state.channel, isRank ? target : CallObserver.NO_TARGET, bytes);
  }

  final void end(long begun) {
    state.engine.observer().end(begun);
  }

  /** Returns an epoch whose end is reported too. */
  final Epoch epoch(Epoch opened, String call, int target) {
    String ending = call.startsWith("lock") ? "un" + call : "complete";
    return () -> {
      long begun = begin(ending, target, null);
      try {
        opened.close();
      } finally {
        end(begun);
      }
    };
  }

  @Override
  public Object predefined(String name) {
    return memory.predefined(name);
  }

  @Standard({"MPI_Win_free"})
  @Override
  public void close() {
    if (state.isClosed() || !state.world.isOpen()) {
      return;
    }
    state.checkCommunication();
    if (Lifetimes.kept) {
      Lifetimes.freed(this);
    }
    // Every step is taken, also after one that has thrown: other ranks wait for this one, and its memory is freed.
    MpiException failure = epochs.endAll();
    failure = after(failure, properties::deleteAttributes);
    failure = after(failure, remote::completeAll);
    if (checks != null) {
      failure = after(failure, () -> checks.before(WindowWatch.Order.CLOSE));
    }
    failure = after(failure, this::awaitAll);
    if (checks != null) {
      failure = after(failure, () -> checks.after(WindowWatch.Order.CLOSE));
    }
    failure = after(failure, synchronizer::close);
    failure = after(failure, remote::close);
    state.close();
    state.channel.close();
    if (lease != null) {
      lease.close();
    }
    if (failure != null) {
      throw state.raise(failure);
    }
  }

  private MpiException after(MpiException failure, Runnable step) {
    MpiException found = state.failureOf(step);
    return failure == null ? found : failure;
  }

  private void awaitAll() {
    boolean all = false;
    try {
      synchronizer.barrier();
      all = true;
    } finally {
      if (!all) {
        KeptMemory.keep(state.world, memory);
      }
    }
  }

  @Override
  public String toString() {
    return (properties.name().isEmpty() ? "Win" : properties.name()) + "[rank " + state.channel.rank() + " of "
        + state.size + ", " + memory.size() + " bytes]";
  }
}
