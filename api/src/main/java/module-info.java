// SPDX-License-Identifier: Apache-2.0
/**
 * What an MPI program is written against, and in {@code org.ffmpi.spi}, documented as unstable, the ports that an
 * engine, a set of collectives and a launcher implement.
 */
module org.ffmpi.api {
  requires transitive org.ffmpi.datatype;
  requires static java.instrument;

  exports org.ffmpi;
  exports org.ffmpi.spi;
  exports org.ffmpi.profile to
      java.instrument;

  uses org.ffmpi.spi.Collectives;
  uses org.ffmpi.spi.EngineProvider;
  uses org.ffmpi.spi.WorldStarter;
}
