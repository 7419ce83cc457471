// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ffmpi.shm.account.WorkDone;

/**
 * The text of the line that shows how far a job is. It has what most ranks do, the least and the most that any of them
 * has done, the rate, the time that is left, and a rank that is far behind, far ahead or stands still. Rate and time
 * are those of the rank that is last, since the job is done when it is. A function of the reports and of the time; used
 * by one thread.
 */
final class WorkLine {
  /** The rate is that of the last ten seconds, or of the last quarter of the time if that is longer. */
  private static final long WINDOW_NANOS = 10_000_000_000L;

  private static final int PART_OF_TIME = 4;

  /** No rate is told of a shorter time. */
  private static final long LEAST_NANOS = 500_000_000;

  /** The window is divided into so many samples. */
  private static final int SAMPLES = 64;

  /** A rank stands still that has not reported for ten seconds, nor for four times the usual. */
  private static final long STILL_NANOS = 10_000_000_000L;

  private static final int USUAL_STEPS = 4;

  /** Ranks are apart whose parts of the whole differ by a fiftieth. */
  private static final double APART = 0.02;

  /** A rank is ahead alone that is so many times as far from the middle as the last one. */
  private static final double ALONE = 3;

  private static final double SECOND = 1e9;
  private static final double LEAST_TOLD = 0.1;

  /** The part that the last rank had done at a time. */
  private record Sample(long at, double part) {}

  private final ArrayDeque<Sample> samples = new ArrayDeque<>();

  /** By name, the reports of all ranks, in the order in which these pieces of work began. */
  private List<List<WorkDone>> pieces = List.of();

  private String what = "";
  private WorkDone last;
  private WorkDone first;

  /** Takes in what the ranks have reported until now. */
  void update(List<WorkDone> ranks) {
    Map<String, List<WorkDone>> byName = new LinkedHashMap<>();
    for (WorkDone work : ranks.stream().sorted(Comparator.comparingLong(WorkDone::since)).toList()) {
      byName.computeIfAbsent(work.what(), name -> new ArrayList<>()).add(work);
    }
    pieces = new ArrayList<>(byName.values());
    pieces.sort(Comparator.<List<WorkDone>>comparingInt(Collection::size).reversed()); // stable: the older one first
    if (pieces.isEmpty()) {
      return;
    }
    List<WorkDone> main = pieces.getFirst();
    last = main.stream().min(Comparator.comparingDouble(WorkDone::part).thenComparing(WorkDone::rank)).orElseThrow();
    first = main.stream().max(Comparator.comparingDouble(WorkDone::part)).orElseThrow();
    if (!last.what().equals(what) || !samples.isEmpty() && last.part() < samples.getLast().part) {
      samples.clear();
      what = last.what();
    }
    addSample();
  }

  private void addSample() {
    long window = Math.max(WINDOW_NANOS, (last.at() - last.since()) / PART_OF_TIME);
    if (samples.isEmpty() || last.at() - samples.getLast().at >= window / SAMPLES) {
      samples.add(new Sample(last.at(), last.part()));
    }
    while (samples.size() > 2 && last.at() - samples.getFirst().at > window) {
      samples.removeFirst();
    }
  }

  /** Returns whether a rank has reported anything. */
  boolean isEmpty() {
    return pieces.isEmpty();
  }

  /** Returns the line for a running job. */
  String text(long now) {
    StringBuilder line = new StringBuilder(amount());
    double perSecond = partPerSecond();
    if (perSecond > 0 && !isComplete()) {
      if (last.total() == 0 || hasOneTotal()) {
        line.append(", ").append(rate(perSecond * Math.max(1, last.total())));
      }
      if (last.total() > 0) {
        double left = (1 - last.part()) / perSecond - (now - last.at()) / SECOND;
        line.append(", ").append(time(Math.max(0, left))).append(" left");
      }
    }
    return line.append(standing(now)).append(others()).toString();
  }

