// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.lang.ref.WeakReference;
import java.util.function.Function;
import org.ffmpi.base.Incident;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Schedule;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Incidents;

/**
 * Makes the schedules of one communicator and reports each. Called by the thread of a collective call; any thread. It
 * holds no reference that keeps the channel alive.
 */
final class ReportingMaker implements Function<CallShape, Schedule> {
  private final Function<CallShape, Schedule> maker;
  private final WeakReference<Channel> channel;

  /** Null where the engine reports nothing. */
  private final Incidents incidents;

  ReportingMaker(Function<CallShape, Schedule> maker, Channel channel) {
    this.maker = maker;
    this.channel = new WeakReference<>(channel);
    this.incidents = channel.engine().incidents();
  }

  @Override
  public Schedule apply(CallShape shape) {
    Schedule made = maker.apply(shape);
    if (incidents != null && incidents.areHeard()) {
      incidents.raise(
          Incident.SCHEDULE_MADE, channel.get(), shape.collective().ordinal(), shape.units(), made.steps.length);
    }
    return made;
  }
}
