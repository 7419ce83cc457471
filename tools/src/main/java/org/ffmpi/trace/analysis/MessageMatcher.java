// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.trace.model.CallKind;
import org.ffmpi.trace.model.CompletedRequest;
import org.ffmpi.trace.model.TracedCall;

/**
 * Finds which send met which receive, by MPI's rule alone. Among messages of one sender, one communicator and one tag,
 * the first that is sent meets the first receive that is posted for it. Receives with wildcards are known by the source
 * and the tag that they got.
 *
 * <p>Where a rank has lost its oldest calls, the two rows of a sender, receiver, communicator and tag do not begin with
 * the same message. They end with the same one if both ranks have reached their end, and are matched from there. A
 * message is never received before its send began, which corrects that where a rank was killed.
 *
 * <p>A call of {@link TraceAnalysis}, in the thread that shows a trace.
 */
final class MessageMatcher {
  /** How far clocks of two nodes may be apart after the correction; measured offsets were far below. */
  private static final long CLOCK_ERROR = 1_000_000;

  /** How many pairs are compared by their lengths to tell two ways of matching apart, and how many ways are tried. */
  private static final int COMPARED = 512;
  private static final int TRIED = 64;

  private record Key(long comm, int sender, int receiver, int tag) {}

  /** The sends and receives of one key, each in its order. */
  private static final class Rows {
    final Key key;
    int[] sends = new int[4];
    int[] posted = new int[4];
    int[] completed = new int[4];
    int sent;
    int received;

    Rows(Key key) {
      this.key = key;
    }

    void addSend(int call) {
      sends = sent == sends.length ? Arrays.copyOf(sends, 2 * sent) : sends;
      sends[sent++] = call;
    }

    void addReceive(int post, int completion) {
      if (received == posted.length) {
        posted = Arrays.copyOf(posted, 2 * received);
        completed = Arrays.copyOf(completed, 2 * received);
      }
      posted[received] = post;
      completed[received++] = completion;
    }
  }

  private final JobLanes lanes;
  private final Map<Key, Rows> rows = new LinkedHashMap<>();

  MessageMatcher(JobLanes lanes) {
    this.lanes = lanes;
  }

  /** Returns all messages of which both ends were recorded. */
  List<MatchedMessage> match() {
    for (int lane = 0; lane < lanes.size(); lane++) {
      JobLane own = lanes.get(lane);
      for (int i = 0; i < own.size(); i++) {
        TracedCall call = own.call(i);
        switch (call.kind()) {
          case SEND, ISEND -> addSend(lane, own, i, call);
          case RECV, IRECV, MPROBE -> addReceive(lane, own, i, call);
          default -> { }
        }
      }
    }
    List<MatchedMessage> messages = new ArrayList<>();
    Collection<Rows> all = rows.values();
    for (Rows each : all) {
      int shift = shift(each);
      for (int i = Math.max(0, -shift); i < each.sent && i + shift < each.received; i++) {
        messages.add(new MatchedMessage(
            each.key.sender, each.sends[i], each.key.receiver, each.posted[i + shift], each.completed[i + shift]));
      }
    }
    return messages;
  }

  private void addSend(int lane, JobLane own, int place, TracedCall call) {
    int receiver = lanes.of(call.peer());
    JobLane.Completion completion = call.request() == 0 ? null : own.completion(call.request());
    boolean cancelled = completion != null && completion.request().cancelled();
    if (receiver >= 0 && !cancelled) {
      rows(call.comm(), lane, receiver, call.tag()).addSend(place);
    }
  }

  private void addReceive(int lane, JobLane own, int place, TracedCall call) {
    int completing = place;
    CompletedRequest message = call.completed().isEmpty() ? null : call.completed().getFirst();
    if (call.kind() == CallKind.IRECV) {
      JobLane.Completion completion = own.completion(call.request());
      completing = completion == null ? -1 : completion.call();
      message = completion == null ? null : completion.request();
    } else if (message == null && call.kind() == CallKind.MPROBE) {
      return; // found nothing
    }
    int source = message == null ? call.peer() : message.source();
    int tag = message == null ? call.tag() : message.tag();
    int sender = lanes.of(source);
    boolean known = sender >= 0 && tag >= 0 && (message == null || !message.cancelled());
    if (known) {
      rows(call.comm(), sender, lane, tag).addReceive(place, message == null ? -1 : completing);
    }
  }

  private Rows rows(long comm, int sender, int receiver, int tag) {
    return rows.computeIfAbsent(new Key(comm, sender, receiver, tag), Rows::new);
  }

  /** Returns what to add to the place of a send to get the place of its receive. */
  private int shift(Rows both) {
    JobLane sender = lanes.get(both.key.sender);
    JobLane receiver = lanes.get(both.key.receiver);
    boolean sendsLost = sender.recording().dropped() > 0;
    boolean receivesLost = receiver.recording().dropped() > 0;
    if (!sendsLost && !receivesLost || both.sent == 0 || both.received == 0) {
      return 0;
    }
    int shift = Math.max(both.received - both.sent, leastShift(both, sender, receiver));
    if (!sendsLost) {
      shift = Math.min(shift, 0);
    } else if (!receivesLost) {
      shift = Math.max(shift, 0);
    }
    boolean ended = sender.recording().ended() && receiver.recording().ended();
    return ended ? shift : likeliest(both, sender, receiver, shift, sendsLost ? both.received : 0);
  }

  /** Returns the least shift by which no message is received before its send begins. */
  private static int leastShift(Rows both, JobLane sender, JobLane receiver) {
    boolean sameClock = sender.recording().node() == receiver.recording().node();
    long error = sameClock ? 0 : CLOCK_ERROR;
    int least = Integer.MIN_VALUE;
    for (int j = 0; j < both.received; j++) {
      if (both.completed[j] >= 0) {
        long done = receiver.end(both.completed[j]) + error;
        int low = 0;
        int high = both.sent;
        while (low < high) {
          int middle = low + high >>> 1;
          if (sender.start(both.sends[middle]) <= done) {
            low = middle + 1;
          } else {
            high = middle;
          }
        }
        least = Math.max(least, j - (low - 1));
      }
    }
    return least;
  }

  /** Returns the shift from {@code first} up to {@code last} with which most lengths agree, the least of several. */
  private static int likeliest(Rows both, JobLane sender, JobLane receiver, int first, int last) {
    int best = first;
    int fewest = Integer.MAX_VALUE;
    for (int shift = first; shift <= last && shift < first + TRIED && fewest > 0; shift++) {
      int different = 0;
      int compared = 0;
      for (int j = both.received - 1; j >= 0 && compared < COMPARED; j--) {
        int i = j - shift;
        if (i >= 0 && i < both.sent && both.completed[j] >= 0) {
          compared++;
          different += sender.call(both.sends[i]).bytes() == bytes(receiver, both.posted[j]) ? 0 : 1;
        }
      }
      if (different < fewest && compared > 0) {
        fewest = different;
        best = shift;
      }
    }
    return best;
  }

  /** Returns the length of the message that a receive got, -1 where it is not known. */
  private static long bytes(JobLane receiver, int posted) {
    CompletedRequest message = received(receiver, posted);
    return message == null ? -1 : message.bytes();
  }

  /** Returns the message that a receive got, or null where it is not known. */
  static CompletedRequest received(JobLane lane, int posted) {
    TracedCall call = lane.call(posted);
    if (call.kind() == CallKind.IRECV) {
      JobLane.Completion completion = lane.completion(call.request());
      return completion == null ? null : completion.request();
    }
    return call.completed().isEmpty() ? null : call.completed().getFirst();
  }
}
