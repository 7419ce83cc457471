// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.diagnosis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.ffmpi.shm.account.RankAccount;
import org.ffmpi.shm.account.RankAccount.Communicator;
import org.ffmpi.shm.account.RankAccount.Kind;
import org.ffmpi.shm.account.RankAccount.Wait;
import org.ffmpi.shm.diagnosis.JobState.RankFacts;
import org.ffmpi.shm.diagnosis.JobState.Stage;
import org.ffmpi.spi.Channel;

/**
 * Explains why ranks wait. Causes are collective calls that differ or that a rank does not take part in, cycles of
 * ranks that wait for each other, and waits for a rank that has departed, has not joined or computes. It is a function
 * of one {@link JobState}; a sentence is no proof, since that state is not quite of one moment.
 */
public final class Diagnosis {
  private final JobState job;
  private final WaitText text;
  private final EpochText epochs;
  private final List<String> sentences = new ArrayList<>();

  /** Ranks whose waits a sentence has explained. */
  private final TreeSet<Integer> explained = new TreeSet<>();

  private Diagnosis(JobState job, long now) {
    this.job = job;
    this.text = new WaitText(job, now);
    this.epochs = new EpochText(job, now);
  }

  /**
   * Explains the waits of a job.
   *
   * @param job its state
   * @param now the time, by the machine's monotonic clock in nanoseconds
   * @return sentences without a full stop, the most certain first; empty without a long wait
   */
  public static List<String> of(JobState job, long now) {
    Diagnosis d = new Diagnosis(job, now);
    d.explainCalls();
    d.explainCycles();
    d.explainEnds();
    return List.copyOf(d.sentences);
  }

  /**
   * Reports the activity of each rank, and then the reasons why nothing moves.
   *
   * @param job its state
   * @param now the time, by the machine's monotonic clock in nanoseconds
   * @return whole lines; ranks are those of the job
   */
  public static String report(JobState job, long now) {
    StringBuilder report = new StringBuilder();
    for (String line : lines(job, now)) {
      report.append("  ").append(line).append('\n');
    }
    for (String sentence : of(job, now)) {
      report.append("  => ").append(sentence).append('\n');
    }
    return report.toString();
  }

  /**
   * Names the lines of the program in which ranks wait.
   *
   * @param job its state
   * @return words such as "ranks 0 and 1 wait at Halo.java:44"; empty where no line is known
   */
  public static String places(JobState job) {
    Map<String, List<Integer>> byLine = new LinkedHashMap<>();
    for (RankFacts rank : job.ranks()) {
      String line = rank.waits() ? rank.longestWait().line() : "";
      if (!line.isEmpty()) {
        byLine.computeIfAbsent(line, unused -> new ArrayList<>()).add(rank.rank());
      }
    }
    List<String> parts = new ArrayList<>();
    byLine.forEach((line, ranks) -> parts.add(
        WaitText.ranks(ranks) + (!parts.isEmpty() ? "" : ranks.size() == 1 ? " waits" : " wait") + " at " + line));
    return WaitText.list(parts);
  }

  /** The columns of {@link #rows}. */
  public static final List<String> COLUMNS =
      List.of(
          "rank", "pid", "call", "peer", "tag", "communicator", "for", "sent", "received", "bytes out", "bytes in",
          "sends", "receives", "unexpected", "unexpected bytes", "line");

  /**
   * Makes a table of a job's ranks, a row for each long wait and for each rank without one.
   *
   * @param job its state
   * @param now the time, by the machine's monotonic clock in nanoseconds
   * @return cells in the order of {@link #COLUMNS}
   */
  public static List<List<String>> rows(JobState job, long now) {
    List<List<String>> rows = new ArrayList<>();
    WaitText text = new WaitText(job, now);
    for (RankFacts rank : job.ranks()) {
      for (Wait wait : rank.waits() ? rank.account().waits() : Collections.<Wait>singletonList(null)) {
        rows.add(row(text, rank, wait, now));
      }
    }
    return rows;
  }

