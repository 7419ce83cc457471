// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.replay;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.MpiExecutor;
import org.ffmpi.MpiFile;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.Win;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A recorded run is repeated whoever is faster this time, and what cannot be repeated is an error that says why. */
class RecordReplayTest {
  private static final int REPLAYS = 100;
  private static final int WARM_UPS = 3;
  private static final int DAMAGES = 150;
  private static final Duration LIMIT = Duration.ofSeconds(120);

  @TempDir
  Path folder;

  private static void inTime(Executable test) {
    assertTimeoutPreemptively(LIMIT, test);
  }

  private Map<String, String> record() {
    return Map.of("ffmpi.record", folder.toString());
  }

  private Map<String, String> replay() {
    return Map.of("ffmpi.replay", folder.toString());
  }

  // ---- the same again

  @Test
  void aRunIsRepeatedAHundredTimes() {
    inTime(() -> {
      for (int i = 0; i < WARM_UPS; i++) {
        race(Map.of(), false); // so that tests and probes have to wait
      }
      List<List<String>> recorded = race(record(), false);
      for (int i = 0; i < REPLAYS; i++) {
        assertEquals(recorded, race(replay(), true));
      }
    });
  }

  @Test
  void ranksOfSeveralNodesAreRepeated() {
    inTime(() -> {
      List<List<String>> recorded = race(with(record(), "ffmpi.node", "2"), false);
      for (int i = 0; i < 5; i++) {
        assertEquals(recorded, race(with(replay(), "ffmpi.node", "2"), true));
      }
    });
  }

  private static Map<String, String> with(Map<String, String> settings, String name, String value) {
    Map<String, String> all = new HashMap<>(settings);
    all.put(name, value);
    return all;
  }

  private static List<List<String>> race(Map<String, String> settings, boolean reversed) {
    List<List<String>> seen = new ArrayList<>(Collections.nCopies(RacingProgram.RANKS, null));
    Mpi.runThreads(RacingProgram.RANKS, settings, mpi ->
        seen.set(mpi.world().rank(), RacingProgram.run(mpi, reversed)));
    return seen;
  }

  /** The executor receives results from any worker, and the next task goes where a result has come from. */
  @Test
  void anExecutorsTasksRunWhereTheyRan() {
    inTime(() -> {
      List<String> recorded = workers(record(), 0);
      for (int i = 1; i <= 5; i++) {
        assertEquals(recorded, workers(replay(), i));
      }
    });
  }

  private static List<String> workers(Map<String, String> settings, int shift) {
    List<String> threads = new ArrayList<>();
    Mpi.runThreads(4, settings, mpi -> MpiExecutor.run(mpi.world(), pool ->
        pool.map(n -> {
          LockSupport.parkNanos(500_000L * ((7 * n + shift) % 5));
          return Thread.currentThread().getName();
        }, Stream.iterate(0, n -> n + 1).limit(40)).forEach(threads::add)));
    return threads;
  }

  /** The shared pointer of a file goes to the ranks in their recorded order. */
  @Test
  void ranksWriteToAFileInTheirOrder(@TempDir Path files) {
    inTime(() -> {
      List<Integer> recorded = written(record(), files);
      for (int i = 0; i < 5; i++) {
        assertEquals(recorded, written(replay(), files));
      }
    });
  }

  private static List<Integer> written(Map<String, String> settings, Path folder) {
    List<Integer> all = new ArrayList<>();
    int mode = Constants.MODE_CREATE | Constants.MODE_RDWR | Constants.MODE_DELETE_ON_CLOSE;
    Mpi.runThreads(3, settings, mpi -> {
      IntraComm world = mpi.world();
      try (MpiFile file = world.open(folder.resolve("shared"), mode)) {
        for (int i = 0; i < 10; i++) {
          file.writeShared(new int[] {world.rank()});
        }
        world.barrier();
        int[] whole = new int[30];
        if (world.rank() == 0) {
          file.readAt(0, whole);
          Arrays.stream(whole).forEach(all::add);
        }
        world.barrier();
      }
    });
    return all;
  }

  @Test
  void aFailureIsRepeatedAHundredTimes() {
    inTime(() -> {
      Mpi.Body body = mpi -> {
        IntraComm world = mpi.world();
        if (world.rank() > 0) {
          Thread.sleep(2L * world.rank());
          world.send(new int[] {world.rank()}, 0, 1);
          return;
        }
        Status status = new Status();
        world.recv(new int[1], Mpi.ANY_SOURCE, 1, status);
        throw new IllegalStateException("first is " + status.source());
      };
      String recorded = failure(record(), body);
      for (int i = 0; i < REPLAYS; i++) {
        assertEquals(recorded, failure(replay(), body));
      }
    });
  }

