// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.shm.progress.RankRuntime;
import org.ffmpi.shm.segment.JobOptions;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.NodeSetting;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.EngineProvider;
import org.ffmpi.spi.ForeignStart;
import org.ffmpi.spi.RunSettings;

/** Makes shared-memory engines for a launcher's rank, for a world of one, and for ranks in threads. */
public final class ShmProvider implements EngineProvider {
  private static final int PRIORITY = 100;

  /** The names that systems have for the two architectures. */
  private static final Set<String> ARCHITECTURES = Set.of("amd64", "x86_64", "aarch64");

  /** Most ranks that are divided into nodes; the segment rejects more. */
  private static final int MOST_IN_NODES = 1 << 16;

  /** Creates the provider; for {@link java.util.ServiceLoader}. */
  public ShmProvider() {}

  @Override
  public String name() {
    return "shm";
  }

  @Override
  public int priority() {
    return PRIORITY;
  }

  @Override
  public Engine join(Settings settings) {
    requirePlatform();
    if (RankSettings.isPlaced(settings) && !JobOptions.POSIX.get(settings)) {
      throw new MpiException(
          ErrorClass.ERR_OTHER, "ranks in processes need Linux and " + JobOptions.POSIX.name()
              + "=on; without, ranks can be threads: Mpi.runThreads, @MpiTest");
    }
    int rank = RankSettings.RANK.get(settings);
    String path = RankSettings.SEGMENT.get(settings);
    if (!RankSettings.isPlaced(settings)) {
      requireOwnLauncher(settings);
      JobSegment segment = JobSegment.create(new JobOptions(1, false, settings));
      segment.claimRank(0);
      return EngineStarter.start(segment, 0, settings, new ProcessRank(segment, 0, settings, false), null);
    }
    int size = RankSettings.SIZE.get(settings);
    if (rank >= size) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "ffmpi.rank", rank, "0 to ffmpi.size - 1 = " + (size - 1));
    }
    JobSegment segment = JobSegment.open(path, size);
    try {
      segment.claimRank(rank);
    } catch (MpiException e) {
      segment.release();
      throw e;
    }
    ProcessRank home = new ProcessRank(segment, rank, settings, true);
    return EngineStarter.start(segment, rank, settings, home, null);
  }

  @Override
  public List<Engine> threads(int ranks, Settings settings) {
    requirePlatform();
    if (ranks < 1) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "ranks", ranks, "1 or more");
    }
    int[] nodes = ranks > MOST_IN_NODES ? null : NodeSetting.nodes(settings, ranks);
    if (nodes != null && nodes[ranks - 1] != 0) {
      return ThreadNodes.start(nodes, settings);
    }
    JobSegment segment = JobSegment.create(new JobOptions(ranks, false, settings));
    List<Engine> engines = new ArrayList<>(ranks);
    List<RankRuntime.Program> programs = new CopyOnWriteArrayList<>();
    try {
      for (int r = 0; r < ranks; r++) {
        segment.retain();
        segment.claimRank(r);
        ThreadRank home = new ThreadRank(segment, List.of(), programs, () -> {});
        engines.add(EngineStarter.start(segment, r, settings, home, null));
      }
      ThreadWatchdog.start(segment, settings, programs);
      return List.copyOf(engines);
    } finally {
      segment.release();
    }
  }

  /**
   * Refuses a world of one rank where another launcher has started several: the program would silently compute all of
   * its result in each of them. Another engine may join ranks of another launcher.
   */
  private static void requireOwnLauncher(Settings settings) {
    ForeignStart start = ForeignStart.of(System.getenv());
    if (start != null && start.isCertain() && RunSettings.FOREIGN.get(settings) == RunSettings.Foreign.REFUSE) {
      boolean known = start.size() != ForeignStart.UNKNOWN;
      throw new MpiException(
          ErrorClass.ERR_UNSUPPORTED_OPERATION,
          "this process was started as rank " + start.rank() + (known ? " of " + start.size() : "") + " by "
              + start.launcher() + " (" + start.found() + "), and would be a world of one rank: start the program"
              + " with the mpirun of ffmpi" + (known ? ", as in mpirun -n " + start.size() : "")
              + ", on one machine, or set " + RunSettings.FOREIGN.environmentVariable()
              + "=alone if each process is to be a world of its own");
    }
  }

  private static void requirePlatform() {
    String arch = System.getProperty("os.arch");
    if (!ARCHITECTURES.contains(arch)) {
      throw new MpiException(
          ErrorClass.ERR_OTHER, "ffmpi runs on x86-64 and aarch64; this is " + arch);
    }
  }
}
