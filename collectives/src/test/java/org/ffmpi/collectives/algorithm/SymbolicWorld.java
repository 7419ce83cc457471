// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Schedule;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.collectives.schedule.SymbolicBuffer;
import org.ffmpi.spi.Collective;

/**
 * Carries out the schedules of all ranks on symbols instead of numbers: every unit holds a term such as {@code ((0 1)
 * 2)} that tells which ranks' contributions were combined in which order. Follows the rules of {@link Schedule}, with
 * sends that are complete only when received, which is what a schedule must stand at worst; the order of events is
 * random.
 */
final class SymbolicWorld {
  private static final String JUNK = "junk";

  private final Schedule[] schedules;
  private final Rank[] ranks;
  private final Random random;

  /** A message on its way: what it says is read when it is received; whom its sender had heard of, when it was sent. */
  private record Message(Rank sender, int step, Slice what, String[] copy, long heard) {
    /** Copies what the message says to where it is received. */
    void deliver(String[] memory, int to) {
      if (copy != null) {
        System.arraycopy(copy, 0, memory, to, copy.length);
      } else {
        System.arraycopy(sender.memory(what.buffer()), (int) what.from(), memory, to, (int) what.units());
      }
    }
  }

  private static final class Rank {
    final Schedule schedule;
    final String[][] memory = new String[SymbolicBuffer.values().length][];
    final boolean[] done;
    /** Which swaps have been done one way. */
    final boolean[] half;
    final List<Deque<Message>> arrived = new ArrayList<>();
    final List<Deque<Integer>> posted = new ArrayList<>();
    /** What this rank shows in the region, to whom, and whom it had heard of then. */
    String[] shown;
    Step.Lend offer;
    /** The blocks that it shows; which of them are there by value, null if lent, and which are sent. */
    Step.PublishBlocks table;
    String[][] here;
    boolean[] isSent;
    boolean readFailed;
    boolean hasTaken;
    /** Its buffers are not shared. */
    boolean stages;
    int stage;
    int reader;
    long heardWhenShown;
    int next;
    /** The ranks that must have entered the call by now, as bits. */
    long heard;

    Rank(Schedule schedule) {
      this.schedule = schedule;
      this.done = new boolean[schedule.steps.length];
      this.half = new boolean[schedule.steps.length];
      this.heard = 1L << schedule.shape.rank();
      for (int i = 0; i < schedule.shape.size(); i++) {
        arrived.add(new ArrayDeque<>());
        posted.add(new ArrayDeque<>());
      }
    }

    /** Notes that a message of a step has been sent or received; of a swap, that takes two. */
    void ended(int step) {
      if (schedule.steps[step] instanceof Step.Swap && !half[step]) {
        half[step] = true;
      } else {
        done[step] = true;
      }
    }

    boolean isLent(int entry) {
      return here[entry] == null && !isSent[entry];
    }

    String[] memory(SymbolicBuffer slot) {
      return memory[slot.ordinal()];
    }
  }

  SymbolicWorld(Schedule[] schedules, Random random) {
    this.schedules = schedules;
    this.random = random;
    this.ranks = new Rank[schedules.length];
    for (int r = 0; r < ranks.length; r++) {
      ranks[r] = new Rank(schedules[r]);
      CallShape shape = schedules[r].shape;
      String[] send = new String[(int) shape.sendUnits()];
      String[] receive = new String[(int) shape.receiveUnits()];
      String[] scratch = new String[(int) schedules[r].scratchUnits];
      Arrays.fill(send, JUNK);
      Arrays.fill(receive, JUNK);
      Arrays.fill(scratch, JUNK);
      ranks[r].memory[0] = send;
      ranks[r].memory[1] = receive;
      ranks[r].memory[2] = scratch;
      contribute(shape, send, receive);
    }
  }

