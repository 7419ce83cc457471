// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.shm.progress.Company;
import org.ffmpi.shm.progress.JobAbort;
import org.ffmpi.shm.progress.RankRuntime;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Meetings;

/**
 * The meetings of one rank. Each has a segment and an engine of its own, and all engines of a rank make progress
 * together ({@link Company}). What ends the job ends the processes that it is connected with, and the other
 * way round ({@link MeetingWatch}). Any thread.
 */
final class ShmMeetings implements Meetings {
  private final ShmEngine home;
  private final JobSegment segment;
  private final Settings settings;
  private final JobAbort end;
  private final boolean inThreads;
  private final boolean isLaunched;
  private final Company company;
  private final List<MeetingWatch> watches = new CopyOnWriteArrayList<>();

  ShmMeetings(ShmEngine home, JobSegment segment, Settings settings, JobAbort end, RankRuntime runtime) {
    this.home = home;
    this.segment = segment;
    this.settings = settings;
    this.end = end;
    this.inThreads = runtime.inThreads();
    this.isLaunched = runtime.isLaunched();
    this.company = new Company(home.rankProgress());
    end.setListener((code, reason) -> watches.forEach(watch -> watch.end(code, reason)));
  }

  @Override
  public boolean inThreads() {
    return inThreads;
  }

  @Override
  public boolean isWithinJvm(Engine engine) {
    return ((ShmEngine) engine).endpoint.segment().parked() != null;
  }

  @Override
  public boolean callLauncher(long port) {
    return isLaunched && segment.callLauncher(port);
  }

  @Override
  public String make(int processes, boolean withinJvm) {
    return MeetingPlaces.make(processes, withinJvm, settings);
  }

  @Override
  public void discard(String place) {
    MeetingPlaces.discard(place);
  }

  @Override
  public Engine enter(String place, int self, int processes) {
    JobSegment met;
    try {
      met = MeetingPlaces.enter(place, processes);
    } catch (MpiException e) {
      throw segment.nodes().count() == 1 ? e : new MpiException(
          ErrorClass.ERR_UNSUPPORTED_OPERATION,
          "processes can meet others on their own machine only, and this job has several nodes: " + e.getMessage(), e);
    }
    try {
      met.claimRank(self);
    } catch (RuntimeException e) {
      met.release();
      throw e;
    }
    boolean withinJvm = met.parked() != null;
    long born = withinJvm ? 0 : Processes.born(ProcessHandle.current().pid());
    met.setOrigin(self, segment.job(home.self()), home.self(), born);
    ShmEngine engine = EngineStarter.start(met, self, settings, new MeetingRank(met, end), null);
    company.add(engine.rankProgress());
    MeetingWatch watch = new MeetingWatch(segment, end, met, engine);
    watches.add(watch);
    watch.begin();
    return engine;
  }

  @Override
  public boolean haveEnded() {
    boolean ended = false;
    for (MeetingWatch watch : watches) {
      ended |= watch.hasEnded();
    }
    return ended;
  }

  @Override
  public void leave(Engine engine, boolean failed) {
    ShmEngine left = (ShmEngine) engine;
    try {
      left.leave(failed);
    } finally {
      company.remove(left.rankProgress());
      watches.removeIf(watch -> watch.isOf(left));
    }
  }
}
