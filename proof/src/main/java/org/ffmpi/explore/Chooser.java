// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.spi.Operation;

/**
 * Makes the choices of a run, when no rank can go on. Those that its script gives come first, then it takes the first
 * possibility, or one by chance. Used by the rank that has the turn.
 */
final class Chooser {
  private final Scheduler scheduler;

  /** The first choice before which a rank has made other calls than the script knows; null before it. */
  private ChoicePoint strayed;

  /** Whether the run has not come to all choices of the script. */
  private boolean givenUp;

  Chooser(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  ChoicePoint strayed() {
    return strayed;
  }

  boolean hasGivenUp() {
    return givenUp || !scheduler.plan.script().isOver();
  }

  /** Makes one choice; returns false when nothing can be chosen. */
  boolean decide() {
    Script script = scheduler.plan.script();
    List<ChoicePoint> open = open(!script.isOver());
    if (!script.isOver()) {
      for (ChoicePoint point : open) {
        Script.Entry given = given(script, point);
        if (given != null && canBe(point, given.result())) {
          script.countMade();
          if (given.result().equals(ChoicePoint.NO)) {
            rank(point).denyLater(point);
          }
          apply(point, given.result());
          return true;
        }
      }
      if (scheduler.releaseIdle()) {
        return true;
      }
      script.giveUp();
      givenUp = true;
      open = open(false);
    }
    return scheduler.plan.random() == null ? decideFirst(open) : decideByChance(open);
  }

  /** Returns the result that the script gives a choice, if the rank has come to it by the same calls. */
  private Script.Entry given(Script script, ChoicePoint point) {
    Script.Entry given = script.of(point);
    if (given == null || given.hash() == 0 || given.hash() == point.hash) {
      return given;
    }
    strayed = strayed == null ? point : strayed;
    return null;
  }

  /** Returns whether a call that looks is to see nothing. */
  boolean isToMiss(ChoicePoint point) {
    if (scheduler.plan.random() != null) {
      for (Operation operation : point.operations) {
        if (operation != null && rank(point).isDenied(operation)) {
          return false;
        }
      }
      return scheduler.plan.random().nextInt(4) == 0;
    }
    Script.Entry given = scheduler.plan.script().of(point);
    return given != null && given.result().equals(ChoicePoint.NO);
  }

  /** Serves the first request that asks for the same again and again, when nothing else moves. */
  boolean decideRepeated() {
    for (ChoicePoint point : open(true)) {
      if (point.kind == ChoicePoint.Kind.SERVE) {
        apply(point, results(point).getFirst());
        return true;
      }
    }
    return false;
  }

  private boolean decideFirst(List<ChoicePoint> open) {
    ChoicePoint best = null;
    for (ChoicePoint point : open) {
      if ((best == null || best.polls && !point.polls) && !results(point).isEmpty()) {
        best = point;
      }
    }
    if (best == null) {
      return false;
    }
    apply(best, results(best).getFirst());
    return true;
  }

  private boolean decideByChance(List<ChoicePoint> open) {
    List<Runnable> possible = new ArrayList<>();
    for (ChoicePoint point : open) {
      List<String> results = results(point);
      results.forEach(result -> possible.add(() -> apply(point, result)));
      if (point.polls && !results.isEmpty() && mayMiss(point)) {
        possible.add(() -> apply(point, ChoicePoint.NO));
      }
    }
    if (possible.isEmpty()) {
      return false;
    }
    possible.get(scheduler.plan.random().nextInt(possible.size())).run();
    return true;
  }

  private ExploredRank rank(ChoicePoint point) {
    return scheduler.ranks[point.rank];
  }

  /** Returns the choices that are open, rank by rank. */
  private List<ChoicePoint> open(boolean withRepeated) {
    List<ChoicePoint> open = new ArrayList<>();
    for (ExploredRank rank : scheduler.ranks) {
      for (ExploredReceive receive : rank.posted) {
        if (receive.point != null) {
          open.add(receive.point);
        }
      }
      open.addAll(scheduler.requests(rank, withRepeated));
      if (rank.stand != null && rank.stand.point != null && !rank.stand.point.isDecided()) {
        open.add(rank.stand.point);
      }
    }
    return open;
  }

  // ---- possible results

  /** Returns the results that a choice can have now, without that of a call that sees nothing. */
  private List<String> results(ChoicePoint point) {
    List<String> results = new ArrayList<>();
    switch (point.kind) {
      case RECEIVE, PROBE, LOOK -> {
        for (ExploredMessage message : messages(point)) {
          results.add(ChoicePoint.sender(message.from));
        }
      }
      case TEST -> {
        if (complete(point).size() == present(point)) {
          results.add(ChoicePoint.YES);
        }
      }
      case ANY -> complete(point).forEach(i -> results.add(point.named(List.of(i))));
      case SOME -> {
        List<Integer> complete = complete(point);
        if (complete.size() > 1) {
          results.add(point.named(complete));
        }
        complete.forEach(i -> results.add(point.named(List.of(i))));
      }
      case SERVE -> results.add(point.after(scheduler.conflicting(point)));
    }
    return results;
  }

  /** Returns the messages that a receive or probe can take now, one of each sender. */
  private List<ExploredMessage> messages(ChoicePoint point) {
    List<ExploredMessage> found = new ArrayList<>();
    for (int from = 0; from < scheduler.ranks.length; from++) {
      ExploredMessage message = Scheduler.candidate(rank(point), point.pattern, from);
      if (message != null) {
        found.add(message);
      }
    }
    return found;
  }

  /** Returns which operations of a call are complete, or would be if their rank looked. */
  private static List<Integer> complete(ChoicePoint point) {
    List<Integer> complete = new ArrayList<>();
    for (int i = 0; i < point.operations.length; i++) {
      if (point.operations[i] != null && ExploredRank.isReady(point.operations[i])) {
        complete.add(i);
      }
    }
    return complete;
  }

  static int present(ChoicePoint point) {
    int present = 0;
    for (Operation operation : point.operations) {
      present += operation != null ? 1 : 0;
    }
    return present;
  }

  private boolean canBe(ChoicePoint point, String result) {
    if (!point.isResult(result)) {
      return false;
    }
    if (result.equals(ChoicePoint.NO)) {
      return true;
    }
    return switch (point.kind) {
      case RECEIVE, PROBE, LOOK ->
          Scheduler.candidate(rank(point), point.pattern, ChoicePoint.senderIn(result)) != null;
      case TEST -> complete(point).size() == present(point);
      case ANY, SOME -> complete(point).containsAll(point.namedIn(result));
      case SERVE -> point.after(scheduler.conflicting(point)).equals(result);
    };
  }

  /** Returns whether something has come that no call has missed yet. */
  private boolean mayMiss(ChoicePoint point) {
    if (!point.polls) {
      return false;
    }
    if (point.kind == ChoicePoint.Kind.LOOK) {
      return !rank(point).isDenied(point) && messages(point).stream().anyMatch(message -> !message.denied);
    }
    return complete(point).stream().anyMatch(i -> !rank(point).isDenied(point.operations[i]));
  }

  // ---- making a choice

  /** Lets a call see nothing. */
  void miss(ChoicePoint point) {
    apply(point, ChoicePoint.NO);
  }

  private void apply(ChoicePoint point, String result) {
    ExploredRank rank = rank(point);
    point.mayMiss = mayMiss(point);
    if (point.kind == ChoicePoint.Kind.RECEIVE) {
      ExploredMessage message = Scheduler.candidate(rank, point.pattern, ChoicePoint.senderIn(result));
      scheduler.match(rank, point.pattern, message);
      scheduler.settle(rank); // later receives need not wait for this one any more
      return;
    }
    if (point.kind == ChoicePoint.Kind.SERVE) {
      scheduler.serve(point, result);
      return;
    }
    Past past = rank.clock();
    if (result.equals(ChoicePoint.NO)) {
      denyAll(point);
      point.missedAgain = rank.missAgain(point);
    } else if (point.operations == null) {
      rank.found(point);
      point.message = Scheduler.candidate(rank, point.pattern, ChoicePoint.senderIn(result));
      past = past.and(Scheduler.pastOfMatch(rank, point.pattern, point.message));
    } else {
      for (int i : chosen(point, result)) {
        Past seen = rank.pastOf(point.operations[i]);
        past = seen == null ? past : past.and(seen);
      }
    }
    decided(point, result, past);
    rank.awake = true;
  }

  private static List<Integer> chosen(ChoicePoint point, String result) {
    return result.equals(ChoicePoint.YES) ? complete(point) : point.namedIn(result);
  }

  private void denyAll(ChoicePoint point) {
    if (point.operations == null) {
      messages(point).forEach(message -> message.denied = true);
    } else {
      complete(point).forEach(i -> rank(point).deny(point.operations[i]));
    }
  }

  /** Records a choice. */
  void decided(ChoicePoint point, String result, Past past) {
    point.number = scheduler.choices.size();
    point.result = result;
    point.past = past;
    scheduler.choices.add(point);
  }
}