  private static List<String> row(WaitText text, RankFacts rank, Wait wait, long now) {
    List<String> row = new ArrayList<>();
    row.add(Integer.toString(rank.rank()));
    row.add(rank.pid() == 0 ? "-" : Long.toString(rank.pid()));
    if (wait == null) {
      row.add(rank.stage() != Stage.INSIDE ? "(" + idleness(rank) + ")"
          : rank.standsElsewhere() ? "(waits outside of MPI)" : "(computes)");
      row.addAll(List.of("-", "-", "-", "-"));
    } else {
      boolean isMessage = wait.kind() == Kind.SEND || wait.kind() == Kind.RECEIVE || wait.kind() == Kind.PROBE;
      row.add(WaitText.isOfCall(wait) ? WaitText.operation(wait) : wait.call().isEmpty() ? "-" : wait.call());
      row.add(wait.peer() >= 0 ? Integer.toString(wait.peer()) : isMessage ? "any" : "-");
      row.add(!isMessage ? "-" : wait.tag() >= 0 ? Integer.toString(wait.tag()) : "any");
      row.add(wait.context() == -1 ? "-" : text.communicator(rank.rank(), wait.context()));
      row.add(WaitText.seconds(now - wait.since()));
    }
    RankAccount account = rank.account() == null ? RankAccount.NONE : rank.account();
    row.addAll(
        LongStream.of(
            account.traffic().sent(), account.traffic().received(), account.traffic().sentBytes(),
            account.traffic().receivedBytes(), account.queues().sends(), account.queues().receives(),
            account.queues().unexpected(), account.queues().unexpectedBytes()).mapToObj(Long::toString).toList());
    row.add(wait == null || wait.line().isEmpty() ? "-" : wait.line());
    return row;
  }

  /** Reports the activity of each rank; ranks without a wait share a line with others of their kind. */
  private static List<String> lines(JobState job, long now) {
    Map<String, List<Integer>> idle = new LinkedHashMap<>();
    List<String> lines = new ArrayList<>();
    WaitText text = new WaitText(job, now);
    for (RankFacts rank : job.ranks()) {
      if (!rank.waits()) {
        idle.computeIfAbsent(idleness(rank), unused -> new ArrayList<>()).add(rank.rank());
        continue;
      }
      for (Wait wait : rank.account().waits()) {
        lines.add("rank " + rank.rank() + ": " + WaitText.call(wait) + WaitText.seconds(now - wait.since()) + ": "
            + text.action(rank.rank(), wait) + text.missing(rank.rank(), wait));
      }
    }
    idle.forEach((what, ranks) -> {
      String plural = what.replaceFirst("^has ", "have ").replaceFirst("^is ", "are ");
      lines.add(WaitText.ranks(ranks) + ": " + (ranks.size() == 1 ? what : plural));
    });
    return lines;
  }

  private static String idleness(RankFacts rank) {
    return switch (rank.stage()) {
      case OUTSIDE -> "has not called MPI_Init";
      case FINALIZED -> "has finalized";
      case DEAD -> "has died";
      case LEAVING -> "has called MPI_Finalize";
      case INSIDE -> rank.account() == null ? "has no account that can be read"
          : "is in no call that waits: "
              + (rank.isCurrent() ? rank.account().place().text() : "computing, or testing in a loop");
    };
  }

  // ---- collective calls

  /** One call of a collective operation, and the ranks that wait in it. */
  private record Call(Wait first, int rank, TreeMap<Integer, Wait> waits) {}

  private void explainCalls() {
    List<Call> calls = new ArrayList<>();
    for (RankFacts rank : job.ranks()) {
      for (Wait wait : waitsOf(rank)) {
        if (WaitText.isOfCall(wait)) {
          find(calls, rank.rank(), wait).waits.put(rank.rank(), wait);
        }
      }
    }
    for (Call call : calls) {
      if (!explainDifference(call)) {
        explainAbsence(call);
      }
    }
  }

  private static List<Wait> waitsOf(RankFacts rank) {
    return rank.waits() ? rank.account().waits() : List.of();
  }

