// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.ffmpi.Buf;
import org.ffmpi.Errhandler;
import org.ffmpi.IntraComm;
import org.ffmpi.Request;
import org.ffmpi.RequestArrays;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.Test;

/** Calls for layers above the API, with memory of any kind, count and type, arrays of requests, errors of their own. */
class AnyMemoryTest {
  @MpiTest(ranks = 2)
  void everyArrayIsMemory(IntraComm world) {
    Object[] arrays = {
        new byte[8], new char[8], new short[8], new int[8], new long[8], new float[8], new double[8], new boolean[8]};
    for (Object array : arrays) {
      Datatype<?> type = Datatype.ofArray(array.getClass());
      if (world.rank() == 0) {
        Object value = array instanceof boolean[] ? Boolean.TRUE : 1;
        for (int i = 3; i < 6; i++) {
          if (value instanceof Boolean) {
            Array.set(array, i, true);
          } else if (array instanceof char[]) {
            Array.set(array, i, (char) i);
          } else {
            Array.setByte(array, i, (byte) i);
          }
        }
        world.send(Buf.in(array, 3 * type.extent(), 3, type), 1, 0);
      } else {
        world.recv(Buf.in(array, 2 * type.extent(), 3, type), 0, 0);
        for (int i = 0; i < 8; i++) {
          String due = i < 2 || i > 4
              ? String.valueOf(Array.get(Array.newInstance(array.getClass().componentType(), 1), 0))
              : array instanceof boolean[] ? "true"
              : array instanceof char[] ? String.valueOf((char) (i + 1))
              : array instanceof float[] || array instanceof double[] ? (i + 1) + ".0" : "" + (i + 1);
          assertEquals(due, String.valueOf(Array.get(array, i)), array.getClass().getSimpleName() + " at " + i);
        }
      }
    }
  }

  @MpiTest(ranks = 2)
  void segmentsAndBuffersOfAnyOrderAreMemory(IntraComm world) {
    ByteBuffer big = ByteBuffer.allocateDirect(40).order(ByteOrder.BIG_ENDIAN);
    MemorySegment segment = MemorySegment.ofArray(new long[5]);
    if (world.rank() == 0) {
      big.putInt(12, 77);
      world.send(Buf.in(big.position(4), 8, 1, Datatype.INT32_T), 1, 0);
    } else {
      world.recv(Buf.in(segment, 16, 1, Datatype.INT32_T), 0, 0);
      assertEquals(77, Integer.reverseBytes((int) segment.toArray(ValueLayout.JAVA_LONG)[2]));
    }
  }

  @MpiTest(ranks = 2)
  void nioBuffersTakeCountAndType(IntraComm world) {
    IntBuffer ints = IntBuffer.allocate(6);
    Datatype<Integer> pairs = Datatype.contiguous(2, Datatype.INT32_T).commit();
    if (world.rank() == 0) {
      ints.put(1, 5).put(4, 8).position(1);
      world.send(Buf.of(ints, 2, pairs), 1, 0);
    } else {
      world.recv(Buf.of(ints.position(2), 2, pairs), 0, 0);
      assertEquals(5, ints.get(2));
      assertEquals(8, ints.get(5));
    }
  }

  @Test
  void otherThingsAreRefused() {
    assertEquals(ErrorClass.ERR_BUFFER, assertThrows(
        MpiException.class, () -> Buf.in("text", 0, 1, Datatype.INT32_T)).errorClass());
    assertEquals(ErrorClass.ERR_BUFFER, assertThrows(
        MpiException.class, () -> Buf.in(null, 0, 1, Datatype.INT32_T)).errorClass());
    assertEquals(ErrorClass.ERR_TYPE, assertThrows(
        MpiException.class, () -> Buf.in(new int[1], 0, 1, null)).errorClass());
    assertEquals(ErrorClass.ERR_BUFFER, assertThrows(
        MpiException.class, () -> Buf.in(new int[1], 4, 1, Datatype.INT32_T)).errorClass());
    MpiException error = assertThrows(MpiException.class, () -> Buf.of(new int[3], 0, 5));
    assertEquals(
        "MPI_ERR_BUFFER: count = 5: allowed are 0..3 with from = 0 in an array of 3 elements", error.getMessage());
  }

  @MpiTest(ranks = 2)
  void requestsCanBeWaitedForInArrays(IntraComm world) {
    int other = 1 - world.rank();
    int[][] got = new int[4][1];
    Request[] all = new Request[8];
    for (int i = 0; i < 4; i++) {
      all[i] = world.irecv(got[i], other, i);
    }
    for (int i = 0; i < 4; i++) {
      all[4 + i] = world.isend(new int[] {i + 10}, other, i);
    }
    Status status = new Status();
    int first = RequestArrays.waitAny(all, status);
    assertNull(all[first]);
    List<Integer> done = new ArrayList<>();
    for (int i : RequestArrays.waitSome(all)) {
      done.add(i);
    }
    assertTrue(!done.isEmpty());
    Status[] statuses = new Status[8];
    RequestArrays.waitAll(all, statuses);
    for (int i = 0; i < 4; i++) {
      assertEquals(i + 10, got[i][0]);
    }
    assertEquals(Constants.UNDEFINED, RequestArrays.waitAny(all));
    assertEquals(OptionalInt.of(Constants.UNDEFINED), RequestArrays.testAny(all));
    assertTrue(RequestArrays.testAll(all));
    assertThrows(MpiException.class, () -> RequestArrays.waitAll(null));
  }

  @MpiTest(ranks = 1)
  void anErrorFoundElsewhereReachesTheHandler(IntraComm world) {
    List<String> handled = new ArrayList<>();
    world.setErrhandler(Errhandler.of((_, e) -> handled.add(e.getMessage())));
    MpiException error = assertThrows(MpiException.class, () -> Buf.of(new int[3], 0, 5));
    assertSame(error, world.callErrhandler(error));
    assertEquals(List.of(error.getMessage()), handled);
    world.setErrhandler(Errhandler.RETURN);
    assertThrows(MpiException.class, () -> world.callErrhandler(null));
  }
}
