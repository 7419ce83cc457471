// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;

/**
 * The memory of this process of which loads and stores matter, which is parts of windows, and buffers that calls have.
 * Any thread; a load or store of other memory costs a look at one number.
 */
final class TrackedMemory {
  /** The space of all native memory; an array is a space of its own. */
  private static final Object NATIVE = new Object();

  private static final int FILTER_BITS = 12;

  /** For each value of some bits of a space's identity how many uses and regions it has. */
  private static final int[] FILTER = new int[1 << FILTER_BITS];

  /** How many uses and regions there are. */
  private static volatile int tracked;

  /** Bounds of all native memory that has ever been tracked. */
  private static volatile long lowest = Long.MAX_VALUE;
  private static volatile long highest;

  /**
   * Memory that is a part of a window.
   *
   * @param space the memory's space
   * @param first first byte there
   * @param end end there
   * @param position position in the part of the first byte
   * @param window the window
   * @param target rank of the part
   */
  record Region(Object space, long first, long end, long position, WindowRaces window, int target) {}

  private static final class Entries {
    final Spans<BufferUse> reading = new Spans<>();
    final Spans<BufferUse> writing = new Spans<>();
    final List<Region> regions = new ArrayList<>();

    Spans<BufferUse> like(BufferUse use) {
      return use.writes ? writing : reading;
    }

    int size() {
      return reading.size() + writing.size() + regions.size();
    }

    /** Returns a use of some bytes that fulfils a condition; only uses that write, unless all are asked for. */
    BufferUse find(long first, long end, boolean all, Predicate<BufferUse> condition) {
      BufferUse found = writing.find(first, end, condition);
      return found != null || !all ? found : reading.find(first, end, condition);
    }
  }

  private static final Map<Object, Entries> SPACES = new IdentityHashMap<>();

  private TrackedMemory() {}

  static Object spaceOf(Object owner) {
    return owner instanceof MemorySegment segment
        ? segment.isNative() ? NATIVE : segment.heapBase().orElse(segment)
        : owner;
  }

  /** Returns what has to be added to an offset to get the position in the owner's space. */
  static long baseOf(int kind, Object owner) {
    boolean isOffset = owner instanceof MemorySegment segment && segment.isNative() && kind != Memory.NATIVE;
    return isOffset ? Raw.address((MemorySegment) owner) : 0;
  }

  private static int slot(Object space) {
    return System.identityHashCode(space) & FILTER.length - 1;
  }

  private static void count(Object space, int change) {
    FILTER[slot(space)] += change;
    tracked += change; // under the lock
  }

  private static void widen(Object space, long first, long end) {
    if (space == NATIVE) {
      lowest = Math.min(lowest, first);
      highest = Math.max(highest, end);
    }
  }

  // ---- regions

  static synchronized void add(Region region) {
    SPACES.computeIfAbsent(region.space, _ -> new Entries()).regions.add(region);
    count(region.space, 1);
    widen(region.space, region.first, region.end);
  }

  /** Returns the parts of windows that share memory with a region. */
  static synchronized List<Region> overlapping(Region region) {
    Entries entries = SPACES.get(region.space);
    return entries == null ? List.of() : entries.regions.stream()
        .filter(other -> other != region && region.first < other.end && other.first < region.end).toList();
  }

  static synchronized void remove(Region region) {
    Entries entries = SPACES.get(region.space);
    if (entries != null && entries.regions.remove(region)) {
      count(region.space, -1);
      removeIfEmpty(region.space, entries);
    }
  }

  private static void removeIfEmpty(Object space, Entries entries) {
    if (entries.size() == 0) {
      SPACES.remove(space);
    }
  }

  /** Forgets all that a rank has left behind. */
  static synchronized void left(RankRaces races) {
    SPACES.entrySet().removeIf(space -> {
      Entries entries = space.getValue();
      int before = entries.size();
      entries.reading.removeIf(use -> use.races == races);
      entries.writing.removeIf(use -> use.races == races);
      entries.regions.removeIf(region -> region.window.isOf(races));
      int after = entries.size();
      count(space.getKey(), after - before);
      return after == 0;
    });
  }

  // ---- uses

