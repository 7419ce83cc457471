// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;

/** Windows over private off-heap memory of processes, through the kernel or by messages, with all accesses mixed. */
@MpiVariant(name = "through the kernel")
@MpiVariant(name = "by messages", settings = "ffmpi.cross.most=0")
@MpiVariant(name = "by messages, everything checked", settings = {"ffmpi.cross.most=0", "ffmpi.check=full"})
class PrivateMemoryTest {
  private static final int N = 20_000;

  @MpiTest(ranks = 3, processes = true)
  void putsGetsAndAccumulatesMix(IntraComm world) {
    int rank = world.rank();
    int next = (rank + 1) % world.size();
    int previous = (rank + world.size() - 1) % world.size();
    MemorySegment memory = Arena.ofAuto().allocate(8L * N, 8);
    long[] mine = new long[N];
    for (int i = 0; i < N; i++) {
      mine[i] = 10L * i + rank;
    }
    try (Win win = world.winCreate(Buf.of(memory, N, Datatype.INT64_T), 8);
        Datatype<?> strided = Datatype.vector(100, 1, 3, Datatype.INT64_T).commit()) {
      for (int round = 0; round < 5; round++) {
        try (Epoch _ = win.lock(LockType.EXCLUSIVE, next)) {
          win.put(Buf.of(mine), next, 0);
          win.flush(next);
          win.accumulate(Buf.of(mine, 0, 100), next, 0, Op.SUM);
          win.put(Buf.of(new long[100]), next, 1000, 1, strided);
          win.flush(next);
          long[] got = new long[1300];
          win.get(Buf.of(got), next, 0);
          win.flush(next);
          assertEquals(2 * mine[7], got[7]);
          assertEquals(0, got[1003]);
          assertEquals(mine[1001], got[1001]);
          MemorySegment there = Arena.ofAuto().allocate(80, 8);
          win.get(Buf.of(there, 10, Datatype.INT64_T), next, 2000);
          win.flush(next);
          assertEquals(mine[2009], there.getAtIndex(ValueLayout.JAVA_LONG, 9));
        }
        world.barrier();
        assertEquals(10L * 150 + previous, memory.getAtIndex(ValueLayout.JAVA_LONG, 150));
        world.barrier();
      }
    }
  }
}
