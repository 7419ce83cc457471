// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.testkit.MpiTest;

class LibraryMemoryTest {
  private static final int COUNT = 200_000;

  /** Native memory of a library, with an object that frees it when it is garbage. */
  private static final class Vector {
    private static final Cleaner CLEANER = Cleaner.create();

    final long address;
    final MemorySegment memory;

    Vector(double value, AtomicBoolean freed) {
      Arena arena = Arena.ofShared();
      MemorySegment all = arena.allocate(ValueLayout.JAVA_DOUBLE, COUNT);
      for (long i = 0; i < COUNT; i++) {
        all.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
      }
      memory = all;
      address = all.address();
      CLEANER.register(this, () -> {
        freed.set(true);
        arena.close();
      });
    }
  }

  private static Buf<Double> buffer(double value, AtomicBoolean freed) {
    Vector vector = new Vector(value, freed);
    return LibraryMemory.doubles(vector.address, COUNT, vector);
  }

  @MpiTest(ranks = {1, 2, 3})
  void numbersAreAddedUpInPlace(IntraComm world) {
    AtomicBoolean freed = new AtomicBoolean();
    Vector vector = new Vector(world.rank() + 1, freed);
    world.allreduce(LibraryMemory.doubles(vector.address, COUNT, vector), Op.SUM);
    double expected = world.size() * (world.size() + 1) / 2.0;
    assertEquals(expected, vector.memory.getAtIndex(ValueLayout.JAVA_DOUBLE, 0));
    assertEquals(expected, vector.memory.getAtIndex(ValueLayout.JAVA_DOUBLE, COUNT - 1));
    assertFalse(freed.get());
  }

  @MpiTest(ranks = 2)
  void aMessageKeepsTheOwner(IntraComm world) throws InterruptedException {
    if (world.rank() == 0) {
      AtomicBoolean freed = new AtomicBoolean();
      Request sent = world.isend(buffer(7, freed), 1, 0); // nobody else knows the vector
      for (int i = 0; i < 3; i++) {
        System.gc();
        Thread.sleep(5);
        assertFalse(freed.get(), "the message is on its way");
      }
      world.barrier();
      sent.await();
      while (!freed.get()) { // once the message has arrived, the garbage collector may
        System.gc();
        Thread.sleep(5);
      }
    } else {
      world.barrier();
      double[] received = new double[COUNT];
      world.recv(received, 0, 0);
      assertEquals(7, received[COUNT - 1]);
    }
  }
}
