// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import org.ffmpi.Info;
import org.ffmpi.base.Incident;
import org.ffmpi.base.Standard;

/**
 * A part of the library that reports events, with the clock of their timestamps (MPI-4.1 section 15.3.8). Immutable;
 * any thread. No call blocks.
 */
public final class EventSource {
  private static final long NANOS = 1_000_000_000;

  private final Incident.Source source;

  EventSource(Incident.Source source) {
    this.source = source;
  }

  /**
   * Returns the index of the source.
   *
   * @return from 0 on
   */
  public int index() {
    return source.ordinal();
  }

  /**
   * Returns the name ({@code MPI_T_source_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return a name such as {@code ffmpi.engine}
   */
  @Standard("MPI_T_source_get_info")
  public String name() {
    return source.title();
  }

  /**
   * Returns the description ({@code MPI_T_source_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return one phrase
   */
  @Standard("MPI_T_source_get_info")
  public String description() {
    return source.description();
  }

  /**
   * Returns whether events come in the order of their times ({@code MPI_T_source_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return UNORDERED: any thread of the rank may report
   */
  @Standard("MPI_T_source_get_info")
  public SourceOrdering ordering() {
    return SourceOrdering.UNORDERED;
  }

  /**
   * Returns how fast the clock is ({@code MPI_T_source_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return ticks in a second: timestamps are nanoseconds of {@link System#nanoTime}
   */
  @Standard("MPI_T_source_get_info")
  public long ticksPerSecond() {
    return NANOS;
  }

  /**
   * Returns the largest timestamp, after which the clock would begin anew ({@code MPI_T_source_get_info}, MPI-4.1
   * section 15.3.8).
   *
   * @return a number of ticks that no program reaches
   */
  @Standard("MPI_T_source_get_info")
  public long maxTicks() {
    return Long.MAX_VALUE;
  }

  /**
   * Returns further facts about the source ({@code MPI_T_source_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return a new info with the key {@code clock}, which names the clock
   */
  @Standard("MPI_T_source_get_info")
  public Info info() {
    return new Info().set("clock", "System.nanoTime");
  }

  /**
   * Returns the time now, by the clock of the source ({@code MPI_T_source_get_timestamp}, MPI-4.1 section 15.3.8).
   *
   * @return ticks
   */
  @Standard("MPI_T_source_get_timestamp")
  public long timestamp() {
    return System.nanoTime();
  }

  @Override
  public String toString() {
    return name();
  }
}
