// SPDX-License-Identifier: Apache-2.0
/** Starts and watches the ranks of a job, from the shell and from Java. */
module org.ffmpi.launcher {
  requires transitive org.ffmpi.api;
  requires org.ffmpi.collectives;
  requires org.ffmpi.windows;
  requires org.ffmpi.files;
  requires org.ffmpi.objects;
  requires org.ffmpi.tools;
  requires org.ffmpi.proof;
  requires org.ffmpi.shm;
  requires org.ffmpi.mpi;
  requires static jdk.compiler; // of the JVM that compiles source files

  exports org.ffmpi.launcher;

  provides org.ffmpi.spi.SettingCatalog with
      org.ffmpi.launcher.request.AllSettings;
  provides org.ffmpi.spi.SpawnHelper with
      org.ffmpi.launcher.SpawnHelperProcess;
  provides org.ffmpi.spi.WorldStarter with
      org.ffmpi.launcher.ProcessWorldStarter;
}
