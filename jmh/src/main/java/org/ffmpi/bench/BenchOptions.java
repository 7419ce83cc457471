// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The command line after the subcommand. Lists that were not given are empty; the suite then takes its own defaults.
 */
final class BenchOptions {
  static final String HELP = """
      options:
        --ranks LIST          numbers of ranks, such as 2 or 1,2,4,8
        --vs LIST             C peers: openmpi, mpich, both (the default), or none; of pack gcc or none; of
                              compat the dialects openmpi and mpijava, or none
        --engine mpi          ffmpi over each C peer's wire, beside that peer: both by TCP, as between nodes; p2p,
                              coll, ddt, cold and startup can
        --nodes N             with --engine mpi: over how many nodes ffmpi's ranks are spread (2)
        --without-ffmpi       the C peers only
        --csv FILE            write the rows there as well
        --settings FILE       tune: write the settings that choose the fastest algorithms there, for mpirun @FILE
        --noise FILE          ab: the CSV of an earlier ab of a revision against itself
        --benches LIST        only these benches of the suite
        --cases LIST          only these cases (C peers run those of them they have); where a case has parts, those
                              with all the parts named: vec1s2, 'vec1s2|heap'
        --sizes LIST          message sizes in bytes; K and M are understood
        --rounds N            runs of each implementation, taken in turns (5)
        --reps N              timed repetitions of each point in a run (5)
        --seconds S           length of one repetition (0.03)
        --warmup S            warm-up of each point before its repetitions (0.05)
        --quick               --rounds 1 --reps 3 --seconds 0.01 --warmup 0.02 and four sizes: for a first look
        --isolated            a fresh JVM for every case, whose profile no other case has touched
        --max-foreign PCT     a point is bad when others used more CPU than this, in per cent of one core (5)
        --cores near|far|most only samples taken while the two cores lie in one cache domain, or in two, or in
                              the state most samples saw (most); virtual machines move between them
        --extra-rounds N      how often bad points are measured again (3)
        --settle S            how long each run may wait for the cores to fall quiet (20)
        --timeout S           limit of one run (600)
        --mpirun OPTION       an option of scripts/mpirun, one at a time, such as --mpirun=-Xmx2g
      """;

  List<Integer> ranks = List.of();
  /** Null when not given. */
  List<String> peers;
  boolean withFfmpi = true;
  /** Ranks of ffmpi are started by the C peers' launchers. */
  boolean overMpi;
  int nodes = 2;
  Path csv;
  Path settings;
  /** The CSV of {@code ab} of a revision against itself; null when not given. */
  Path noise;
  List<String> benches = List.of();
  List<String> cases = List.of();
  List<Long> sizes = List.of();
  int rounds = 5;
  int reps = 5;
  double seconds = 0.03;
  double pointWarmUp = 0.05;
  boolean quick;
  boolean isolated;
  /** Java programs warm up with their own work only, not with that of a long-lived program as well. */
  boolean brief;
  double maxForeign = 5;
  Results.State cores = Results.State.MOST;
  int extraRounds = 3;
  int settle = 20;
  int timeout = 600;
  final List<String> mpirun = new ArrayList<>();

  /** Thrown for a command line that cannot be understood; its text is what the user reads. */
  static final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
      super(message);
    }
  }

  static BenchOptions parse(List<String> arguments) {
    BenchOptions o = new BenchOptions();
    // The short look first, so that explicit options win wherever they stand.
    if (arguments.contains("--quick")) {
      o.quick = true;
      o.rounds = 1;
      o.reps = 3;
      o.seconds = 0.01;
      o.pointWarmUp = 0.02;
    }
    for (int i = 0; i < arguments.size(); i++) {
      String name = arguments.get(i);
      String value = null;
      int equals = name.indexOf('=');
      if (name.startsWith("--") && equals > 0) {
        value = name.substring(equals + 1);
        name = name.substring(0, equals);
      }
      switch (name) {
        case "--quick" -> none(name, value);
        case "--isolated" -> {
          none(name, value);
          o.isolated = true;
        }
        case "--without-ffmpi" -> {
          none(name, value);
          o.withFfmpi = false;
        }
        default -> {
          if (value == null) {
            if (++i >= arguments.size()) {
              throw new UsageException(name + ": a value is missing, or there is no such option");
            }
            value = arguments.get(i);
          }
          o.set(name, value);
        }
      }
    }
    return o;
  }

  private void set(String name, String value) {
    switch (name) {
      case "--ranks" -> ranks = list(value).stream().map(v -> (int) number(name, v, 1, 1024)).toList();
      case "--vs" -> peers = value.equals("none") ? List.of() : list(value);
      case "--engine" -> {
        if (!value.equals("mpi") && !value.equals("shm")) {
          throw new UsageException("--engine " + value + ": known are shm and mpi");
        }
        overMpi = value.equals("mpi");
      }
      case "--nodes" -> nodes = (int) number(name, value, 1, 1024);
      case "--csv" -> csv = Path.of(value);
      case "--settings" -> settings = Path.of(value);
      case "--noise" -> noise = Path.of(value);
      case "--benches" -> benches = list(value);
      case "--cases" -> cases = list(value);
      case "--sizes" -> sizes = list(value).stream().map(v -> bytes(name, v)).toList();
      case "--rounds" -> rounds = (int) number(name, value, 1, 1000);
      case "--reps" -> reps = (int) number(name, value, 1, 256);
      case "--seconds" -> seconds = number(name, value, 0.0001, 60);
      case "--warmup" -> pointWarmUp = number(name, value, 0, 60);
      case "--max-foreign" -> maxForeign = number(name, value, 0, 1e6);
      case "--cores" -> cores = switch (value) {
        case "near" -> Results.State.NEAR;
        case "far" -> Results.State.FAR;
        case "most" -> Results.State.MOST;
        default -> throw new UsageException("--cores " + value + ": known are near, far and most");
      };
      case "--extra-rounds" -> extraRounds = (int) number(name, value, 0, 1000);
      case "--settle" -> settle = (int) number(name, value, 0, 86_400);
      case "--timeout" -> timeout = (int) number(name, value, 1, 86_400);
      case "--mpirun" -> mpirun.add(value);
      default -> throw new UsageException(name + ": there is no such option");
    }
  }

  private static List<String> list(String value) {
    return Arrays.stream(value.split(",")).map(String::trim).filter(s -> !s.isEmpty()).distinct().toList();
  }

  private static void none(String name, String value) {
    if (value != null) {
      throw new UsageException(name + " takes no value");
    }
  }

  private static double number(String name, String value, double least, double most) {
    try {
      double d = Double.parseDouble(value);
      if (d >= least && d <= most) {
        return d;
      }
    } catch (NumberFormatException e) {
      // reported below, together with numbers out of range
    }
    throw new UsageException(String.format(Locale.ROOT, "%s = %s: allowed are %s..%s", name, value,
        plain(least), plain(most)));
  }

  private static String plain(double d) {
    return d == Math.rint(d) ? Long.toString((long) d) : Double.toString(d);
  }

  private static long bytes(String name, String value) {
    String v = value.toUpperCase(Locale.ROOT);
    int shift = v.endsWith("K") ? 10 : v.endsWith("M") ? 20 : 0;
    String digits = shift == 0 ? v : v.substring(0, v.length() - 1);
    return (long) number(name, digits, 0, 1L << 31) << shift;
  }
}
