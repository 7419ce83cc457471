// SPDX-License-Identifier: Apache-2.0
/** Looking at a program: variables and events, traces, recordings. */
module org.ffmpi.tools {
  requires transitive org.ffmpi.api;
  requires static java.management; // of ranks with an MBean
  requires static jdk.jfr;

  exports org.ffmpi.tool;

  // For our own modules only.
  exports org.ffmpi.trace to
      org.ffmpi.launcher;
  exports org.ffmpi.trace.model to
      org.ffmpi.launcher;

  uses org.ffmpi.spi.SettingCatalog;

  provides org.ffmpi.spi.EngineLayer with
      org.ffmpi.tool.bean.BeanLayer,
      org.ffmpi.trace.FlightLayer,
      org.ffmpi.trace.TraceLayer;
}