  private static Call find(List<Call> calls, int rank, Wait wait) {
    for (Call call : calls) {
      if (WaitText.isSameCall(call.first, wait)) {
        return call;
      }
    }
    Call call = new Call(wait, rank, new TreeMap<>());
    calls.add(call);
    return call;
  }

  /** Names the ranks that make different calls under one number. */
  private boolean explainDifference(Call call) {
    Map<String, List<Integer>> byOperation = new LinkedHashMap<>();
    Map<Integer, Boolean> operations = new TreeMap<>();
    call.waits.forEach((rank, wait) -> {
      String key = wait.collective() < 0 ? WaitText.operation(wait) : wait.collective() + " " + wait.root();
      byOperation.computeIfAbsent(key, unused -> new ArrayList<>()).add(rank);
      operations.put(wait.collective(), true);
    });
    if (byOperation.size() < 2 || operations.containsKey(-1)) {
      return false;
    }
    List<String> parts = new ArrayList<>();
    byOperation.values().forEach(ranks -> parts.add(
        WaitText.ranks(ranks) + (ranks.size() == 1 ? " calls " : " call ")
            + WaitText.operation(call.waits.get(ranks.getFirst()))));
    sentences.add(
        text.callNumber(call.rank, call.first) + " differs between ranks: " + WaitText.list(parts));
    explained.addAll(call.waits.keySet());
    return true;
  }

  /** Names the ranks for which others wait in a call that they have not made, or have left. */
  private void explainAbsence(Call call) {
    TreeSet<Integer> absent = new TreeSet<>();
    TreeSet<Integer> through = new TreeSet<>();
    TreeSet<Integer> asked = new TreeSet<>();
    call.waits.values().stream().filter(w -> isRank(w.peer())).forEach(w -> asked.add(w.peer()));
    long number = Channel.numberOf(call.first.context());
    if (number == Channel.WORLD_CONTEXT && job.ranks().size() > 1) {
      job.ranks().forEach(r -> asked.add(r.rank()));
    }
    for (int rank : asked) {
      if (!call.waits.containsKey(rank)) {
        RankFacts facts = job.ranks().get(rank);
        Communicator c = facts.waits() ? facts.account().communicator(number) : null;
        boolean isWaitedFor = call.waits.values().stream().anyMatch(w -> w.peer() == rank);
        boolean isCounted = Channel.callOf(call.first.context()) == number + 1;
        if (c != null && isCounted && c.begun() > call.first.tag()) {
          if (isWaitedFor) {
            through.add(rank);
          }
        } else if (isWaitedFor || c != null && isCounted || facts.stage() == Stage.OUTSIDE) {
          absent.add(rank);
        }
      }
    }
    String name = WaitText.operation(call.first) + " (" + text.callNumber(call.rank, call.first) + ")";
    String waiting = WaitText.ranks(List.copyOf(call.waits.keySet())) + (call.waits.size() == 1 ? " waits" : " wait");
    for (int rank : absent) {
      RankFacts facts = job.ranks().get(rank);
      String missing = facts.isInside() && !facts.waits() ? " is not in " : " has not called ";
      sentences.add("rank " + rank + missing + name + ", in which " + waiting + ": " + doing(facts));
      if (call.waits.containsKey(blockedOn(facts))) {
        explained.add(rank); // a cycle, which another sentence would not explain better
      }
    }
    for (int rank : through) {
      sentences.add("rank " + rank + " has ended " + name + ", in which " + waiting + " for a message to or from it:"
          + " the block is empty, or has another length, at one of the two ranks");
    }
    if (!absent.isEmpty() || !through.isEmpty()) {
      explained.addAll(call.waits.keySet());
    }
  }

  private boolean isRank(int peer) {
    return peer >= 0 && peer < job.ranks().size();
  }

  /** Describes the activity of a rank that is not in the call. */
  private String doing(RankFacts rank) {
    return rank.waits()
        ? "it " + text.action(rank.rank(), rank.longestWait()) + text.missing(rank.rank(), rank.longestWait())
        : "it " + idleness(rank);
  }

  // ---- cycles

