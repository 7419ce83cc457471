// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.shm.segment.JobOptions;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.Nodes;

/**
 * The segments of meetings that this JVM has open, by the names under which processes find them. A place within this
 * JVM has a number; one that other processes can enter has the name of the segment, which holds a random key. Any
 * thread.
 */
final class MeetingPlaces {
  private static final String WITHIN = "jvm:";
  private static final AtomicLong NUMBERS = new AtomicLong();

  /** Without shares: a segment whose last share is gone is opened again. */
  private static final Map<String, JobSegment> OPEN = new HashMap<>();

  private MeetingPlaces() {}

  /** Makes a place; the caller has a share of its segment until it {@link #discard}s the place. */
  static String make(int processes, boolean withinJvm, Settings settings) {
    JobSegment segment = JobSegment.create(new JobOptions(processes, !withinJvm, settings));
    String place = withinJvm ? WITHIN + NUMBERS.incrementAndGet() : segment.nameForRanks();
    synchronized (OPEN) {
      OPEN.put(place, segment);
    }
    return place;
  }

  /** Gives up the maker's share. Nobody can enter any more through this JVM. */
  static void discard(String place) {
    JobSegment segment;
    synchronized (OPEN) {
      segment = OPEN.remove(place);
    }
    if (segment != null) {
      segment.release();
    }
  }

  /** Opens a place; the caller gets a share of its segment. */
  static JobSegment enter(String place, int processes) {
    synchronized (OPEN) {
      JobSegment known = OPEN.get(place);
      if (known != null && known.tryRetain()) {
        return known;
      }
      if (place.startsWith(WITHIN)) {
        throw new MpiException(ErrorClass.ERR_PORT, "the place of this meeting is gone: " + place);
      }
      JobSegment opened = JobSegment.open(place, processes, Nodes.ONE, false);
      OPEN.put(place, opened);
      return opened;
    }
  }

  /** Forgets a segment that this JVM entered, once its last share is gone. */
  static void forget(JobSegment left) {
    synchronized (OPEN) {
      OPEN.values().removeIf(segment -> segment == left && !hasShares(segment));
    }
  }

  private static boolean hasShares(JobSegment segment) {
    if (segment.tryRetain()) {
      segment.release();
      return true;
    }
    return false;
  }
}
