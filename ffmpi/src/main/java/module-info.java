// SPDX-License-Identifier: Apache-2.0
/**
 * MPI for Java at native speed, in one module: what a program is written against, the collectives, the shared-memory
 * engine and the launcher.
 *
 * <p>Programs import from {@code org.ffmpi}, {@code org.ffmpi.datatype} and {@code org.ffmpi.base}, start jobs with
 * {@code org.ffmpi.launcher}, and look at the library with {@code org.ffmpi.tool}. The ports in {@code org.ffmpi.spi}
 * are documented as unstable.
 */
module org.ffmpi {
  requires static java.instrument;
  requires static java.management; // of ranks with an MBean
  requires static java.logging; // tells the status of System.exit
  requires static jdk.compiler; // of the JVM that compiles source files
  requires static jdk.jfr; // of ranks with flight recordings

  exports org.ffmpi;
  exports org.ffmpi.base;
  exports org.ffmpi.datatype;
  exports org.ffmpi.launcher;
  exports org.ffmpi.spi;
  exports org.ffmpi.tool;
  exports org.ffmpi.profile to
      java.instrument;
  exports org.ffmpi.race to
      java.instrument;

  // For our own modules only.
  exports org.ffmpi.base.raw to
      org.ffmpi.testkit,
      org.ffmpi.chronicle;
  exports org.ffmpi.datatype.plan to
      org.ffmpi.chronicle;
  exports org.ffmpi.explore to
      org.ffmpi.testkit;

  uses org.ffmpi.port.FileProvider;
  uses org.ffmpi.port.ObjectProvider;
  uses org.ffmpi.port.WindowProvider;
  uses org.ffmpi.spi.Collectives;
  uses org.ffmpi.spi.EngineLayer;
  uses org.ffmpi.spi.EngineProvider;
  uses org.ffmpi.spi.SettingCatalog;
  uses org.ffmpi.spi.SpawnHelper;
  uses org.ffmpi.spi.WorldStarter;

  provides org.ffmpi.port.FileProvider with
      org.ffmpi.file.RankFiles;
  provides org.ffmpi.port.ObjectProvider with
      org.ffmpi.object.CodecObjects;
  provides org.ffmpi.port.WindowProvider with
      org.ffmpi.window.MemoryWindows;
  provides org.ffmpi.spi.Collectives with
      org.ffmpi.collectives.ScheduledCollectives;
  provides org.ffmpi.spi.EngineLayer with
      org.ffmpi.check.CheckLayer,
      org.ffmpi.race.RaceLayer,
      org.ffmpi.replay.RecordReplayLayer,
      org.ffmpi.tool.bean.BeanLayer,
      org.ffmpi.trace.FlightLayer,
      org.ffmpi.trace.TraceLayer;
  provides org.ffmpi.spi.EngineProvider with
      org.ffmpi.shm.engine.ShmProvider,
      org.ffmpi.mpi.engine.MpiProvider,
      org.ffmpi.explore.ExploreProvider;
  provides org.ffmpi.spi.SettingCatalog with
      org.ffmpi.launcher.request.AllSettings;
  provides org.ffmpi.spi.SpawnHelper with
      org.ffmpi.launcher.SpawnHelperProcess;
  provides org.ffmpi.spi.WorldStarter with
      org.ffmpi.launcher.ProcessWorldStarter;
}
