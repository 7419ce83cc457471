// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.check.CheckReport;
import org.ffmpi.check.RankLifetimes;

/** One run of a body, from its plan to what is known after it. Made by the thread that waits for it. */
final class Run {
  /** The run that the calling thread starts. */
  static final ScopedValue<Run> CURRENT = ScopedValue.newInstance();

  /** Kinds of objects that programs make once and keep; they hold nothing of other ranks. */
  private static final Set<String> CONSTANTS = Set.of("operation", "key", "error handler");

  final RunPlan plan;
  private final MessageMemory memory;
  private Scheduler scheduler;
  private final List<CheckReport.Finding> objects = Collections.synchronizedList(new ArrayList<>());

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
    return Script.line(plan, scheduler.choices);
  }

  /** Returns a script that makes all choices of this run again. */
  Script again() {
    Script script = new Script();
    scheduler.choices.forEach(point -> script.add(point, point.result));
    return script;
  }

  /** Returns what notes the objects of a rank. The provider, which each JVM loads, does not name its class. */
  Lifetimes lifetimes(int rank) {
    return new RankLifetimes(rank, this::addLeft);
  }

  /** Adds an object that a rank has made and not freed. Called by the ranks' threads, at their ends. */
  void addLeft(CheckReport.Finding object) {
    if (!CONSTANTS.contains(object.kind())) {
      objects.add(object);
    }
  }

  /** Describes requests that no call has completed, and communicators, types, windows and files that are not freed. */
  List<String> leftObjects() {
    return objects.stream()
        .sorted(Comparator.comparingInt(CheckReport.Finding::rank).thenComparing(CheckReport.Finding::text))
        .map(object -> "rank " + object.rank() + " has ended, and " + object.text())
        .toList();
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
    }
    return left;
  }
}
