// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.chronicle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.openhft.chronicle.bytes.BytesStore;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;

/** Windows over Chronicle's memory, accesses out of it and into it, and who holds how many references meanwhile. */
class ChronicleWindowTest {
  @MpiTest(ranks = 2)
  void storesArePartsAndOrigins(IntraComm world) {
    int other = 1 - world.rank();
    BytesStore<?, Void> part = BytesStore.nativeStoreWithFixedCapacity(64);
    BytesStore<?, Void> mine = BytesStore.nativeStoreWithFixedCapacity(64);
    try {
      mine.writeLong(mine.start(), 40 + world.rank());
      int before = part.refCount();
      try (Win win = world.winCreate(ChronicleBuf.of(part), 8)) {
        assertEquals(before + 1, part.refCount(), "the window holds its memory");
        try (Epoch _ = win.lock(LockType.EXCLUSIVE, other)) {
          win.put(ChronicleBuf.of(mine, mine.start(), 1, Datatype.INT64_T), other, 2);
          win.flush(other);
          win.accumulate(ChronicleBuf.of(mine, mine.start(), 1, Datatype.INT64_T), other, 2, Op.SUM);
          win.flush(other);
          win.get(ChronicleBuf.of(mine, mine.start() + 8, 1, Datatype.INT64_T), other, 2);
        }
        assertEquals(80 + 2 * world.rank(), mine.readLong(mine.start() + 8));
        world.barrier();
        assertEquals(80 + 2 * other, part.readLong(part.start() + 16));
        assertEquals(1, mine.refCount());
      }
      assertEquals(before, part.refCount());
    } finally {
      part.releaseLast();
      mine.releaseLast();
    }
  }
}
