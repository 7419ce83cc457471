// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.Constants;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.EpochSource;
import org.ffmpi.spi.WaitNote;

/** The open epochs of a window in the account of a rank that waits for long, and the waits of its calls. Any thread. */
final class WindowEpochs implements EpochSource {
  private final Channel channel;
  private final Epochs epochs;

  private WindowEpochs(Channel channel, Epochs epochs) {
    this.channel = channel;
    this.epochs = epochs;
  }

  /** Makes a channel that of a window. */
  static void addTo(Channel channel, Epochs epochs) {
    channel.setName("window " + channel.pointToPoint() / Channel.CONTEXTS);
    channel.setEpochs(new WindowEpochs(channel, epochs));
  }

  @Override
  public void list(Sink sink) {
    epochs.list((kind, rank) -> sink.add(kind, rank < 0 ? Constants.ANY_SOURCE : channel.peer(rank)));
  }

  @Override
  public void describe(WaitNote note) {
    if (note.kind() == WaitNote.Kind.RECEIVE) {
      MessageSynchronizer.describe(channel, note);
    }
  }

  @Override
  public boolean isOrdered(long context, int tag, long request) {
    return context == WindowContexts.requests(channel) && tag == PartService.REQUEST_TAG
        && RequestConflicts.isOrdered(request);
  }

  @Override
  public boolean conflict(long first, long second) {
    return RequestConflicts.conflict(first, second);
  }

  @Override
  public boolean isLook(long request) {
    return RequestConflicts.isLook(request);
  }

  @Override
  public boolean isVain(long request, int tag, long bytes, long answer) {
    return RequestConflicts.isVain(request, tag, bytes, answer);
  }

  @Override
  public boolean isSame(long first, long firstBytes, long second, long secondBytes) {
    return RequestConflicts.isSame(first, firstBytes, second, secondBytes);
  }

  @Override
  public boolean isGrant(long context, int tag) {
    return context == WindowContexts.answers(channel) && MessageSynchronizer.isGrant(tag);
  }
}
