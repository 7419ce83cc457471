// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.communicator.Exchange;
import org.ffmpi.process.CommState;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.FlatBuffer;

/**
 * The open windows of one rank, where everything is checked, with the memory of the rank's own part of each. The ranks
 * exchange which other windows their parts share memory with, so that their {@link AccessLog}s compare accesses
 * through all of them. Called by the threads that make and close windows; waits for nothing.
 */
final class WindowOverlaps {
  /** Most windows that share memory with one part. */
  private static final int MOST = 4;

  /** Numbers that each rank contributes. */
  private static final int WORDS = 2 * MOST;

  private static final Map<Engine, WindowOverlaps> OF_ENGINES = Collections.synchronizedMap(new WeakHashMap<>());

  /** Stands for all native memory. */
  private static final Object NATIVE = new Object();

  /** A window, with where its part lies in an array, or in native memory. */
  private record Open(AccessLog log, Channel channel, Object space, long first, long end) {}

  private final List<Open> open = new ArrayList<>();

  private WindowOverlaps() {}

  /** Describes a window. */
  static String nameOf(Channel channel) {
    return "window " + channel.pointToPoint() / Channel.CONTEXTS;
  }

  /**
   * Makes the log of a window; null unless everything is checked. Called by all ranks, which wait for one another.
   *
   * @param parent the communicator of the window
   * @param blocks addresses of the synchronization blocks of all ranks
   * @param part this rank's part, as bytes; null in dynamic windows, whose positions are addresses
   */
  static AccessLog logOf(
      CommState parent, WindowState state, long[] blocks, Stripes stripes, WindowHints hints, FlatBuffer part) {
    if (!state.world.isChecking()) {
      return null;
    }
    Channel channel = state.channel;
    WindowOverlaps windows = OF_ENGINES.computeIfAbsent(parent.engine, _ -> new WindowOverlaps());
    long[] logs = Arrays.stream(blocks).map(block -> SyncLayout.logAddress(block, channel.size())).toArray();
    AccessLog log = new AccessLog(logs, stripes, channel.rank(), hints, windows, nameOf(channel));
    windows.link(log, channel, Exchange.allgather(parent.channel, parent.world, windows.add(log, channel, part)));
    return log;
  }

  /**
   * Adds a window. Returns the numbers of those that share memory with its part, each with what is added to a position
   * to have it there; then zeros.
   */
  private synchronized long[] add(AccessLog log, Channel channel, FlatBuffer part) {
    boolean isDynamic = part == null;
    Object space = isDynamic ? NATIVE : part.isPresent() ? spaceOf(part.owner()) : null;
    long first = isDynamic || space == null ? 0 : baseOf(part) + part.offset();
    long end = isDynamic ? Long.MAX_VALUE : space == null ? 0 : first + part.count();
    long[] words = new long[WORDS];
    int length = 0;
    for (Open other : open) {
      if (space != null && other.space == space && first < other.end && other.first < end && length < WORDS) {
        words[length++] = other.channel.pointToPoint();
        words[length++] = first - other.first;
      }
    }
    open.add(new Open(log, channel, space, first, end));
    return words;
  }

  /** Returns the space of a part; null where it hides its array. */
  private static Object spaceOf(Object owner) {
    return !(owner instanceof MemorySegment segment) ? owner : segment.isNative() ? NATIVE : null;
  }

  private static long baseOf(FlatBuffer part) {
    return part.owner() instanceof MemorySegment segment && part.kind() != Memory.NATIVE ? Raw.address(segment) : 0;
  }

  /** Lets the logs of windows that share memory know each other, from what all ranks have contributed. */
  private synchronized void link(AccessLog log, Channel channel, long[] all) {
    for (int target = 0; target < channel.size(); target++) {
      for (int i = target * WORDS; i < (target + 1) * WORDS && all[i] != 0; i += 2) {
        for (Open other : open) {
          int there = other.log == log || other.channel.pointToPoint() != all[i] ? -1
              : other.channel.rankOf(channel.peer(target));
          if (there >= 0) {
            log.share(target, other.log, there, all[i + 1]);
            other.log.share(there, log, target, -all[i + 1]);
          }
        }
      }
    }
  }

  /** Forgets a window that is about to be closed. */
  synchronized void remove(AccessLog log) {
    open.removeIf(each -> each.log == log);
  }
}
