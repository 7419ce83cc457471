// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.ffmpi.tests.connect.ConnectScenario;
import org.ffmpi.tests.nodes.InstalledMpi.Answer;
import org.ffmpi.tests.nodes.NodesProgram.End;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs that the launchers of installed C libraries start, whose ranks are divided into nodes that only TCP connects:
 * they work as on one node, and a rank that ends badly ends them. Each job runs many scenarios, since the start of its
 * JVMs takes longer than those.
 */
@Tag("process")
@Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForeignNodesTest {
  private static final Path SHM = Path.of("/dev/shm");

  private Path shm;

  @BeforeEach
  void makeDirectory() throws IOException {
    shm = Files.isWritable(SHM)
        ? Files.createTempDirectory(SHM, "ffmpi-nodes-test-") : Files.createTempDirectory("ffmpi-nodes-test-");
  }

  /** Nothing is left of a job, however it has ended. */
  @AfterEach
  void nothingIsLeft() throws IOException {
    List<Path> left;
    try (Stream<Path> files = Files.list(shm)) {
      left = files.toList();
    }
    for (Path file : left) {
      Files.delete(file);
    }
    Files.delete(shm);
    assertEquals(List.of(), left);
  }

  @ParameterizedTest
  @CsvSource({"OPEN_MPI, 4, 4, 1", "OPEN_MPI, 4, '3,1', 2", "MPICH, 4, 2, 2", "MPICH, 8, 1, 8"})
  void everythingWorks(InstalledMpi mpi, int ranks, String nodeSizes, int nodes)
      throws IOException, InterruptedException {
    checkEverything(mpi, ranks, nodeSizes, nodes);
  }

  @ParameterizedTest
  @CsvSource({
    "OPEN_MPI, 4, 1, 4", "OPEN_MPI, 4, 2, 2", "OPEN_MPI, 8, 1, 8",
    "MPICH, 4, 1, 4", "MPICH, 4, 4, 1", "MPICH, 4, '3,1', 2"})
  @EnabledIfSystemProperty(named = "ffmpi.test.breadth", matches = "all")
  void everythingWorksInOtherShapes(InstalledMpi mpi, int ranks, String nodeSizes, int nodes)
      throws IOException, InterruptedException {
    checkEverything(mpi, ranks, nodeSizes, nodes);
  }

  private void checkEverything(InstalledMpi mpi, int ranks, String nodeSizes, int nodes)
      throws IOException, InterruptedException {
    Answer answer = mpi.runUntil(
        NodesProgram.WELL, ranks, nodeSizes, shm, NodesProgram.class, "scenarios", String.valueOf(nodes));
    assertEquals(ranks, answer.output().lines().filter(NodesProgram.WELL::equals).count(), answer.output());
    assertEquals(0, answer.code(), answer.output());
  }

  @ParameterizedTest
  @CsvSource({"OPEN_MPI, 2", "MPICH, 1"})
  void ranksSpawnOnTheirMachine(InstalledMpi mpi, String nodeSizes) throws IOException, InterruptedException {
    checkSpawning(mpi, nodeSizes);
  }

  @ParameterizedTest
  @CsvSource({"OPEN_MPI, 1", "MPICH, 2"})
  @EnabledIfSystemProperty(named = "ffmpi.test.breadth", matches = "all")
  void ranksSpawnOnTheirMachineInOtherShapes(InstalledMpi mpi, String nodeSizes)
      throws IOException, InterruptedException {
    checkSpawning(mpi, nodeSizes);
  }

  private void checkSpawning(InstalledMpi mpi, String nodeSizes) throws IOException, InterruptedException {
    Answer answer =
        mpi.runUntil(ConnectScenario.WELL, 2, nodeSizes, shm, ConnectScenario.class, "table", "2", "2");
    assertEquals(2, answer.output().lines().filter(ConnectScenario.WELL::equals).count(), answer.output());
    assertEquals(0, answer.code(), answer.output());
  }

  @ParameterizedTest
  @CsvSource({
    "OPEN_MPI, THROW", "OPEN_MPI, EXIT", "OPEN_MPI, KILL", "OPEN_MPI, ABORT",
    "MPICH, THROW", "MPICH, EXIT", "MPICH, KILL", "MPICH, ABORT"})
  void aRankThatEndsBadlyEndsTheJob(InstalledMpi mpi, End end) throws IOException, InterruptedException {
    Answer answer = mpi.run(3, end == End.KILL ? "2" : "1", "fatal", shm, NodesProgram.class, end.name());
    assertNotEquals(0, answer.code(), answer.output());
    assertNotEquals(-1, answer.code(), answer.output());
    assertFalse(answer.output().contains("goes on"), answer.output());
    String said = switch (end) {
      case THROW -> "ffmpi: rank 2: java.lang.IllegalStateException: out of cheese";
      case EXIT -> "ffmpi: rank 2 has ended without closing MPI";
      case ABORT -> "ffmpi: rank 2 called abort(17)";
      case KILL -> ""; // the launcher says it
    };
    int first = answer.output().indexOf(said);
    assertTrue(first >= 0, answer.output());
    assertTrue(said.isEmpty() || answer.output().indexOf(said, first + 1) < 0, "said twice: " + answer.output());
    if (end == End.ABORT || end == End.EXIT) {
      assertEquals(NodesProgram.CODE, answer.code(), answer.output());
    }
  }
}