  /** Fills in what a rank contributes: where from, and for whom. */
  private static void contribute(CallShape shape, String[] send, String[] receive) {
    int rank = shape.rank();
    String[] contribution = shape.inPlace() && shape.collective() != Collective.SCATTER
        && shape.collective() != Collective.SCATTERV ? receive : send;
    switch (shape.collective()) {
      case BARRIER -> { }
      case BCAST -> {
        for (int i = 0; i < shape.units() && shape.isRoot(); i++) {
          send[i] = "b" + i;
        }
      }
      case GATHER, GATHERV, ALLGATHER, ALLGATHERV -> {
        int offset = shape.inPlace() ? (int) (rank * shape.units()) : 0;
        for (int i = 0; i < shape.units(); i++) {
          contribution[offset + i] = "g" + rank + "." + i;
        }
      }
      case SCATTER, SCATTERV -> {
        for (int i = 0; i < contribution.length && shape.isRoot(); i++) {
          contribution[i] = "s" + i / shape.units() + "." + i % shape.units();
        }
      }
      case ALLTOALL, ALLTOALLV -> {
        for (int i = 0; i < contribution.length; i++) {
          contribution[i] = "a" + rank + "." + i / shape.units() + "." + i % shape.units();
        }
      }
      default -> Arrays.fill(contribution, Integer.toString(rank));
    }
  }

  /** Runs to the end; throws when nothing can move any more. */
  void run() {
    List<Rank> active = new ArrayList<>(List.of(ranks));
    while (!active.isEmpty()) {
      int start = random.nextInt(active.size());
      boolean moved = false;
      for (int k = 0; k < active.size() && !moved; k++) {
        Rank rank = active.get((start + k) % active.size());
        moved = rank.next < rank.done.length && isReady(rank);
        if (moved) {
          take(rank);
        } else if (rank.next == rank.done.length && allDone(rank)) {
          active.remove(rank);
          moved = true;
        }
      }
      if (!moved) {
        throw new AssertionError("stuck:\n" + String.join("\n", Arrays.stream(ranks)
            .map(r -> "next " + r.next + ", done " + Arrays.toString(r.done) + "\n" + r.schedule).toList()));
      }
    }
    for (Rank rank : ranks) {
      for (Deque<Message> queue : rank.arrived) {
        if (!queue.isEmpty()) {
          throw new AssertionError("never received: " + queue + "\n" + rank.schedule);
        }
      }
    }
  }

  private static boolean allDone(Rank rank) {
    for (boolean done : rank.done) {
      if (!done) {
        return false;
      }
    }
    return true;
  }

  private boolean isReady(Rank rank) {
    Rank shows = switch (rank.schedule.steps[rank.next]) {
      case Step.Fetch fetch -> ranks[fetch.rank()];
      case Step.Combine combine -> ranks[combine.rank()];
      default -> null;
    };
    if (shows != null && shows.shown == null) {
      return false;
    }
    if (rank.schedule.steps[rank.next] instanceof Step.Vote vote
        && !Arrays.stream(ranks).allMatch(r -> !vote.asks(r.schedule.shape.rank()) || r.offer != null)) {
      return false;
    }
    if (rank.schedule.steps[rank.next] instanceof Step.Until until && ranks[until.rank()].stage < until.milestone()) {
      return false;
    }
    if (rank.schedule.steps[rank.next] instanceof Step.Consume take && !take.afterwards()
        && ranks[take.rank()].table == null
        || rank.schedule.steps[rank.next] instanceof Step.Deliver give && give.afterwards() && rank.isLent(give.entry())
        && !ranks[give.rank()].hasTaken) {
      return false;
    }
    for (int awaited : rank.schedule.after[rank.next]) {
      if (!rank.done[awaited]) {
        return false;
      }
    }
    return true;
  }

