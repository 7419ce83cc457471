// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Address;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Win;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;

/** Kinds of windows of longs: parts are reached by loads and stores, or served by their owner. */
enum WindowKind {
  ALLOCATED,
  SHARED,
  OVER_SHARED_HEAP,
  OVER_NATIVE,
  OVER_ARRAY,
  /** Every other rank over an array. */
  MIXED,
  DYNAMIC,
  DYNAMIC_NATIVE;

  /** A window of longs, and how this rank sees its own part. */
  static final class Longs implements AutoCloseable {
    final Win win;
    private final MemorySegment memory;
    private final long[] array;
    /** Displacement of the first long at each rank, and of each further one from it. */
    private final long[] firsts;
    private final int step;

    private Longs(Win win, MemorySegment memory, long[] array) {
      this(win, memory, array, new long[win.group().size()], 1);
    }

    private Longs(Win win, MemorySegment memory, long[] array, long[] firsts, int step) {
      this.win = win;
      this.memory = memory;
      this.array = array;
      this.firsts = firsts;
      this.step = step;
    }

    /** Returns the displacement of a long at a rank. */
    long at(int target, long i) {
      return firsts[target] + i * step;
    }

    long get(int i) {
      return array != null ? array[i] : memory.getAtIndex(ValueLayout.JAVA_LONG, i);
    }

    void set(int i, long value) {
      if (array != null) {
        array[i] = value;
      } else {
        memory.setAtIndex(ValueLayout.JAVA_LONG, i, value);
      }
    }

    @Override
    public void close() {
      win.close();
    }
  }

  Longs make(Mpi mpi, IntraComm comm, int count) {
    long bytes = 8L * count;
    return switch (this) {
      case ALLOCATED -> over(comm.winAllocate(bytes, 8));
      case SHARED -> over(comm.winAllocateShared(bytes, 8));
      case OVER_SHARED_HEAP -> over(comm, mpi.shared().allocate(bytes, 8), count);
      case OVER_NATIVE -> over(comm, Arena.ofAuto().allocate(bytes, 8), count);
      case OVER_ARRAY -> over(comm, new long[count]);
      case MIXED -> comm.rank() % 2 == 0
          ? over(comm, mpi.shared().allocate(bytes, 8), count)
          : over(comm, new long[count]);
      case DYNAMIC -> attached(comm, mpi.shared().allocate(bytes, 8));
      case DYNAMIC_NATIVE -> attached(comm, Arena.ofAuto().allocate(bytes, 8));
    };
  }

  /** Returns all kinds that can be made: shared windows only where the ranks share memory. */
  static List<WindowKind> of(IntraComm comm) {
    try {
      comm.winAllocateShared(0, 1).close();
      return List.of(values());
    } catch (MpiException e) {
      assertEquals(ErrorClass.ERR_RMA_SHARED, e.errorClass(), e.getMessage());
      return Arrays.stream(values()).filter(kind -> kind != SHARED).toList();
    }
  }

  private static Longs attached(IntraComm comm, MemorySegment memory) {
    Win win = comm.winCreateDynamic();
    win.attach(memory);
    long[] firsts = new long[comm.size()];
    comm.allgather(Buf.of(new long[] {Address.of(memory)}), Buf.of(firsts));
    return new Longs(win, memory, null, firsts, 8);
  }

  private static Longs over(Win win) {
    return new Longs(win, win.segment(), null);
  }

  private static Longs over(IntraComm comm, MemorySegment memory, int count) {
    return new Longs(comm.winCreate(Buf.of(memory, count, Datatype.INT64_T), 8), memory, null);
  }

  private static Longs over(IntraComm comm, long[] array) {
    return new Longs(comm.winCreate(Buf.of(array), 8), null, array);
  }
}
