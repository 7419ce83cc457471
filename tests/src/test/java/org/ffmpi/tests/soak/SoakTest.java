// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Scanner;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.ffmpi.launcher.MpirunMain;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * All kinds of calls for a long time, in processes with small heaps: nothing is lost, and no memory grows. Runs with
 * {@code -Pstress}, for {@code -Dffmpi.soak.minutes} in all; for seconds in every build, where memory is not judged.
 */
@Tag("process")
class SoakTest {
  private static final long SECONDS = 60 * Long.getLong("ffmpi.soak.minutes", 30);

  /** Compilers and collectors come and go. */
  private static final double GROWTH = 1.15;

  private static final long GROWTH_KB = 12_000;

  /** For each rank: less than garbage of the shared heap takes before the collector is asked on its own account. */
  private static final int SHARED_MB = 24;

  private static final int SAMPLE_MILLIS = 2_000;

  private record Sample(int rank, long heap, long anonymous) {}

  /** What was seen of ranks, and of the segment, in KB. */
  private record Course(List<Sample> samples, long[] segment) {}

  @TempDir private Path folder;

  @Test
  void aFewSeconds() throws Exception {
    soak(3, 2, 3);
  }

  @Test
  @EnabledIfSystemProperty(named = "ffmpi.test.stress", matches = "true")
  void manyMinutes() throws Exception {
    for (int ranks : new int[] {4, 8}) {
      for (int threads : new int[] {1, 4}) {
        Course course = soak(ranks, threads, Math.max(1, SECONDS / 4));
        for (int rank = 0; rank < ranks; rank++) {
          isFlat("heap of rank " + rank, of(course, rank, Sample::heap));
          isFlat("native memory of rank " + rank, of(course, rank, Sample::anonymous));
        }
        isFlat("shared memory", course.segment());
      }
    }
  }

  private Course soak(int ranks, int threads, long seconds) throws IOException, InterruptedException {
    long seed = Seeds.next();
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
        MpirunMain.class.getName(), "-n", Integer.toString(ranks), "--shm-limit", SHARED_MB * ranks + "M",
        "-Xms96m", "-Xmx96m", "-XX:+AlwaysPreTouch", // so that what grows is not the heap
        "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), SoakProgram.class.getName(),
        Long.toString(seconds), Integer.toString(threads), Long.toString(seed)));
    Path errors = folder.resolve("errors");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().put("FFMPI_AOT_FOLDER", folder.resolve("caches").toString());
    Process mpirun = builder.start();
    List<Sample> samples = new ArrayList<>();
    List<Long> segment = Collections.synchronizedList(new ArrayList<>());
    long steps = 0;
    long bytes = 0;
    int done = 0;
    Thread sampler = Thread.ofPlatform().daemon().start(() -> sampleSegment(mpirun, segment));
    try (BufferedReader out = mpirun.inputReader()) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        Scanner words = new Scanner(line);
        String what = words.next();
        if (what.equals("memory")) {
          samples.add(new Sample(words.nextInt(), words.nextLong(), words.nextLong()));
        } else if (what.equals("done")) {
          done++;
          words.nextInt();
          steps += words.nextLong();
          bytes += words.nextLong();
        }
      }
      assertEquals(0, mpirun.waitFor(), () -> "with -Dffmpi.test.seed=" + seed + ": " + text(errors));
      assertEquals(ranks, done, () -> "with -Dffmpi.test.seed=" + seed + ": " + text(errors));
    } finally {
      mpirun.descendants().forEach(ProcessHandle::destroyForcibly);
      mpirun.destroyForcibly();
      sampler.join();
    }
    System.out.printf(
        "soak of %d ranks x %d threads, %d s: %,d steps, %,d MB named in them%n", ranks, threads, seconds, steps,
        bytes / 1_000_000);
    return new Course(samples, segment.stream().mapToLong(Long::longValue).toArray());
  }

  /** Asks now and then how much of the job's segment has memory: what is mapped by a rank grows as it touches it. */
  private static void sampleSegment(Process mpirun, List<Long> into) {
    try {
      while (mpirun.isAlive()) {
        Thread.sleep(SAMPLE_MILLIS);
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(mpirun.pid()), "fd"))) {
          for (Path file : files.toList()) {
            if (Files.isSymbolicLink(file) && Files.readSymbolicLink(file).toString().startsWith("/dev/shm/")) {
              Process stat = new ProcessBuilder("stat", "-L", "-c", "%b", file.toString()).start();
              into.add(Long.parseLong(new String(stat.getInputStream().readAllBytes()).strip()) / 2);
              break;
            }
          }
        } catch (IOException | NumberFormatException e) {
          return; // the job is over
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static long[] of(Course course, int rank, ToLongFunction<Sample> what) {
    return course.samples().stream().filter(s -> s.rank() == rank).mapToLong(what).toArray();
  }

  /** After the first third, the last third is no larger than the second. */
  private static void isFlat(String what, long[] all) {
    long second = median(all, all.length / 3, 2 * all.length / 3);
    long third = median(all, 2 * all.length / 3, all.length);
    System.out.printf("  %s: %,d KB in the second third, %,d KB in the last%n", what, second, third);
    assertTrue(
        third <= GROWTH * second + GROWTH_KB, what + " grows: " + second + " KB, then " + third + " KB");
  }

  private static long median(long[] values, int from, int to) {
    long[] part = Arrays.copyOfRange(values, from, to);
    Arrays.sort(part);
    return part.length == 0 ? 0 : part[part.length / 2];
  }
}
