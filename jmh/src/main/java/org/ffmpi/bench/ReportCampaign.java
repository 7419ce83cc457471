// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.ffmpi.bench.page.Figure;

/**
 * Measures the rows of {@code scripts/bench report}. In each round each implementation has a turn in each part. The
 * first round is always measured; a part's further rounds begin while they are expected to end in time. Samples of the
 * journal are not measured again.
 */
final class ReportCampaign {
  /** Further rounds for points that were disturbed. */
  private static final int EXTRA_ROUNDS = 3;

  private final Journal journal;
  private final List<Team> teams;
  private final Results results = new Results(ReportPlan.WANTED, Results.State.MOST);
  private final int rounds;
  private final double limit;
  private final double before;
  private long begin = System.nanoTime();

  /** A part and the implementations that measure it. */
  record Team(ReportPlan.Part part, List<Implementation> implementations) {}

  /**
   * Makes a campaign, or the rest of one.
   *
   * @param journal the samples so far
   * @param teams the parts
   * @param rounds jobs of each implementation in each part
   * @param limit seconds for all, those of the journal included
   */
  ReportCampaign(Journal journal, List<Team> teams, int rounds, double limit) {
    this.journal = journal;
    this.teams = List.copyOf(teams);
    this.rounds = rounds;
    this.limit = limit;
    before = journal.seconds();
    for (Journal.Entry e : journal.samples()) {
      results.add(e.turn().implementation(), e.sample());
    }
  }

  List<Team> teams() {
    return teams;
  }

  Results results() {
    return results;
  }

  /**
   * Measures all points that the journal lacks.
   *
   * @param afterRound runs after each round
   */
  void run(Runnable afterRound) throws IOException, InterruptedException {
    begin = System.nanoTime(); // without the time of building
    Set<String> prepared = new HashSet<>();
    for (int round = 1; round <= rounds + EXTRA_ROUNDS; round++) {
      boolean any = false;
      for (Team team : teams) {
        ReportPlan.Part part = team.part();
        List<Journal.Turn> due = due(team, round);
        if (due.isEmpty() || round > 1 && !journal.hasBegun(part.name(), round) && !fits(due)) {
          continue;
        }
        if (prepared.add(part.name())) {
          prepare(team);
        }
        for (Journal.Turn turn : due) {
          any = true;
          turn(team, turn);
        }
      }
      if (any) {
        afterRound.run();
      }
    }
  }

  private void prepare(Team team) throws InterruptedException {
    ReportPlan.Part part = team.part();
    for (Implementation i : team.implementations()) {
      for (int n : part.ranks()) {
        try {
          part.suite().measurement.prepare(i, points(team, i, n), part.options());
        } catch (IOException e) {
          failed(part.name() + " by " + i.id() + ": " + e.getMessage());
        }
      }
    }
  }

  private Campaign campaign(Team team) {
    return new Campaign(team.part().suite(), team.implementations(), team.part().options(), results);
  }

  private List<Point> points(Team team, Implementation i, int ranks) {
    return campaign(team).points(i, ranks).stream().filter(team.part().points()).toList();
  }

  /** Returns the points that a turn has yet to measure. */
  private List<Point> points(Team team, Journal.Turn turn) {
    Implementation i = implementation(team, turn);
    Set<Point> measured = journal.measured(turn);
    return points(team, i, turn.ranks()).stream()
        .filter(p -> !measured.contains(p) && (turn.round() <= rounds || results.lacks(i.id(), p))).toList();
  }

  private static Implementation implementation(Team team, Journal.Turn turn) {
    return team.implementations().stream().filter(i -> i.id().equals(turn.implementation())).findFirst()
        .orElseThrow();
  }

  private List<Journal.Turn> due(Team team, int round) {
    ReportPlan.Part part = team.part();
    List<Journal.Turn> due = new ArrayList<>();
    for (int n : part.ranks()) {
      for (Implementation i : team.implementations()) {
        Journal.Turn turn = new Journal.Turn(part.name(), round, i.id(), n);
        if (!journal.isDone(turn) && !points(team, turn).isEmpty()) {
          due.add(turn);
        }
      }
    }
    return due;
  }

  private double spent() {
    return before + (System.nanoTime() - begin) * 1e-9;
  }

  private double left() {
    return limit - spent();
  }

  private boolean fits(List<Journal.Turn> turns) {
    return seconds(turns) <= left();
  }

  /** Estimates the seconds of turns by those of others of their kind. */
  private double seconds(List<Journal.Turn> turns) {
    double sum = 0;
    for (Journal.Turn t : turns) {
      double mean = journal.meanSeconds(t.part(), t.implementation(), t.ranks());
      double guess = teams.stream().map(Team::part).filter(p -> p.name().equals(t.part())).findFirst()
          .orElseThrow().seconds(t.implementation().equals(Implementation.OURS));
      sum += Double.isNaN(mean) ? guess : mean;
    }
    return sum;
  }

  private void turn(Team team, Journal.Turn turn) throws IOException, InterruptedException {
    List<Journal.Turn> remaining = new ArrayList<>();
    for (int r = turn.round(); r <= Math.max(turn.round(), rounds); r++) {
      for (Team t : teams) {
        remaining.addAll(due(t, r));
      }
    }
    double first = seconds(remaining.stream().filter(t -> t.round() == 1).toList());
    System.err.printf("bench: %s gone, about %s left: round %d of %d%s, %s, %s%n", clock(spent()),
        clock(Math.max(first, Math.min(left(), seconds(remaining)))), Math.min(turn.round(), rounds), rounds,
        turn.round() > rounds ? " and " + (turn.round() - rounds) + " for disturbed rows" : "", turn.part(),
        turn.implementation());
    long start = System.nanoTime();
    try {
      campaign(team).turn(implementation(team, turn), turn.ranks(), points(team, turn),
          "bench:   done", sample -> record(turn, sample), () -> {});
      journal.done(turn, (System.nanoTime() - start) * 1e-9);
    } catch (IOException e) {
      failed(turn.part() + " by " + turn.implementation() + ", round " + turn.round() + ": " + e.getMessage());
    }
  }

  private static String clock(double seconds) {
    long s = Math.max(0, Math.round(seconds));
    return String.format(Locale.ROOT, "%d:%02d", s / 60, s % 60);
  }

  private void record(Journal.Turn turn, Sample sample) {
    try {
      journal.sample(turn, sample);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A run that fails leaves a gap; an hour of other measurements is worth more than the end of the campaign. */
  private void failed(String what) {
    System.err.println("bench: failed: " + what);
    try {
      journal.failed(brief(what));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the first line without a command in it, which may be long, and the last line of the message. */
  static String brief(String what) {
    List<String> lines = what.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    String first = lines.getFirst().replaceAll("(: )\\S*/.* (ended with exit code|did not end within)", "$1$2");
    return lines.size() == 1 ? first : first + ": " + lines.getLast();
  }

  /** Returns the figures so far. */
  List<Figure> figures() {
    List<Figure> rows = new ArrayList<>();
    for (Team team : teams) {
      for (int n : team.part().ranks()) {
        for (Implementation i : team.implementations()) {
          for (Point p : points(team, i, n)) {
            Results.Row r = results.row(i.id(), p);
            if (r != null) {
              int jobs = results.used(i.id(), p).size();
              rows.add(new Figure(team.part().name(), p.bench(), p.name(), i.id(), n, p.bytes(), r.unit(), r.min(),
                  r.median(), r.max(), r.worstJob(), jobs, results.count(i.id(), p) - jobs, r.foreignPercent(),
                  r.good()));
            }
          }
        }
      }
    }
    return rows;
  }
}
