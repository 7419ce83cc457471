// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.base.Settings;
import org.ffmpi.shm.memory.CrossMemory;
import org.ffmpi.shm.memory.SharedHeapArena;
import org.ffmpi.shm.memory.TypeRecords;
import org.ffmpi.shm.progress.BrokenChannels;
import org.ffmpi.shm.progress.Departures;
import org.ffmpi.shm.progress.JobAbort;
import org.ffmpi.shm.progress.OpenChannels;
import org.ffmpi.shm.progress.ProgramPlace;
import org.ffmpi.shm.progress.ProgressThread;
import org.ffmpi.shm.progress.RankLock;
import org.ffmpi.shm.progress.RankProgress;
import org.ffmpi.shm.progress.RankRuntime;
import org.ffmpi.shm.progress.StandIn;
import org.ffmpi.shm.progress.WaitOptions;
import org.ffmpi.shm.progress.Waiting;
import org.ffmpi.shm.progress.Wakeups;
import org.ffmpi.shm.protocol.Endpoint;
import org.ffmpi.shm.protocol.ProtocolOptions;
import org.ffmpi.shm.protocol.RankTraffic;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.shm.survive.JobSurvival;
import org.ffmpi.shm.wire.Wire;
import org.ffmpi.spi.Incidents;
import org.ffmpi.spi.RunSettings;

/** Makes the parts of one rank's engine, in the order of their dependencies, and starts the rank. */
public final class EngineStarter {
  private EngineStarter() {}

  /**
   * Starts a rank.
   *
   * @param segment the memory of its node
   * @param self the rank
   * @param settings its settings
   * @param runtime its environment
   * @param wire the way to other nodes, or null
   * @return its engine
   */
  public static ShmEngine start(JobSegment segment, int self, Settings settings, RankRuntime runtime, Wire wire) {
    int ranks = segment.ranks();
    Wakeups wakeups = new Wakeups(segment, runtime::bind);
    RankLock lock = new RankLock(wakeups, self, segment.rankBlock(self));
    JobAbort end = new JobAbort(segment, self, lock, wakeups, runtime);
    OpenChannels channels = new OpenChannels();
    Departures departures = new Departures(segment, channels, self);
    SharedHeapArena heap = new SharedHeapArena(segment);
    CrossMemory cross = new CrossMemory(runtime.inThreads());
    ProtocolOptions options = ProtocolOptions.of(settings, ranks);
    Incidents incidents = new Incidents();
    Endpoint endpoint = new Endpoint(segment, self, options, new TypeRecords(segment), wakeups, incidents);
    RankTraffic traffic = new RankTraffic(endpoint, lock, end, channels, cross, wire);
    BrokenChannels broken = segment.survives() ? new BrokenChannels(segment, channels) : null;
    RankProgress progress = new RankProgress(lock, traffic, departures, end, ranks, broken, incidents);
    Waiting waiting =
        new Waiting(progress, end, segment, wakeups, self, WaitOptions.of(settings, ranks), channels, incidents);
    JobMemory memory = new JobMemory(endpoint, end, waiting, cross);
    segment.publishState(self, RankLayout.JOINED);
    runtime.onJoined(new ProgramPlace(segment, self, progress, waiting, !runtime.inThreads()));
    boolean wantsThread = RunSettings.PROGRESS.get(settings) == RunSettings.Progress.THREAD;
    ProgressThread thread = wantsThread ? ProgressThread.start(progress, end, waiting, self) : null;
    if (wire != null && thread == null) {
      StandIn.serve(progress, end, segment, self);
    }
    JobSurvival survival = broken == null ? null : new JobSurvival(segment, self, broken, progress, end, wakeups);
    return new ShmEngine(
        endpoint, settings, runtime, traffic, traffic.sending(heap, progress, departures, waiting),
        traffic.receiving(progress, waiting), traffic.probing(departures, broken, waiting), progress, waiting, end,
        lock, channels, broken, survival, heap, memory, thread);
  }
}
