// SPDX-License-Identifier: Apache-2.0
/** A JUnit 5 extension that runs a test method on several ranks, as threads or as processes. */
module org.ffmpi.testkit {
  requires transitive org.ffmpi;
  requires transitive org.junit.jupiter.api;
  requires org.junit.platform.commons;
  requires org.opentest4j;
  requires java.management;

  exports org.ffmpi.testkit;

  opens org.ffmpi.testkit to
      org.junit.platform.commons;

  uses org.ffmpi.spi.EngineProvider;
  uses org.ffmpi.spi.WorldStarter;
}
