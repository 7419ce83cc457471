// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.LeftMessage;
import org.ffmpi.spi.Operation;

/**
 * The exchange of the ranks at their end about messages that have not been received. Each rank sends each other one a
 * word, behind all that it has sent before; has it come from all, all messages have. Then each reports to each other
 * which of its messages are left, and a last word keeps an error of one from ending another before it knows its own.
 *
 * <p>A rank that stands elsewhere, because it waits for one that is here, is not waited for: it gets the error that
 * this one has finalized. Used by the thread that finalizes, which waits in slices.
 */
final class LeftMessages {
  /** A context in which no communicator has messages between two ranks. */
  private static final long CONTEXT = Channel.SELF_CONTEXT + 6;

  private static final long SLICE_NANOS = 20_000_000;

  /** How long all others have to wait for something else before this rank goes. */
  private static final long PATIENCE_NANOS = 400_000_000;

  /** How long no rank may answer before this rank goes, where others cannot be looked at. */
  private static final long LONGEST_NANOS = 10_000_000_000L;

  private static final int STEPS = 3;
  private static final int REPORT = 1;

  /** Most kinds of messages in one report; three words each. */
  private static final int MOST = 32;

  private final Engine engine;
  private final SentMessages sent;
  private final Plan plan = TypeHandle.planOf(Datatype.INT64_T);
  private final List<String> found = new ArrayList<>();
  private final boolean[] gone;
  private int step;
  private Operation[] sends;
  private Operation[] receives;
  private long[][] reports;
  private long lastAnswer;
  private long othersWaitSince;

  LeftMessages(Engine engine, SentMessages sent) {
    this.engine = engine;
    this.sent = sent;
    this.gone = new boolean[engine.peers()];
  }

  /** Returns the sentences about messages of this rank that were not received. */
  List<String> found() {
    return found;
  }

  /** Continues the exchange; returns false when the time is over. */
  boolean exchange(long nanos) {
    if (engine.survival() != null) {
      return true; // its dead give no answer
    }
    long start = System.nanoTime();
    while (step < STEPS) {
      try {
        if (receives == null) {
          begin();
        }
        while (!isAnswered()) {
          leaveBehind();
          if (System.nanoTime() - start > nanos) {
            return false;
          }
        }
      } catch (MpiException e) {
        return true; // the job has ended
      }
      end();
    }
    return true;
  }

  private void begin() {
    int peers = engine.peers();
    Map<Integer, long[]> own = step == REPORT ? ownReports() : Map.of();
    reports = new long[peers][];
    receives = new Operation[peers];
    sends = new Operation[peers];
    for (int peer = 0; peer < peers; peer++) {
      if (peer == engine.self()) {
        add(peer, own.getOrDefault(peer, new long[0]));
      } else if (!gone[peer]) {
        reports[peer] = new long[3 * MOST];
        receives[peer] =
            engine.irecv(Memory.LONGS, reports[peer], 0, reports[peer].length, plan, peer, CONTEXT, step);
        long[] report = own.getOrDefault(peer, new long[0]);
        sends[peer] = engine.isend(Engine.STANDARD, Memory.LONGS, report, 0, report.length, plan, peer, CONTEXT, step);
      }
    }
    lastAnswer = System.nanoTime();
    othersWaitSince = 0;
  }

  /** Waits for a slice of time; returns whether all that is waited for has come. */
  private boolean isAnswered() {
    for (int peer = 0; peer < receives.length; peer++) {
      Operation receive = receives[peer];
      if (receive == null || gone[peer]) {
        continue;
      }
      boolean isNew = !receive.isDone();
      if (!engine.awaitFor(receive, SLICE_NANOS)) {
        return false;
      }
      if (isNew) {
        lastAnswer = System.nanoTime();
      }
      gone[peer] = receive.error() != null;
    }
    return true;
  }

  /** Gives up on those that have not answered, when they wait for something else. */
  private void leaveBehind() {
    long now = System.nanoTime();
    othersWaitSince = !engine.doAllOthersWait() ? 0 : othersWaitSince == 0 ? now : othersWaitSince;
    boolean isStill = othersWaitSince != 0 && now - othersWaitSince > PATIENCE_NANOS
        && now - lastAnswer > PATIENCE_NANOS;
    if (!isStill && now - lastAnswer < LONGEST_NANOS) {
      return;
    }
    for (int peer = 0; peer < receives.length; peer++) {
      if (receives[peer] != null && !receives[peer].isDone()) {
        receives[peer].cancel();
        gone[peer] = true;
      }
    }
  }

  private void end() {
    for (int peer = 0; peer < receives.length; peer++) {
      if (receives[peer] != null && !gone[peer] && step == REPORT) {
        add(peer, reports[peer]);
      }
    }
    receives = null;
    step++;
  }

  /** Counts what has come and was not received, by sender. */
  private Map<Integer, long[]> ownReports() {
    Map<LeftMessage, Long> counts = new HashMap<>();
    for (LeftMessage message : engine.unreceived()) {
      counts.merge(new LeftMessage(message.peer(), message.context(), message.tag(), 0), 1L, Long::sum);
    }
    Map<Integer, long[]> own = new HashMap<>();
    counts.forEach((message, count) -> own.merge(
        message.peer(), new long[] {message.context(), message.tag(), count}, LeftMessages::joined));
    return own;
  }

  private static long[] joined(long[] a, long[] b) {
    if (a.length == 3 * MOST) {
      return a;
    }
    long[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }

  /** Makes sentences of what a peer has not received; unused words are 0. */
  private void add(int peer, long[] report) {
    for (int i = 0; i + 2 < report.length && report[i + 2] > 0; i += 3) {
      long count = report[i + 2];
      List<CallPlace> places = sent.last(peer, report[i], (int) report[i + 1], count);
      String whose = " to rank " + peer + " with tag " + report[i + 1];
      for (CallPlace place : places) {
        found.add(place + whose + " was never received: a receive is missing there");
      }
      if (count > places.size()) {
        found.add(count - places.size() + (places.isEmpty() ? "" : " earlier") + " messages" + whose
            + " were never received");
      }
    }
  }
}