  private void take(Rank rank) {
    int number = rank.next++;
    int self = rank.schedule.shape.rank();
    switch (rank.schedule.steps[number]) {
      case Step.Send send -> {
        Rank target = ranks[send.rank()];
        target.arrived.get(self).add(new Message(rank, number, send.what(), null, rank.heard));
        match(target, self);
      }
      case Step.Receive receive -> {
        // From now on the memory may change at any time.
        String[] memory = rank.memory(receive.into().buffer());
        Arrays.fill(memory, (int) receive.into().from(), (int) (receive.into().from() + receive.into().units()), JUNK);
        rank.posted.get(receive.rank()).add(number);
        match(rank, receive.rank());
      }
      case Step.Swap swap -> {
        String[] memory = rank.memory(swap.what().buffer());
        int from = (int) swap.what().from();
        int to = from + (int) swap.what().units();
        String[] copy = Arrays.copyOfRange(memory, from, to);
        Arrays.fill(memory, from, to, JUNK);
        Rank target = ranks[swap.rank()];
        target.arrived.get(self).add(new Message(rank, number, swap.what(), copy, rank.heard));
        rank.posted.get(swap.rank()).add(number);
        match(target, self);
        match(rank, swap.rank());
      }
      case Step.Copy copy -> {
        System.arraycopy(rank.memory(copy.from().buffer()), (int) copy.from().from(), rank.memory(copy.to().buffer()),
            (int) copy.to().from(), (int) copy.from().units());
        rank.done[number] = true;
      }
      case Step.Reduce reduce -> {
        String[] left = rank.memory(reduce.left().buffer());
        String[] right = rank.memory(reduce.right().buffer());
        for (int i = 0; i < reduce.left().units(); i++) {
          int r = (int) reduce.right().from() + i;
          right[r] = "(" + left[(int) reduce.left().from() + i] + " " + right[r] + ")";
        }
        rank.done[number] = true;
      }
      case Step.Publish post -> {
        if (rank.shown != null) {
          throw new AssertionError("shows twice\n" + rank.schedule);
        }
        int from = (int) post.what().from();
        rank.shown = Arrays.copyOfRange(rank.memory(post.what().buffer()), from, from + (int) post.what().units());
        rank.reader = post.reader();
        rank.heardWhenShown = rank.heard;
        rank.done[number] = true;
      }
      case Step.Lend offer -> {
        rank.offer = offer;
        rank.stages = random.nextBoolean();
        rank.done[number] = true;
      }
      case Step.Stage stage -> {
        if (rank.stages) {
          System.arraycopy(rank.memory(stage.from().buffer()), (int) stage.from().from(),
              rank.memory(stage.to().buffer()),
              (int) stage.to().from(), (int) stage.from().units());
        }
        rank.done[number] = true;
      }
      case Step.Pull pull -> {
        for (int i = 0; i < pull.into().units(); i++) {
          rank.memory(pull.into().buffer())[(int) pull.into().from() + i] =
              offered(pull.rank(), pull.ofResult(), (int) pull.from() + i);
        }
        rank.done[number] = true;
      }
      case Step.PullReduce pull -> {
        String[] right = rank.memory(pull.right().buffer());
        for (int i = 0; i < pull.right().units(); i++) {
          int r = (int) pull.right().from() + i;
          right[r] = "(" + offered(pull.rank(), false, (int) pull.from() + i) + " " + right[r] + ")";
        }
        rank.done[number] = true;
      }
      case Step.Reach reach -> {
        rank.stage = reach.milestone();
        rank.done[number] = true;
      }
      case Step.PublishBlocks show -> {
        rank.table = show;
        rank.here = new String[show.blocks().length][];
        rank.isSent = new boolean[show.blocks().length];
        for (int i = 0; i < show.blocks().length; i++) {
          Slice what = show.blocks()[i];
          int where = random.nextInt(3);
          rank.isSent[i] = where == 0;
          if (where == 1) {
            rank.here[i] = Arrays.copyOfRange(
                rank.memory(what.buffer()), (int) what.from(), (int) (what.from() + what.units()));
          }
        }
        rank.heardWhenShown = rank.heard;
        rank.done[number] = true;
      }
      case Step.Deliver give -> {
        boolean isSent = give.afterwards()
            ? rank.isLent(give.entry()) && ranks[give.rank()].readFailed
            : rank.isSent[give.entry()];
        rank.done[number] = !isSent;
        if (isSent) {
          Rank target = ranks[give.rank()];
          target.arrived.get(self).add(new Message(rank, number, give.what(), null, rank.heard));
          match(target, self);
        }
      }
      case Step.Consume take -> take(rank, number, take);
      case Step.Acknowledge taken -> {
        rank.hasTaken = true;
        rank.done[number] = true;
      }
      case Step.Vote vote -> rank.done[number] = true;
      case Step.Until until -> rank.done[number] = true;
      case Step.Fetch fetch -> {
        String[] shown = read(rank, ranks[fetch.rank()]);
        System.arraycopy(shown, (int) fetch.from(), rank.memory(fetch.into().buffer()), (int) fetch.into().from(),
            (int) fetch.into().units());
        rank.done[number] = true;
      }
      case Step.Combine combine -> {
        String[] shown = read(rank, ranks[combine.rank()]);
        String[] right = rank.memory(combine.right().buffer());
        for (int i = 0; i < combine.right().units(); i++) {
          int r = (int) combine.right().from() + i;
          right[r] = "(" + shown[(int) combine.from() + i] + " " + right[r] + ")";
        }
        rank.done[number] = true;
      }
    }
  }

