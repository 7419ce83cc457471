// SPDX-License-Identifier: Apache-2.0
/**
 * The ground floor: errors, constants, attributes, settings and counters, and the one package that
 * touches raw memory, which, like the hook of the profiling agent, is open to ffmpi's own modules only.
 */
module org.ffmpi.base {
  exports org.ffmpi.base;
  exports org.ffmpi.base.hook to
      org.ffmpi.datatype,
      org.ffmpi.api,
      org.ffmpi.objects,
      org.ffmpi.windows;
  exports org.ffmpi.base.raw to
      org.ffmpi.datatype,
      org.ffmpi.api,
      org.ffmpi.objects,
      org.ffmpi.windows,
      org.ffmpi.collectives,
      org.ffmpi.shm,
      org.ffmpi.mpi,
      org.ffmpi.launcher,
      org.ffmpi.testkit,
      org.ffmpi.chronicle;
}
