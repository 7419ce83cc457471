// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.Test;

class ArrowTest {
  private static Float8Vector column(BufferAllocator allocator, int rank, int length) {
    Float8Vector column = new Float8Vector("own", allocator);
    column.allocateNew(length);
    ColumnSum.fill(column, rank, length);
    return column;
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  void columnsAreAddedUpInPlace(IntraComm world) {
    for (int length : new int[] {0, 1, 9, 1000, 100_000}) {
      try (BufferAllocator allocator = new RootAllocator();
          Float8Vector column = column(allocator, world.rank(), length)) {
        long address = column.getDataBuffer().memoryAddress();
        ColumnSum.addUp(world, column);
        assertEquals(address, column.getDataBuffer().memoryAddress());
        assertEquals(0, ColumnSum.wrong(column, world.size()), length + " entries");
      }
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  void columnsInTheSharedHeapAreAddedUpInPlace(Mpi mpi) {
    for (int length : new int[] {0, 1, 9, 1000, 100_000}) {
      try (BufferAllocator allocator = new RootAllocator();
          Float8Vector column = SharedColumn.allocate(mpi, allocator, "shared", length)) {
        ColumnSum.fill(column, mpi.world().rank(), length);
        long address = column.getDataBuffer().memoryAddress();
        ColumnSum.addUp(mpi.world(), column);
        assertEquals(address, column.getDataBuffer().memoryAddress());
        assertEquals(0, ColumnSum.wrong(column, mpi.world().size()), length + " entries");
      }
    }
  }

  @MpiTest(ranks = 1)
  void aColumnInTheSharedHeapIsCounted(Mpi mpi) {
    try (BufferAllocator allocator = new RootAllocator()) {
      Float8Vector column = SharedColumn.allocate(mpi, allocator, "shared", 1000);
      assertTrue(allocator.getAllocatedMemory() >= 8000, () -> allocator.getAllocatedMemory() + " bytes");
      assertEquals(0, column.getNullCount());
      column.close();
      assertEquals(0, allocator.getAllocatedMemory());
    }
  }

  @MpiTest(ranks = 2)
  void aVectorMayBeClosedWhileAMessageIsOnItsWay(IntraComm world) {
    int length = 200_000;
    try (BufferAllocator allocator = new RootAllocator()) {
      Float8Vector column = column(allocator, 0, length);
      if (world.rank() == 0) {
        Request sent = world.isend(ArrowMemory.values(column), 1, 0);
        column.close();
        assertTrue(allocator.getAllocatedMemory() > 0, "the message holds the memory");
        world.barrier();
        sent.await();
      } else {
        Float8Vector received = new Float8Vector("received", allocator);
        received.allocateNew(length);
        received.setValueCount(length);
        world.barrier(); // the sender has closed its vector
        world.recv(ArrowMemory.values(received), 0, 0);
        assertEquals(length - 1, received.getDataBuffer().getDouble(8L * (length - 1)));
        received.close();
        column.close();
      }
      assertEquals(0, allocator.getAllocatedMemory());
    }
  }

  @MpiTest(ranks = 1)
  void aBufferOfAVectorThatIsGoneIsRefused(IntraComm world) {
    try (BufferAllocator allocator = new RootAllocator()) {
      Float8Vector column = column(allocator, 0, 10);
      Buf<Double> values = ArrowMemory.values(column);
      column.close();
      MpiException e = assertThrows(MpiException.class, () -> world.allreduce(values, Op.SUM));
      assertEquals(ErrorClass.ERR_BUFFER, e.errorClass());
      assertTrue(e.getMessage().contains("a buffer of Arrow that has not been released"), e.getMessage());
    }
  }

  @Test
  void allocatorsSeeThatNothingIsLeft() {
    try (BufferAllocator allocator = new RootAllocator();
        Float8Vector column = column(allocator, 0, 10)) {
      int references = column.getDataBuffer().refCnt();
      ArrowMemory.values(column);
      assertEquals(references, column.getDataBuffer().refCnt(), "a buffer by itself holds nothing");
    }
  }
}
