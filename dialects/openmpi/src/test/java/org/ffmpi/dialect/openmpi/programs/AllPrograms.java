// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.util.LinkedHashMap;
import java.util.Map;
import mpi.MPI;
import mpi.MPIException;

/** All programs that can run one after the other, between one Init and one Finalize. */
final class AllPrograms {
  private static final Map<String, Check.Call> PROGRAMS = new LinkedHashMap<>();

  static {
    PROGRAMS.put("Environment", EnvironmentProgram::run);
    PROGRAMS.put("Infos", InfoProgram::run);
    PROGRAMS.put("Buffers", BufferProgram::run);
    PROGRAMS.put("Sends", SendProgram::run);
    PROGRAMS.put("NonblockingSends", NonblockingSendProgram::run);
    PROGRAMS.put("Persistent", PersistentProgram::run);
    PROGRAMS.put("Requests", RequestProgram::run);
    PROGRAMS.put("Messages", MessageProgram::run);
    PROGRAMS.put("Statuses", StatusProgram::run);
    PROGRAMS.put("Datatypes", DatatypeProgram::run);
    PROGRAMS.put("Packing", PackProgram::run);
    PROGRAMS.put("Structs", StructProgram::run);
    PROGRAMS.put("Pairs", PairProgram::run);
    PROGRAMS.put("Complex", ComplexProgram::run);
    PROGRAMS.put("Collectives", CollectiveProgram::run);
    PROGRAMS.put("NonblockingCollectives", NonblockingCollectiveProgram::run);
    PROGRAMS.put("Reductions", ReductionProgram::run);
    PROGRAMS.put("Operations", OperationProgram::run);
    PROGRAMS.put("Groups", GroupProgram::run);
    PROGRAMS.put("Communicators", CommunicatorProgram::run);
    PROGRAMS.put("Attributes", AttributeProgram::run);
    PROGRAMS.put("Errors", ErrorProgram::run);
    PROGRAMS.put("Intercommunicators", IntercommProgram::run);
    PROGRAMS.put("Ports", PortProgram::run);
    PROGRAMS.put("Grids", CartProgram::run);
    PROGRAMS.put("Graphs", GraphProgram::run);
    PROGRAMS.put("Neighbours", NeighborProgram::run);
    PROGRAMS.put("Windows", WinProgram::run);
    PROGRAMS.put("Epochs", EpochProgram::run);
    PROGRAMS.put("Accumulate", AccumulateProgram::run);
    PROGRAMS.put("Files", FileProgram::run);
    PROGRAMS.put("Edges", EdgeProgram::run);
  }

  private AllPrograms() {}

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.getRank();
    for (Map.Entry<String, Check.Call> program : PROGRAMS.entrySet()) {
      if (args.length == 0 || program.getKey().equals(args[0])) {
        long start = System.nanoTime();
        try {
          program.getValue().run();
        } catch (Throwable e) {
          System.err.println("program " + program.getKey() + " failed at rank " + rank);
          e.printStackTrace();
          System.exit(3);
        }
        if (Boolean.getBoolean("programs.times") && rank == 0) {
          System.out.println(program.getKey() + " " + (System.nanoTime() - start) / 1_000_000 + " ms");
        }
      }
    }
    MPI.COMM_WORLD.barrier();
    MPI.Finalize();
    if (rank == 0) {
      System.out.println("all programs passed");
    }
  }
}
