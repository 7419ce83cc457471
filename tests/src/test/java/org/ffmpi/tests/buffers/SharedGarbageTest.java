// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.Tag;

/** Shared memory that the program has dropped or freed can be allocated again. */
@Tag("long")
class SharedGarbageTest {
  private static final int KIB = 1 << 10;

  @MpiTest(ranks = {1, 2}, settings = "ffmpi.shm.limit=16M")
  void oneLiveBlockAtATimeIsEnoughForever(Comm world, Mpi mpi) {
    world.barrier(); // opens the rings, which take the same memory
    MemorySegment live = mpi.shared().allocate(8, 8);
    for (int round = 0; round < 600; round++) {
      live = mpi.shared().allocate(200 * KIB, 64);
      live.set(ValueLayout.JAVA_INT, 0, round);
    }
    assertEquals(599, live.get(ValueLayout.JAVA_INT, 0));
    world.barrier();
  }

  @MpiTest(ranks = 1, settings = "ffmpi.shm.limit=16M")
  void memoryOfSmallBlocksServesLargeOnes(Mpi mpi) {
    for (int bytes : new int[] {100, 3_000, 5_000, 70_000, 300 * KIB, 10 << 20, 50}) {
      List<Arena> arenas = new ArrayList<>();
      for (int left = 10 << 20; left >= bytes; left -= Math.max(2 * bytes, 4 * KIB)) {
        Arena arena = Arena.ofConfined();
        mpi.shared().within(arena).allocate(bytes, 8);
        arenas.add(arena);
      }
      arenas.forEach(Arena::close);
    }
  }

  @MpiTest(ranks = 1, settings = "ffmpi.shm.limit=16M")
  void sizesOfAllKindsFitIntoTwiceWhatIsAlive(Mpi mpi) {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Arena[] live = new Arena[64];
    for (int round = 0; round < 20_000; round++) {
      int i = random.nextInt(live.length);
      if (live[i] != null) {
        live[i].close();
      }
      live[i] = Arena.ofConfined();
      int bytes = 1 << random.nextInt(17);
      try {
        mpi.shared().within(live[i]).allocate(bytes + random.nextInt(bytes), 8); // at most 8 MiB together
      } catch (MpiException e) {
        throw new AssertionError("seed " + seed + ", round " + round, e);
      }
    }
    for (Arena arena : live) {
      if (arena != null) {
        arena.close();
      }
    }
  }

  @MpiTest(ranks = 1, settings = "ffmpi.shm.limit=16M")
  void whatIsAliveIsNotCollected(Mpi mpi) {
    List<MemorySegment> live = new ArrayList<>();
    MpiException full = assertThrows(MpiException.class, () -> {
      while (true) {
        MemorySegment block = mpi.shared().allocate(KIB << 10, 64);
        block.set(ValueLayout.JAVA_INT, 4, live.size());
        live.add(block);
      }
    });
    assertEquals(ErrorClass.ERR_NO_MEM, full.errorClass());
    assertTrue(full.getMessage().contains("ffmpi.shm.limit"), full.getMessage());
    for (int i = 0; i < live.size(); i++) {
      assertEquals(i, live.get(i).get(ValueLayout.JAVA_INT, 4));
    }
    assertTrue(live.size() >= 12, "" + live.size());
    live.clear();
    assertEquals(12 << 20, mpi.shared().allocate(12 << 20, 64).byteSize());
  }
}
