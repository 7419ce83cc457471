// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import java.util.List;

/**
 * The numbers that a rank keeps about its own work, each with its one definition. The performance variables of the
 * tools interface, the attributes of the MBeans and the table of the guide are made from these constants. The order of
 * constants is the order of the indices of {@code MPI_T_pvar_get_info}.
 *
 * <p>Immutable; any thread.
 */
public enum Measure {
  /** Messages that this rank has begun to send. */
  SENT_MESSAGES(
      "ffmpi.sent.messages", Kind.COUNTER, Unit.MESSAGES, Topic.MESSAGES,
      "messages sent, those to the rank itself included"),

  /** Their bytes. */
  SENT_BYTES(
      "ffmpi.sent.bytes", Kind.AGGREGATE, Unit.BYTES, Topic.MESSAGES, "bytes of the messages sent"),

  /** Eager messages. */
  SENT_EAGER(
      "ffmpi.sent.eager", Kind.COUNTER, Unit.MESSAGES, Topic.PROTOCOLS,
      "messages sent whose payload travels with the envelope"),

  /** Their bytes. */
  SENT_EAGER_BYTES(
      "ffmpi.sent.eager.bytes", Kind.AGGREGATE, Unit.BYTES, Topic.PROTOCOLS,
      "payload that has travelled with its envelope"),

  /** Rendezvous messages through a pipe, or to another node. */
  SENT_PIPED(
      "ffmpi.sent.piped", Kind.COUNTER, Unit.MESSAGES, Topic.PROTOCOLS,
      "messages sent by rendezvous that go through the pipe to a peer, or to another node"),

  /** Rendezvous messages out of shared memory. */
  SENT_DIRECT(
      "ffmpi.sent.direct", Kind.COUNTER, Unit.MESSAGES, Topic.PROTOCOLS,
      "messages sent by rendezvous that the receiver copies out of shared memory"),

  /** Rendezvous messages out of private memory. */
  SENT_CROSS(
      "ffmpi.sent.cross", Kind.COUNTER, Unit.MESSAGES, Topic.PROTOCOLS,
      "messages sent by rendezvous that the receiver may copy out of private memory"),

  /** Bytes of rendezvous messages. */
  SENT_RENDEZVOUS_BYTES(
      "ffmpi.sent.rendezvous.bytes", Kind.AGGREGATE, Unit.BYTES, Topic.PROTOCOLS,
      "bytes of the messages sent by rendezvous"),

  /** Messages to the rank itself. */
  SENT_SELF(
      "ffmpi.sent.self", Kind.COUNTER, Unit.MESSAGES, Topic.PROTOCOLS, "messages sent to the rank itself"),

  /** Their bytes. */
  SENT_SELF_BYTES(
      "ffmpi.sent.self.bytes", Kind.AGGREGATE, Unit.BYTES, Topic.PROTOCOLS,
      "bytes of the messages sent to the rank itself"),

  /** Messages by destination. */
  SENT_MESSAGES_TO(
      "ffmpi.sent.messages.to", Kind.COUNTER, Unit.MESSAGES, Topic.MESSAGES,
      "messages sent to each rank of the job, one element for each"),

  /** Bytes by destination. */
  SENT_BYTES_TO(
      "ffmpi.sent.bytes.to", Kind.AGGREGATE, Unit.BYTES, Topic.MESSAGES,
      "bytes sent to each rank of the job, one element for each"),

  /** Messages that have come. */
  RECEIVED_MESSAGES(
      "ffmpi.received.messages", Kind.COUNTER, Unit.MESSAGES, Topic.MESSAGES,
      "messages that have come, those from the rank itself included; of rendezvous, those whose transfer has begun"),

  /** Their bytes. */
  RECEIVED_BYTES(
      "ffmpi.received.bytes", Kind.AGGREGATE, Unit.BYTES, Topic.MESSAGES, "bytes of the messages that have come"),

  /** Eager messages that have come. */
  RECEIVED_EAGER(
      "ffmpi.received.eager", Kind.COUNTER, Unit.MESSAGES, Topic.PROTOCOLS, "eager messages that have come"),

  /** Rendezvous messages whose transfer has begun. */
  RECEIVED_RENDEZVOUS(
      "ffmpi.received.rendezvous", Kind.COUNTER, Unit.MESSAGES, Topic.PROTOCOLS,
      "rendezvous messages whose transfer has begun"),

  /** Posted receives. */
  POSTED(
      "ffmpi.queue.posted", Kind.LEVEL, Unit.MESSAGES, Topic.QUEUES, "posted receives that wait for a message"),

  /** Unexpected messages. */
  UNEXPECTED(
      "ffmpi.queue.unexpected", Kind.LEVEL, Unit.MESSAGES, Topic.QUEUES,
      "unexpected messages that wait for a receive"),

  /** The most unexpected messages. */
  UNEXPECTED_PEAK(
      "ffmpi.queue.unexpected.peak", Kind.HIGHWATERMARK, Unit.MESSAGES, Topic.QUEUES,
      "the most unexpected messages that have waited at one time"),

