// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.ArrayList;
import java.util.List;

/** One run of a body, from its plan to what is known after it. Made by the thread that waits for it. */
final class Run {
  /** The run that the calling thread starts. */
  static final ScopedValue<Run> CURRENT = ScopedValue.newInstance();

  final RunPlan plan;
  private final MessageMemory memory;
  private Scheduler scheduler;

  Run(RunPlan plan, MessageMemory memory) {
    this.plan = plan;
    this.memory = memory;
  }

  Scheduler begin(int ranks) {
    scheduler = new Scheduler(ranks, plan, memory);
    return scheduler;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /** Returns the choices as a line that a later run can be given. */
  String line() {
    return Script.line(plan.buffered(), scheduler.choices);
  }

  /** Returns a script that makes all choices of this run again. */
  Script again() {
    Script script = new Script();
    scheduler.choices.forEach(point -> script.add(point, point.result));
    return script;
  }

  /** Describes messages that no receive has taken, and receives that have got none, one in a line. */
  List<String> leftOver() {
    List<String> left = new ArrayList<>();
    for (ExploredRank rank : scheduler.ranks) {
      for (ExploredMessage message : rank.waiting) {
        if (scheduler.isOfProgram(rank, message.context)) {
          left.add("the message of rank " + message.from + " to rank " + message.to + " with tag " + message.tag
              + " (" + message.bytes + " bytes) was never received");
        }
      }
      for (ExploredReceive receive : rank.posted) {
        if (scheduler.isOfProgram(rank, receive.context)) {
          left.add("the receive of rank " + rank.self + " " + CallTexts.envelope(receive.peer, receive.tag)
              + " has got no message, and was not cancelled");
        }
      }
      for (ExploredReceive receive : rank.uncompleted()) {
        left.add("the receive of rank " + rank.self + " " + CallTexts.envelope(receive.peer, receive.tag)
            + " has got its message, and no call of the rank has completed it");
      }
    }
    return left;
  }
}
