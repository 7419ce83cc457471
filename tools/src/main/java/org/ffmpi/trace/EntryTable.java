// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Members;

/**
 * The times at which the ranks of a node entered their last collective calls, in a file that all of them map. By these
 * a rank that leaves a call finds for whom it has waited. Each rank has {@value #CALLS} places, a cache line for two,
 * and writes only there.
 *
 * <pre>
 *  rank n at n * 256, the call with number c at (c modulo 8) * 32
 *  0        8        16       24       32
 *  +--------+--------+--------+--------+
 *  | number | comm   | start  | unused |
 *  +--------+--------+--------+--------+
 * </pre>
 *
 * <p>The number, one more than the call's, is withdrawn before the others change and set after them. A reader that
 * finds another number knows nothing of that rank, which has gone on by {@value #CALLS} calls or has not come yet. Any
 * thread; never waits.
 */
final class EntryTable {
  /** The slowest rank where it is not known. */
  static final int UNKNOWN = -1;

  private static final String FILE = ".entries";
  private static final int CALLS = 8;
  private static final int NUMBER = 0;
  private static final int COMM = 8;
  private static final int START = 16;
  private static final int CALL = 32;
  private static final int RANK = CALLS * CALL;

  private final Path path;
  private final MemorySegment memory;
  private final long file;
  private final long own;

  /** The last rank of a call, and how long another one has waited for it. */
  record Last(int peer, long waited) {
    static final Last UNKNOWN = new Last(EntryTable.UNKNOWN, 0);
  }

  private EntryTable(Path path, MemorySegment memory, int rank) {
    this.path = path;
    this.memory = memory;
    this.file = Raw.address(memory);
    this.own = file + (long) rank * RANK;
    Raw.fill(own, RANK, (byte) 0);
  }

  /** Opens the table of a job; returns null when there can be none. */
  static EntryTable open(Path folder, int node, int rank, int ranks) {
    Path path = folder.resolve(FILE + "-" + node);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ,
        StandardOpenOption.WRITE)) {
      return new EntryTable(
          path, channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) ranks * RANK, Arena.ofAuto()), rank);
    } catch (IOException e) {
      return null; // what it would tell remains unknown
    }
  }

  /** Publishes that this rank has come to a call. */
  void enter(long comm, long number, long nanos) {
    long at = own + (number & CALLS - 1) * CALL;
    Raw.putVolatileLong(at + NUMBER, 0);
    Raw.putLong(at + COMM, comm);
    Raw.putLong(at + START, nanos);
    Raw.putReleaseLong(at + NUMBER, number + 1);
    Reference.reachabilityFence(memory);
  }

  /** Returns who came last to a call that this rank leaves. */
  Last last(Channel channel, long number, long entered) {
    Members members = channel.remote();
    int last = UNKNOWN;
    long latest = entered;
    for (int rank = 0; rank < members.size(); rank++) {
      int peer = members.peer(rank);
      if (peer != channel.engine().self()) {
        long at = file + (long) peer * RANK + (number & CALLS - 1) * CALL;
        if (Raw.getAcquireLong(at + NUMBER) != number + 1 || Raw.getLong(at + COMM) != channel.pointToPoint()) {
          return Last.UNKNOWN;
        }
        long start = Raw.getLong(at + START);
        if (start > latest) {
          latest = start;
          last = peer;
        }
      }
    }
    Reference.reachabilityFence(memory);
    return last == UNKNOWN ? new Last(channel.engine().self(), 0) : new Last(last, latest - entered);
  }

  /** Removes the name of the file; ranks that have it mapped may go on. */
  void remove() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // the next job uses it again
    }
  }
}
