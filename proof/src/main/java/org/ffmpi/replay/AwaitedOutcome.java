// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

/**
 * A recorded outcome for which a replay waits, or of which it has posted the receive.
 *
 * @param event number of the event in its stream
 * @param call the recorded call
 * @param outcome a constant of {@link RecordingFormat} with its value
 * @param tag the tag of the message, of calls that choose one
 * @param isPosted whether no thread need wait for it
 */
record AwaitedOutcome(long event, ChoiceCall call, int outcome, int tag, boolean isPosted) {
  /** Returns the rank whose message has to come; -1 where it is no message. */
  int peer() {
    return call.kind().outcome() == ChoiceKind.Outcome.MESSAGE ? outcome - RecordingFormat.VALUE : -1;
  }

  /** Returns the call and what it gave. */
  String describe() {
    int value = outcome - RecordingFormat.VALUE;
    String gave = switch (call.kind().outcome()) {
      case MESSAGE -> "which got a message from " + call.rank(value) + " with tag " + tag;
      case YES -> "which was true";
      case INDEX -> "which reported request " + value;
      case INDICES -> "which reported " + value + (value == 1 ? " request" : " requests");
    };
    return call.describe() + ", " + gave;
  }
}
