// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The start of a process as one of several by a foreign launcher, as found in the environment. An engine that cannot
 * join such ranks refuses; one that can finds its rank here before it has initialized anything.
 *
 * <p>Without a number of ranks, rank 0 may be the only one: {@link #isCertain}.
 *
 * @param launcher the name of the launcher
 * @param rank the rank that it has given
 * @param size how many ranks it has started, or {@link #UNKNOWN}
 * @param found the variables with these facts, as {@code NAME=VALUE} separated by commas
 */
public record ForeignStart(String launcher, int rank, int size, String found) {
  /** A number that the launcher does not give in the environment. */
  public static final int UNKNOWN = -1;

  /**
   * The variables that a launcher sets for each process that it starts.
   *
   * @param launcher its name
   * @param rank the variable with the rank
   * @param size the variable with the number of ranks; null where there is none
   */
  private record Variables(String launcher, String rank, String size) {}

  /**
   * Launchers that come with an MPI, or speak the protocol of one. A launcher that is built on another one sets the
   * variables of both; those with a number of ranks come first.
   *
   * <ul>
   *   <li>Open MPI's set the same two in all its versions, those that stand on PRRTE included, and so does the one of
   *       IBM's Spectrum MPI.
   *   <li>{@code PMI_RANK} is set by Hydra (MPICH, Intel MPI, MVAPICH, ParaStation), by Cray's PALS, by Flux, and by
   *       Slurm with {@code --mpi=pmi2}.
   *   <li>With {@code -pmi-port} Hydra sets {@code PMI_ID}, and no number of ranks.
   *   <li>{@code PMIX_RANK} alone is set by {@code prun} of PRRTE, and beside Slurm's own by {@code srun --mpi=pmix}.
   * </ul>
   */
  private static final List<Variables> OF_MPI =
      List.of(
          new Variables("mpirun of Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
          new Variables("the launcher of MVAPICH", "MVP_COMM_WORLD_RANK", "MVP_COMM_WORLD_SIZE"),
          new Variables("mpiexec of MVAPICH2", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
          new Variables("mpiexec of MPICH or another launcher with PMI", "PMI_RANK", "PMI_SIZE"),
          new Variables("flux run", "FLUX_TASK_RANK", "FLUX_JOB_SIZE"),
          new Variables("jsrun", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE"));

  /** Launchers whose number of ranks only the library knows, unless Slurm's variables have it. */
  private static final List<Variables> WITHOUT_SIZE =
      List.of(
          new Variables("mpiexec of MPICH with -pmi-port", "PMI_ID", null),
          new Variables("a launcher with PMIx", "PMIX_RANK", null),
          new Variables("mpiexec of Cray PALS", "PALS_RANKID", null));

  /**
   * Slurm's srun. The number of tasks is that of the job step: {@code SLURM_NTASKS} also stands in the environment of
   * batch scripts, which are single processes that are to start others.
   */
  private static final Variables OF_STEP = new Variables("srun of Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS");

  /** Variables that batch scripts have as well, where every process is number 0. */
  private static final Variables OF_ALLOCATION = new Variables("srun of Slurm", "SLURM_PROCID", "SLURM_NTASKS");

  /** The job step; those from {@link #FIRST_OF_SLURM} up are Slurm's own: batch scripts, shells of salloc. */
  private static final String STEP = "SLURM_STEP_ID";

  private static final long FIRST_OF_SLURM = 0xFFFF_FFF0L;

  /**
   * Reads an environment.
   *
   * <p>Slurm's variables are read only where no launcher of an MPI has set a number of ranks: those start their own
   * processes through srun, one for each node.
   *
   * @param environment the variables of the process
   * @return how the process was started; null when no variable shows that it was started as one of several
   */
  public static ForeignStart of(Map<String, String> environment) {
    boolean said = false;
    for (Variables launcher : OF_MPI) {
      ForeignStart start = read(launcher, environment);
      if (start != null && start.isCertain()) {
        return start;
      }
      said |= start != null;
    }
    if (said) {
      return null;
    }
    ForeignStart task = task(environment);
    for (Variables launcher : WITHOUT_SIZE) {
      ForeignStart start = read(launcher, environment);
      if (start != null) {
        return task != null && task.rank == start.rank && task.size > 1 ? task : start;
      }
    }
    return task;
  }

  /** Returns the start by srun; null when this process is not one of several tasks. */
  private static ForeignStart task(Map<String, String> environment) {
    if (isScript(environment.get(STEP))) {
      return null;
    }
    ForeignStart task = read(OF_STEP, environment);
    if (task == null || task.size == UNKNOWN) {
      task = read(OF_ALLOCATION, environment);
      return task != null && task.rank > 0 ? task : null;
    }
    return task.isCertain() ? task : null;
  }

  private static boolean isScript(String step) {
    try {
      return step != null && Long.parseLong(step.strip()) >= FIRST_OF_SLURM;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /**
   * Returns whether it is certain that there are other ranks.
   *
   * @return false for rank 0 of a launcher that sets no number of ranks
   */
  public boolean isCertain() {
    return size > 1 || size == UNKNOWN && rank > 0;
  }

  private static ForeignStart read(Variables launcher, Map<String, String> environment) {
    int rank = number(environment.get(launcher.rank));
    int size = launcher.size == null ? UNKNOWN : number(environment.get(launcher.size));
    if (rank == UNKNOWN) {
      return null;
    }
    List<String> found = new ArrayList<>(List.of(launcher.rank + "=" + rank));
    if (size != UNKNOWN) {
      found.add(launcher.size + "=" + size);
    }
    return new ForeignStart(launcher.launcher, rank, size, String.join(", ", found));
  }

  private static int number(String text) {
    try {
      return text == null ? UNKNOWN : Math.max(UNKNOWN, Integer.parseInt(text.strip()));
    } catch (NumberFormatException e) {
      return UNKNOWN;
    }
  }
}
