// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import org.ffmpi.base.Constants;

/**
 * A call whose outcome is a choice, in terms that are the same in all runs of a program.
 *
 * @param kind what it does
 * @param channel number of its communicator or window, in the order in which the rank has made them; negative for the
 *     predefined ones; 0 for calls on requests
 * @param context the communicator's context among its own
 * @param peer the sender that it asks for, or ANY_SOURCE; 0 for calls on requests
 * @param tag the tag that it asks for, or ANY_TAG; for calls on a list its length
 * @param site the line of the program that makes it first; empty when it is not known
 */
record ChoiceCall(ChoiceKind kind, int channel, int context, int peer, int tag, String site) {
  /** Returns whether another call is the same, wherever it is made. */
  boolean isSame(ChoiceCall other) {
    return kind == other.kind && channel == other.channel && context == other.context && peer == other.peer
        && tag == other.tag;
  }

  /** Returns whether the tag of its message is a choice as well. */
  boolean choosesTag() {
    return kind.outcome() == ChoiceKind.Outcome.MESSAGE && tag == Constants.ANY_TAG;
  }

  /** Returns the call as it is named in messages. */
  String describe() {
    String what = kind.text();
    if (kind.outcome() == ChoiceKind.Outcome.MESSAGE) {
      what += " from " + (peer == Constants.ANY_SOURCE ? "any rank" : rank(peer))
          + (tag == Constants.ANY_TAG ? " with any tag" : " with tag " + tag) + " in " + channelName();
    } else if (kind != ChoiceKind.TEST && kind != ChoiceKind.LOOK) {
      what += " of " + tag + (tag == 1 ? " request" : " requests");
    }
    return site.isEmpty() ? what : what + " at " + site;
  }

  /** Returns how a peer is named: by its rank in the world, also in other communicators. */
  String rank(int number) {
    return "rank " + number + (channel == ChannelNumbers.WORLD ? "" : " of the world");
  }

  private String channelName() {
    return switch (channel) {
      case ChannelNumbers.WORLD -> "the world";
      case ChannelNumbers.SELF -> "self";
      default -> "communicator or window " + channel;
    };
  }
}
