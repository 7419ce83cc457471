// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.ffmpi.base.MpiException;
import org.ffmpi.launcher.request.JobIo;
import org.ffmpi.launcher.watch.RunningJobs;
import org.ffmpi.shm.diagnosis.Diagnosis;
import org.ffmpi.shm.diagnosis.JobState.RankFacts;
import org.ffmpi.shm.diagnosis.JobState;
import org.ffmpi.shm.segment.SegmentView;

/**
 * The Java half of {@code scripts/mpistat}, which shows what the ranks of a running job wait for. It reads the job's
 * shared memory from outside; the job does not notice.
 */
public final class MpistatMain {
  private static final int BAD_USAGE = 2;
  private static final int DEFAULT_SECONDS = 1;
  private static final String CLEAR = "\u001b[H\u001b[2J";

  private static final String USAGE = """
      Shows what the ranks of a running job wait for, and why nothing moves.

      usage: mpistat                           lists this user's jobs
             mpistat JOB                       shows a job once
             mpistat --watch[=SECONDS] JOB     shows it again and again until it ends, by default every second

      JOB is the process of mpirun, of a rank or of a JVM whose threads are ranks, or the path of the job's shared
      memory. A wait is shown when it has lasted for some tenths of a second. Messages, bytes and queues are those of
      the last long wait: a rank that never waits says nothing of them. The exit code is 1 when there is no such job.
      """;

  private MpistatMain() {}

  /**
   * Shows jobs.
   *
   * @param arguments as {@code --help} explains them
   * @throws InterruptedException when interrupted between two pictures of the job
   */
  public static void main(String[] arguments) throws InterruptedException {
    System.exit(run(arguments, System.out, System.err));
  }

  /** Shows jobs as the arguments name them; returns the exit code. */
  static int run(String[] arguments, PrintStream out, PrintStream err) throws InterruptedException {
    List<String> words = new ArrayList<>(Arrays.asList(arguments));
    int seconds = 0;
    for (String option : words.stream().filter(w -> w.startsWith("-")).toList()) {
      words.remove(option);
      if (option.equals("--help") || option.equals("-h")) {
        out.print(USAGE);
        return 0;
      }
      seconds = option.equals("--watch") ? DEFAULT_SECONDS : option.matches("--watch=[1-9]\\d{0,6}")
          ? Integer.parseInt(option.substring(option.indexOf('=') + 1)) : -1;
      if (seconds < 0) {
        err.println("mpistat: option " + option + " is unknown; there are --watch, --watch=SECONDS and --help");
        return BAD_USAGE;
      }
    }
    if (words.size() > 1 || words.isEmpty() && seconds > 0) {
      err.println("mpistat: " + (words.isEmpty() ? "--watch needs a job" : "one job at a time") + "; see --help");
      return BAD_USAGE;
    }
    return words.isEmpty() ? list(out) : show(words.getFirst(), seconds, out, err);
  }

  // ---- the list of jobs

  private static int list(PrintStream out) {
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"job", "ranks", "inside", "waiting", "command"});
    for (RunningJobs.Found job : RunningJobs.all()) {
      try (SegmentView view = SegmentView.open(job.segment())) {
        JobState state = JobState.read(view);
        String command = ProcessHandle.of(job.creator()).flatMap(p -> p.info().arguments())
            .map(a -> a.length == 0 ? "" : String.join(" ", Arrays.copyOfRange(a, mainClass(a), a.length))).orElse("");
        long inside = state.ranks().stream().filter(r -> r.stage() == JobState.Stage.INSIDE).count();
        rows.add(new String[] {
            Long.toString(job.creator()), Integer.toString(view.ranks()), Long.toString(inside),
            Long.toString(state.ranks().stream().filter(RankFacts::waits).count()), cut(command)});
      } catch (MpiException e) {
        // It has ended meanwhile, or is of another version.
      }
    }
    if (rows.size() == 1) {
      out.println("no jobs of this version of ffmpi run");
    } else {
      print(rows, out);
    }
    return 0;
  }

  /** Returns the index behind the arguments of the java command, so that the program stands first. */
  private static int mainClass(String[] arguments) {
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].equals(MpirunMain.class.getName())) {
        return i + 1;
      }
    }
    return 0;
  }

  private static String cut(String text) {
    int most = 100;
    return text.length() <= most ? text : text.substring(0, most) + "...";
  }

  // ---- one job

  private static int show(String job, int seconds, PrintStream out, PrintStream err) throws InterruptedException {
    Path segment = find(job);
    if (segment == null) {
      err.println("mpistat: " + job + " is no process with a job of ffmpi that this user may look into, and no file");
      return 1;
    }
    boolean clears = seconds > 0 && System.console() != null && System.console().isTerminal();
    try (SegmentView view = SegmentView.open(segment)) {
      while (true) {
        JobState state = JobState.read(view);
        out.print((clears ? CLEAR : "") + text(state));
        out.flush();
        if (seconds == 0 || !Files.exists(segment)) {
          return 0;
        }
        Thread.sleep(1000L * seconds);
        out.println();
      }
    } catch (MpiException e) {
      err.println("mpistat: " + JobIo.textOf(e));
      return 1;
    }
  }

  private static Path find(String job) {
    if (!job.matches("\\d{1,18}")) {
      Path file = Path.of(job);
      return Files.exists(file) ? file : null;
    }
    List<RunningJobs.Found> found = RunningJobs.of(Long.parseLong(job));
    return found.isEmpty() ? null : found.getFirst().segment();
  }

  /** Describes a job: a table of the ranks, then sentences. */
  static String text(JobState state) {
    StringBuilder text = new StringBuilder();
    List<String[]> rows = new ArrayList<>();
    rows.add(Diagnosis.COLUMNS.toArray(String[]::new));
    Diagnosis.rows(state, System.nanoTime()).forEach(row -> rows.add(row.toArray(String[]::new)));
    lines(rows).forEach(line -> text.append(line).append('\n'));
    Diagnosis.of(state, System.nanoTime()).forEach(sentence -> text.append("=> ").append(sentence).append('\n'));
    return text.toString();
  }

  private static void print(List<String[]> rows, PrintStream out) {
    lines(rows).forEach(out::println);
  }

  /** Lays rows out as a table; numbers stand at the right. */
  private static List<String> lines(List<String[]> rows) {
    int columns = rows.getFirst().length;
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int c = 0; c < columns; c++) {
        widths[c] = Math.max(widths[c], row[c].length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < columns; c++) {
        String gap = " ".repeat(widths[c] - row[c].length());
        boolean isNumber = rows.stream().skip(1).allMatch(isNumeric(c));
        line.append(isNumber ? gap + row[c] : row[c] + gap).append("  ");
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static Predicate<String[]> isNumeric(int column) {
    return row -> row[column].matches("-|any|[0-9.]+( s)?");
  }
}