  /** Returns the one rank on which a rank is blocked, or -1. */
  private int blockedOn(RankFacts rank) {
    for (Wait wait : waitsOf(rank)) {
      int peer = switch (wait.kind()) {
        case SEND, RECEIVE, PROBE, COLLECTIVE -> wait.peer();
        case ANY, OTHER -> onlyPeer(rank.account());
        case FLUSH -> rank.account().sends().isEmpty() ? -1 : rank.account().sends().getFirst().peer();
        case LOCK, POST, COMPLETES -> epochs.blockedOn(rank.rank(), wait);
      };
      if (isRank(peer)) {
        return peer;
      }
    }
    return -1;
  }

  /** Returns the only peer of all sends and receives under way, or -1. */
  private static int onlyPeer(RankAccount account) {
    TreeSet<Integer> peers = new TreeSet<>();
    account.sends().forEach(m -> peers.add(m.peer()));
    account.receives().forEach(m -> peers.add(m.peer()));
    return peers.size() == 1 ? peers.first() : -1;
  }

  private void explainCycles() {
    TreeSet<Integer> seen = new TreeSet<>();
    for (RankFacts start : job.ranks()) {
      List<Integer> path = new ArrayList<>();
      int at = start.rank();
      while (at >= 0 && !path.contains(at) && !seen.contains(at)) {
        path.add(at);
        at = blockedOn(job.ranks().get(at));
      }
      seen.addAll(path);
      int from = path.indexOf(at);
      if (from >= 0) {
        addCycle(path.subList(from, path.size()));
      }
    }
  }

  private void addCycle(List<Integer> cycle) {
    if (explained.containsAll(cycle)) {
      return;
    }
    List<String> parts = new ArrayList<>();
    boolean isOneCall = true;
    Wait first = job.ranks().get(cycle.getFirst()).longestWait();
    for (int rank : cycle) {
      Wait wait = job.ranks().get(rank).longestWait();
      isOneCall &= WaitText.isSameCall(first, wait);
      parts.add((cycle.size() == 1 ? "it " : "rank " + rank + " ") + text.action(rank, wait)
          + text.missing(rank, wait));
    }
    List<Integer> sorted = cycle.stream().sorted().toList();
    String who = cycle.size() == 1 ? WaitText.ranks(sorted) + " waits for itself"
        : WaitText.ranks(sorted) + " wait for each other";
    sentences.add(isOneCall
        ? who + " in " + WaitText.operation(first) + " (" + text.callNumber(cycle.getFirst(), first)
            + "): a block is empty, or has another length, at one of its two ends"
        : who + ": " + String.join(", ", parts));
    explained.addAll(cycle);
  }

  // ---- the other ends of chains

  private void explainEnds() {
    Map<Integer, List<Integer>> byEnd = new TreeMap<>();
    for (RankFacts rank : job.ranks()) {
      int peer = rank.waits() && !explained.contains(rank.rank()) ? blockedOn(rank) : -1;
      if (peer >= 0 && !job.ranks().get(peer).waits()) {
        byEnd.computeIfAbsent(peer, unused -> new ArrayList<>()).add(rank.rank());
      }
    }
    byEnd.forEach((end, ranks) -> {
      RankFacts facts = job.ranks().get(end);
      sentences.add(WaitText.ranks(ranks) + (ranks.size() == 1 ? " waits" : " wait") + " for rank " + end + ", which "
          + idleness(facts));
      explained.addAll(ranks);
    });
    for (RankFacts rank : job.ranks()) {
      if (rank.waits() && !explained.contains(rank.rank()) && isAnEnd(rank)) {
        Wait wait = rank.longestWait();
        String missing = text.missing(rank.rank(), wait);
        sentences.add("rank " + rank.rank() + " " + text.action(rank.rank(), wait) + missing);
      }
    }
  }

  /** Returns whether a rank waits for no rank in particular, or for an operation that its peer has not started. */
  private boolean isAnEnd(RankFacts rank) {
    Wait wait = rank.longestWait();
    return blockedOn(rank) < 0 || wait.kind() != Kind.COLLECTIVE && !text.missing(rank.rank(), wait).isEmpty();
  }
}
