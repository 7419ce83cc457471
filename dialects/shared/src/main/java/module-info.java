// SPDX-License-Identifier: Apache-2.0

/** Code that both dialects of Java MPI use. Programs do not use it. */
module org.ffmpi.dialect {
  requires transitive org.ffmpi;

  exports org.ffmpi.dialect to
      org.ffmpi.dialect.openmpi,
      org.ffmpi.dialect.mpijava;
}
