// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.ForwardingCollectives;
import org.ffmpi.spi.Operation;

/**
 * Collectives whose blocking calls, and starts of others, are events of flight recordings. Called by the threads that
 * call collectives.
 */
final class FlightCollectives extends ForwardingCollectives {
  private final FlightEngine engine;
  private final int rank;

  FlightCollectives(Collectives collectives, FlightEngine engine) {
    super(collectives);
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
}
