// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ffmpi.trace.model.CallKind;
import org.ffmpi.trace.model.CompletedRequest;
import org.ffmpi.trace.model.TracedCall;

/**
 * The waits of calls, each with the rank that is waited for, found from the times at which others began what the call
 * needs. A receive waits until its send began, a send that does not end before its receive is posted until then, a
 * collective call until the last rank entered whose data it needs, and a wait until the last of what it completed could
 * go on. The time after that is the transfer's own.
 */
public final class CallWaits {
  /** Among how many later calls the receive of a probed message is looked for; programs receive it at once. */
  private static final int LOOK_AHEAD = 1000;

  /** Protocols of messages that are on their way when the send returns, whether their receive is posted or not. */
  private static final Set<String> EAGER = Set.of("inline", "eager", "self");

  /** Sends that wait for their receive by any protocol. */
  private static final Set<String> SYNCHRONOUS = Set.of("ssend", "issend");

  /** Sends of one length at one place, which take the same protocol in all but rare cases. */
  private record SendPlace(int lane, String site, long bytes) {}

  private final JobLanes lanes;
  private final Map<SendPlace, String> protocols = new HashMap<>();
  private final CollectiveMeeting[][] meetings;
  private final long[][] waited;
  private final int[][] causes;
  private final int[][] partners;
  private final WaitReason[][] reasons;
  /** The messages of the sends and receives of each lane, by the place of the send, and by that of the receive. */
  private final MatchedMessage[][] sent;
  private final MatchedMessage[][] received;

  CallWaits(JobLanes lanes, List<MatchedMessage> messages) {
    this.lanes = lanes;
    int size = lanes.size();
    waited = new long[size][];
    causes = new int[size][];
    partners = new int[size][];
    reasons = new WaitReason[size][];
    sent = new MatchedMessage[size][];
    received = new MatchedMessage[size][];
    for (int lane = 0; lane < size; lane++) {
      int calls = lanes.get(lane).size();
      waited[lane] = new long[calls];
      causes[lane] = new int[calls];
      Arrays.fill(causes[lane], -1);
      partners[lane] = causes[lane].clone();
      reasons[lane] = new WaitReason[calls];
      Arrays.fill(reasons[lane], WaitReason.NONE);
      sent[lane] = new MatchedMessage[calls];
      received[lane] = new MatchedMessage[calls];
    }
    for (MatchedMessage message : messages) {
      sent[message.sender()][message.send()] = message;
      received[message.receiver()][message.posted()] = message;
    }
    meetings = CollectiveMeeting.all(lanes);
    for (int lane = 0; lane < size; lane++) {
      findProtocols(lane);
      findWaits(lane);
    }
  }

  /**
   * Returns how long a call waited.
   *
   * @param lane the call's lane
   * @param call its place there
   * @return nanoseconds, at most the length of the call
   */
  public long waited(int lane, int call) {
    return waited[lane][call];
  }

  /**
   * Returns for which rank a call waited.
   *
   * @param lane the call's lane
   * @param call its place there
   * @return the lane of the other rank, or -1 when it is not known
   */
  public int cause(int lane, int call) {
    return causes[lane][call];
  }

  /**
   * Returns what the other rank had to begin.
   *
   * @param lane the call's lane
   * @param call its place there
   * @return the place of the send, the receive or the collective call in the lane of {@link #cause}; -1 when it is not
   *     known
   */
  public int partner(int lane, int call) {
    return partners[lane][call];
  }

  /**
   * Returns why a call waited.
   *
   * @param lane the call's lane
   * @param call its place there
   * @return the reason
   */
  public WaitReason reason(int lane, int call) {
    return reasons[lane][call];
  }

  /** Returns the message that a send sent or a receive received; null where none is known. */
  MatchedMessage message(int lane, int call) {
    return switch (lanes.get(lane).call(call).kind()) {
      case SEND, ISEND -> sent[lane][call];
      case RECV, IRECV, MPROBE -> received[lane][call];
      default -> null;
    };
  }

  /** Notes the protocols of the sends that name theirs: traces do so for a sample of all. */
  private void findProtocols(int lane) {
    JobLane own = lanes.get(lane);
    for (int i = 0; i < own.size(); i++) {
      TracedCall call = own.call(i);
      if (call.how() != null && (call.kind() == CallKind.SEND || call.kind() == CallKind.ISEND)) {
        protocols.put(new SendPlace(lane, call.site(), call.bytes()), call.how());
      }
    }
  }

