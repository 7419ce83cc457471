// SPDX-License-Identifier: Apache-2.0
/**
 * What an MPI program is written against, and the core behind it: processes, buffers, requests, messages, the arguments
 * of collective calls, communicators. Families of operations above the core are modules of their own.
 */
module org.ffmpi.api {
  requires transitive org.ffmpi.spi;
  requires static java.instrument;

  exports org.ffmpi;
  exports org.ffmpi.buffer to
      org.ffmpi.files,
      org.ffmpi.objects,
      org.ffmpi.windows,
      org.ffmpi.tools,
      org.ffmpi.proof;
  exports org.ffmpi.collective to
      org.ffmpi.files,
      org.ffmpi.objects,
      org.ffmpi.windows;
  exports org.ffmpi.communicator to
      org.ffmpi.files,
      org.ffmpi.objects,
      org.ffmpi.windows,
      org.ffmpi.tools,
      org.ffmpi.proof;
  exports org.ffmpi.connect to
      org.ffmpi.launcher;
  exports org.ffmpi.message to
      org.ffmpi.objects;
  exports org.ffmpi.port to
      org.ffmpi.files,
      org.ffmpi.objects,
      org.ffmpi.windows,
      org.ffmpi.tools,
      org.ffmpi.proof;
  exports org.ffmpi.process to
      org.ffmpi.files,
      org.ffmpi.objects,
      org.ffmpi.windows,
      org.ffmpi.tools,
      org.ffmpi.proof;
  exports org.ffmpi.request to
      org.ffmpi.files,
      org.ffmpi.objects,
      org.ffmpi.windows,
      org.ffmpi.tools,
      org.ffmpi.proof;
  exports org.ffmpi.profile to
      java.instrument;

  uses org.ffmpi.port.FileProvider;
  uses org.ffmpi.port.ObjectProvider;
  uses org.ffmpi.port.WindowProvider;
  uses org.ffmpi.spi.Collectives;
  uses org.ffmpi.spi.EngineLayer;
  uses org.ffmpi.spi.EngineProvider;
  uses org.ffmpi.spi.SpawnHelper;
  uses org.ffmpi.spi.WorldStarter;
}