  /** Adds a use. Throws when another one contradicts it. */
  static void begin(BufferUse use) {
    List<Region> touched = new ArrayList<>();
    synchronized (TrackedMemory.class) {
      Entries entries = SPACES.computeIfAbsent(use.space, _ -> new Entries());
      BufferUse other = entries.find(
          use.bytes.first(), use.bytes.end(), use.writes, each -> use.bytes.meets(each.bytes, 0) != null);
      if (other != null) {
        removeIfEmpty(use.space, entries);
        throw RaceFindings.add(
            use.races.self, use.ofWindow || other.ofWindow ? ErrorClass.ERR_RMA_CONFLICT : ErrorClass.ERR_BUFFER,
            RaceText.ofUses(other, use, use.bytes.meets(other.bytes, 0)));
      }
      use.place = entries.like(use).add(use.bytes.first(), use.bytes.end(), use);
      count(use.space, 1);
      widen(use.space, use.bytes.first(), use.bytes.end());
      for (Region region : entries.regions) {
        if (use.bytes.first() < region.end && region.first < use.bytes.end()) {
          touched.add(region);
        }
      }
    }
    try {
      for (Region region : touched) {
        region.window.addUse(use, region);
      }
    } catch (MpiException e) {
      use.end();
      throw e;
    }
  }

  static synchronized void end(BufferUse use) {
    Entries entries = SPACES.get(use.space);
    if (entries != null && entries.like(use).remove(use.place)) {
      count(use.space, -1);
      removeIfEmpty(use.space, entries);
    }
  }

  // ---- loads and stores

  /** Returns whether no memory matters at all. */
  static boolean isEmpty() {
    return tracked == 0;
  }

  /** Notes a load or store of elements of an array. */
  static void touchArray(Object array, long first, long end, SeenAccess.Kind kind, String site) {
    if (FILTER[slot(array)] != 0) {
      touch(array, first, end, kind, site);
    }
  }

  /** Notes a load or store of native memory. */
  static void touchNative(long first, long end, SeenAccess.Kind kind, String site) {
    if (first < highest && end > lowest) {
      touch(NATIVE, first, end, kind, site);
    }
  }

  /**
   * Orders the rank of this thread with others that access the same part of native memory with an order of its own.
   *
   * @param stores whether others learn what this rank has done, at a store, or this rank from them, at a load
   */
  static void order(long first, long end, boolean stores) {
    RankRaces races = RankRaces.ofThisThread();
    if (races == null || first >= highest || end <= lowest) {
      return;
    }
    List<Region> touched = new ArrayList<>();
    synchronized (TrackedMemory.class) {
      Entries entries = SPACES.get(NATIVE);
      for (int i = 0; entries != null && i < entries.regions.size(); i++) {
        Region region = entries.regions.get(i);
        if (first < region.end && region.first < end) {
          touched.add(region);
        }
      }
    }
    touched.forEach(region -> region.window.ordered(races, region.target, stores));
  }

  private static void touch(Object space, long first, long end, SeenAccess.Kind kind, String site) {
    RankRaces races = RankRaces.ofThisThread();
    if (races != null) {
      races.settle();
    }
    List<Region> touched = null;
    BufferUse hit;
    synchronized (TrackedMemory.class) {
      Entries entries = SPACES.get(space);
      if (entries == null || races == null) {
        return;
      }
      RunSet bytes = new RunSet();
      bytes.add(first, end);
      hit = entries.find(
          first, end, kind.stores(),
          use -> use.blocked != Thread.currentThread() && use.bytes.meets(bytes, 0) != null);
      for (Region region : entries.regions) {
        if (first < region.end && region.first < end) {
          touched = touched == null ? new ArrayList<>() : touched;
          touched.add(region);
        }
      }
    }
    if (hit != null && hit.isNews(site)) {
      races.found(hit.ofWindow ? ErrorClass.ERR_RMA_CONFLICT : ErrorClass.ERR_BUFFER,
          RaceText.ofTouch(hit, kind.stores(), site), true);
    }
    for (int i = 0; touched != null && i < touched.size(); i++) {
      Region region = touched.get(i);
      region.window.touched(
          races, region.target, Math.max(first, region.first) - region.first + region.position,
          Math.min(end, region.end) - region.first + region.position, kind, site);
    }
  }
}
