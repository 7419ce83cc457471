// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.Operation;

/**
 * Compares the clock of this rank's node with that of peer 0, where the job has several nodes; ranks of one node have
 * one clock. The first rank of each other node asks peer 0 for its time, {@value #ROUNDS} times when the job begins and
 * again when it ends, and takes the answer with the shortest round trip: half of that bounds the error.
 *
 * <p>At the beginning this is an operation beside the program, which the rank's progress advances, so that no rank
 * waits. At the end the ranks concerned wait for {@value #LAST_MILLIS} ms at most.
 */
final class ClockCheck {
  private static final int ROUNDS = 16;
  private static final int LAST_MILLIS = 200;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** A context that no communicator has: those of {@code Channel} count up from 0. */
  private static final long CONTEXT = (1L << 46) + 2;

  private static final int ASK = 1;
  private static final int ANSWER = 2;

  /** What is asked: for the time, or that peer 0 need not wait for this node any longer. */
  private static final long TIME = 0;
  private static final long DONE = 1;

  private final Operation running;
  private final Responder responder;
  private final Asker asker;
  private final Engine engine;

  private ClockCheck(Engine engine, Responder responder, Asker asker) {
    this.engine = engine;
    this.responder = responder;
    this.asker = asker;
    this.running = responder != null ? responder : asker;
  }

  /** Begins to compare, if this rank has to. */
  static ClockCheck start(Engine engine, TraceBuffer buffer) {
    int others = 0;
    boolean first = true;
    int own = engine.node(engine.self());
    boolean[] seen = new boolean[engine.peers()];
    for (int peer = 0; peer < engine.peers(); peer++) {
      int node = engine.node(peer);
      first &= peer >= engine.self() || node != own;
      if (node != engine.node(0) && !seen[node]) {
        seen[node] = true;
        others++;
      }
    }
    ClockCheck check = new ClockCheck(
        engine,
        engine.self() == 0 && others > 0 ? new Responder(engine, others) : null,
        own != engine.node(0) && first ? new Asker(engine, buffer) : null);
    if (check.running != null) {
      engine.register(check.running);
    }
    return check;
  }

  /** Compares once more, before this rank leaves. */
  void finish(boolean failed) {
    if (running == null || failed || engine.endReason().isPresent()) {
      return;
    }
    try {
      long limit = LAST_MILLIS * NANOS_PER_MILLI;
      if (responder != null) {
        engine.awaitFor(responder, limit);
      } else if (engine.awaitFor(asker, limit)) {
        Asker last = asker.again();
        engine.register(last);
        engine.awaitFor(last, limit);
        last.stop();
      }
    } catch (MpiException e) {
      // the comparison at the beginning has to do
    }
  }

  private static Plan plan() {
    return TypeHandle.planOf(Datatype.INT64_T);
  }

  /** The operation by which peer 0 answers. Advanced by threads that make progress, one at a time. */
  private static final class Responder extends GatedOperation {
    private final Engine engine;
    private final long[] question = new long[1];
    private final Envelope envelope = new Envelope();
    private int asking;
    private Operation receive;

    Responder(Engine engine, int asking) {
      this.engine = engine;
      this.asking = asking;
      open();
    }

    @Override
    public boolean advance() {
      if (!enter()) {
        return false;
      }
      boolean moved = false;
      do {
        moved |= answer();
        if (asking == 0) {
          close();
          complete();
          return true;
        }
      } while (!leave());
      return moved;
    }

    private boolean answer() {
      boolean moved = false;
      while (asking > 0) {
        if (receive == null) {
          receive = engine.irecv(Memory.LONGS, question, 0, 1, plan(), Constants.ANY_SOURCE, CONTEXT, ASK);
        }
        if (!receive.isDone()) {
          return moved;
        }
        moved = true;
        if (receive.error() != null) {
          asking = 0;
          return true;
        }
        receive.envelope(envelope);
        receive.release();
        receive = null;
        if (question[0] == DONE) {
          asking--;
        } else {
          long[] now = {System.nanoTime()};
          engine.isend(Engine.STANDARD, Memory.LONGS, now, 0, 1, plan(), envelope.peer(), CONTEXT, ANSWER);
        }
      }
      return moved;
    }
  }

  /** The operation by which the first rank of a node asks. Advanced by threads that make progress, one at a time. */
  private static final class Asker extends GatedOperation {
    private final Engine engine;
    private final TraceBuffer buffer;
    private final long[] answer = new long[1];
    private int round;
    private long asked;
    private Operation receive;
    private long bestRoundTrip = Long.MAX_VALUE;
    private long bestOffset;
    private long bestTime;

    Asker(Engine engine, TraceBuffer buffer) {
      this.engine = engine;
      this.buffer = buffer;
      open();
    }

    Asker again() {
      return new Asker(engine, buffer);
    }

    @Override
    public boolean advance() {
      if (!enter()) {
        return false;
      }
      boolean moved = false;
      do {
        moved |= ask();
        if (round == ROUNDS) {
          close();
          complete();
          return true;
        }
      } while (!leave());
      return moved;
    }

    private boolean ask() {
      boolean moved = false;
      while (round < ROUNDS) {
        if (receive == null) {
          receive = engine.irecv(Memory.LONGS, answer, 0, 1, plan(), 0, CONTEXT, ANSWER);
          asked = System.nanoTime();
          engine.isend(Engine.STANDARD, Memory.LONGS, new long[] {TIME}, 0, 1, plan(), 0, CONTEXT, ASK);
        }
        if (!receive.isDone()) {
          return moved;
        }
        long now = System.nanoTime();
        moved = true;
        if (receive.error() != null) {
          round = ROUNDS;
          return true;
        }
        receive.release();
        receive = null;
        if (now - asked < bestRoundTrip) {
          bestRoundTrip = now - asked;
          bestTime = asked + bestRoundTrip / 2;
          bestOffset = answer[0] - bestTime;
        }
        if (++round == ROUNDS) {
          buffer.clock(bestTime, bestOffset, bestRoundTrip);
        }
      }
      return moved;
    }

    /** Announces to peer 0 that no question follows. */
    void stop() {
      engine.isend(Engine.STANDARD, Memory.LONGS, new long[] {DONE}, 0, 1, plan(), 0, CONTEXT, ASK);
    }
  }
}
