// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.select;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;
import org.ffmpi.collectives.algorithm.Algorithm;
import org.ffmpi.collectives.algorithm.Algorithms;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.spi.Collective;

/**
 * The choice of a call's algorithm by operation, number of ranks, their distribution over nodes, bytes of one rank's
 * contribution and whether the operation commutes: exactly what all ranks know alike, because all must choose the same.
 * The place and type of a rank's buffers differ from rank to rank; they change its local steps, never its messages.
 *
 * <p>The first line of the table that covers the call and whose algorithm accepts it wins. Settings such as
 * {@code ffmpi.coll.allreduce=recursive-doubling<=16K,ring} put lines of their own in front; a call that none of those
 * accepts falls through to the table. Immutable; any thread.
 *
 * <p>Since nothing else enters, equal calls combine their operands in the same order on every rank, in every run and
 * whenever messages arrive: results are reproducible to the bit for the same number of ranks on each node, counts,
 * types and settings.
 */
public final class Selector {
  /** The value of an algorithm's setting that leaves the choice to the table. */
  static final String AUTOMATIC = "auto";

  private static final int MANY = Integer.MAX_VALUE;
  private static final long ANY = Long.MAX_VALUE;

  /** Longer vectors go by messages: publishing them would need scratch memory of their own length. */
  private static final long PULLED = 16 << 20;

