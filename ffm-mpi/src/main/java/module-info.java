// SPDX-License-Identifier: Apache-2.0
/** The way to ranks of other nodes, over the MPI that is installed there. */
module org.ffmpi.mpi {
  requires transitive org.ffmpi.spi;
  requires org.ffmpi.shm;
  requires static java.logging; // for the status of System.exit

  provides org.ffmpi.spi.EngineProvider with
      org.ffmpi.mpi.engine.MpiProvider;
}
