// SPDX-License-Identifier: Apache-2.0
/**
 * The shared-memory engine, with one mapped segment per job, lock-free rings between each two ranks, matching,
 * protocols.
 */
module org.ffmpi.shm {
  requires transitive org.ffmpi.spi;

  provides org.ffmpi.spi.EngineProvider with
      org.ffmpi.shm.engine.ShmProvider;

  exports org.ffmpi.shm.diagnosis to org.ffmpi.launcher;
  exports org.ffmpi.shm.engine to org.ffmpi.mpi;
  exports org.ffmpi.shm.progress to org.ffmpi.mpi;
  exports org.ffmpi.shm.wire to org.ffmpi.mpi;
  exports org.ffmpi.shm.segment to org.ffmpi.launcher, org.ffmpi.mpi;
  exports org.ffmpi.shm.account to org.ffmpi.launcher;
  exports org.ffmpi.shm.posix to org.ffmpi.launcher;
}
