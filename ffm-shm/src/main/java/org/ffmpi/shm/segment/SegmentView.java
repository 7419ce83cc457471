// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;

/**
 * A tool's view of a job's segment, which has the fixed part mapped for reading and does not disturb the job. For one
 * thread. The creator of the segment must not use it: a process loses its lock on a file when it closes any descriptor
 * of it.
 */
public final class SegmentView implements RankBlocks, AutoCloseable {
  private static final int MOST_RANKS = 1 << 20;

  private final Arena arena;
  private final long base;
  private final int ranks;
  private final int local;

  private SegmentView(Arena arena, long base, int ranks, int local) {
    this.arena = arena;
    this.base = base;
    this.ranks = ranks;
    this.local = local;
  }

  /**
   * Opens a job's segment.
   *
   * @param path the segment's file, usually below /proc
   * @return the view
   * @throws MpiException ERR_OTHER when it cannot be read or is no segment of this version of ffmpi
   */
  public static SegmentView open(Path path) {
    Arena arena = Arena.ofConfined();
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      long length = file.length();
      if (length < JobLayout.BYTES) {
        throw refused(path);
      }
      long head = map(file, JobLayout.BYTES, arena);
      int ranks = JobLayout.getPlainRanks(head);
      int local = JobLayout.getPlainLocal(head);
      if (JobLayout.getAcquireMagic(head) != JobLayout.MAGIC || JobLayout.getPlainVersion(head) != JobLayout.VERSION
          || ranks < 1 || ranks > MOST_RANKS || local < 1 || local > ranks
          || JobLayout.fixedBytes(ranks, local) > length) {
        throw refused(path);
      }
      return new SegmentView(arena, map(file, JobLayout.fixedBytes(ranks, local), arena), ranks, local);
    } catch (IOException e) {
      arena.close();
      throw new MpiException(ErrorClass.ERR_OTHER, "cannot read " + path + ": " + e.getMessage(), e);
    } catch (MpiException e) {
      arena.close();
      throw e;
    }
  }

  private static long map(RandomAccessFile file, long bytes, Arena arena) throws IOException {
    MemorySegment mapping = file.getChannel().map(FileChannel.MapMode.READ_ONLY, 0, bytes, arena);
    return Raw.address(mapping);
  }

  private static MpiException refused(Path path) {
    return new MpiException(ErrorClass.ERR_OTHER, path + " is no shared memory of a job of this version of ffmpi");
  }

  @Override
  public int ranks() {
    return ranks;
  }

  @Override
  public int state(int rank) {
    return RankLayout.getAcquireState(JobLayout.rankBlock(base, rank));
  }

  @Override
  public int process(int rank) {
    return (int) RankLayout.getPlainPid(JobLayout.rankBlock(base, rank));
  }

  @Override
  public long accountBlock(int rank) {
    return JobLayout.accountBlock(base, ranks, local, RankLayout.getPlainIndex(JobLayout.rankBlock(base, rank)));
  }

  @Override
  public void close() {
    arena.close();
  }
}
