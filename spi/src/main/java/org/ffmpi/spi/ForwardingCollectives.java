// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.util.function.Supplier;
import org.ffmpi.base.Measure;

/**
 * Collectives that pass every call on to others. {@linkplain EngineLayer Layers} extend it, and change some of the
 * calls. Called by the threads that call collectives; makes the progress that the others make.
 */
public abstract class ForwardingCollectives implements Collectives {
  /** The collectives that do the work. */
  protected final Collectives collectives;

  /**
   * Creates a layer.
   *
   * @param collectives the collectives that do the work
   */
  protected ForwardingCollectives(Collectives collectives) {
    this.collectives = collectives;
  }

  @Override
  public Operation call(Channel channel, CollectiveCall call, CollectiveForm form) {
    return collectives.call(channel, call, form);
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
  public Operation lend(CollectiveCall call, Supplier<Operation> start) {
    return collectives.lend(call, start);
  }

  @Override
  public void discard(Operation persistent) {
    collectives.discard(persistent);
  }

  @Override
  public Gauge gauge(Measure measure, Engine engine, Channel channel) {
    return collectives.gauge(measure, engine, channel);
  }
}
