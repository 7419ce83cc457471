// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.junit.jupiter.api.Test;

class RecentBuffersTest {
  private final RecentBuffers recent = new RecentBuffers();

  /** Eight arrays in turn, as a program with four neighbours uses them. */
  @Test
  void bufferIsMadeOnceForManyArraysInTurn() {
    double[][] arrays = new double[8][16];
    Buf<?>[] made = new Buf<?>[arrays.length];
    int same = 0;
    for (int turn = 0; turn < 4; turn++) {
      for (int i = 0; i < arrays.length; i++) {
        Buf<Double> buf = recent.of(arrays[i], 0, 16, Datatype.DOUBLE);
        same += buf == made[i] ? 1 : 0;
        made[i] = buf;
      }
    }
    // Three that meet in one pair of places would be made again: rare, and no fault.
    assertTrue(same >= 12, same + " of 24 were remembered");
  }

  /** Two arrays always have room, wherever they lie; a collection of garbage may take what was remembered once. */
  @Test
  void buffersOfTwoArraysInTurnAreMadeOnce() {
    int madeAgain = 0;
    for (int i = 0; i < 1000; i++) {
      int[] one = new int[4];
      double[] other = new double[4];
      Buf<Integer> first = recent.of(one, 0, 4, Datatype.INT);
      Buf<Double> second = recent.of(other, 0, 2, Datatype.DOUBLE);
      madeAgain += first == recent.of(one, 0, 4, Datatype.INT) ? 0 : 1;
      madeAgain += second == recent.of(other, 0, 2, Datatype.DOUBLE) ? 0 : 1;
    }
    assertTrue(madeAgain <= 4, madeAgain + " of 2000 were made again");
  }

  @Test
  void otherArgumentsMakeAnotherBuffer() {
    int[] array = new int[8];
    Buf<Integer> buf = recent.of(array, 0, 4, Datatype.INT);
    // What is remembered may be forgotten at any time.
    assertTrue(IntStream.range(0, 10).anyMatch(
        i -> recent.of(array, 0, 4, Datatype.INT) == recent.of(array, 0, 4, Datatype.INT)));
    assertEquals(3, recent.of(array, 0, 3, Datatype.INT).count());
    assertNotSame(buf, recent.of(array, 4, 4, Datatype.INT));
    assertSame(Datatype.UINT32_T, recent.of(array, 0, 4, Datatype.UINT32_T).type());
    assertNotSame(buf, recent.perRank(array, 0, 4, Datatype.INT));
    assertNotSame(buf, recent.of(new int[8], 0, 4, Datatype.INT));
    assertSame(Datatype.INT, recent.of(ByteBuffer.allocateDirect(16), 0, 4, Datatype.INT).type());
  }

  @Test
  void whatIsWrongIsFoundEachTime() {
    int[] array = new int[4];
    for (int i = 0; i < 2; i++) {
      assertThrows(MpiException.class, () -> recent.of(array, 0, 5, Datatype.INT32_T));
      assertThrows(MpiException.class, () -> recent.of(array, 0, 1, (Datatype<?>) null));
    }
  }

  @Test
  void nothingIsKeptAlive() throws InterruptedException {
    WeakReference<int[]> array = useAnArray();
    for (int i = 0; i < 100 && array.get() != null; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertNull(array.get());
  }

  private WeakReference<int[]> useAnArray() {
    int[] array = new int[4];
    recent.of(array, 0, 4, Datatype.INT32_T);
    return new WeakReference<>(array);
  }
}
