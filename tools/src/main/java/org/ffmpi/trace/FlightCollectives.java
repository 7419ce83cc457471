// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import org.ffmpi.base.Measure;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Gauge;
import org.ffmpi.spi.Operation;

/**
 * Collectives whose blocking calls, and starts of others, are events of flight recordings. Called by the threads that
 * call collectives.
 */
final class FlightCollectives implements Collectives {
  private final Collectives collectives;
  private final FlightEngine engine;
  private final int rank;

  FlightCollectives(Collectives collectives, FlightEngine engine) {
    this.collectives = collectives;
    this.engine = engine;
    this.rank = engine.self();
  }

  @Override
  public Operation call(Channel channel, CollectiveCall call, CollectiveForm form) {
    if (form == CollectiveForm.PERSISTENT || engine.isInside()) {
      return collectives.call(channel, call, form);
    }
    FlightEvents.CollectiveCallMade event = new FlightEvents.CollectiveCallMade();
    int number = channel.begunCollectives() - channel.ownCollectives();
    long start = System.nanoTime();
    String operation = call.operation().label();
    long bytes = CollectiveBytes.of(call);
    String algorithm = event.isEnabled() ? collectives.algorithm(channel, call) : "";
    EntryTable entries = engine.entries();
    if (entries != null) {
      entries.enter(channel.pointToPoint(), number, start);
    }
    Thread before = engine.enter();
    event.begin();
    try {
      return collectives.call(channel, call, form);
    } catch (MpiException e) {
      throw engine.told(e);
    } finally {
      engine.leave(before);
      event.end();
      if (event.shouldCommit()) {
        event.rank = rank;
        event.operation = form == CollectiveForm.BLOCKING ? operation : "i" + operation;
        event.algorithm = algorithm;
        event.communicator = channel.pointToPoint();
        event.number = number;
        event.bytes = bytes;
        if (entries != null && form == CollectiveForm.BLOCKING) {
          EntryTable.Last last = entries.last(channel, number, start);
          event.slowest = last.peer();
          event.waited = last.waited();
        }
        event.commit();
      }
    }
  }

  @Override
  public Gauge gauge(Measure measure, Engine ofRank, Channel channel) {
    return collectives.gauge(measure, ofRank, channel);
  }

  @Override
  public String algorithm(Channel channel, CollectiveCall call) {
    return collectives.algorithm(channel, call);
  }

  @Override
  public void start(Operation persistent) {
    collectives.start(persistent);
  }

  @Override
  public void discard(Operation persistent) {
    collectives.discard(persistent);
  }
}
