// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.buffers;

import static org.ffmpi.Mpi.ANY_SOURCE;
import static org.ffmpi.Mpi.ANY_TAG;
import static org.ffmpi.datatype.Datatype.BYTE;
import static org.ffmpi.datatype.Datatype.CHAR;
import static org.ffmpi.datatype.Datatype.DOUBLE;
import static org.ffmpi.datatype.Datatype.INT;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.Test;

/** Calls as a program writes them without looking them up compile, and types of one form mix. */
class NaturalBuffersTest {
  @MpiTest(ranks = 2)
  void segmentsAndArraysMix(Mpi mpi) {
    Comm world = mpi.world();
    int n = 5;
    MemorySegment segment = mpi.shared().allocate(ValueLayout.JAVA_INT, n);
    segment.setAtIndex(ValueLayout.JAVA_INT, 4, world.rank() + 1);
    int[] sum = new int[n];
    world.allreduce(Buf.of(segment, n, INT), Buf.of(sum), Op.SUM);
    assertArrayEquals(new int[] {0, 0, 0, 0, 3}, sum);
    world.allreduce(Buf.of(sum), Buf.of(segment, INT), Op.SUM);
    assertEquals(6, segment.getAtIndex(ValueLayout.JAVA_INT, 4));
    int[] all = new int[2 * n];
    world.allgather(Buf.of(segment, INT), Buf.of(all));
    assertArrayEquals(new int[] {0, 0, 0, 0, 6, 0, 0, 0, 0, 6}, all);
    Buf<Integer> either = world.rank() == 0 ? Buf.of(segment, INT) : Buf.of(sum);
    world.bcast(either, 0);
    assertEquals(world.rank() == 0 ? 3 : 6, sum[4]);
  }

  @MpiTest(ranks = 2)
  void wholeMemoryOfAnotherType(Mpi mpi) {
    Comm world = mpi.world();
    byte[] text = {'f', 'f'};
    double[] numbers = {1, 2};
    if (world.rank() == 0) {
      world.send(Buf.of(text, CHAR), 1, 7);
      world.send(Buf.of(MemorySegment.ofArray(numbers), DOUBLE), 1, 8);
    } else {
      byte[] got = new byte[2];
      Status status = world.recv(Buf.of(got, CHAR), ANY_SOURCE, ANY_TAG, new Status());
      assertArrayEquals(text, got);
      assertEquals(2, status.getCount(CHAR));
      double[] there = new double[2];
      world.recv(there, 0, 8);
      assertArrayEquals(numbers, there);
    }
  }

  @Test
  void countsFollowFromTheMemory() {
    MemorySegment segment = Arena.ofAuto().allocate(24, 8);
    assertEquals(3, Buf.of(segment, DOUBLE).count());
    assertEquals(24, Buf.of(new double[3], BYTE).count());
    assertEquals(0, Buf.of(new int[0], INT).count());
    Datatype<Double> pairs = Datatype.contiguous(2, DOUBLE).commit();
    assertEquals(2, Buf.of(new double[4], pairs).count());
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(segment, pairs), "bytes of segment = 24", "multiples of 16",
        "with a count, as many elements as the count says");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(new double[3], pairs), "bytes of array = 24");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(segment, DOUBLE.resized(0, 0)), "an extent of 8 or more");
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(new int[2], DOUBLE), "types whose elements lie in int[]");
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(segment, null), "type = null");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((MemorySegment) null, DOUBLE), "segment = null");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((int[]) null, INT), "array = null");
  }

  @Test
  void constantsAreWhereOneLooks() {
    assertEquals(Constants.ANY_SOURCE, Mpi.ANY_SOURCE);
    assertEquals(Constants.ANY_TAG, Mpi.ANY_TAG);
    assertEquals(Constants.PROC_NULL, Mpi.PROC_NULL);
    assertEquals(Constants.ROOT, Mpi.ROOT);
    assertEquals(Constants.UNDEFINED, Mpi.UNDEFINED);
  }
}