  /** Returns the line for a job that is over. */
  String result() {
    List<WorkDone> main = pieces.getFirst();
    long began = main.stream().mapToLong(WorkDone::since).min().orElseThrow();
    long ended = main.stream().mapToLong(WorkDone::at).max().orElseThrow();
    double seconds = (ended - began) / SECOND;
    return amount() + (seconds < LEAST_TOLD ? "" : " in " + time(seconds)) + others();
  }

  /** Returns what is done, and by how much of the whole. */
  private String amount() {
    String name = what.replaceAll("\\p{Cntrl}", " ") + ": ";
    if (last.total() > 0 && !hasOneTotal()) {
      return name + range(percent(last), percent(first)) + " %";
    }
    String range = range(last.done(), first.done());
    return name + (last.total() == 0 ? range : range + " of " + number(last.total()) + " (" + percent(last) + " %)");
  }

  private boolean hasOneTotal() {
    return pieces.getFirst().stream().allMatch(work -> work.total() == last.total());
  }

  private boolean isComplete() {
    return pieces.getFirst().stream().allMatch(WorkDone::isComplete);
  }

  private static long percent(WorkDone work) {
    return (long) (100 * work.part());
  }

  private static String range(long least, long most) {
    return least == most ? number(least) : number(least) + " to " + number(most);
  }

  private static String number(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }

  private double partPerSecond() {
    Sample oldest = samples.getFirst();
    long nanos = last.at() - oldest.at;
    return nanos < LEAST_NANOS ? 0 : (last.part() - oldest.part) / (nanos / SECOND);
  }

  private static String rate(double perSecond) {
    if (perSecond >= 10) {
      return number(Math.round(perSecond)) + "/s";
    }
    if (perSecond >= 1) {
      return String.format(Locale.ROOT, "%.1f/s", perSecond);
    }
    double perMinute = 60 * perSecond;
    return perMinute >= 1
        ? String.format(Locale.ROOT, "%.1f/min", perMinute)
        : String.format(Locale.ROOT, "%.1f/h", 60 * perMinute);
  }

  private static String time(double seconds) {
    if (seconds < 10) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    long s = Math.round(seconds);
    if (s < 60) {
      return s + " s";
    }
    if (s < 3600) {
      return s / 60 + " min " + s % 60 + " s";
    }
    return s < 86_400 ? s / 3600 + " h " + s / 60 % 60 + " min" : s / 86_400 + " d " + s / 3600 % 24 + " h";
  }

  /** Returns which rank has stood still, is last or is ahead; nothing where all go on together. */
  private String standing(long now) {
    List<WorkDone> main = pieces.getFirst();
    if (last.isComplete()) {
      return "";
    }
    long latest = pieces.stream().flatMap(List::stream).mapToLong(WorkDone::at).max().orElseThrow();
    if (isStill(now - latest)) {
      return "; nothing has moved for " + time((now - latest) / SECOND);
    }
    if (isStill(now - last.at())) {
      return "; rank " + last.rank() + " has stood for " + time((now - last.at()) / SECOND);
    }
    if (last.total() == 0 || first.part() - last.part() < APART) {
      return "";
    }
    double[] parts = main.stream().mapToDouble(WorkDone::part).sorted().toArray();
    double middle = parts[(parts.length - 1) / 2];
    return parts.length > 2 && first.part() - middle > ALONE * (middle - last.part())
        ? "; rank " + first.rank() + " is ahead"
        : "; rank " + last.rank() + " is last";
  }

  private boolean isStill(long nanos) {
    long usual = (last.at() - last.since()) / Math.max(1, last.done());
    return nanos >= STILL_NANOS && nanos >= USUAL_STEPS * usual;
  }

  /** Returns which ranks do something else. */
  private String others() {
    StringBuilder text = new StringBuilder();
    for (List<WorkDone> piece : pieces.subList(1, pieces.size())) {
      text.append("; ").append(piece.size() == 1 ? "rank " + piece.getFirst().rank() : piece.size() + " ranks")
          .append(" at ").append(piece.getFirst().what().replaceAll("\\p{Cntrl}", " "));
    }
    return text.toString();
  }
}
