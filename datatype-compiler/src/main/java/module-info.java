// SPDX-License-Identifier: Apache-2.0
/**
 * Datatypes, the plans they compile to when committed, and the kernels that copy and reduce.
 *
 * <p>The Vector API is used where {@code jdk.incubator.vector} is present at run time; this descriptor does not name
 * it, because a dependent's compiler would then warn about an incubating module.
 */
module org.ffmpi.datatype {
  requires transitive org.ffmpi.base;

  exports org.ffmpi.datatype;

  // For our own modules only.
  exports org.ffmpi.datatype.carrier to
      org.ffmpi.api;
  exports org.ffmpi.datatype.external32 to
      org.ffmpi.api,
      org.ffmpi.files;
  exports org.ffmpi.datatype.handle to
      org.ffmpi.api,
      org.ffmpi.tools,
      org.ffmpi.proof,
      org.ffmpi.objects,
      org.ffmpi.files,
      org.ffmpi.windows,
      org.ffmpi.collectives;
  exports org.ffmpi.datatype.plan to
      org.ffmpi.spi,
      org.ffmpi.api,
      org.ffmpi.tools,
      org.ffmpi.proof,
      org.ffmpi.objects,
      org.ffmpi.files,
      org.ffmpi.windows,
      org.ffmpi.collectives,
      org.ffmpi.shm,
      org.ffmpi.chronicle;
  exports org.ffmpi.datatype.reduce to
      org.ffmpi.spi,
      org.ffmpi.api,
      org.ffmpi.windows,
      org.ffmpi.proof,
      org.ffmpi.collectives;
}