  /** Memory of unexpected messages. */
  UNEXPECTED_BYTES(
      "ffmpi.queue.unexpected.bytes", Kind.LEVEL, Unit.BYTES, Topic.QUEUES,
      "memory that keeps the payload of unexpected messages"),

  /** Sends without room. */
  RING_FULL(
      "ffmpi.queue.full", Kind.COUNTER, Unit.MESSAGES, Topic.QUEUES,
      "sends that found no room in the ring to their peer, or earlier sends that wait for room"),

  /** Sends that wait. */
  BACKLOG(
      "ffmpi.queue.backlog", Kind.LEVEL, Unit.MESSAGES, Topic.QUEUES, "sends that wait for room"),

  /** What the rank does. */
  RANK_STATE(
      "ffmpi.rank.state", Kind.STATE, Unit.NONE, Topic.WAITING, "whether the rank waits, see the enumeration",
      List.of("absent", "active", "waiting", "left")),

  /** Sleeps. */
  PARKS(
      "ffmpi.wait.parks", Kind.COUNTER, Unit.TIMES, Topic.WAITING,
      "times that a thread of the rank has slept because what it waits for did not come"),

  /** Wake-ups of others. */
  WAKES(
      "ffmpi.wait.wakes", Kind.COUNTER, Unit.TIMES, Topic.WAITING, "times that the rank has woken one that slept"),

  /** Time in waits. */
  WAIT_TIME(
      "ffmpi.wait.time", Kind.TIMER, Unit.NANOSECONDS, Topic.WAITING,
      "time of all threads in waits that last longer than their first looks"),

  /** Shared heap. */
  HEAP_USED(
      "ffmpi.heap.used", Kind.LEVEL, Unit.BYTES, Topic.MEMORY, "shared heap that the rank has in use"),

  /** The most shared heap. */
  HEAP_PEAK(
      "ffmpi.heap.peak", Kind.HIGHWATERMARK, Unit.BYTES, Topic.MEMORY,
      "the most shared heap that the rank has had in use"),

  /** Blocks of shared heap. */
  HEAP_BLOCKS(
      "ffmpi.heap.blocks", Kind.LEVEL, Unit.BLOCKS, Topic.MEMORY, "blocks of shared heap that the rank has in use"),

  /** The segment's limit. */
  SEGMENT_LIMIT(
      "ffmpi.segment.limit", Kind.SIZE, Unit.BYTES, Topic.MEMORY,
      "bytes that the shared memory of the job may have on this node"),

  /** Reused plans. */
  PLAN_HITS(
      "ffmpi.plan.hits", Kind.COUNTER, Unit.PLANS, Topic.DATATYPES,
      "committed datatypes that got a plan which was there; of the process"),

  /** Compiled plans. */
  PLAN_MISSES(
      "ffmpi.plan.misses", Kind.COUNTER, Unit.PLANS, Topic.DATATYPES,
      "committed datatypes for which a plan was compiled; of the process"),

  /** Plans kept. */
  PLANS(
      "ffmpi.plan.kept", Kind.LEVEL, Unit.PLANS, Topic.DATATYPES, "plans in the cache; of the process"),

  /** Regions. */
  REGIONS(
      "ffmpi.region.used", Kind.LEVEL, Unit.REGIONS, Topic.COLLECTIVES,
      "regions of communicators and persistent calls that the rank has in use"),

  /** Collective calls of a communicator. */
  COLLECTIVE_CALLS(
      "ffmpi.comm.collectives", Kind.COUNTER, Unit.CALLS, Topic.COLLECTIVES,
      "collective calls that the rank has begun on a communicator, without persistent ones", true),

  /** Schedules reused on a communicator. */
  SCHEDULE_HITS(
      "ffmpi.comm.schedule.hits", Kind.COUNTER, Unit.CALLS, Topic.COLLECTIVES,
      "collective calls on a communicator that found their schedule in its cache", true),

  /** Schedules made on a communicator. */
  SCHEDULE_MISSES(
      "ffmpi.comm.schedule.misses", Kind.COUNTER, Unit.CALLS, Topic.COLLECTIVES,
      "collective calls on a communicator for which a schedule was made", true),

  /** The region of a communicator. */
  COMM_REGION(
      "ffmpi.comm.region", Kind.LEVEL, Unit.BYTES, Topic.COLLECTIVES,
      "shared memory of the region of a communicator; 0: it has none", true);

  /** The classes of performance variables (MPI-4.1 section 15.3.7). */
  public enum Kind {
    /** One of several states, which an enumeration names. */
    @Standard("MPI_T_PVAR_CLASS_STATE")
    STATE(Constants.T_PVAR_CLASS_STATE),

    /** How much of something is in use now. */
    @Standard("MPI_T_PVAR_CLASS_LEVEL")
    LEVEL(Constants.T_PVAR_CLASS_LEVEL),

    /** A size that does not change. */
    @Standard("MPI_T_PVAR_CLASS_SIZE")
    SIZE(Constants.T_PVAR_CLASS_SIZE),

