// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.nodes;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;

/**
 * What the ranks of an installed MPI's job run: many scenarios with one start, or one of the ways in which a rank ends
 * badly while the others wait for it.
 */
final class NodesProgram {
  /** Said by each rank when all has gone well. */
  static final String WELL = "all scenarios have gone well";

  /** Exit code of a rank that exits, and of a job that is aborted. */
  static final int CODE = 17;

  /** How rank 2 ends. */
  enum End { THROW, EXIT, KILL, ABORT }

  private NodesProgram() {}

  public static void main(String[] args) throws Exception {
    Mpi.run(args, mpi -> {
      if (args[0].equals("scenarios")) {
        runScenarios(mpi, Integer.parseInt(args[1]));
      } else {
        die(mpi, End.valueOf(args[0]));
      }
    });
  }

  private static void runScenarios(Mpi mpi, int nodes) throws Exception {
    IntraComm world = mpi.world();
    String expected = world.size() + " ranks on " + nodes + (nodes == 1 ? " node, over " : " nodes, over ");
    if (!Mpi.libraryVersion().contains(expected)) {
      throw new AssertionError(Mpi.libraryVersion() + ", not " + expected);
    }
    for (NodeScenario scenario : NodeScenario.values()) {
      long start = System.nanoTime();
      try {
        scenario.run(mpi);
      } catch (Exception | AssertionError e) {
        throw new AssertionError(scenario + " at rank " + world.rank() + ": " + e.getMessage(), e);
      }
      world.barrier();
      if (world.rank() == 0) {
        System.out.println(scenario + " " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms");
      }
    }
    System.out.print(WELL + "\n"); // in one piece: launchers join what ranks write
    System.out.flush();
  }

  /** Rank 2 ends; rank 0 is in a receive of memory that no other thread polls for, the others in a collective call. */
  private static void die(Mpi mpi, End end) throws IOException, InterruptedException {
    IntraComm world = mpi.world();
    int[] data = new int[1];
    world.barrier();
    switch (world.rank()) {
      case 0 -> world.recv(data, 2, 0);
      case 2 -> end(mpi, end);
      default -> world.allgather(Buf.of(data), Buf.of(Arrays.copyOf(data, world.size())));
    }
    System.out.println("rank " + world.rank() + " goes on");
  }

  private static void end(Mpi mpi, End end) throws IOException, InterruptedException {
    switch (end) {
      case THROW -> throw new IllegalStateException("out of cheese");
      case EXIT -> System.exit(CODE);
      case ABORT -> mpi.world().abort(CODE);
      case KILL -> {
        new ProcessBuilder("kill", "-9", String.valueOf(ProcessHandle.current().pid())).start().waitFor();
        Thread.sleep(100_000);
      }
    }
  }
}
