// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import org.ffmpi.spi.CallPlace;

/**
 * The place of one stream in its replay. Used by the thread whose stream it is; streams of windows by one thread at a
 * time. Never waits.
 */
final class ReplayCursor {
  /** Outcome of calls after the end of a recording whose rank was killed: nothing is prescribed. */
  static final int FREE = -1;

  private final RecordedStream stream;
  private final ReplayPlace place;
  private final ChannelNumbers channels;
  private final boolean isWindow;
  /** The context that each recorded call has in this run, once it has been made. */
  private final long[] contexts;
  private final boolean[] isKnown;
  private int entry;
  /** How many calls of the present repetition have been made. */
  private int repeated;
  private long events;
  private boolean endReported;

  int tag;
  int[] indices;

  /**
   * Creates a cursor at the beginning.
   *
   * @param stream the recorded stream; null for one that the recording does not have
   */
  ReplayCursor(RecordedStream stream, ReplayPlace place, ChannelNumbers channels, boolean isWindow) {
    this.stream = stream;
    this.place = place;
    this.channels = channels;
    this.isWindow = isWindow;
    this.contexts = new long[stream == null ? 0 : stream.calls()];
    this.isKnown = new boolean[contexts.length];
  }

  /**
   * Returns the outcome of the next call, with {@link #tag} and {@link #indices}.
   *
   * @return a constant of {@link RecordingFormat} with its value, or {@link #FREE}
   */
  synchronized int next(ChoiceKind kind, long context, int peer, int callTag) {
    place.checkNoOtherCall();
    events++;
    if (stream == null || entry >= stream.entries()) {
      return end(kind, context, peer, callTag);
    }
    int number = stream.callNumber(entry);
    boolean isAgain = number == RecordedStream.AGAIN;
    if (isAgain) {
      int period = stream.outcome(entry);
      number = stream.callNumber(entry - period + repeated % period);
    }
    ChoiceCall recorded = stream.call(number);
    boolean same = recorded.kind() == kind && recorded.peer() == peer && recorded.tag() == callTag
        && isContext(number, context, recorded);
    if (!same) {
      throw place.otherCall(events, recorded.describe(), call(kind, context, peer, callTag).describe());
    }
    if (isAgain) {
      if (++repeated == stream.tag(entry)) {
        repeated = 0;
        entry++;
      }
      return RecordingFormat.NONE;
    }
    tag = stream.tag(entry);
    indices = stream.indices(entry);
    return stream.outcome(entry++);
  }

  /** Returns the outcome that {@link #next} has returned last, as one that has to come. */
  AwaitedOutcome last(boolean isPosted) {
    return new AwaitedOutcome(
        events, stream.call(stream.callNumber(entry - 1)), stream.outcome(entry - 1), stream.tag(entry - 1), isPosted);
  }

  private boolean isContext(int number, long context, ChoiceCall recorded) {
    if (isKnown[number]) {
      return contexts[number] == context;
    }
    boolean same = recorded.kind().outcome() != ChoiceKind.Outcome.MESSAGE
        || channels.of(context) == recorded.channel() && ChannelNumbers.within(context) == recorded.context();
    isKnown[number] = same;
    contexts[number] = context;
    return same;
  }

  private ChoiceCall call(ChoiceKind kind, long context, int peer, int callTag) {
    boolean message = kind.outcome() == ChoiceKind.Outcome.MESSAGE;
    return new ChoiceCall(kind, message ? channels.of(context) : 0, message ? ChannelNumbers.within(context) : 0,
        peer, callTag, CallPlace.ofThisThread().line());
  }

  private int end(ChoiceKind kind, long context, int peer, int callTag) {
    String what = call(kind, context, peer, callTag).describe();
    boolean ended = stream == null ? place.isWhole() : stream.whole;
    if (ended && !isWindow) {
      throw place.otherCall(events, "no further call of this thread", what);
    }
    if (!endReported && !isWindow) {
      endReported = true;
      place.report("the recording ends before event " + events + ", " + what
          + ", because the rank was ended there; the replay goes on freely");
    }
    return FREE;
  }

  /** Returns how many calls have been made. */
  long events() {
    return events;
  }

  /** Describes the next recorded event; null when nothing is left. */
  synchronized String left() {
    if (isWindow || stream == null || entry >= stream.entries()) {
      return null;
    }
    int number = stream.callNumber(entry);
    if (number == RecordedStream.AGAIN) {
      number = stream.callNumber(entry - stream.outcome(entry) + repeated % stream.outcome(entry));
    }
    return "event " + (events + 1) + ", " + stream.call(number).describe();
  }
}
