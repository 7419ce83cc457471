// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The jobs that run on this machine, found by the shared memory that their launchers hold open. */
public final class RunningJobs {
  private static final Path PROCESSES = Path.of("/proc");

  /** The name that the shared memory had: its creator's process, and random digits. */
  private static final Pattern NAME = Pattern.compile(".*/ffmpi-(\\d+)-[0-9a-f]+( \\(deleted\\))?");

  /**
   * A running job.
   *
   * @param creator process of the launcher, or of the JVM whose threads are the ranks
   * @param segment a path by which its shared memory can be opened
   */
  public record Found(long creator, Path segment) {}

  private RunningJobs() {}

  /** Returns the jobs whose processes the user may look into, by process. */
  public static List<Found> all() {
    List<Found> jobs = new ArrayList<>();
    try (Stream<Path> processes = Files.list(PROCESSES)) {
      processes.map(p -> p.getFileName().toString()).filter(n -> n.matches("\\d{1,18}")).map(Long::valueOf).sorted()
          .forEach(pid -> jobs.addAll(of(pid).stream().filter(job -> job.creator == pid).toList()));
    } catch (IOException e) {
      return List.of(); // no /proc, no jobs
    }
    return jobs;
  }

  /** Returns the jobs that a process has a part in: as launcher, as rank, or with ranks in threads. */
  public static List<Found> of(long pid) {
    List<Found> jobs = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    try (Stream<Path> descriptors = Files.list(PROCESSES.resolve(Long.toString(pid)).resolve("fd"))) {
      for (Path descriptor : (Iterable<Path>) descriptors.sorted()::iterator) {
        Matcher name = NAME.matcher(target(descriptor));
        if (name.matches() && seen.add(name.group())) { // a creator has it open twice
          jobs.add(new Found(Long.parseLong(name.group(1)), descriptor));
        }
      }
    } catch (IOException | UncheckedIOException e) {
      // It has ended meanwhile, or belongs to another user.
    }
    return jobs;
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }
}