  /** The failure of a receive names the sender of a message that does not fit. */
  @Test
  void aMessageThatDoesNotFitIsRepeated() {
    inTime(() -> {
      Mpi.Body body = mpi -> {
        IntraComm world = mpi.world();
        if (world.rank() > 0) {
          Thread.sleep(2L * ThreadLocalRandom.current().nextInt(3));
          world.send(new int[1 + world.rank()], 0, 1);
          return;
        }
        try {
          world.recv(new int[1], Mpi.ANY_SOURCE, 1);
        } catch (MpiException e) {
          throw new IllegalStateException(e.getMessage());
        }
      };
      String recorded = failure(record(), body);
      assertTrue(recorded.contains("does not fit"), recorded);
      for (int i = 0; i < 20; i++) {
        assertEquals(recorded, failure(replay(), body));
      }
    });
  }

  private static String failure(Map<String, String> settings, Mpi.Body body) {
    return assertThrows(IllegalStateException.class, () -> Mpi.runThreads(3, settings, body)).getMessage();
  }

  // ---- what is not the same

  private void recordOneReceive() {
    Mpi.runThreads(2, record(), mpi -> {
      IntraComm world = mpi.world();
      if (world.rank() == 0) {
        world.recv(new int[1], Mpi.ANY_SOURCE, 7);
      } else {
        world.send(new int[1], 0, 7);
      }
    });
  }

  @Test
  void aChangedProgramIsAnErrorThatNamesBothCalls() {
    recordOneReceive();
    inTime(() -> assertError(ErrorClass.ERR_OTHER, () -> Mpi.runThreads(2, replay(), mpi -> {
      IntraComm world = mpi.world();
      if (world.rank() == 0) {
        world.iprobe(Mpi.ANY_SOURCE, 8);
      } else {
        world.send(new int[1], 0, 7);
      }
    }), "rank 0", "its event 1", "recorded was receive from any rank with tag 7 in the world at RecordReplayTest.java:",
        "now comes iprobe from any rank with tag 8 in the world at RecordReplayTest.java:"));
  }

  @Test
  void aChoiceAfterTheLastIsAnError() {
    recordOneReceive();
    inTime(() -> assertError(ErrorClass.ERR_OTHER, () -> Mpi.runThreads(2, replay(), mpi -> {
      IntraComm world = mpi.world();
      for (int i = 0; i < 2; i++) {
        if (world.rank() == 0) {
          world.recv(new int[1], Mpi.ANY_SOURCE, 7);
        } else {
          world.send(new int[1], 0, 7);
        }
      }
    }), "its event 2", "recorded was no further call of this thread", "now comes receive"));
  }

  @Test
  void aMessageThatDoesNotComeAnyMoreIsAnError() {
    recordOneReceive();
    inTime(() -> {
      // The first error is that of rank 0, or that of rank 1, whose world has ended; both have the reason.
      String reason = assertThrows(MpiException.class, () -> Mpi.runThreads(2, replay(), mpi -> {
        IntraComm world = mpi.world();
        if (world.rank() == 0) {
          world.recv(new int[1], Mpi.ANY_SOURCE, 7);
        } else {
          world.send(new int[1], 0, 8);
          world.recv(new int[1], 0, 9);
        }
      })).getMessage();
      for (String part : List.of("rank 0", "its event 1", "recorded was receive from any rank with tag 7",
          "got a message from rank 1 with tag 7", "now all ranks wait: rank 0: MPI_Recv at RecordReplayTest.java:",
          "rank 1 has sent one with tag 8")) {
        assertTrue(reason.contains(part), reason);
      }
    });
  }

  @Test
  void aSenderThatHasLeftIsAnError() {
    recordOneReceive();
    inTime(() -> assertError(ErrorClass.ERR_OTHER, () -> Mpi.runThreads(2, replay(), mpi -> {
      if (mpi.world().rank() == 0) {
        mpi.world().recv(new int[1], Mpi.ANY_SOURCE, 7);
      }
    }), "its event 1", "got a message from rank 1 with tag 7", "rank 1 has finalized"));
  }

  @Test
  void anotherNumberOfRanksIsRefused() {
    recordOneReceive();
    inTime(() -> assertError(ErrorClass.ERR_ARG, () -> Mpi.runThreads(3, replay(), mpi -> { }),
        "was made with 2 ranks, this job has 3 ranks"));
    inTime(() -> assertError(ErrorClass.ERR_ARG, () -> Mpi.runThreads(1, replay(), mpi -> { }),
        "was made with 2 ranks, this job has 1 rank"));
  }

  @Test
  void anotherProgramIsRefused() {
    Mpi.runThreads(1, with(record(), "ffmpi.program.command", "One"), mpi -> { });
    assertError(ErrorClass.ERR_ARG,
        () -> Mpi.runThreads(1, with(replay(), "ffmpi.program.command", "Other"), mpi -> { }),
        "made with the program One, rank 0 runs Other");
  }

