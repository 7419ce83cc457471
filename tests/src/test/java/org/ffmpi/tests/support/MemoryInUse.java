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

  /** Collections of the heap in a row: what one frees may let the next one free more. */
  private static final int COLLECTIONS = 6;

  /** Collections with pauses, for those who clear up after the collector on a busy machine. */
  private static final int LATE_COLLECTIONS = 300;
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
    return measure(world, COLLECTIONS);
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

  private static MemoryInUse measure(IntraComm world, int collections) throws IOException {
    long heap = Long.MAX_VALUE;
    for (int i = 0; i < collections; i++) {
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
    MemoryInUse after = settled(allowed, shared);
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
    long allowedShared = shared + bytes * objects * world.size() / 1024;
    MemoryInUse after = settled(allowed, allowedShared);
    int[] flat = {after.shared <= allowedShared && after.heap - heap < allowed ? 1 : 0};
    world.bcast(Buf.of(flat), 0);
    return flat[0] == 1;
  }

  /**
   * Measures until nothing is left, or no collection frees more. A full collection takes as long as thousands of
   * communicators, and most often the first one is enough.
   */
  private MemoryInUse settled(long allowedHeap, long allowedShared) throws IOException {
    MemoryInUse after = measure(world, 1);
    int[] again = {1};
    for (int done = 1; done < COLLECTIONS + LATE_COLLECTIONS; done++) {
      boolean heapIsFlat = after.heap - heap < allowedHeap;
      boolean sharedIsFlat = after.shared <= allowedShared || done >= COLLECTIONS;
      again[0] = world.rank() == 0 && !(heapIsFlat && sharedIsFlat) ? 1 : 0;
      world.bcast(Buf.of(again), 0);
      if (again[0] == 0) {
        break;
      }
      if (done >= COLLECTIONS) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      after = measure(world, 1);
    }
    return after;
  }
}
