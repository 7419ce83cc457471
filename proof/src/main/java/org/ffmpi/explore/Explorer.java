// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.ffmpi.Mpi;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.explore.Exploration.Finding;
import org.ffmpi.explore.Exploration.Kind;

/**
 * Runs a body in one order of its messages after the other. One thread uses it; it returns when all orders have been
 * seen, when something is wrong, or when a limit is reached.
 */
public final class Explorer {
  /** The word before choices of a run in which a standard send waits for its receive. */
  public static final String UNBUFFERED = Script.UNBUFFERED;

  /** The body of a rank. */
  @FunctionalInterface
  public interface Body {
    /**
     * Runs one rank once.
     *
     * @param mpi the rank's environment
     * @param results where it compares its results with those of other orders
     * @throws Exception what the body throws
     */
    void run(Mpi mpi, Results results) throws Exception;
  }

  /**
   * The limits of an exploration.
   *
   * @param runs number of runs
   * @param time time of all runs
   * @param silence how long a rank may run without a call
   */
  public record Limits(int runs, Duration time, Duration silence) {}

  private final int ranks;
  private final Limits limits;
  private final Results results = new Results();
  private final RunThreads threads;
  private int runs;
  private int orders;
  private long deadline;

  /**
   * Creates an exploration.
   *
   * @param ranks number of ranks
   * @param settings settings of the ranks
   * @param body what each rank runs, again and again
   * @param before called before each run
   * @param limits when to stop
   */
  public Explorer(int ranks, Map<String, String> settings, Body body, Runnable before, Limits limits) {
    this.ranks = ranks;
    this.limits = limits;
    this.threads = new RunThreads(ranks, settings, body, before, limits, results);
  }

  /**
   * Runs the body in every order.
   *
   * @return the orders seen, and the mistake found
   */
  public Exploration all() {
    start();
    SendCycles cycles = new SendCycles();
    for (boolean buffered : new boolean[] {true, false}) {
      OpenOrders open = new OpenOrders();
      Script script = new Script();
      while (script != null) {
        if (isOver()) {
          return new Exploration(orders, runs, false, "there are more orders than the " + seen() + " that were seen in "
              + limits.runs() + " runs or " + limits.time().toSeconds() + " s", null);
        }
        Run run = run(new RunPlan(buffered, script, null));
        Finding finding = finding(run, script);
        if (finding != null) {
          return found(finding);
        }
        if (buffered) {
          cycles.add(run);
        }
        if (open.add(run)) {
          orders++;
        }
        script = open.next();
      }
    }
    for (RunPlan plan = cycles.next(); plan != null && !isOver(); plan = cycles.next()) {
      Finding finding = finding(run(plan), null);
      if (finding != null) {
        return found(finding);
      }
    }
    return new Exploration(orders, runs, true, "all " + seen() + " were seen, with and without buffering", null);
  }

  /**
   * Runs the body in some orders, chosen by chance.
   *
   * @param number how many runs
   * @param seed start of the random numbers
   * @return the orders seen, and the mistake found
   */
  public Exploration some(int number, long seed) {
    start();
    OpenOrders[] known = {new OpenOrders(), new OpenOrders()};
    for (int i = 0; i < number && !isOver(); i++) {
      boolean buffered = i % 2 == 0;
      Run run = run(new RunPlan(buffered, new Script(), random(seed + i)));
      Finding finding = finding(run, null);
      if (finding != null) {
        return found(finding);
      }
      if (known[i % 2].add(run)) {
        orders++;
      }
    }
    return new Exploration(orders, runs, false,
        seen() + " were seen in " + runs + " runs with random choices, seed " + seed, null);
  }

  /** Returns the random numbers of a run. Those of {@link Random} itself begin alike for seeds that are near. */
  private static Random random(long seed) {
    return new Random(new SplittableRandom(seed).nextLong());
  }

