// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Runs ranks as threads of which exactly one is running, handing over at random where a rank waits: blocking calls with
 * a schedule that its seed reproduces.
 */
final class Baton {
  /** Hand-overs without an event after which nothing can happen any more. */
  private static final int PATIENCE = 20_000;

  private final SimNetwork network;
  private final Random random;
  private final Semaphore[] turns;
  private final Semaphore end = new Semaphore(0);
  private final List<Integer> running = new ArrayList<>();
  private final ThreadLocal<Integer> self = new ThreadLocal<>();
  private Throwable failure;
  private long lastEvents;
  private int idle;

  Baton(int size, SimNetwork network, Random random) {
    this.network = network;
    this.random = random;
    this.turns = new Semaphore[size];
    for (int i = 0; i < size; i++) {
      turns[i] = new Semaphore(0);
    }
    network.pause = this::pause;
  }

  /** Runs the body once per rank and returns when all have ended; throws the first failure. */
  void run(IntConsumer body) throws InterruptedException {
    for (int rank = 0; rank < turns.length; rank++) {
      int r = rank;
      running.add(r);
      Thread.ofPlatform().daemon().name("rank " + r).start(() -> rank(r, body));
    }
    turns[random.nextInt(turns.length)].release();
    if (!end.tryAcquire(60, TimeUnit.SECONDS)) {
      throw new AssertionError("time is over");
    }
    if (failure != null) {
      throw new AssertionError(failure);
    }
  }

  private void rank(int rank, IntConsumer body) {
    self.set(rank);
    turns[rank].acquireUninterruptibly();
    try {
      body.accept(rank);
    } catch (Throwable t) {
      failure = failure == null ? t : failure;
    }
    running.remove((Integer) rank);
    if (running.isEmpty() || failure != null) {
      end.release();
    } else {
      turns[running.get(random.nextInt(running.size()))].release();
    }
  }

  private void pause() {
    for (int i = random.nextInt(3); i > 0; i--) {
      network.step();
    }
    idle = network.events() == lastEvents ? idle + 1 : 0;
    lastEvents = network.events();
    if (idle > PATIENCE) {
      throw new AssertionError("all ranks wait and nothing can happen");
    }
    int next = running.get(random.nextInt(running.size()));
    int own = self.get();
    if (next != own) {
      turns[next].release();
      turns[own].acquireUninterruptibly();
    }
  }
}
