// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/**
 * The events of flight recordings. The JVM registers each when the first one is made, which happens only in ranks with
 * the setting {@code ffmpi.jfr}. The duration of an event is that of its call.
 */
final class FlightEvents {
  private static final String CATEGORY = "ffmpi";

  private FlightEvents() {}

  /** The base of all events. */
  @Category(CATEGORY)
  abstract static class OfRank extends Event {
    @Label("Rank")
    int rank;
  }

  /** A message, at its send or at its receive. */
  @Name("ffmpi.Message")
  @Label("Message")
  @Description("A message sent or received by the program")
  static final class Message extends OfRank {
    /** When the call began; no field of the event. */
    transient long start;

    @Label("Call")
    String call;

    @Label("Peer")
    @Description("The other rank in the world")
    int peer;

    @Label("Tag")
    int tag;

    @Label("Communicator")
    long communicator;

    @Label("Bytes")
    @DataAmount
    long bytes;

    @Label("Protocol")
    @Description("The way of a sent message: inline, eager, piped, cross, direct, self")
    String protocol;

    @Label("Waited")
    @Description("How long the rank was blocked for the message")
    @Timespan(Timespan.NANOSECONDS)
    long waited;
  }

  /** A collective call, or the start of one. */
  @Name("ffmpi.Collective")
  @Label("Collective Call")
  @Description("A collective call of the program")
  static final class CollectiveCallMade extends OfRank {
    @Label("Operation")
    String operation;

    @Label("Algorithm")
    String algorithm;

    @Label("Communicator")
    long communicator;

    @Label("Number")
    @Description("The number of the call on its communicator, the same at all ranks")
    long number;

    @Label("Bytes")
    @DataAmount
    long bytes;

    @Label("Waited")
    @Description("How long after this rank the last one came; 0 where that is not known")
    @Timespan(Timespan.NANOSECONDS)
    long waited;

    @Label("Slowest")
    @Description("The rank in the world that came last; -1 where that is not known")
    int slowest = EntryTable.UNKNOWN;
  }

  /** A wait for a request. */
  @Name("ffmpi.Wait")
  @Label("Wait")
  @Description("A wait for one request, or for the first of several")
  static final class Wait extends OfRank {
    @Label("Call")
    String call;
  }

  /** A call that begins or ends an epoch of a window, or completes accesses. */
  @Name("ffmpi.WindowEpoch")
  @Label("Window Epoch")
  @Description("A call that synchronizes a window")
  static final class WindowEpoch extends OfRank {
    @Label("Call")
    String call;

    @Label("Target")
    @Description("The rank in the window whose part it is about; -1 for all")
    int target;
  }

  /** The end of another rank, or of the job, as this rank has noticed it. */
  @Name("ffmpi.Death")
  @Label("Death")
  @Description("Another rank has died, or the job has ended early")
  static final class Death extends OfRank {
    @Label("Reason")
    String reason;
  }
}
