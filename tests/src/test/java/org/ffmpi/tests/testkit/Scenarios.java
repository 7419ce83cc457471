// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * Test classes that {@link MpiTestExtensionTest} runs and looks at; several fail on purpose. They are nested classes of
 * a class whose name no build tool takes for a test's.
 */
final class Scenarios {
  /** What the scenarios have to tell. */
  static final ConcurrentLinkedQueue<String> LOG = new ConcurrentLinkedQueue<>();

  private Scenarios() {}

  static class Passing {
    private final AtomicInteger ranks = new AtomicInteger();
    private String prepared;

    @BeforeEach
    void before() {
      LOG.add("before on " + (Thread.currentThread().getName().startsWith("ffmpi-rank") ? "a rank" : "JUnit"));
      prepared = "yes";
    }

    @AfterEach
    void after() {
      LOG.add("after " + ranks.get());
    }

    @MpiTest(ranks = {1, 3})
    void everybodyRuns(Comm world) {
      assertEquals("yes", prepared);
      ranks.incrementAndGet();
      LOG.add("rank of " + world.size());
    }
  }

  static class Parameters {
    @MpiTest(ranks = 2)
    void kinds(TestInfo info, Mpi mpi, Comm comm, IntraComm intra, @TempDir Path directory) {
      assertEquals("2 ranks", info.getDisplayName());
      assertSame(mpi.world(), comm);
      assertSame(comm, intra);
      assertNotNull(directory);
      assertEquals(Errhandler.RETURN, comm.errhandler());
      LOG.add("rank " + comm.rank() + " in " + directory);
    }

    @MpiTest(ranks = 2)
    void none() {
      LOG.add("none in " + Thread.currentThread().getName());
    }

    @MpiTest
    void usualNumbers(Comm world) {
      if (world.rank() == 0) {
        LOG.add("of " + world.size());
      }
    }
  }

  @MpiVariant(name = "plain")
  @MpiVariant(name = "four slots", settings = "ffmpi.ring.slots=4")
  static class Variants {
    @MpiTest(ranks = {1, 2}, settings = {"ffmpi.errors = abort"})
    void ofTheClass(Comm world, TestInfo info) {
      assertEquals(Errhandler.ABORT, world.errhandler());
      if (world.rank() == 0) {
        LOG.add(info.getDisplayName());
      }
    }

    @MpiTest(ranks = 1)
    @MpiVariant(name = "fatal", settings = "ffmpi.errors=fatal")
    void ofTheMethod(Comm world, TestInfo info) {
      assertEquals(Errhandler.FATAL, world.errhandler());
      LOG.add(info.getDisplayName());
    }
  }

  static class Failing {
    @MpiTest(ranks = 3)
    void oneRankAsserts(Comm world) {
      if (world.rank() == 1) {
        assertEquals(7, 6 + world.size(), "the answer");
      }
      world.recv(new int[1], (world.rank() + 1) % 3, 0);
    }

    @MpiTest(ranks = 2)
    void oneRankErrs(Comm world) {
      if (world.rank() == 0) {
        world.send(new int[1], 5, 0);
      }
      world.recv(new int[1], 0, 0);
    }

    @MpiTest(ranks = 2)
    void bothThrow(Comm world) {
      throw new IllegalStateException("rank " + world.rank() + " is out of order");
    }

    @MpiTest(ranks = 2)
    void assumption(Comm world) {
      assumeTrue(world.size() > 2, "needs 3 ranks");
    }
  }

  static class Hanging {
    @MpiTest(ranks = 3, timeout = 2)
    void inAReceive(Comm world) {
      if (world.rank() != 1) {
        world.recv(new int[1], 1, world.rank());
      } else {
        waitForMessage(world);
      }
    }

    private static void waitForMessage(Comm world) {
      world.probe(0, 17);
    }

    @MpiTest(ranks = 2, timeout = 2)
    void inALatch(Comm world) throws InterruptedException {
      if (world.rank() == 1) {
        new CountDownLatch(1).await();
      }
    }

    @MpiTest(ranks = 2, timeout = 2)
    void inAThreadOfARank(Comm world) throws InterruptedException {
      if (world.rank() == 1) {
        Thread helper = Thread.ofPlatform().name("helper").daemon().start(() -> assertThrows(
            MpiException.class, () -> world.recv(new int[1], 1, 4)));
        helper.join();
      }
    }

    @MpiTest(ranks = 2)
    void afterwards(Comm world) {
      LOG.add("afterwards");
    }
  }

  static class Wrong {
    @MpiTest(ranks = {})
    void noRanks(Comm world) {}

    @MpiTest(ranks = 0)
    void zeroRanks(Comm world) {}

    @MpiTest(ranks = 1, timeout = 0)
    void noTime(Comm world) {}

    @MpiTest(ranks = 1, settings = "ffmpi.spin")
    void noValue(Comm world) {}

    @MpiTest(ranks = 1, settings = "ffmpi.spin=often")
    void wrongValue(Comm world) {}
  }

  static class Processes {
    private String prepared;

    @BeforeEach
    void before() {
      prepared = "in " + ProcessHandle.current().pid();
    }

    @MpiTest(ranks = {1, 3}, processes = true, timeout = 120)
    void everyRankHasItsProcess(Mpi mpi, Comm world, @TempDir Path directory) throws IOException {
      assertEquals("in " + ProcessHandle.current().pid(), prepared);
      assertEquals(Errhandler.RETURN, world.errhandler());
      long[] sum = {1};
      world.allreduce(Buf.of(sum), Op.SUM);
      assertEquals(mpi.world().size(), sum[0]);
      Files.createFile(directory.resolve("process-" + ProcessHandle.current().pid()));
      world.barrier();
      try (var files = Files.list(directory)) {
        assertEquals(world.size(), files.count());
      }
      world.barrier();
    }

    @MpiTest(ranks = 1, processes = true, timeout = 120, jvmOptions = "-Dcolour=red", settings = "ffmpi.ring.slots=8")
    void optionsReachTheRanks() {
      assertEquals("red", System.getProperty("colour"));
    }

    @MpiTest(ranks = 2, processes = true, timeout = 120)
    void oneRankAsserts(Comm world) {
      if (world.rank() == 1) {
        assertEquals(7, 6 + world.size(), "the answer");
      }
      world.recv(new int[1], 1, 0);
    }

    @MpiTest(ranks = 2, processes = true, timeout = 120)
    void assumption(Comm world) {
      assumeTrue(world.rank() != 1, "not rank 1");
      world.barrier();
    }

    @MpiTest(ranks = 2, processes = true, timeout = 10)
    void hang(Comm world) {
      world.recv(new int[1], 1 - world.rank(), 0);
    }

    @MpiTest(ranks = 1, processes = true, timeout = 120)
    void cannotTravel(TestInfo info) {}
  }
}
