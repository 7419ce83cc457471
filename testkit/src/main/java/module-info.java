// SPDX-License-Identifier: Apache-2.0
/** A JUnit 5 extension that runs a test method on several ranks, as threads or as processes. */
module org.ffmpi.testkit {
  requires transitive org.ffmpi.api;
  requires transitive org.junit.jupiter.api;

  exports org.ffmpi.testkit;

  uses org.ffmpi.spi.EngineProvider;
  uses org.ffmpi.spi.WorldStarter;
}
