// SPDX-License-Identifier: Apache-2.0
/** Every collective operation as a schedule, and the one executor that runs them. */
module org.ffmpi.collectives {
  requires transitive org.ffmpi.spi;

  exports org.ffmpi.collectives.select to
      org.ffmpi.launcher;

  provides org.ffmpi.spi.Collectives with
      org.ffmpi.collectives.ScheduledCollectives;
}