    /** How much of something is in use now, in per cent. */
    @Standard("MPI_T_PVAR_CLASS_PERCENTAGE")
    PERCENTAGE(Constants.T_PVAR_CLASS_PERCENTAGE),

    /** The most that was in use while the variable was started. */
    @Standard("MPI_T_PVAR_CLASS_HIGHWATERMARK")
    HIGHWATERMARK(Constants.T_PVAR_CLASS_HIGHWATERMARK),

    /** The least that was in use while the variable was started. */
    @Standard("MPI_T_PVAR_CLASS_LOWWATERMARK")
    LOWWATERMARK(Constants.T_PVAR_CLASS_LOWWATERMARK),

    /** How often something happened. */
    @Standard("MPI_T_PVAR_CLASS_COUNTER")
    COUNTER(Constants.T_PVAR_CLASS_COUNTER),

    /** A sum of amounts. */
    @Standard("MPI_T_PVAR_CLASS_AGGREGATE")
    AGGREGATE(Constants.T_PVAR_CLASS_AGGREGATE),

    /** A sum of times. */
    @Standard("MPI_T_PVAR_CLASS_TIMER")
    TIMER(Constants.T_PVAR_CLASS_TIMER),

    /** Anything else. */
    @Standard("MPI_T_PVAR_CLASS_GENERIC")
    GENERIC(Constants.T_PVAR_CLASS_GENERIC);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /**
     * Returns the integer that stands for this class in the MPI-5 binary interface.
     *
     * @return one of the {@code T_PVAR_CLASS_…} constants
     */
    public int code() {
      return code;
    }

    /**
     * Returns whether values of this class add up, so that a handle counts from its start on.
     *
     * @return true for counters, aggregates and timers
     */
    public boolean isSum() {
      return this == COUNTER || this == AGGREGATE || this == TIMER;
    }
  }

  /** The things that are counted. */
  public enum Unit {
    /** The value is no amount. */
    NONE,
    /** Messages, sends or receives. */
    MESSAGES,
    /** Bytes. */
    BYTES,
    /** How often something happened. */
    TIMES,
    /** Nanoseconds. */
    NANOSECONDS,
    /** Blocks of memory. */
    BLOCKS,
    /** Plans of datatypes. */
    PLANS,
    /** Regions of collectives. */
    REGIONS,
    /** Collective calls. */
    CALLS
  }

  /** The subjects of variables and events, which are categories of the tools interface. */
  public enum Topic {
    /** Messages and bytes. */
    MESSAGES("messages and bytes that the rank sends and receives"),
    /** The ways that messages take. */
    PROTOCOLS("the protocols by which messages go"),
    /** Queues of sends, receives and messages. */
    QUEUES("what waits for room, for a message or for a receive"),
    /** Waits. */
    WAITING("how the rank waits"),
    /** Shared memory. */
    MEMORY("the memory that ranks share"),
    /** Plans of datatypes. */
    DATATYPES("the plans of datatypes"),
    /** Collective calls. */
    COLLECTIVES("collective calls, their schedules and regions");

    private final String description;

    Topic(String description) {
      this.description = description;
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

  private final String title;
  private final Kind kind;
  private final Unit unit;
  private final Topic topic;
  private final String description;
  private final boolean isOfCommunicator;
  private final List<String> states;

  Measure(String title, Kind kind, Unit unit, Topic topic, String description) {
    this(title, kind, unit, topic, description, false, List.of());
  }

  Measure(String title, Kind kind, Unit unit, Topic topic, String description, boolean isOfCommunicator) {
    this(title, kind, unit, topic, description, isOfCommunicator, List.of());
  }

  Measure(String title, Kind kind, Unit unit, Topic topic, String description, List<String> states) {
    this(title, kind, unit, topic, description, false, states);
  }

  Measure(
      String title, Kind kind, Unit unit, Topic topic, String description, boolean isOfCommunicator,
      List<String> states) {
    this.title = title;
    this.kind = kind;
    this.unit = unit;
    this.topic = topic;
    this.description = description;
    this.isOfCommunicator = isOfCommunicator;
    this.states = states;
  }

  /**
   * Returns the name in the tools interface.
   *
   * @return a name such as {@code ffmpi.sent.messages}
   */
  public String title() {
    return title;
  }

  /**
   * Returns the class of the variable.
   *
   * @return the class
   */
  public Kind kind() {
    return kind;
  }

  /**
   * Returns the unit of the values.
   *
   * @return the unit
   */
  public Unit unit() {
    return unit;
  }

  /**
   * Returns the subject.
   *
   * @return the topic
   */
  public Topic topic() {
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
   * Returns whether each communicator has a value of its own.
   *
   * @return false for a variable of the rank
   */
  public boolean isOfCommunicator() {
    return isOfCommunicator;
  }

  /**
   * Returns whether there is one value for each rank of the job.
   *
   * @return false for a single value
   */
  public boolean isVector() {
    return this == SENT_MESSAGES_TO || this == SENT_BYTES_TO;
  }

  /**
   * Returns the names of the states, of which the value is an index.
   *
   * @return empty unless the class is {@link Kind#STATE}
   */
  public List<String> states() {
    return states;
  }
}
