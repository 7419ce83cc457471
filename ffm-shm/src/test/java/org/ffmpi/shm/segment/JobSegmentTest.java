// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Raw;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bounds of the job segment, the files that it refuses to open, and the name that it does not leave behind. */
@Tag("process")
class JobSegmentTest {
  @TempDir private Path directory;

  private JobSegment create(boolean forProcesses) {
    Settings settings =
        Settings.of(Map.of("ffmpi.shm.limit", "1M", "ffmpi.shm.directory", directory.toString()));
    return JobSegment.create(new JobOptions(3, forProcesses, settings));
  }

  private static void refuses(ErrorClass expected, String text, Runnable what) {
    MpiException e = assertThrows(MpiException.class, what::run);
    assertEquals(expected, e.errorClass());
    assertTrue(e.getMessage().contains(text), e.getMessage());
  }

  @Test
  void hasNoName() throws IOException {
    try (JobSegment s = create(false)) {
      assertEquals(3, s.ranks());
      try (Stream<Path> entries = Files.list(directory)) {
        assertEquals(0, entries.count());
      }
    }
  }

  @Test
  void claimsUpToItsLimitAndNoFurther() {
    try (JobSegment s = create(false)) {
      long before = s.claimed();
      refuses(ErrorClass.ERR_NO_MEM, "ffmpi.shm.limit", () -> s.claim(1 << 20));
      assertEquals(before, s.claimed(), "a refused request claims nothing");
      long a = s.claim(1);
      assertEquals(a + JobLayout.PAGE, s.claim(JobLayout.PAGE));
      assertEquals(0, Raw.getLong(a));
      s.claim(s.limit() - s.claimed());
      refuses(ErrorClass.ERR_NO_MEM, "0 of " + s.limit(), () -> s.claim(1));
    }
  }

  @Test
  void refusesRangesOutside() {
    try (JobSegment s = create(false)) {
      assertEquals(s.base() + 4096, s.address(4096, s.limit() - 4096));
      long[][] bad = {
        {0, 8}, {-8, 8}, {4096, -1}, {4097, s.limit() - 4096}, {s.limit(), 1}, {Long.MAX_VALUE, 8},
        {4096, Long.MAX_VALUE}, {Long.MIN_VALUE, Long.MAX_VALUE}
      };
      for (long[] b : bad) {
        refuses(ErrorClass.ERR_INTERN, "offset " + b[0], () -> s.address(b[0], b[1]));
      }
    }
  }

  @Test
  void opensOnlyWhatItWasMadeFor() {
    try (JobSegment s = create(true)) {
      String path = s.nameForRanks();
      refuses(ErrorClass.ERR_OTHER, "4 ranks", () -> JobSegment.open(path, 4));
      refuses(ErrorClass.ERR_OTHER, "no job segment", () -> JobSegment.open(path, 100_000));
      JobLayout.setReleaseMagic(s.base(), JobLayout.MAGIC + 1);
      refuses(ErrorClass.ERR_OTHER, "one version", () -> JobSegment.open(path, 3));
      JobLayout.setReleaseMagic(s.base(), JobLayout.MAGIC);
      refuses(ErrorClass.ERR_OTHER, "nowhere", () -> JobSegment.open(directory.resolve("nowhere/x").toString(), 3));
      String otherKey = path.substring(0, path.length() - 1) + (path.endsWith("0") ? "1" : "0");
      refuses(ErrorClass.ERR_OTHER, "another job", () -> JobSegment.open(otherKey, 3));
      refuses(ErrorClass.ERR_OTHER, "another job", () -> JobSegment.open(path.substring(0, path.indexOf('#')), 3));
      try (JobSegment rank = JobSegment.open(path, 3)) {
        rank.claimRank(2);
        refuses(ErrorClass.ERR_OTHER, "rank 2", () -> rank.claimRank(2));
        rank.publishState(2, RankLayout.JOINED);
        assertEquals(RankLayout.JOINED, s.state(2));
        s.ends().markDead(2, 9);
        assertEquals(RankLayout.DEAD, rank.state(2));
        assertFalse(rank.isEnded());
        assertTrue(s.requestAbort(-1, 7, "enough"));
        assertFalse(rank.requestAbort(1, 8, "too late"));
        assertEquals("enough", rank.abortReason());
        assertEquals(7, rank.abortCode());
        assertEquals(-1, rank.abortRank());
      }
    }
  }