  /** Takes a block where it is, or begins to receive it. */
  private void take(Rank rank, int number, Step.Consume take) {
    Rank giver = ranks[take.rank()];
    int entry = take.entry();
    Slice what = giver.table.blocks()[entry];
    String[] memory = rank.memory(take.into().buffer());
    int to = (int) take.into().from();
    boolean isLent = giver.isLent(entry);
    boolean isReceived = take.afterwards() ? isLent && rank.readFailed : giver.isSent[entry];
    if (isReceived) {
      Arrays.fill(memory, to, (int) (to + take.into().units()), JUNK);
      rank.posted.get(take.rank()).add(number);
      match(rank, take.rank());
      return;
    }
    if (!take.afterwards()) {
      if (isLent && giver.next == giver.done.length) {
        throw new AssertionError(take.rank() + " lends nothing any more\n" + giver.schedule);
      }
      rank.readFailed |= isLent && random.nextInt(4) == 0;
      String[] from = isLent ? giver.memory(what.buffer()) : giver.here[entry];
      System.arraycopy(from, isLent ? (int) what.from() : 0, memory, to, (int) take.into().units());
      rank.heard |= giver.heardWhenShown;
    }
    rank.done[number] = true;
  }

  /** Returns a unit of what a rank offers. */
  private String offered(int rank, boolean ofResult, int unit) {
    Rank owner = ranks[rank];
    if (owner.next == owner.done.length) {
      throw new AssertionError(rank + " offers nothing any more\n" + owner.schedule);
    }
    Step.Lend offer = owner.offer;
    Slice slice = ofResult
        ? owner.stages ? offer.resultStage() : offer.result()
        : owner.stages ? offer.contributionStage() : offer.contribution();
    int at = unit - (int) (ofResult ? offer.resultFrom() : 0);
    if (at < 0 || at >= slice.units()) {
      throw new AssertionError("unit " + unit + " of " + slice + "\n" + owner.schedule);
    }
    return owner.memory(slice.buffer())[(int) slice.from() + at];
  }

  private static String[] read(Rank reader, Rank shows) {
    if (shows.reader != Step.ALL && shows.reader != reader.schedule.shape.rank()) {
      throw new AssertionError("not for these eyes\n" + reader.schedule + "\n" + shows.schedule);
    }
    reader.heard |= shows.heardWhenShown;
    return shows.shown;
  }

  private void match(Rank receiver, int from) {
    Deque<Message> messages = receiver.arrived.get(from);
    Deque<Integer> receives = receiver.posted.get(from);
    while (!messages.isEmpty() && !receives.isEmpty()) {
      Message message = messages.remove();
      int number = receives.remove();
      Slice into = switch (receiver.schedule.steps[number]) {
        case Step.Swap swap -> swap.what();
        case Step.Consume take -> take.into();
        case Step.Receive receive -> receive.into();
        default -> throw new AssertionError(number);
      };
      if (into.units() != message.what().units()) {
        throw new AssertionError(message + " does not fit " + into + "\n" + receiver.schedule);
      }
      message.deliver(receiver.memory(into.buffer()), (int) into.from());
      receiver.heard |= message.heard();
      receiver.ended(number);
      message.sender().ended(message.step());
    }
  }

  /** Returns the terms in a rank's receive buffer. */
  String[] result(int rank) {
    return ranks[rank].memory(SymbolicBuffer.RECEIVE);
  }

  /** Returns whether a rank, having ended, can know that all others have entered. */
  boolean hasHeardOfAll(int rank) {
    return ranks[rank].heard == (1L << ranks.length) - 1;
  }

  @Override
  public String toString() {
    return String.join("\n", Arrays.stream(schedules).map(Schedule::toString).toList());
  }
}