  /**
   * Runs the body in one order.
   *
   * @param line choices as a finding names them
   * @return the orders seen, and the mistake found
   */
  public Exploration one(String line) {
    start();
    String text = line.strip();
    boolean buffered = !text.startsWith(UNBUFFERED);
    String[] words = text.split("\\s+", 2);
    boolean mixed = words[0].startsWith(Script.WAITING);
    boolean headed = mixed || !buffered || text.equals(Script.BUFFERED);
    Script script = Script.parse(!headed ? text : words.length > 1 ? words[1] : "");
    Run run = run(new RunPlan(
        buffered, mixed ? Script.parseWaiting(words[0]) : Set.of(), script, null, false));
    Finding finding = finding(run, null);
    orders = 1;
    if (finding == null && run.scheduler().chooser.hasGivenUp()) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "orders", line,
          "choices that this test comes to; it has changed since, or is another one. It came to \"" + run.line()
              + "\"");
    }
    return finding != null ? found(finding)
        : new Exploration(1, runs, false, "this order was run", null);
  }

  private void start() {
    deadline = System.nanoTime() + limits.time().toNanos();
  }

  private boolean isOver() {
    return runs >= limits.runs() || runs > 0 && System.nanoTime() - deadline > 0;
  }

  private String seen() {
    return orders == 1 ? "1 order" : orders + " orders";
  }

  private Exploration found(Finding finding) {
    String before = orders == 0 ? "the first order" : "found after " + seen() + " without a mistake";
    return new Exploration(orders, runs, false, before, finding);
  }

  private Run run(RunPlan plan) {
    runs++;
    return threads.run(plan);
  }

  // ---- what is wrong

  /** Returns what is wrong with a run, or null. */
  private Finding finding(Run run, Script script) {
    Finding strayed = script == null ? null : strayed(run, script);
    if (strayed != null) {
      return strayed;
    }
    if (runs == 1 && threads.stuck() == null) {
      Finding other = unrepeatable(run, run(run.plan.again(run.again(), false)));
      if (other != null) {
        return other;
      }
    }
    Finding plain = judge(run);
    if (plain == null || plain.kind() == Kind.STUCK || plain.kind() == Kind.UNREPEATABLE) {
      return plain;
    }
    Run again = run(run.plan.again(run.again(), true));
    Finding told = judge(again);
    if (told == null && plain.kind() == Kind.LEFTOVER && run.leftOver().isEmpty()) {
      return null; // an object that is made once for all runs, such as a type in a static field
    }
    Finding other = unrepeatable(run, again);
    if (other != null || told == null || told.kind() != plain.kind()) {
      return other != null && told == null ? other : new Finding(Kind.UNREPEATABLE,
          "orders cannot be explored: " + plain.text() + "\nThe same choices have led to "
              + (told == null ? "a run without a mistake" : told.text()),
          plain.choices(), plain.rank(), plain.thrown());
    }
    return new Finding(told.kind(), told.text() + "\n" + again.scheduler().picture + "again with: orders = \""
        + told.choices() + "\"\n", told.choices(), told.rank(), told.thrown());
  }

  /** Judges a run that is over by itself; null when it is right. */
  private Finding judge(Run run) {
    String line = run.line();
    if (threads.stuck() != null) {
      return new Finding(Kind.STUCK, threads.stuck(), line, -1, null);
    }
    String unexplored = run.scheduler().unexplored();
    if (unexplored != null) {
      return new Finding(Kind.UNREPEATABLE, unexplored, line, -1, null);
    }
    String standstill = run.scheduler().standstill();
    String still = standstill == null ? "" : "no rank can go on" + (!run.plan.buffered() ? " when no send is buffered"
        : run.plan.waiting().isEmpty() ? "" : " when only some sends are buffered") + ":\n" + standstill;
    for (Map.Entry<Integer, Throwable> failure : threads.failures().entrySet()) {
      Throwable thrown = failure.getValue();
      if (standstill == null || !isOfEnd(thrown)) { // what a rank has thrown before it closed something, for example
        String message = thrown instanceof AssertionError || thrown instanceof MpiException
            ? String.valueOf(thrown.getMessage()) : thrown.toString();
        return new Finding(Kind.EXCEPTION, "rank " + failure.getKey() + " of " + ranks + ": " + message
            + (still.isEmpty() ? "" : "\nthen " + still), line, failure.getKey(), thrown);
      }
    }
    if (standstill != null) {
      return new Finding(Kind.DEADLOCK, still, line, -1, null);
    }
    List<String> left = new ArrayList<>(run.leftOver());
    left.addAll(run.leftObjects());
    return left.isEmpty() ? null
        : new Finding(Kind.LEFTOVER, "left at the end:\n  " + String.join(";\n  ", left), line, -1, null);
  }

  /** Returns whether an exception has no other reason than the end of the run. */
  private static boolean isOfEnd(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof MpiException e && e.errorClass() == ErrorClass.ERR_PROC_ABORTED) {
        return true;
      }
    }
    return String.valueOf(thrown.getMessage()).contains(Scheduler.ENDED);
  }

  /** Compares the run of a script with the run that the script comes from, up to the choices that it keeps. */
  private Finding strayed(Run run, Script script) {
    ChoicePoint point = run.scheduler().chooser.strayed();
    if (point == null || script.calls() == null) {
      return null;
    }
    return differing(
        point.rank, script.calls().get(point.rank), run.scheduler().ranks[point.rank].calls, run.line());
  }

  /** Compares two runs that were given the same choices. */
  private static Finding unrepeatable(Run first, Run second) {
    for (ExploredRank rank : first.scheduler().ranks) {
      Finding other = first.scheduler().ended() != null ? null : differing(
          rank.self, rank.calls, second.scheduler().ranks[rank.self].calls, first.line());
      if (other != null) {
        return other;
      }
    }
    return null;
  }

  private static Finding differing(
      int rank, List<RankCall> before, List<RankCall> now, String line) {
    int most = Math.max(before.size(), now.size());
    for (int i = 0; i < most; i++) {
      String was = i < before.size() ? before.get(i).toString() : "the end";
      String is = i < now.size() ? now.get(i).toString() : "the end";
      if (!was.equals(is)) {
        return new Finding(Kind.UNREPEATABLE,
            "orders cannot be explored: after the same choices, call " + (i + 1) + " of rank " + rank
                + " was once a " + was + " and once a " + is
                + ". The body has to depend on its messages alone, not on time, on random numbers without a seed, on"
                + " what an earlier run has left, or on threads of its own",
            line, rank, null);
      }
    }
    return null;
  }
}
