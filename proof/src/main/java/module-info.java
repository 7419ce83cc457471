// SPDX-License-Identifier: Apache-2.0
/** Programs tested for every order of their messages, recorded and replayed, and checked. */
module org.ffmpi.proof {
  requires transitive org.ffmpi.api;
  requires static java.instrument;
  requires static java.management; // of replays under a debugger, and of the agent that loads itself

  exports org.ffmpi.race to
      java.instrument;

  exports org.ffmpi.check to
      org.ffmpi.testkit;

  exports org.ffmpi.explore to
      org.ffmpi.testkit;

  provides org.ffmpi.spi.EngineLayer with
      org.ffmpi.check.CheckLayer,
      org.ffmpi.race.RaceLayer,
      org.ffmpi.replay.RecordReplayLayer;
  provides org.ffmpi.spi.EngineProvider with
      org.ffmpi.explore.ExploreProvider;
}
