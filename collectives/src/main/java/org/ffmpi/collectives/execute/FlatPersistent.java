// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import java.lang.ref.Reference;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.collectives.region.Region;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.FlatBuffer;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.WaitNote;

/**
 * A persistent collective operation of short data, as a {@link FlatExchange} in a region of its own. A start publishes
 * this rank's contribution, and completes at once when those of the others are there. Otherwise any thread that makes
 * progress looks for them, one at a time; a thread that waits for nothing else waits in {@link #drive}.
 */
public final class FlatPersistent extends GatedOperation implements PersistentCall {
  private final Engine engine;
  private final int[] peers;
  private final Region region;
  private final FlatExchange exchange;
  private final CollectiveCall call;
  private final long base;
  private final int tag;
  private long context;
  private long starts;
  private boolean begun;

  private FlatPersistent(Channel channel, Region region, FlatExchange exchange, CollectiveCall call, int tag) {
    this.engine = channel.engine();
    this.peers = channel.local().toArray();
    this.region = region;
    this.exchange = exchange;
    this.call = call;
    this.base = channel.persistent();
    this.context = base;
    this.tag = tag;
  }

  /**
   * Makes the operation of a call.
   *
   * @param region serves nothing else
   * @param tag the tag of the operation
   * @return null when the call is not one for an exchange, or any thread may not touch its memory
   */
  public static FlatPersistent of(
      Channel channel, Region region, FlatExchange exchange, CollectiveCall call, int tag) {
    if (call.operation().isOfBlocks() || isConfined(call.send()) || isConfined(call.recv())) {
      return null;
    }
    CollectiveCall kept = call.copyOfWhole();
    return exchange.accepts(kept) ? new FlatPersistent(channel, region, exchange, kept, tag) : null;
  }

  private static boolean isConfined(FlatBuffer buffer) {
    return buffer.isPresent() && buffer.kind() == Memory.CONFINED;
  }

  @Override
  public void restart() {
    if (begun && !isDone()) {
      throw new MpiException(ErrorClass.ERR_REQUEST, "started while the previous start is not complete");
    }
    renew();
    begun = true;
    context = Channel.started(base, ++starts);
    exchange.begin(tag, context);
    try {
      if (exchange.advance(call)) {
        complete();
        return;
      }
    } catch (Throwable t) {
      fail(exchange.fail(engine, context, peers, t));
      return;
    } finally {
      Reference.reachabilityFence(this);
    }
    open();
    engine.register(this);
  }

  @Override
  public void discard() {
    region.close();
  }

  @Override
  public boolean advance() {
    if (!enter()) {
      return false;
    }
    try {
      do {
        if (exchange.advance(call)) {
          close();
          complete();
          return true;
        }
        exchange.checkProgress();
      } while (!leave());
    } catch (Throwable t) {
      end(t);
      return true;
    } finally {
      Reference.reachabilityFence(this);
    }
    return false;
  }

  @Override
  public void drive() {
    if (!enter()) {
      return;
    }
    try {
      exchange.drive(call);
    } catch (Throwable t) {
      end(t);
      return;
    } finally {
      Reference.reachabilityFence(this);
    }
    close();
    complete();
  }

  private void end(Throwable t) {
    MpiException error = exchange.fail(engine, context, peers, t);
    close();
    fail(error);
  }

  @Override
  public long matchingContext() {
    return context;
  }

  @Override
  public void describe(WaitNote note) {
    exchange.describe(note);
  }
}
