// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.util.function.Supplier;
import org.ffmpi.base.Measure;
import org.ffmpi.datatype.plan.PlanCompiler;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Gauge;

/** Finds out which part of the library keeps a measure. Called by tools and MBeans; any thread, never waits. */
public final class RankMeasures {
  private RankMeasures() {}

  /**
   * Returns where a rank keeps a measure.
   *
   * @param measure the measure
   * @param engine the engine of the rank
   * @param collectives finds its collectives
   * @param channel the channel of the communicator, for a measure of a communicator; else null
   * @return the gauge, or null when nothing keeps it
   */
  public static Gauge gauge(Measure measure, Engine engine, Supplier<Collectives> collectives, Channel channel) {
    return switch (measure) {
      case PLAN_HITS, PLAN_MISSES, PLANS -> i -> PlanCompiler.read(measure);
      case COLLECTIVE_CALLS -> i -> channel.begunCollectives() - channel.ownCollectives();
      case REGIONS, SCHEDULE_HITS, SCHEDULE_MISSES, COMM_REGION ->
          collectives.get().gauge(measure, engine, channel);
      default -> engine.gauge(measure);
    };
  }
}