  @Test
  void numbersAndSpaceAreUniqueUnderThreads() throws InterruptedException {
    try (JobSegment s = create(false)) {
      Set<Long> numbers = ConcurrentHashMap.newKeySet();
      Set<Long> pages = ConcurrentHashMap.newKeySet();
      Thread[] threads = new Thread[4];
      for (int t = 0; t < threads.length; t++) {
        threads[t] = Thread.ofPlatform().start(() -> {
          for (int i = 0; i < 2_000; i++) {
            numbers.add(s.claimNumbers(2));
            if (i % 100 == 0) {
              pages.add(s.claim(100));
            }
          }
        });
      }
      for (Thread t : threads) {
        t.join();
      }
      assertEquals(8_000, numbers.size());
      assertEquals(80, pages.size());
      assertTrue(numbers.stream().allMatch(c -> c >= JobOptions.FIRST_FREE_NUMBER && c % 2 == 0));
    }
  }

  @Test
  void refusesAnImpossibleClaim() {
    try (JobSegment s = create(false)) {
      long before = s.claimed();
      long[] impossible = {0, -4096, 4096, before + 8, s.limit() + 4096, Long.MAX_VALUE & -4096, Long.MIN_VALUE};
      for (long top : impossible) {
        assertTrue(JobLayout.casTop(s.base(), before, top));
        refuses(ErrorClass.ERR_INTERN, "impossible claim: " + top, () -> s.claim(1));
        assertTrue(JobLayout.casTop(s.base(), top, before), "nothing was claimed");
      }
      s.claim(1);
    }
  }

  @Test
  void theDirectoryHoldsARingForEachPair() {
    try (JobSegment s = create(false)) {
      for (int from = 0; from < 3; from++) {
        for (int to = 0; to < 3; to++) {
          assertEquals(0, s.getAcquireRing(from, to));
          s.setReleaseRing(from, to, 100 * from + to + 1);
        }
      }
      for (int from = 0; from < 3; from++) {
        for (int to = 0; to < 3; to++) {
          assertEquals(100 * from + to + 1, s.getAcquireRing(from, to));
        }
      }
      assertEquals(RankLayout.EMPTY, s.state(2), "beyond the blocks of the ranks");
    }
  }

  @Test
  void aReasonOfAnImpossibleLengthIsCut() {
    try (JobSegment s = create(false)) {
      s.requestAbort(1, 7, "enough");
      JobLayout.setPlainReason(s.base(), 7, 1, new byte[0], 0);
      Raw.putInt(s.base() + JobLayout.REASON_BYTES_OFFSET, Integer.MAX_VALUE);
      assertEquals(JobLayout.REASON_CAPACITY, s.abortReason().length());
      Raw.putInt(s.base() + JobLayout.REASON_BYTES_OFFSET, -1);
      assertEquals("no reason was given", s.abortReason());
    }
  }

  @Test
  void anEndWithoutAReasonIsAWholeSentence() {
    for (int word : new int[] {1, 77, -1}) {
      try (JobSegment s = create(false)) {
        Raw.putInt(s.base() + JobLayout.ENDED_OFFSET, word);
        Raw.putInt(s.base() + JobLayout.RANK_OFFSET, 12_345);
        String expected = word == 1 ? "before it could say why" : "holds " + word;
        assertTrue(s.abortReason().contains(expected), s.abortReason());
        assertTrue(s.abortCode() != 0);
        assertEquals(-1, s.abortRank());
      }
    }
  }

  @Test
  void impossibleNumbersOfCommunicators() {
    try (JobSegment s = create(false)) {
      for (long number : new long[] {0, -1, 1L << 40, Long.MIN_VALUE}) {
        Raw.putLong(s.base() + JobLayout.NUMBERS_OFFSET, number);
        refuses(ErrorClass.ERR_INTERN, "" + number, () -> s.claimNumbers(1));
      }
    }
  }

