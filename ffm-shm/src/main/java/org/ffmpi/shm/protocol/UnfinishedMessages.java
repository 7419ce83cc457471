// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.shm.match.PostedReceive;
import org.ffmpi.shm.progress.OpenChannels;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.LeftMessage;

/**
 * Describes the messages that a rank has not received when it finalizes, and its receives without a message. Messages
 * of the library itself do not count. Used by one thread, with the rank's lock held.
 */
final class UnfinishedMessages {
  /** Number of messages of a kind that are described; the others are counted. */
  private static final int DESCRIBED = 3;

  private final OpenChannels channels;
  private final List<String> messages = new ArrayList<>();
  private final List<String> receives = new ArrayList<>();
  private final List<LeftMessage> envelopes = new ArrayList<>();
  private int allMessages;
  private int allReceives;

  UnfinishedMessages(OpenChannels channels) {
    this.channels = channels;
  }

  /** Adds a message that has come and that no receive has matched. */
  void add(UnexpectedMessage message) {
    if (!isOfProgram(message.context())) {
      return;
    }
    envelopes.add(new LeftMessage(message.peer(), message.context(), message.tag(), message.total));
    if (++allMessages <= DESCRIBED) {
      messages.add(message.total + (message.total == 1 ? " byte" : " bytes") + " from rank " + message.peer()
          + ", tag " + message.tag());
    }
  }

  /** Adds a receive that is posted, and that no call waits for. */
  void add(PostedReceive receive) {
    if (isOfProgram(receive.context()) && ++allReceives <= DESCRIBED) {
      receives.add("receive from " + (receive.peer() < 0 ? "any rank" : "rank " + receive.peer())
          + (receive.tag() < 0 ? ", any tag" : ", tag " + receive.tag()));
    }
  }

  /** Windows exchange messages in the context of a channel of their own. */
  private boolean isOfProgram(long context) {
    if (context == Channel.WORLD_CONTEXT || context == Channel.SELF_CONTEXT) {
      return true;
    }
    Channel channel = Channel.numberOf(context) == context ? channels.of(context) : null;
    return channel != null && channel.epochs() == null;
  }

  /** Returns the envelopes of all messages. */
  List<LeftMessage> envelopes() {
    return envelopes;
  }

  /** Returns a line for each kind that there is. */
  List<String> lines(int rank) {
    List<String> lines = new ArrayList<>();
    if (allMessages > 0) {
      lines.add(line(rank, allMessages, "message", " not received: ", messages));
    }
    if (allReceives > 0) {
      lines.add(line(rank, allReceives, "request", " not completed: ", receives));
    }
    return lines;
  }

  private static String line(int rank, int all, String noun, String what, List<String> described) {
    int more = all - described.size();
    return "rank " + rank + " finalized with " + all + " " + noun + (all == 1 ? "" : "s") + what
        + String.join("; ", described) + (more > 0 ? "; and " + more + " more" : "");
  }
}
