// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.message.BufferedMessages;
import org.ffmpi.message.Messages;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Connections;
import org.ffmpi.spi.Channel;

/** The end of a communicator, by close or by abort. */
public final class CommEnding {
  private final CommState state;
  private final Messages messages;
  private final BufferedMessages buffered;
  private final CommProperties properties;

  CommEnding(CommState state, Messages messages, BufferedMessages buffered, CommProperties properties) {
    this.state = state;
    this.messages = messages;
    this.buffered = buffered;
    this.properties = properties;
  }

  /** Waits for pending operations, then closes. The last communicator of a meeting ends the connection. */
  public void disconnect() {
    state.checkUsable();
    checkMade();
    boolean isMeeting = isMeeting();
    try {
      endComparing();
      state.engine.awaitQuiet(state.channel);
      if (isMeeting) {
        awaitAll();
      }
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
    end();
    if (isMeeting) {
      Connections.of(state.world).disconnected(state.engine);
    }
  }

  /**
   * Waits until all processes disconnect. From here on the end of one, however bad, is none of the others: one that has
   * gone is not waited for.
   */
  private void awaitAll() {
    if (Connections.of(state.world).isLast(state.engine)) {
      state.engine.done(true);
    }
    try {
      Exchange.barrier(state.channel, state.world);
    } catch (MpiException e) {
      // one of them has ended already
    }
  }

  private boolean isMeeting() {
    return state.engine != state.world.engine();
  }

  public void close() {
    if (!state.isClosed() && state.world.isOpen()) {
      end();
      freed();
    }
  }

  /** Counts a communicator that is no longer used, and whose processes stay connected. */
  void freed() {
    if (isMeeting()) {
      Connections.of(state.world).freed(state.engine);
    }
  }

  private void end() {
    state.checkUsable();
    checkMade();
    properties.deleteAttributes();
    if (buffered.hasBuffer()) {
      buffered.detachBuffer();
    }
    messages.close();
    if (Lifetimes.kept) {
      Lifetimes.freed(state.comm());
    }
    endComparing();
    state.channel.close();
  }

  /** Lets calls begin while the region is there, as at the other ranks. */
  private void endComparing() {
    if (state.channel.order() != null) {
      state.channel.order().close();
    }
  }

  private void checkMade() {
    if (state.channel.pointToPoint() < Channel.FIRST_FREE_CONTEXT) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_COMM, "communicator", state.comm(), "those that a program has made"));
    }
  }

  public void abort(int code) {
    state.checkOpen();
    Object on = properties.name().isEmpty() ? state.comm() : properties.name();
    String reason = "rank " + state.world.rank() + " called abort(" + code + ") on " + on;
    MpiException aborted = new MpiException(ErrorClass.ERR_PROC_ABORTED, reason);
    state.world.abort(code, aborted, reason);
    throw aborted;
  }
}