  /** In a folder without a sticky bit anybody who may write there may put a link in the place of the file. */
  @Test
  void aLinkInThePlaceOfTheFileIsNotFollowed() throws Exception {
    byte[] content = "not to be touched".getBytes(StandardCharsets.UTF_8);
    Path victim = Files.write(directory.resolve("victim"), content);
    Path folder = Files.createDirectory(directory.resolve("folder"));
    AtomicBoolean over = new AtomicBoolean();
    Thread attacker = Thread.ofPlatform().start(() -> {
      Path link = directory.resolve("link");
      File looked = folder.toFile();
      while (!over.get()) {
        try {
          if (!Files.isSymbolicLink(link)) {
            Files.createSymbolicLink(link, victim);
          }
          String[] found = looked.list();
          while (found.length == 0 && !over.get()) {
            found = looked.list();
          }
          if (found.length != 0) {
            Files.move(link, folder.resolve(found[0]), StandardCopyOption.ATOMIC_MOVE);
          }
        } catch (IOException e) {
          // once more
        }
      }
    });
    try {
      for (int i = 0; i < 400; i++) {
        try {
          JobSegment.create(new JobOptions(
              3, i % 2 == 0,
              Settings.of(Map.of("ffmpi.shm.directory", folder.toString(), "ffmpi.shm.limit", "1M")))).close();
        } catch (MpiException e) {
          assertEquals(ErrorClass.ERR_OTHER, e.errorClass(), e.toString());
        }
        assertArrayEquals(content, Files.readAllBytes(victim), "round " + i);
      }
    } finally {
      over.set(true);
      attacker.join();
    }
  }

  /** What a process with a small address space runs. */
  static final class Small {
    private Small() {}

    public static void main(String[] args) {
      Settings settings = Settings.of(Map.of("ffmpi.shm.directory", args[0], "ffmpi.shm.limit", args[1]));
      try (JobSegment s = JobSegment.create(new JobOptions(3, true, settings));
          JobSegment rank = JobSegment.open(s.nameForRanks(), 3)) {
        s.claim(1 << 20);
        System.out.println("mapped " + (rank.limit() == s.limit()) + (s.limit() >= 1 << 20));
      } catch (MpiException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  private String small(String limit) throws Exception {
    Path folder = Files.createDirectories(directory.resolve("small"));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process = new ProcessBuilder(
        "sh", "-c", "ulimit -v 6000000; exec \"$@\"", "sh", java, "-Xmx64m", "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=16m", "-XX:CompressedClassSpaceSize=64m",
        "-cp", System.getProperty("java.class.path"), Small.class.getName(), folder.toString(), limit)
        .redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }

  @Test
  void aSmallAddressSpaceMakesASmallerSegmentOrASentence() throws Exception {
    String chosen = small("0");
    assertTrue(chosen.contains("mapped truetrue"), chosen);
    String wanted = small("100G");
    assertTrue(wanted.contains("set ffmpi.shm.limit to less") && wanted.contains("107374182400"), wanted);
  }

  @Test
  void ranksOfOtherNodesHaveBlocksButNoRings() {
    int[] nodeOf = {0, 1, 0, 1, 1};
    Settings settings = Settings.of(Map.of("ffmpi.shm.limit", "1M", "ffmpi.shm.directory", directory.toString()));
    try (JobSegment s = JobSegment.create(new JobOptions(5, false, settings), new Nodes(nodeOf, 1))) {
      assertEquals(3, s.localRanks());
      assertArrayEquals(new int[] {1, 3, 4}, new int[] {s.localRank(0), s.localRank(1), s.localRank(2)});
      s.setReleaseRing(4, 1, 64);
      s.setReleaseRing(1, 4, 128);
      assertEquals(64, s.getAcquireRing(4, 1));
      assertEquals(128, s.getAcquireRing(1, 4));
      assertEquals(0, s.getAcquireRing(3, 4));
      assertEquals(s.accountBlock(0), s.accountBlock(2), "what others do is not known here");
      assertEquals(JobLayout.PAGE, s.accountBlock(3) - s.accountBlock(1));
      assertTrue(s.accountBlock(0) + JobLayout.PAGE <= s.base() + s.claimed());
      try (SegmentView view = SegmentView.open(Path.of(s.nameForRanks().replaceAll("#.*", "")))) {
        assertEquals(5, view.ranks());
      }
    }
  }

  @Test
  void aLargeJobOnManyNodesFits() {
    int ranks = 20_000;
    int[] nodeOf = IntStream.range(0, ranks).map(rank -> rank / 10).toArray();
    Settings settings = Settings.of(Map.of("ffmpi.shm.limit", "16M", "ffmpi.shm.directory", directory.toString()));
    try (JobSegment s = JobSegment.create(new JobOptions(ranks, false, settings), new Nodes(nodeOf, 7))) {
      assertEquals(10, s.localRanks());
      assertEquals(79, s.localRank(9));
    }
  }
}
