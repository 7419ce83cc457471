// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import java.util.Optional;
import org.ffmpi.Message;
import org.ffmpi.Status;
import org.ffmpi.process.CommState;
import org.ffmpi.request.StatusAccess;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Matched;

/** Probes for messages before they are received, and matches them. */
public final class Probes {
  private final CommState state;
  private final EnvelopeChecks checks;
  private final Channel channel;
  private final Engine engine;
  private final long context;

  public Probes(CommState state, EnvelopeChecks checks) {
    this.state = state;
    this.checks = checks;
    this.channel = state.channel;
    this.engine = state.engine;
    this.context = state.channel.pointToPoint();
  }

  public Status probe(int source, int tag) {
    return probe(source, tag, new Status());
  }

  public Status probe(int source, int tag, Status into) {
    if (into == null) {
      throw state.noStatus();
    }
    if (checks.isEnvelopeOfNobody(source, tag)) {
      return StatusAccess.setNobody(into);
    }
    try {
      engine.probe(channel.peer(source), context, tag, StatusAccess.envelope(into));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
    return StatusAccess.received(into, channel);
  }

  public Optional<Status> iprobe(int source, int tag) {
    Status status = new Status();
    return iprobe(source, tag, status) ? Optional.of(status) : Optional.empty();
  }

  public boolean iprobe(int source, int tag, Status into) {
    if (into == null) {
      throw state.noStatus();
    }
    if (checks.isEnvelopeOfNobody(source, tag)) {
      StatusAccess.setNobody(into);
      return true;
    }
    try {
      if (!engine.iprobe(channel.peer(source), context, tag, StatusAccess.envelope(into))) {
        return false;
      }
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
    StatusAccess.received(into, channel);
    return true;
  }

  // ---- matched probes

  public Message mprobe(int source, int tag) {
    return mprobe(source, tag, new Status());
  }

  public Message mprobe(int source, int tag, Status into) {
    if (into == null) {
      throw state.noStatus();
    }
    if (checks.isEnvelopeOfNobody(source, tag)) {
      StatusAccess.setNobody(into);
      return MessageImpl.fromNobody(state);
    }
    try {
      Matched matched = engine.mprobe(channel.peer(source), context, tag, StatusAccess.envelope(into));
      return MessageImpl.of(state, matched, StatusAccess.received(into, channel));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public Optional<Message> improbe(int source, int tag) {
    return improbe(source, tag, new Status());
  }

  public Optional<Message> improbe(int source, int tag, Status into) {
    if (into == null) {
      throw state.noStatus();
    }
    if (checks.isEnvelopeOfNobody(source, tag)) {
      StatusAccess.setNobody(into);
      return Optional.of(MessageImpl.fromNobody(state));
    }
    try {
      Matched matched = engine.improbe(channel.peer(source), context, tag, StatusAccess.envelope(into));
      return matched == null
          ? Optional.empty()
          : Optional.of(MessageImpl.of(state, matched, StatusAccess.received(into, channel)));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }
}