  @Test
  void whatIsNoRecordingIsRefused() throws IOException {
    assertError(ErrorClass.ERR_ARG, () -> Mpi.runThreads(1, replay(), mpi -> { }), "has no files of ranks");
    assertError(ErrorClass.ERR_ARG,
        () -> Mpi.runThreads(1, Map.of("ffmpi.replay", folder.resolve("none").toString()), mpi -> { }),
        "is not a folder");
    assertError(ErrorClass.ERR_ARG, () -> Mpi.runThreads(1, with(record(), "ffmpi.replay", "x"), mpi -> { }),
        "is not allowed beside ffmpi.replay = x");
    Files.writeString(folder.resolve("rank-0.0"), "something else");
    assertError(ErrorClass.ERR_FILE, () -> Mpi.runThreads(1, replay(), mpi -> { }), "is not a recording of ffmpi");
  }

  @Test
  void aRefusedWorldKeepsNoMemory() throws IOException {
    long before = mappedSegments();
    assertError(ErrorClass.ERR_ARG, () -> Mpi.runThreads(3, replay(), mpi -> { }), "has no files of ranks");
    assertEquals(before, mappedSegments());
  }

  private static long mappedSegments() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains("/ffmpi")).count();
    }
  }

  /** A program may have more windows than a process may have open files. */
  @Test
  void noFileOfARecordingStaysOpen() {
    inTime(() -> Mpi.runThreads(2, record(), mpi -> {
      IntraComm world = mpi.world();
      try (Win win = world.winAllocate(Long.BYTES, Long.BYTES)) {
        try (Epoch _ = win.lockAll()) {
          win.fetchAndOp(Buf.of(new long[] {1}), Buf.of(new long[1]), 0, 0, Op.SUM);
        }
        world.barrier();
        assertEquals(0, openFiles());
        world.barrier();
      }
    }));
  }

  private long openFiles() throws IOException {
    long open = 0;
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      for (Path each : all.toList()) {
        open += Files.exists(each, LinkOption.NOFOLLOW_LINKS)
            && each.toFile().getCanonicalPath().startsWith(folder.toString()) ? 1 : 0;
      }
    }
    return open;
  }

  @Test
  void anOlderRecordingIsReplaced() throws IOException {
    Mpi.runThreads(3, record(), mpi -> { });
    recordOneReceive();
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of("rank-0.0", "rank-1.0"), files.map(f -> f.getFileName().toString()).sorted().toList());
    }
  }

  // ---- damage

  /**
   * Replays recordings with other bytes. They are refused, or lead to the recorded end, since changed bytes after the
   * last record are of no account.
   */
  @Test
  void damagedRecordingsAreRefused() {
    long seed = Seeds.next();
    inTime(() -> Seeds.run(seed, () -> {
      Mpi.Body body = mpi -> {
        IntraComm world = mpi.world();
        if (world.rank() == 0) {
          List<Request> posted = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            posted.add(world.irecv(new int[1], Mpi.ANY_SOURCE, Mpi.ANY_TAG));
          }
          while (!posted.get(3).test()) {
            Thread.onSpinWait();
          }
          Request.waitAll(posted.subList(0, 3));
        } else {
          for (int i = 0; i < 4; i++) {
            world.send(new int[1], 0, i);
          }
        }
      };
      Mpi.runThreads(2, record(), body);
      Path file = folder.resolve("rank-0.0");
      byte[] whole = Files.readAllBytes(file);
      RandomGenerator random = Seeds.random(seed);
      int refused = 0;
      for (int i = 0; i < DAMAGES; i++) {
        Files.write(file, damaged(whole, random));
        try {
          Mpi.runThreads(2, replay(), body);
        } catch (MpiException e) {
          assertTrue(e.getMessage().contains("recording " + folder), e.getMessage());
          refused++;
        }
      }
      assertEquals(DAMAGES, refused);
    }));
  }

  private static byte[] damaged(byte[] whole, RandomGenerator random) {
    int at = random.nextInt(whole.length);
    if (random.nextBoolean()) {
      return Arrays.copyOf(whole, at);
    }
    byte[] other = whole.clone();
    other[at] ^= (byte) (1 + random.nextInt(255));
    return other;
  }

  /** The file of a killed rank ends with zeros; what was whole by then is repeated, and the rest is free. */
  @Test
  void theRecordingOfAKilledRankIsRepeatedToItsEnd() {
    inTime(() -> {
      Mpi.Body body = mpi -> {
        IntraComm world = mpi.world();
        if (world.rank() == 0) {
          Status status = new Status();
          for (int i = 0; i < 6; i++) {
            world.recv(new int[1], Mpi.ANY_SOURCE, 1, status);
          }
        } else {
          for (int i = 0; i < 3; i++) {
            world.send(new int[1], 0, 1);
          }
        }
      };
      Mpi.runThreads(3, record(), body);
      Path file = folder.resolve("rank-0.0");
      byte[] whole = Files.readAllBytes(file);
      // The last records are the sixth receive, of three bytes, and the end, of three.
      byte[] killed = Arrays.copyOf(Arrays.copyOf(whole, whole.length - 6), 1 << 16);
      Files.write(file, killed);
      for (int i = 0; i < 3; i++) {
        Mpi.runThreads(3, replay(), body);
      }
    });
  }
}
