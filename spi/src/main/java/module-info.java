// SPDX-License-Identifier: Apache-2.0
/**
 * The ports that an engine, a set of collectives and a launcher implement, documented as unstable, and the values that
 * cross them.
 */
module org.ffmpi.spi {
  requires transitive org.ffmpi.datatype;

  exports org.ffmpi.spi;
}
