// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.oracle.RandomTypes;
import org.ffmpi.datatype.oracle.Sample;
import org.ffmpi.datatype.plan.Plan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Copies by plans of random types, in every kind of memory, against the naive typemap. */
class RandomCopiesTest {
  private static Workshop workshop;

  @BeforeAll
  static void open() {
    workshop = new Workshop();
  }

  @AfterAll
  static void close() {
    workshop.close();
  }

  @Test
  @DisplayName("S1-4.1.11-b S1-4.1.11-i S4-4 S4-10: random types are packed in typemap order, and unpacked round gaps")
  void packAndUnpack() {
    Seed.repeat(RandomTypesTest.TYPES, random -> {
      Sample sample = new RandomTypes(random).next().commit();
      RandomTypesTest.with(sample, () -> {
        int count = random.nextInt(6);
        packs(workshop, random, TypeHandle.planOf(sample.type()), sample, count);
        unpacks(workshop, random, TypeHandle.planOf(sample.type()), sample, count);
      });
    });
  }

  static void packs(Workshop workshop, RandomGenerator random, Plan plan, Sample sample, int count) {
    Workshop.Place place = workshop.place(random, sample.map(), count);
    byte[] stream = place.stream();
    workshop.checkPack(random, plan, place, stream, 0, stream.length);
    for (int[] piece : pieces(random, stream.length)) {
      workshop.checkPack(random, plan, place, stream, piece[0], piece[1]);
    }
  }

  static void unpacks(Workshop workshop, RandomGenerator random, Plan plan, Sample sample, int count) {
    if (sample.map().overlaps(count)) {
      return;
    }
    Workshop.Place place = workshop.place(random, sample.map(), count);
    byte[] stream = Workshop.randomBytes(random, sample.map().size() * count);
    workshop.checkUnpack(random, plan, place, stream, 0, stream.length);
    for (int[] piece : pieces(random, stream.length)) {
      workshop.checkUnpack(random, plan, place, Workshop.randomBytes(random, stream.length), piece[0], piece[1]);
    }
  }

  /** Where to begin and to end: everywhere in short streams, the whole once more in random steps for long ones. */
  private static List<int[]> pieces(RandomGenerator random, int bytes) {
    List<int[]> pieces = new ArrayList<>();
    if (bytes <= 12) {
      for (int from = 0; from <= bytes; from++) {
        for (int to = from; to <= bytes; to++) {
          pieces.add(new int[] {from, to});
        }
      }
    } else {
      int at = 0;
      for (int left = 6; left > 0; left--) {
        int to = left == 1 ? bytes : random.nextInt(at, bytes + 1);
        pieces.add(new int[] {at, to});
        at = to;
      }
    }
    return pieces;
  }

  @Test
  void transferBetweenAnyTwoTypes() {
    Seed.repeat(RandomTypesTest.TYPES, random -> {
      RandomTypes types = new RandomTypes(random);
      Sample source = types.next().commit();
      int count = random.nextInt(1, 6);
      Sample target = (random.nextInt(4) == 0 ? source : types.next()).commit();
      if (target.map().overlaps(count)) {
        return;
      }
      RandomTypesTest.with(source, () -> RandomTypesTest.with(target, () -> {
        int sourceCount = random.nextInt(6);
        int bytes = Math.min(source.map().size() * sourceCount, target.map().size() * count);
        int from = random.nextInt(3) == 0 ? random.nextInt(bytes + 1) : 0;
        int to = random.nextInt(3) == 0 ? random.nextInt(from, bytes + 1) : bytes;
        workshop.checkTransfer(random, TypeHandle.planOf(source.type()), source.map(), sourceCount,
            TypeHandle.planOf(target.type()),
            workshop.place(random, target.map(), count), from, to);
      }));
    });
  }
}