  /** Short messages cost a hand-over each, long ones memory bandwidth: few rounds first, then few bytes per rank. */
  private static final Rule[] TABLE = {
    Rule.of(Collective.BARRIER, 3, MANY, ANY, "leveled"),
    Rule.of(Collective.BCAST, 3, MANY, ANY, "leveled"),
    Rule.of(Collective.GATHER, 3, MANY, 8 << 10, "leveled"),
    Rule.of(Collective.SCATTER, 3, MANY, 8 << 10, "leveled"),
    Rule.of(Collective.ALLGATHER, 3, MANY, ANY, "leveled"),
    Rule.of(Collective.ALLGATHERV, 3, MANY, ANY, "leveled"),
    Rule.of(Collective.ALLTOALL, 3, MANY, 1 << 10, "leveled"),
    Rule.of(Collective.REDUCE, 3, MANY, ANY, "leveled"),
    Rule.of(Collective.ALLREDUCE, 3, MANY, ANY, "leveled"),
    Rule.of(Collective.REDUCE_SCATTER_BLOCK, 3, MANY, ANY, "leveled"),
    Rule.of(Collective.REDUCE_SCATTER, 3, MANY, ANY, "leveled"),
    Rule.of(Collective.SCAN, 9, MANY, ANY, "leveled"),
    Rule.of(Collective.EXSCAN, 9, MANY, ANY, "leveled"),
    Rule.of(Collective.BARRIER, 8, MANY, ANY, "region-tree"),
    Rule.of(Collective.ALLREDUCE, 9, MANY, 8 << 10, "region-tree"),
    Rule.of(Collective.ALLGATHER, 17, MANY, 8 << 10, "region-tree"),
    Rule.of(Collective.REDUCE_SCATTER_BLOCK, 17, MANY, 8 << 10, "region-tree"),
    Rule.of(Collective.REDUCE_SCATTER, 17, MANY, 8 << 10, "region-tree"),
    Rule.of(Collective.SCAN, 17, MANY, 8 << 10, "region-tree"),
    Rule.of(Collective.EXSCAN, 17, MANY, 8 << 10, "region-tree"),
    Rule.of(Collective.BARRIER, 1, MANY, ANY, "region"),
    Rule.of(Collective.BCAST, 1, MANY, 8 << 10, "region"),
    Rule.of(Collective.GATHER, 1, MANY, 8 << 10, "region"),
    Rule.of(Collective.SCATTER, 1, MANY, 8 << 10, "region"),
    Rule.of(Collective.ALLGATHER, 1, MANY, 8 << 10, "region"),
    Rule.of(Collective.ALLTOALL, 1, MANY, 8 << 10, "region"),
    Rule.of(Collective.REDUCE, 1, MANY, 8 << 10, "region"),
    Rule.of(Collective.ALLREDUCE, 1, MANY, 8 << 10, "region"),
    Rule.of(Collective.REDUCE_SCATTER_BLOCK, 1, MANY, 8 << 10, "region"),
    Rule.of(Collective.REDUCE_SCATTER, 1, MANY, 8 << 10, "region"),
    Rule.of(Collective.SCAN, 1, MANY, 8 << 10, "region"),
    Rule.of(Collective.EXSCAN, 1, MANY, 8 << 10, "region"),
    Rule.of(Collective.BCAST, 3, MANY, PULLED, "pull"),
    Rule.of(Collective.ALLGATHER, 3, MANY, PULLED, "pull"),
    Rule.of(Collective.REDUCE, 1, MANY, 128 << 10, "binomial"),
    Rule.of(Collective.REDUCE, 1, MANY, PULLED, "pull"),
    Rule.of(Collective.ALLREDUCE, 1, MANY, PULLED, "pull"),
    Rule.of(Collective.REDUCE_SCATTER_BLOCK, 1, MANY, PULLED, "pull"),
    Rule.of(Collective.REDUCE_SCATTER, 1, MANY, PULLED, "pull"),
    Rule.of(Collective.SCAN, 1, 2, PULLED, "pull"),
    Rule.of(Collective.GATHER, 5, MANY, 128 << 10, "direct"),
    Rule.of(Collective.GATHERV, 2, MANY, ANY, "direct"),
    Rule.of(Collective.SCATTER, 5, 64, 128 << 10, "direct"),
    Rule.of(Collective.SCATTERV, 2, 64, ANY, "direct"),
    Rule.of(Collective.ALLGATHERV, 2, MANY, ANY, "direct"),
    Rule.of(Collective.ALLTOALL, 5, 64, 128 << 10, "direct"),
    Rule.of(Collective.ALLTOALLV, 2, 64, ANY, "direct"),
    Rule.of(Collective.NEIGHBOR_ALLGATHER, 3, MANY, ANY, "direct"),
    Rule.of(Collective.NEIGHBOR_ALLTOALL, 3, MANY, ANY, "direct"),
    Rule.of(Collective.BARRIER, 1, MANY, ANY, "dissemination"),
    Rule.of(Collective.BCAST, 1, 2, ANY, "binomial"),
    Rule.of(Collective.BCAST, 3, MANY, 128 << 10, "binomial"),
    Rule.of(Collective.BCAST, 3, MANY, ANY, "chain"),
    Rule.of(Collective.GATHER, 64, MANY, 1 << 10, "binomial"),
    Rule.of(Collective.GATHER, 1, MANY, ANY, "linear"),
    Rule.of(Collective.ALLGATHER, 1, 8, ANY, "linear"),
    Rule.of(Collective.ALLGATHER, 9, MANY, 1 << 10, "bruck"),
    Rule.of(Collective.ALLGATHER, 9, 32, 8 << 10, "linear"),
    Rule.of(Collective.ALLGATHER, 1, MANY, ANY, "ring"),
    Rule.of(Collective.GATHERV, 1, MANY, ANY, "linear"),
    Rule.of(Collective.SCATTER, 64, MANY, 1 << 10, "binomial"),
    Rule.of(Collective.SCATTER, 1, MANY, ANY, "linear"),
    Rule.of(Collective.SCATTERV, 1, MANY, ANY, "linear"),
    Rule.of(Collective.ALLGATHERV, 1, MANY, ANY, "linear"),
    Rule.of(Collective.ALLTOALL, 8, 32, 512, "bruck"),
    Rule.of(Collective.ALLTOALL, 33, MANY, 64, "bruck"),
    Rule.of(Collective.ALLTOALL, 33, MANY, 32 << 10, "linear"),
    Rule.of(Collective.ALLTOALL, 33, MANY, ANY, "pairwise"),
    Rule.of(Collective.ALLTOALL, 1, MANY, ANY, "linear"),
    Rule.of(Collective.ALLTOALLV, 65, MANY, ANY, "pairwise"),
    Rule.of(Collective.ALLTOALLV, 1, MANY, ANY, "linear"),
    Rule.of(Collective.REDUCE, 1, MANY, ANY, "binomial"),
    Rule.of(Collective.ALLREDUCE, 1, MANY, 8 << 10, "recursive-doubling"),
    Rule.of(Collective.ALLREDUCE, 1, MANY, ANY, "rabenseifner"),
    Rule.of(Collective.REDUCE_SCATTER_BLOCK, 1, MANY, ANY, "pairwise"),
    Rule.of(Collective.REDUCE_SCATTER, 1, MANY, ANY, "pairwise"),
    Rule.of(Collective.SCAN, 1, MANY, ANY, "chain"),
    Rule.of(Collective.EXSCAN, 1, MANY, ANY, "chain"),
    Rule.of(Collective.NEIGHBOR_ALLGATHER, 1, MANY, ANY, "linear"),
    Rule.of(Collective.NEIGHBOR_ALLTOALL, 1, MANY, ANY, "linear"),
  };

  private final Rule[][] rules = new Rule[Collective.values().length][];
  private final boolean explained;

  /**
   * Creates a selector.
   *
   * @param settings may override the table
   * @throws MpiException ERR_ARG when a setting names no algorithm of its operation or has a limit that is no size
   */
  public Selector(Settings settings) {
    explained = CollectiveSettings.COLLECTIVES.get(settings).equals(CollectiveSettings.EXPLAIN);
    for (Collective collective : Collective.values()) {
      List<Rule> lines = new ArrayList<>();
      Setting<String> setting = CollectiveSettings.of(collective);
      String text = setting.get(settings);
      if (!text.equals(AUTOMATIC)) {
        addOverrides(lines, collective, setting, text);
      }
      for (Rule rule : TABLE) {
        if (rule.collective() == collective) {
          lines.add(rule);
        }
      }
      rules[collective.ordinal()] = lines.toArray(new Rule[0]);
    }
  }

