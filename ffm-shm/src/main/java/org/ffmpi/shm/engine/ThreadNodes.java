// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ffmpi.base.Settings;
import org.ffmpi.shm.progress.RankRuntime;
import org.ffmpi.shm.segment.JobOptions;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.NodeSetting;
import org.ffmpi.shm.segment.Nodes;
import org.ffmpi.shm.wire.LoopWire;
import org.ffmpi.spi.Engine;

/** Starts ranks in threads of one process that form several nodes, each with a segment of its own. */
final class ThreadNodes {
  private ThreadNodes() {}

  static List<Engine> start(int[] nodeOf, Settings settings) {
    int ranks = nodeOf.length;
    JobOptions.requireMortal(
        settings, NodeSetting.NODE.name() + "=" + NodeSetting.NODE.get(settings) + " divides the ranks into nodes");
    List<JobSegment> segments = new ArrayList<>();
    List<Engine> engines = new ArrayList<>(ranks);
    List<LoopWire> wires = LoopWire.between(ranks);
    List<List<RankRuntime.Program>> programs = new ArrayList<>();
    try {
      for (int node = 0; node <= nodeOf[ranks - 1]; node++) {
        segments.add(JobSegment.create(new JobOptions(ranks, false, settings), new Nodes(nodeOf, node)));
        segments.getLast().setJob(segments.getFirst().key());
        programs.add(new CopyOnWriteArrayList<>());
        ThreadWatchdog.start(segments.get(node), settings, programs.get(node));
      }
      for (int rank = 0; rank < ranks; rank++) {
        JobSegment segment = segments.get(nodeOf[rank]);
        segment.retain();
        segment.claimRank(rank);
        List<JobSegment> others = segments.stream().filter(s -> s != segment).toList();
        LoopWire wire = wires.get(rank);
        ThreadRank home = new ThreadRank(segment, others, programs.get(nodeOf[rank]), wire::close);
        engines.add(EngineStarter.start(segment, rank, settings, home, wire));
      }
      return List.copyOf(engines);
    } finally {
      segments.forEach(JobSegment::release);
    }
  }
}
