// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.ffmpi.Mpi;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;

/**
 * One collective call of one rank, what is expected of it and whether that came true. {@link #prepare} exchanges the
 * oracle's messages, so that all ranks of the communicator have to be there.
 */
abstract class Trial implements AutoCloseable {
  final Plan plan;
  final RandomGenerator own;
  Calls calls;
  /** Null where this rank has nothing to send, or nothing to receive. */
  Side send;
  Side recv;
  private Persistent persistent;

  /** A call in its three forms. */
  record Calls(Runnable blocking, Supplier<Request> nonblocking, Supplier<Persistent> persistent) {}

  Trial(Plan plan, RandomGenerator own) {
    this.plan = plan;
    this.own = own;
  }

  static Trial of(Plan plan, Mpi mpi, RandomGenerator own) {
    return plan.kind().isReduction() ? new Reduction(plan, mpi, own) : new Move(plan, mpi, own);
  }

  /** Gives the buffers new contents and finds out what has to become of them. */
  final void prepare() {
    fill(send);
    fill(recv);
    ask();
  }

  private void fill(Side side) {
    if (side != null) {
      side.fill(own);
    }
  }

  abstract void ask();

  /** Starts the call: the first time, or a persistent one again. Null when it was a blocking one. */
  final Request start() {
    switch (plan.form()) {
      case BLOCKING -> {
        calls.blocking().run();
        return null;
      }
      case NONBLOCKING -> {
        return calls.nonblocking().get();
      }
      default -> {
        init();
        persistent.start();
        return persistent;
      }
    }
  }

  /** Makes the request of a persistent call, whose turn among the calls of a communicator that is. */
  final void init() {
    if (persistent == null) {
      persistent = calls.persistent().get();
      assertFalse(persistent.isActive());
    }
  }

  final Persistent request() {
    return persistent;
  }

  final void check() {
    check(send);
    check(recv);
  }

  private void check(Side side) {
    if (side != null) {
      side.check(plan.toString());
    }
  }

  /** Makes the call as often as planned, and looks at the results. */
  final void run() {
    if (plan.form() == Plan.Form.PERSISTENT) {
      init();
    }
    for (int round = plan.form() == Plan.Form.PERSISTENT ? plan.rounds() : 1; round > 0; round--) {
      prepare();
      Request request = start();
      if (request != null) {
        complete(request);
      }
      check();
    }
  }

  private void complete(Request request) {
    switch (own.nextInt(3)) {
      case 0 -> request.await();
      case 1 -> {
        while (!request.test()) {
          Thread.onSpinWait();
        }
      }
      default -> {
        Status status = request.await(new Status());
        assertEquals(0, status.bytes());
      }
    }
    assertFalse(request.isActive());
    assertTrue(request.test(), "an inactive request is complete");
  }

  @Override
  public final void close() {
    if (persistent != null) {
      persistent.close();
    }
    if (send != null) {
      send.close();
    }
    if (recv != null) {
      recv.close();
    }
  }

  @Override
  public String toString() {
    return plan + (send == null ? "" : ", sends from " + send) + (recv == null ? "" : ", receives into " + recv);
  }
}
