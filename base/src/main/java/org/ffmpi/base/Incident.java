// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import java.util.List;

/**
 * The events that a rank reports, each with its one definition. The event types of the tools interface and the table of
 * the guide are made from these constants. The order of constants is the order of the indices of
 * {@code MPI_T_event_get_info}.
 *
 * <p>Immutable; any thread.
 */
public enum Incident {
  /** A send found no room. */
  RING_FULL(
      "ffmpi.ring.full", Source.ENGINE, Measure.Topic.QUEUES,
      "a send found no room in the ring to its peer", "peer", "tag", "bytes"),

  /** A message came before its receive. */
  UNEXPECTED_MESSAGE(
      "ffmpi.message.unexpected", Source.ENGINE, Measure.Topic.QUEUES,
      "a message came before its receive was posted", "peer", "tag", "bytes"),

  /** A thread has slept. */
  SLEEP(
      "ffmpi.wait.sleep", Source.ENGINE, Measure.Topic.WAITING,
      "a thread that waits has slept", "nanoseconds"),

  /** A rank has left. */
  DEPARTURE(
      "ffmpi.rank.departure", Source.ENGINE, Measure.Topic.WAITING,
      "the rank has noted that another one has left; died is 1 if without finalizing", "peer", "died"),

  /** A schedule was made. */
  SCHEDULE_MADE(
      "ffmpi.schedule.made", Source.COLLECTIVES, Measure.Topic.COLLECTIVES,
      "a schedule was made for a collective call; operations are numbered as in the list of the guide", "operation",
      "units", "steps"),

  /** A region was made. */
  REGION_MADE(
      "ffmpi.region.made", Source.COLLECTIVES, Measure.Topic.COLLECTIVES,
      "a communicator has got a region", "bytes", "ranks");

  /** The parts of the library that report. */
  public enum Source {
    /** The engine. */
    ENGINE("ffmpi.engine", "the engine of the rank, from any of its threads"),
    /** The collectives. */
    COLLECTIVES("ffmpi.collectives", "the collectives of the rank, from any of its threads");

    private final String title;
    private final String description;

    Source(String title, String description) {
      this.title = title;
      this.description = description;
    }

    /**
     * Returns the name in the tools interface.
     *
     * @return a name such as {@code ffmpi.engine}
     */
    public String title() {
      return title;
    }

    /**
     * Returns the description.
     *
     * @return one phrase
     */
    public String description() {
      return description;
    }
  }

  /** Most elements of an incident. */
  public static final int MOST_ELEMENTS = 3;

  private final String title;
  private final Source source;
  private final Measure.Topic topic;
  private final String description;
  private final List<String> elements;

  Incident(String title, Source source, Measure.Topic topic, String description, String... elements) {
    this.title = title;
    this.source = source;
    this.topic = topic;
    this.description = description;
    this.elements = List.of(elements);
  }

  /**
   * Returns the name in the tools interface.
   *
   * @return a name such as {@code ffmpi.ring.full}
   */
  public String title() {
    return title;
  }

  /**
   * Returns the part of the library that reports it.
   *
   * @return the source
   */
  public Source source() {
    return source;
  }

  /**
   * Returns the subject.
   *
   * @return the topic
   */
  public Measure.Topic topic() {
    return topic;
  }

  /**
   * Returns the description.
   *
   * @return one phrase
   */
  public String description() {
    return description;
  }

  /**
   * Returns the names of the elements, each of which is a 64-bit integer.
   *
   * @return one to {@link #MOST_ELEMENTS} names
   */
  public List<String> elements() {
    return elements;
  }

  /**
   * Returns whether it belongs to one communicator.
   *
   * @return false for an incident of the rank
   */
  public boolean isOfCommunicator() {
    return source == Source.COLLECTIVES;
  }
}
