// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher of a process is recognized by the variables of Open MPI, MPICH, PMIx and Slurm. */
class ForeignStartTest {
  private static Map<String, String> environment(String variables) {
    Map<String, String> result = new HashMap<>(Map.of("PATH", "/usr/bin", "HOME", "/root"));
    for (String variable : variables.split(" ")) {
      int equals = variable.indexOf('=');
      if (equals > 0) {
        result.put(variable.substring(0, equals), variable.substring(equals + 1));
      }
    }
    return result;
  }

  @ParameterizedTest
  @CsvSource({
    "OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4 PMIX_RANK=2, Open MPI, 2, 4",
    "PMI_RANK=0 PMI_SIZE=3 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=3, MPICH, 0, 3",
    "MV2_COMM_WORLD_RANK=1 MV2_COMM_WORLD_SIZE=2, MVAPICH2, 1, 2",
    "MVP_COMM_WORLD_RANK=1 MVP_COMM_WORLD_SIZE=2 PMI_RANK=1 PMI_SIZE=2, MVAPICH, 1, 2",
    "FLUX_TASK_RANK=1 FLUX_JOB_SIZE=2 FLUX_JOB_ID=f1, flux, 1, 2",
    "JSM_NAMESPACE_RANK=3 JSM_NAMESPACE_SIZE=6 PMIX_RANK=3, jsrun, 3, 6",
    "PMI_ID=1 PMI_PORT=n1:4711, -pmi-port, 1, -1",
    "PALS_RANKID=2 PALS_NODEID=1, PALS, 2, -1",
    "PMIX_RANK=5, PMIx, 5, -1",
    "PMIX_RANK=0 SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_STEP_NUM_TASKS=4 SLURM_STEP_ID=0, srun, 0, 4", // --mpi=pmix
    "PMIX_RANK=5 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 SLURM_STEP_ID=0, PMIx, 5, -1", // prun, its daemons by srun
    "PMI_RANK=2 PMI_SIZE=4 SLURM_PROCID=2 SLURM_STEP_NUM_TASKS=4 SLURM_STEP_ID=1, PMI, 2, 4", // --mpi=pmi2
    "SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_STEP_NUM_TASKS=4 SLURM_STEP_ID=0, srun, 0, 4",
    "SLURM_PROCID=3 SLURM_NTASKS=4, srun, 3, 4",
    "SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 PMI_RANK=1 PMI_SIZE=2, PMI, 1, 2",
    "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 PMI_RANK=1 PMI_SIZE=4, PMI, 1, 4"})
  void oneOfSeveralIsFound(String variables, String launcher, int rank, int size) {
    ForeignStart start = ForeignStart.of(environment(variables));
    assertEquals(true, start.launcher().contains(launcher), start.launcher());
    assertEquals(rank, start.rank());
    assertEquals(size, start.size());
  }

  @ParameterizedTest
  @CsvSource({
    "''", // an ordinary process
    "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 PMIX_RANK=0", // mpirun -n 1
    "PMI_RANK=0 PMI_SIZE=1", // mpiexec -n 1
    "SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_JOB_ID=77 SLURM_NNODES=1", // a batch script in an allocation of four tasks
    "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 SLURM_STEP_ID=4294967291", // a batch script sent from a step of four tasks
    "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 SLURM_STEP_ID=4294967290", // salloc's shell on a node of its own
    "SLURM_NTASKS=4 SLURM_JOB_ID=77", // a shell that salloc has started
    "SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_STEP_NUM_TASKS=1 SLURM_STEP_ID=0", // srun -n 1 in such an allocation
    "SLURM_PROCID=1 SLURM_NTASKS=2 SLURM_STEP_NUM_TASKS=2 PMI_RANK=0 PMI_SIZE=1", // MPICH's mpiexec -n 1 on two nodes
    "OMPI_COMM_WORLD_RANK=x OMPI_COMM_WORLD_SIZE=4",
    "PMI_SIZE=4"})
  void aloneIsAlone(String variables) {
    assertNull(ForeignStart.of(environment(variables)));
  }

  @ParameterizedTest
  @CsvSource({"PMIX_RANK=0 PMIX_NAMESPACE=n", "PMI_ID=0 PMI_PORT=n1:4711", "PALS_RANKID=0"})
  void rankZeroWithoutASizeIsInDoubt(String variables) {
    ForeignStart start = ForeignStart.of(environment(variables));
    assertEquals(0, start.rank());
    assertEquals(ForeignStart.UNKNOWN, start.size());
    assertEquals(false, start.isCertain());
    assertEquals(true, ForeignStart.of(environment(variables.replace("=0", "=1"))).isCertain());
  }

  @Test
  void whatWasFoundIsNamed() {
    assertEquals(
        "OMPI_COMM_WORLD_RANK=2, OMPI_COMM_WORLD_SIZE=4",
        ForeignStart.of(environment("OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=2")).found());
  }
}
