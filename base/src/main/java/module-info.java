// SPDX-License-Identifier: Apache-2.0
/**
 * Errors, constants, attributes, settings and measures; and, for ffmpi's own modules only, access to raw memory and the
 * hook of the profiling agent.
 */
module org.ffmpi.base {
  exports org.ffmpi.base;
  exports org.ffmpi.base.hook to
      org.ffmpi.datatype,
      org.ffmpi.spi,
      org.ffmpi.api,
      org.ffmpi.objects,
      org.ffmpi.windows,
      org.ffmpi.files,
      org.ffmpi.tools,
      org.ffmpi.proof;
  exports org.ffmpi.base.raw to
      org.ffmpi.datatype,
      org.ffmpi.api,
      org.ffmpi.objects,
      org.ffmpi.windows,
      org.ffmpi.files,
      org.ffmpi.tools,
      org.ffmpi.proof,
      org.ffmpi.collectives,
      org.ffmpi.shm,
      org.ffmpi.mpi,
      org.ffmpi.launcher,
      org.ffmpi.testkit,
      org.ffmpi.chronicle;
}