  private boolean isEager(int lane, TracedCall send) {
    String protocol = send.how() != null
        ? send.how() : protocols.get(new SendPlace(lane, send.site(), send.bytes()));
    return protocol != null && EAGER.contains(protocol) && !SYNCHRONOUS.contains(send.name());
  }

  private void findWaits(int lane) {
    JobLane own = lanes.get(lane);
    Map<Long, Integer> started = new HashMap<>();
    for (int i = 0; i < own.size(); i++) {
      TracedCall call = own.call(i);
      if (call.request() != 0) {
        started.put(call.request(), i);
      }
      switch (call.kind()) {
        case SEND, RECV, MPROBE -> noteMessage(lane, i, i);
        case PROBE -> noteProbe(lane, i, call);
        case WAIT -> {
          for (CompletedRequest request : call.completed()) {
            Integer start = started.get(request.request());
            if (start != null && own.call(start).kind() == CallKind.COLLECTIVE) {
              noteMeeting(lane, i, start);
            } else if (start != null) {
              noteMessage(lane, i, start);
            }
          }
        }
        case COLLECTIVE, WINDOW, FILE, FINALIZE, OTHER -> {
          if (call.request() == 0) {
            noteMeeting(lane, i, i);
          }
        }
        default -> { }
      }
      if (!call.isFinished() && causes[lane][i] < 0) {
        note(lane, i, own.end(i), lanes.of(call.peer()), -1, reason(call.kind()));
      }
    }
  }

  private static WaitReason reason(CallKind kind) {
    return switch (kind) {
      case SEND -> WaitReason.LATE_RECEIVER;
      case RECV -> WaitReason.LATE_SENDER;
      default -> WaitReason.NONE;
    };
  }

  /** Notes that a call waited for the other end of the message that a send or a receive began. */
  private void noteMessage(int lane, int call, int began) {
    MatchedMessage message = message(lane, began);
    if (message == null) {
      return;
    }
    if (message.receiver() == lane && message.posted() == began) {
      noteSender(lane, call, message);
    } else {
      long posted = lanes.get(message.receiver()).start(message.posted());
      JobLane own = lanes.get(lane);
      // An eager send may last beyond the posting of its receive by chance: it does not wait for it.
      if (!isEager(lane, own.call(began)) && posted <= own.end(call)) {
        note(lane, call, posted, message.receiver(), message.posted(), WaitReason.LATE_RECEIVER);
      }
    }
  }

  private void noteSender(int lane, int call, MatchedMessage message) {
    long sends = lanes.get(message.sender()).start(message.send());
    note(lane, call, sends, message.sender(), message.send(), WaitReason.LATE_SENDER);
  }

  /** Notes that a probe waited for the message that it found, which the rank receives later. */
  private void noteProbe(int lane, int call, TracedCall probe) {
    if (!probe.completed().isEmpty() && !probe.name().startsWith("i")) {
      CompletedRequest found = probe.completed().getFirst();
      JobLane own = lanes.get(lane);
      for (int i = call + 1; i < own.size() && i < call + LOOK_AHEAD; i++) {
        MatchedMessage message = received[lane][i];
        if (message != null && own.call(i).comm() == probe.comm() && lanes.of(found.source()) == message.sender()
            && lanes.get(message.sender()).call(message.send()).tag() == found.tag()) {
          noteSender(lane, call, message);
          return;
        }
      }
    }
  }

  private void noteMeeting(int lane, int call, int began) {
    CollectiveMeeting meeting = meetings[lane][began];
    CollectiveMeeting.Part last = meeting == null ? null : meeting.last(lane, lanes.get(lane).call(began));
    if (last != null) {
      note(lane, call, last.entered(), last.lane(), last.call(), WaitReason.LATE_RANK);
    }
  }

  /** Notes that a call could not go on before a time, unless it waited longer for something else. */
  private void note(int lane, int call, long until, int cause, int partner, WaitReason reason) {
    JobLane own = lanes.get(lane);
    long time = Math.min(until, own.end(call)) - own.start(call);
    if (time > waited[lane][call]) {
      waited[lane][call] = time;
      causes[lane][call] = cause;
      partners[lane][call] = partner;
      reasons[lane][call] = reason;
    }
  }
}
