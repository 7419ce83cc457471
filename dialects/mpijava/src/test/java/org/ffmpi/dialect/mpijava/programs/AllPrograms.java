// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import java.util.LinkedHashMap;
import java.util.Map;
import mpi.MPI;

/** Runs all programs between one start and one end, each on its own duplicate of the world for its barriers. */
public final class AllPrograms {
  interface Program {
    void run(Check check) throws Exception;
  }

  private AllPrograms() {}

  private static Map<String, Program> programs() {
    Map<String, Program> programs = new LinkedHashMap<>();
    programs.put("Environment", Environment::run);
    programs.put("BlockingMessages", BlockingMessages::run);
    programs.put("NonblockingMessages", NonblockingMessages::run);
    programs.put("PersistentMessages", PersistentMessages::run);
    programs.put("DerivedTypes", DerivedTypes::run);
    programs.put("Packing", Packing::run);
    programs.put("Collectives", Collectives::run);
    programs.put("Aliasing", Aliasing::run);
    programs.put("Reductions", Reductions::run);
    programs.put("UserOperations", UserOperations::run);
    programs.put("ObjectMessages", ObjectMessages::run);
    programs.put("ObjectCollectives", ObjectCollectives::run);
    programs.put("Groups", Groups::run);
    programs.put("Communicators", Communicators::run);
    programs.put("Intercommunicators", Intercommunicators::run);
    programs.put("Topologies", Topologies::run);
    programs.put("ErrorsThrown", ErrorsThrown::run);
    return programs;
  }

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int failures = 0;
    for (Map.Entry<String, Program> program : programs().entrySet()) {
      Check check = new Check(program.getKey());
      try {
        program.getValue().run(check);
      } catch (Exception e) {
        check.fail("threw " + e);
        e.printStackTrace();
      }
      failures += check.failures();
      MPI.COMM_WORLD.Barrier();
    }
    int[] all = new int[1];
    MPI.COMM_WORLD.Reduce(new int[] {failures}, 0, all, 0, 1, MPI.INT, MPI.SUM, 0);
    if (MPI.COMM_WORLD.Rank() == 0) {
      System.out.println("programs " + programs().size() + ", failures " + all[0]);
    }
    MPI.Finalize();
  }
}
