// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ffmpi.spi.FlatBuffer;

/**
 * A buffer that a call has from its start until the program may use the buffer again. Where the buffer lies in a part
 * of a window, the use is an access to that part, too. Made and ended by the threads that call; waits for nothing.
 */
final class BufferUse {
  final RankRaces races;
  final boolean writes;
  /** Whether the call is of a window. */
  final boolean ofWindow;
  /** The thread whose blocking call it is; null for a call that continues after it has returned. */
  final Thread blocked;
  /** The call and its line, whose text is made when it is asked for. */
  final Object site;
  /** How the use ends, in words that follow "until". */
  final String until;
  final Object space;
  final RunSet bytes;
  /** Where {@link TrackedMemory} keeps it; guarded by that. */
  Spans.Place place = new Spans.Place(0, -1);
  /** The places of loads and stores that have met it. */
  private final Set<String> met = new HashSet<>();
  /** The accesses to parts of windows that it is. */
  private final List<SeenAccess> accesses = new ArrayList<>();

  private BufferUse(
      RankRaces races, boolean writes, boolean ofWindow, Thread blocked, Object site, String until, Object space,
      RunSet bytes) {
    this.races = races;
    this.writes = writes;
    this.ofWindow = ofWindow;
    this.blocked = blocked;
    this.site = site;
    this.until = until;
    this.space = space;
    this.bytes = bytes;
  }

  /**
   * Begins the use of a buffer. Throws when another call has it, and one of them writes.
   *
   * @return the use; null for a buffer without bytes
   */
  static BufferUse begin(
      RankRaces races, FlatBuffer buffer, boolean writes, boolean ofWindow, Thread blocked, Object site,
      String until) {
    if (buffer == null || buffer.count() == 0 || buffer.owner() == null || buffer.plan().size() == 0) {
      return null;
    }
    Object space = TrackedMemory.spaceOf(buffer.owner());
    long base = TrackedMemory.baseOf(buffer.kind(), buffer.owner()) + buffer.offset();
    RunSet bytes = new RunSet();
    buffer.plan().forEachRun(buffer.count(), (at, length) -> bytes.add(base + at, base + at + length));
    if (bytes.isEmpty()) {
      return null;
    }
    BufferUse use = new BufferUse(races, writes, ofWindow, blocked, site, until, space, bytes);
    TrackedMemory.begin(use);
    return use;
  }

  /** Returns whether this use meets the load or store of a place for the first time. */
  boolean isNews(String touch) {
    synchronized (met) {
      return met.add(touch);
    }
  }

  /** Notes an access that this use is. */
  void addAccess(SeenAccess access) {
    accesses.add(access);
  }

  /** Ends the use. */
  void end() {
    TrackedMemory.end(this);
    if (!accesses.isEmpty()) {
      long moment = races.clock.moment()[races.self];
      accesses.forEach(access -> access.end = moment);
    }
  }

  static void endIfAny(BufferUse use) {
    if (use != null) {
      use.end();
    }
  }
}
