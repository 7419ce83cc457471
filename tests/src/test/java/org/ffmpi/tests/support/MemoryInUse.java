// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.support;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;

/** The heap and the shared memory that a world of threads uses, before and after many objects have come and gone. */
public final class MemoryInUse {
  /** What may come and go beside it: compiled code's data, JUnit, logs. */
  private static final long NOISE = 1 << 20;

  private static final int COLLECTIONS = 6;

  private static final int TURNS = 50;
  private static final long PAUSE_NANOS = 50_000_000;

  private final IntraComm world;
  private final long heap;
  private final long shared;

  private MemoryInUse(IntraComm world, long heap, long shared) {
    this.world = world;
    this.heap = heap;
    this.shared = shared;
  }

  /** Measures at rank 0, once all ways between ranks have been in use. Collective. */
  public static MemoryInUse of(IntraComm world) throws IOException {
    touch(world);
    return measure(world);
  }

  /** Has all ranks' ways to each other in use, all round, so that their memory has been touched. */
  private static void touch(IntraComm world) {
    int size = world.size();
    int[] got = new int[1];
    for (int i = 0; i < 1_000 * size; i++) {
      world.sendrecv(
          Buf.of(new int[] {i}), (world.rank() + i) % size, 0, Buf.of(got), (world.rank() + size - i % size) % size, 0);
    }
  }

  private static MemoryInUse measure(IntraComm world) throws IOException {
    long heap = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      if (world.rank() == 0) {
        System.gc();
        heap = Math.min(heap, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
      }
      // What the engine remembers of communicators that have been collected goes when the next one is made.
      world.split(0, 0).close();
    }
    long shared = world.rank() == 0 ? segment() : 0;
    world.barrier();
    return new MemoryInUse(world, heap, shared);
  }

  /** Returns what is resident of the job's segment, in KiB. */
  private static long segment() throws IOException {
    long resident = 0;
    boolean inside = false;
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        inside = line.contains("/ffmpi-");
      } else if (inside && line.startsWith("Rss:")) {
        resident += Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    assertTrue(resident > 0, "the segment is mapped");
    return resident;
  }

  /**
   * Checks that so many objects of each rank have left nothing since: no heap that counts, and no shared memory.
   * Collective.
   *
   * @param objects how many have come and gone at each rank
   * @param heapBytes heap that may stay for each of them: less than what one holds that has been forgotten
   */
  public void assertFlat(long objects, int heapBytes) throws IOException {
    long allowed = NOISE + heapBytes * objects * world.size();
    MemoryInUse after = settled(allowed);
    if (world.rank() == 0) {
      assertTrue(after.heap - heap < allowed, () -> "heap: " + heap + " bytes before, " + after.heap + " after");
      assertTrue(after.shared <= shared, () -> "shared memory: " + shared + " KiB before, " + after.shared + " after");
    }
    world.barrier();
  }

  /**
   * Returns the same answer at all ranks: whether so many objects have left nothing since. Ranks free shared memory at
   * different times, so that what is in use at once varies: a program asks again after as many objects more. Those that
   * are forgotten make the memory grow each time.
   *
   * @param objects how many have come and gone at each rank
   * @param bytes memory of either kind that may stay for each of them: less than what a forgotten one holds
   */
  public boolean isFlat(long objects, int bytes) throws IOException {
    long allowed = NOISE + bytes * objects * world.size();
    MemoryInUse after = settled(allowed);
    boolean sharedIsFlat = after.shared - shared <= bytes * objects * world.size() / 1024;
    int[] flat = {sharedIsFlat && after.heap - heap < allowed ? 1 : 0};
    world.bcast(Buf.of(flat), 0);
    return flat[0] == 1;
  }

  /** Measures. The collector and those who clear up after it may need several turns on a busy machine. */
  private MemoryInUse settled(long allowed) throws IOException {
    MemoryInUse after = measure(world);
    int[] again = {1};
    for (int turn = 0; again[0] == 1 && turn < TURNS; turn++) {
      again[0] = world.rank() == 0 && after.heap - heap >= allowed ? 1 : 0;
      world.bcast(Buf.of(again), 0);
      if (again[0] == 1) {
        LockSupport.parkNanos(PAUSE_NANOS);
        after = measure(world);
      }
    }
    return after;
  }
}
