// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.ref.WeakReference;
import org.ffmpi.Buf;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.dialect.RecentBuffers;
import org.junit.jupiter.api.Test;

/** The buffers that were made last. */
class RecentBuffersTest {
  private final RecentBuffers recent = new RecentBuffers();

  @Test
  void theSameArgumentsGetTheSameBuffer() {
    int[] array = new int[4];
    Buf<Integer> buf = recent.of(array, 0, 3, Datatype.INT32_T);
    assertEquals(3, buf.count());
    assertSame(buf, recent.of(array, 0, 3, Datatype.INT32_T));
  }

  @Test
  void otherArgumentsGetAnotherBuffer() {
    int[] array = new int[4];
    Buf<Integer> buf = recent.of(array, 0, 3, Datatype.INT32_T);
    assertNotSame(buf, recent.of(array, 0, 2, Datatype.INT32_T));
    assertNotSame(buf, recent.of(array, 4, 3, Datatype.INT32_T));
    assertNotSame((Object) buf, recent.of(array, 0, 3, Datatype.UINT32_T));
    assertNotSame(buf, recent.of(array.clone(), 0, 3, Datatype.INT32_T));
    assertNotSame(buf, recent.perRank(array, 0, 3, Datatype.INT32_T));
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
