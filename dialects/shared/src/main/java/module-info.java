// SPDX-License-Identifier: Apache-2.0

/** What the dialects of Java MPI have in common. Programs use none of it. */
module org.ffmpi.dialect {
  requires transitive org.ffmpi;

  exports org.ffmpi.dialect to
      org.ffmpi.dialect.openmpi,
      org.ffmpi.dialect.mpijava;
}
