// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.files;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.ffmpi.datatype.Datatype;

/** The model of a file, an array of bytes, with views as lists of places. */
final class FileModel {
  private byte[] bytes = new byte[0];

  /** A view: the places of one filetype, its extent, and the type that says the same. */
  record ModelView(long disp, int etypeBytes, int[] places, int extent, Datatype<?> etype, Datatype<?> filetype) {
    long place(long from) {
      return disp + from / places.length * extent + places[(int) (from % places.length)];
    }
  }

  byte[] bytes() {
    return bytes;
  }

  void write(ModelView view, long from, byte[] data) {
    for (int i = 0; i < data.length; i++) {
      int place = (int) view.place(from + i);
      if (place >= bytes.length) {
        bytes = Arrays.copyOf(bytes, place + 1);
      }
      bytes[place] = data[i];
    }
  }

  /** Returns the bytes of a part of a view up to the end of the file. */
  byte[] read(ModelView view, long from, int n) {
    byte[] data = new byte[n];
    int there = 0;
    while (there < n && view.place(from + there) < bytes.length) {
      data[there] = bytes[(int) view.place(from + there)];
      there++;
    }
    return Arrays.copyOf(data, there);
  }

  /** Draws a view: blocks of whole etypes at places that ascend, some of them touching. */
  static ModelView random(Random random) {
    int e = new int[] {1, 4, 8, 3}[random.nextInt(4)];
    Datatype<?> etype = switch (e) {
      case 1 -> Datatype.BYTE;
      case 4 -> Datatype.INT32_T;
      case 8 -> Datatype.INT64_T;
      default -> Datatype.contiguous(3, Datatype.BYTE).commit();
    };
    int blocks = 1 + random.nextInt(random.nextBoolean() ? 2 : 12);
    boolean regular = random.nextInt(3) == 0;
    long[] lengths = new long[blocks];
    long[] displacements = new long[blocks];
    List<Integer> places = new ArrayList<>();
    int at = random.nextInt(3) == 0 ? random.nextInt(40) : 0;
    int length = 1 + random.nextInt(5);
    int gap = random.nextInt(30);
    for (int i = 0; i < blocks; i++) {
      lengths[i] = regular ? length : 1 + random.nextInt(random.nextInt(6) == 0 ? 60 : 4);
      displacements[i] = at;
      for (int k = 0; k < lengths[i] * e; k++) {
        places.add(at + k);
      }
      at += (int) lengths[i] * e + (regular ? gap : random.nextInt(25));
    }
    int extent = Math.max(at, places.getLast() + 1) + (random.nextInt(3) == 0 ? random.nextInt(50) : 0);
    Datatype<?> filetype = Datatype.hindexed(lengths, displacements, etype).resized(0, extent).commit();
    return new ModelView(random.nextInt(100), e, places.stream().mapToInt(i -> i).toArray(), extent, etype, filetype);
  }

  /** Returns views that share the file out among some ranks, record by record. */
  static List<ModelView> interleaved(Random random, int ranks) {
    int record = 1 + random.nextInt(90);
    int disp = random.nextInt(50);
    boolean last = random.nextBoolean(); // with a record that nobody has
    int extent = record * (ranks + (last ? 1 : 0));
    List<ModelView> views = new ArrayList<>();
    for (int r = 0; r < ranks; r++) {
      int[] places = new int[record];
      for (int i = 0; i < record; i++) {
        places[i] = r * record + i;
      }
      Datatype<?> filetype = Datatype.hindexed(new long[] {record}, new long[] {(long) r * record}, Datatype.BYTE)
          .resized(0, extent).commit();
      views.add(new ModelView(disp, 1, places, extent, Datatype.BYTE, filetype));
    }
    return views;
  }
}
