// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

/** The program of one rank: the body handed to {@link Mpi#run} and {@link Mpi#runThreads}. */
@FunctionalInterface
public interface MpiBody {
  /**
   * Runs this rank's part of the program. Every rank of the job calls it once, each with its own {@code mpi}.
   *
   * @param mpi this rank's MPI environment, initialized; finalized by the caller when the body returns
   * @throws Exception whatever the program throws; it ends the whole job after having been printed
   */
  void run(Mpi mpi) throws Exception;
}
