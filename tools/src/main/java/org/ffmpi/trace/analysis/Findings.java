// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Three sentences about a trace, each computed from it. Each also has a form for a trace in which
 * nothing is wrong.
 *
 * @param time where the time went
 * @param late which rank sends or receives late, and who waits for it
 * @param balance who computes longer than the others
 */
public record Findings(String time, String late, String balance) {
  /** Below this part of the time, waiting is not worth a search: what remains is in the noise of most machines. */
  private static final double SMALL = 0.05;

  /** Computing times within this factor of the mean are called equal. */
  private static final double EQUAL = 1.1;

  /** Waits for one rank in calls of one place. */
  private record Late(WaitReason reason, int cause, int lane, String at, String partner) {}

  static Findings of(JobLanes lanes, CallWaits waits, List<CallRow> rows, List<RankTimes> times) {
    return new Findings(time(lanes, rows, times), late(lanes, waits, times), balance(times));
  }

  private static String time(JobLanes lanes, List<CallRow> rows, List<RankTimes> times) {
    long total = times.stream().mapToLong(RankTimes::total).sum();
    long waiting = times.stream().mapToLong(RankTimes::waiting).sum();
    long moving = times.stream().mapToLong(RankTimes::moving).sum();
    if (total == 0) {
      return "The trace holds no time: no rank made a call after its start.";
    }
    String computing = Quantities.percent(total - waiting - moving, total);
    if (waiting < SMALL * total) {
      String end = moving < SMALL * total
          ? "communication costs almost nothing here."
          : "calls that wait for no rank cost more than waiting, most of all " + busiest(rows) + ".";
      return "The ranks compute " + computing + " of their time, wait " + Quantities.percent(waiting, total)
          + " and move data " + Quantities.percent(moving, total) + ": " + end;
    }
    CallRow worst = rows.getFirst();
    for (CallRow row : rows) {
      worst = row.waited() > worst.waited() ? row : worst;
    }
    String part = 2 * worst.waited() >= waiting
        ? "most of it"
        : "the largest part of it, " + Quantities.percent(worst.waited(), waiting) + ",";
    String whom = 2 * worst.causeWaited() >= worst.waited() && worst.cause() >= 0
        ? " for rank " + lanes.get(worst.cause()).rank()
        : lanes.size() > 2 ? " for several ranks" : "";
    return "The ranks wait " + Quantities.percent(waiting, total) + " of their time, " + part + " in " + worst.where()
        + whom + "; they compute " + computing + " and move data " + Quantities.percent(moving, total) + ".";
  }

  private static String busiest(List<CallRow> rows) {
    CallRow busiest = rows.getFirst();
    for (CallRow row : rows) {
      busiest = row.time() - row.waited() > busiest.time() - busiest.waited() ? row : busiest;
    }
    return busiest.where();
  }

  private static String late(JobLanes lanes, CallWaits waits, List<RankTimes> times) {
    Map<Late, long[]> sums = new HashMap<>();
    long all = 0;
    for (int lane = 0; lane < lanes.size(); lane++) {
      JobLane own = lanes.get(lane);
      for (int i = 0; i < own.size(); i++) {
        WaitReason reason = waits.reason(lane, i);
        int cause = waits.cause(lane, i);
        if (cause >= 0 && (reason == WaitReason.LATE_SENDER || reason == WaitReason.LATE_RECEIVER)) {
          int partner = waits.partner(lane, i);
          Late key = new Late(
              reason, cause, lane, where(own, i), partner < 0 ? null : where(lanes.get(cause), partner));
          long[] sum = sums.computeIfAbsent(key, unused -> new long[2]);
          sum[0] += waits.waited(lane, i);
          sum[1]++;
          all += waits.waited(lane, i);
        }
      }
    }
    long total = times.stream().mapToLong(RankTimes::total).sum();
    if (all < SMALL * total || sums.isEmpty()) {
      return all == 0
          ? "No rank waits for the sender or the receiver of a message."
          : "Messages are on time: waiting for their senders and receivers takes " + Quantities.percent(all, total)
              + " of the time.";
    }
    Map.Entry<Late, long[]> worst = sums.entrySet().iterator().next();
    for (Map.Entry<Late, long[]> entry : sums.entrySet()) {
      worst = entry.getValue()[0] > worst.getValue()[0] ? entry : worst;
    }
    return sentence(lanes, worst.getKey(), worst.getValue()[0], worst.getValue()[1], times);
  }

  private static String sentence(JobLanes lanes, Late late, long waited, long count, List<RankTimes> times) {
    boolean sender = late.reason == WaitReason.LATE_SENDER;
    String partner = late.partner == null
        ? "which never comes" : (sender ? "until it is sent by " : "until it is received by ") + late.partner;
    String often = count == 1 ? "" : ", in " + Quantities.count(count) + " calls, " + Quantities.time(waited / count)
        + " each on average";
    return "Rank " + lanes.get(late.cause).rank() + (sender ? " sends" : " receives") + " late: rank "
        + lanes.get(late.lane).rank() + " waits " + Quantities.time(waited) + " ("
        + Quantities.percent(waited, times.get(late.lane).total()) + " of its time) in " + late.at + " for a message, "
        + partner + often + ".";
  }

  private static String where(JobLane lane, int call) {
    String site = lane.call(call).site();
    return site == null ? lane.call(call).name() : lane.call(call).name() + " at " + site;
  }

  private static String balance(List<RankTimes> times) {
    if (times.size() < 2) {
      return "There is only one rank, so no imbalance.";
    }
    RankTimes most = times.getFirst();
    RankTimes least = times.getFirst();
    long sum = 0;
    long total = 0;
    for (RankTimes rank : times) {
      most = rank.computing() > most.computing() ? rank : most;
      least = rank.computing() < least.computing() ? rank : least;
      sum += rank.computing();
      total = Math.max(total, rank.total());
    }
    long mean = sum / times.size();
    long others = (sum - most.computing()) / (times.size() - 1);
    if (most.computing() <= EQUAL * mean || most.computing() - mean < SMALL * total) {
      return "All ranks compute for about the same time, " + Quantities.time(least.computing()) + " to "
          + Quantities.time(most.computing()) + ".";
    }
    String factor = others == 0 || most.computing() > 100 * others
        ? "far longer than the others"
        : String.format(Locale.ROOT, "%.1f times as long as the others", (double) most.computing() / others);
    return "Rank " + most.rank() + " computes " + Quantities.time(most.computing()) + ", " + factor + " ("
        + Quantities.time(others) + " on average); with equal parts each would compute " + Quantities.time(mean)
        + ".";
  }
}
