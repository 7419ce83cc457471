// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.junit.jupiter.api.Test;

/** Places of views against a list of all of them. */
class FilePlacesTest {
  @Test
  void placesAndTheirInverseAgreeWithALongList() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      int blocks = 1 + random.nextInt(6);
      long[] lengths = new long[blocks];
      long[] displacements = new long[blocks];
      long at = random.nextInt(10);
      for (int i = 0; i < blocks; i++) {
        lengths[i] = 1 + random.nextInt(20);
        displacements[i] = at;
        at += lengths[i] + random.nextInt(10);
      }
      Datatype<?> type = Datatype.hindexed(lengths, displacements, Datatype.BYTE)
          .resized(0, at + random.nextInt(5)).commit();
      long disp = random.nextInt(50);
      FilePlaces places = new FilePlaces(disp, TypeHandle.planOf(type));
      assertTrue(places.isAscending());
      int n = (int) type.size() * 4;
      long[] all = new long[n];
      int k = 0;
      for (int tile = 0; tile < 4; tile++) {
        for (int i = 0; i < blocks; i++) {
          for (int b = 0; b < lengths[i]; b++) {
            all[k++] = disp + tile * type.extent() + displacements[i] + b;
          }
        }
      }
      for (int i = 0; i < n; i++) {
        assertEquals(all[i], places.place(i), "seed " + seed);
      }
      for (long place = 0; place < all[n - 1] + 3; place++) {
        int from = random.nextInt(n);
        int to = from + random.nextInt(n - from + 1);
        int expected = from;
        while (expected < to && all[expected] < place) {
          expected++;
        }
        assertEquals(expected, places.firstNotBefore(place, from, to), "seed " + seed + ", place " + place);
      }
    }
  }

  @Test
  void interleavedFiletypesDoNotAscend() {
    Datatype<?> column = Datatype.vector(4, 1, 10, Datatype.BYTE).resized(0, 1).commit();
    assertFalse(new FilePlaces(0, TypeHandle.planOf(column)).isAscending());
    assertEquals(1, new FilePlaces(0, TypeHandle.planOf(column)).meanRun());
  }
}
