// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.ffmpi.spi.Operation;

/**
 * The orders that have been seen, and what is still to be run. An order is the set of all choices of a run with their
 * results; steps that do not depend on each other are in no order, so that two runs differ only if a call got another
 * result.
 *
 * <p>After each run every choice is turned to each other result that it could have had: a message that was not sent
 * because of the choice, or what a look could have missed. The next run gets that result, and all choices that do not
 * depend on the turned one. A run that is part of an order already seen is not made; so each run shows a new order, and
 * all are shown. Used by the thread of the exploration.
 */
final class OpenOrders {
  /** A choice of a run that is over. */
  private record Made(Script.Place place, String result, int hash, int calls, Past past) {}

  /** A result that a choice of an earlier run could have had. */
  private record Turn(List<Made> of, int without, int choice, String result, List<List<RankCall>> calls) {
    /** Returns whether the next run is given a choice of the run that this turn is of. */
    boolean keeps(int i) {
      return i == choice || i != without && !of.get(i).past.has(without);
    }
  }

  private final Map<Made, BitSet> seen = new HashMap<>();
  private final Deque<Turn> open = new ArrayDeque<>();
  private int orders;

  /** Returns how many orders have been seen. */
  int orders() {
    return orders;
  }

  /** Adds the order of a run that is over; returns false when it had been seen. */
  boolean add(Run run) {
    List<ChoicePoint> choices = run.scheduler().choices;
    List<Made> made = new ArrayList<>(choices.size());
    for (ChoicePoint point : choices) {
      made.add(new Made(
          new Script.Place(point.rank, point.index), point.result, point.hash, point.calls, point.past));
    }
    if (orders > 0 && isSeen(new Turn(made, made.size(), -1, null, null))) {
      return false;
    }
    for (Made choice : made) {
      seen.computeIfAbsent(key(choice, choice.result), k -> new BitSet()).set(orders);
    }
    orders++;
    List<List<RankCall>> calls = new ArrayList<>();
    for (ExploredRank rank : run.scheduler().ranks) {
      calls.add(rank.calls);
    }
    for (int i = 0; i < choices.size(); i++) {
      ChoicePoint point = choices.get(i);
      for (String other : others(run.scheduler().ranks[point.rank], point)) {
        open.push(new Turn(made, i, i, other, calls));
      }
      for (ChoicePoint earlier : point.before) {
        if (!point.reach.has(earlier.number)) {
          List<ChoicePoint> left = new ArrayList<>(point.before);
          left.removeIf(other -> other == earlier || other.past.has(earlier.number));
          if (!repeatsTooOften(point, left)) {
            open.push(new Turn(made, earlier.number, i, point.after(left), calls));
          }
        }
      }
    }
    return true;
  }

  /** Returns whether a request would ask once more for the same before anything that could make a difference. */
  private static boolean repeatsTooOften(ChoicePoint request, List<ChoicePoint> before) {
    ChoicePoint last = request.repeated;
    return last != null && last.isLastOfRepeats() && Scheduler.repeats(last, before);
  }

  /** Returns the script of the next run; null when all orders have been seen. */
  Script next() {
    while (!open.isEmpty()) {
      Turn turn = open.pop();
      if (!isSeen(turn)) {
        return script(turn);
      }
    }
    return null;
  }

  private static Made key(Made choice, String result) {
    return new Made(choice.place, result, choice.hash, 0, null);
  }

  /** Returns whether an order has all choices that a turn keeps. */
  private boolean isSeen(Turn turn) {
    BitSet common = null;
    for (int i = 0; i < turn.of.size(); i++) {
      if (!turn.keeps(i)) {
        continue;
      }
      Made choice = turn.of.get(i);
      BitSet with = seen.get(key(choice, i == turn.choice ? turn.result : choice.result));
      if (with == null) {
        return false;
      }
      if (common == null) {
        common = (BitSet) with.clone();
      } else {
        common.and(with);
      }
      if (common.isEmpty()) {
        return false;
      }
    }
    return common != null || turn.of.isEmpty();
  }

  private static Script script(Turn turn) {
    Script script = new Script(turn.calls);
    for (int i = 0; i < turn.of.size(); i++) {
      Made choice = turn.of.get(i);
      if (turn.keeps(i)) {
        script.add(choice.place, new Script.Entry(
            i == turn.choice ? turn.result : choice.result, choice.hash, choice.calls));
      }
    }
    return script;
  }

  // ---- other results

  private static List<String> others(ExploredRank rank, ChoicePoint point) {
    List<String> others = new ArrayList<>();
    if (point.missedAgain) {
      return others; // it could have come at the first look
    }
    switch (point.kind) {
      case RECEIVE, PROBE, LOOK -> addSenders(rank, point, others);
      case TEST -> {
        List<Integer> all = complete(rank, point);
        if (point.result.equals(ChoicePoint.NO) && all.size() == Chooser.present(point)) {
          others.add(ChoicePoint.YES);
        }
      }
      case ANY -> complete(rank, point).forEach(i -> others.add(point.named(List.of(i))));
      case SOME -> addSets(rank, point, others);
      case SERVE -> { } // turned by pairs
    }
    others.remove(point.result);
    if (point.mayMiss && !point.result.equals(ChoicePoint.NO)) {
      others.add(ChoicePoint.NO);
    }
    return others;
  }

  private static void addSets(ExploredRank rank, ChoicePoint point, List<String> others) {
    List<Integer> complete = complete(rank, point);
    complete.forEach(i -> others.add(point.named(List.of(i))));
    if (complete.size() > 1) {
      others.add(point.named(complete));
    }
  }

  /** Returns the operations of a call that became complete without the call's result. */
  private static List<Integer> complete(ExploredRank rank, ChoicePoint point) {
    TreeSet<Integer> complete = new TreeSet<>();
    for (int i = 0; i < point.operations.length; i++) {
      Operation operation = point.operations[i];
      Past past = operation == null ? null : rank.pastOf(operation);
      if (past != null && !past.has(point.number)) {
        complete.add(i);
      }
    }
    return List.copyOf(complete);
  }

  private static void addSenders(ExploredRank rank, ChoicePoint point, List<String> others) {
    BitSet looked = new BitSet();
    for (ExploredMessage message : rank.messages) {
      if (looked.get(message.from) || !point.pattern.accepts(message) || message.taker < point.order) {
        continue;
      }
      looked.set(message.from);
      if (!message.past.has(point.number)) {
        others.add(ChoicePoint.sender(message.from));
      }
    }
  }
}