  /** Returns the algorithm for a call. */
  public Algorithm choose(CallShape shape) {
    return shape.isBetweenGroups() ? Algorithms.betweenGroups(shape.collective()) : rule(shape).algorithm();
  }

  /** Returns the line of the table with the algorithm of a call within one group. */
  Rule rule(CallShape shape) {
    for (Rule rule : rules[shape.collective().ordinal()]) {
      if (rule.covers(shape.size(), shape.bytes()) && rule.algorithm().accepts(shape)) {
        return rule;
      }
    }
    throw new AssertionError("no algorithm for " + shape);
  }

  /**
   * Returns up to how many bytes the calls of an operation get an algorithm by which ranks with a region exchange data
   * in one round.
   *
   * @param collective the operation
   * @param ranks number of ranks, which share memory
   * @param capacity the most bytes that a rank can publish
   * @return most bytes of a contribution; 0 when not even the shortest calls get it; any positive number for barriers
   *     and for blocks of any lengths, when these get it
   */
  public long mostInOneRound(Collective collective, int ranks, long capacity) {
    if (collective == Collective.BARRIER || collective.isOfBlocks()) {
      return isInOneRound(collective, ranks, collective.isOfBlocks() ? 1 : 0) ? 1 : 0;
    }
    if (!isInOneRound(collective, ranks, 1)) {
      return 0;
    }
    long most = 1;
    long tooMany = 1 + Math.min(capacity, rule(shared(collective, ranks, 1, false)).mostBytes());
    for (long bytes = tooMany - 1; most < tooMany - 1; bytes = most + tooMany >>> 1) {
      if (isInOneRound(collective, ranks, bytes)) {
        most = bytes;
      } else {
        tooMany = bytes;
      }
    }
    return most;
  }

  private boolean isInOneRound(Collective collective, int ranks, long bytes) {
    return choose(shared(collective, ranks, bytes, false)).isInOneRound()
        && choose(shared(collective, ranks, bytes, true)).isInOneRound();
  }

  private static CallShape shared(Collective collective, int ranks, long bytes, boolean ordered) {
    return new CallShape(collective, 0, ranks, 0, bytes, 1, false, ordered, true, 1, 1);
  }

  /** Returns the lines for an operation, those of settings first. */
  List<Rule> rules(Collective collective) {
    return List.of(rules[collective.ordinal()]);
  }

  /** Returns the report of choices, or null when it is not wanted. */
  Explanation explanation() {
    return explained ? new Explanation(this) : null;
  }

  /**
   * Returns the names of all algorithms of an operation.
   *
   * @param collective the operation
   * @return the names that settings use
   */
  public static List<String> algorithms(Collective collective) {
    return Algorithms.of(collective).stream().map(Algorithm::name).toList();
  }

  /**
   * Returns the name of the algorithm that a call gets.
   *
   * @param collective the operation
   * @param ranks number of ranks
   * @param bytes of one rank's contribution
   * @param commutative whether the operation commutes; ignored where nothing is reduced
   * @return the name that settings use
   */
  public String algorithm(Collective collective, int ranks, long bytes, boolean commutative) {
    return choose(new CallShape(collective, 0, ranks, 0, bytes, 1, false, !commutative, false, 1, 1)).name();
  }

  /**
   * Returns the table in force, overrides first, for people.
   *
   * @return one line per rule and a heading
   */
  public String table() {
    StringBuilder text = new StringBuilder(
        String.format("%-20s %-12s %-14s %s", "operation", "ranks", "bytes", "algorithm"));
    for (Rule[] lines : rules) {
      for (Rule rule : lines) {
        text.append(System.lineSeparator()).append(rule);
      }
    }
    return text.toString();
  }

  private static void addOverrides(List<Rule> lines, Collective collective, Setting<String> setting, String text) {
    for (String line : text.split(",")) {
      String[] parts = line.split("<=", -1);
      Algorithm algorithm = Algorithms.find(collective, parts[0].strip());
      long limit = parts.length == 1 ? ANY : parseSize(parts[1].strip());
      if (algorithm == null || parts.length > 2 || limit < 0) {
        throw MpiException.argument(ErrorClass.ERR_ARG, setting.name(), text,
            "auto, or a list of name or name<=size with names of " + algorithms(collective)
                + " and sizes such as 8192 or 8K");
      }
      lines.add(new Rule(collective, 1, MANY, limit, algorithm, setting.name()));
    }
  }

  /** Reads 8192, 8K, 1M or 1G; returns -1 for anything else. */
  private static long parseSize(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    int shift = switch (upper.isEmpty() ? ' ' : upper.charAt(upper.length() - 1)) {
      case 'K' -> 10;
      case 'M' -> 20;
      case 'G' -> 30;
      default -> 0;
    };
    try {
      long number = Long.parseLong(shift == 0 ? upper : upper.substring(0, upper.length() - 1));
      return number > ANY >> shift ? -1 : number << shift;
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
