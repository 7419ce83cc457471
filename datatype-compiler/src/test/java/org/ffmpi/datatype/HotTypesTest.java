// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.util.random.RandomGenerator;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.oracle.RandomTypes;
import org.ffmpi.datatype.oracle.Sample;
import org.ffmpi.datatype.plan.Plan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random types that are used until they are hot. Every copy is checked, before, while and after a generated class
 * replaces the shared loops.
 */
@Tag("long")
class HotTypesTest {
  /** Bytes that each operation moves, several times the limit for a hot type. */
  private static final long MOVED = 5L << 20;

  /** Bytes that a buffer may span. */
  private static final long REACH = 50_000;

  private static Workshop workshop;

  @BeforeAll
  static void open() {
    workshop = new Workshop();
  }

  @AfterAll
  static void close() {
    workshop.close();
  }

  private interface Operation {
    void run(RandomGenerator random, Sample sample, int count);
  }

  private static void untilHot(Operation operation) {
    Seed.repeat(Math.max(6, RandomTypesTest.TYPES / 2_000), random -> {
      RandomTypes types = new RandomTypes(random);
      Sample sample = types.nextWithoutOverlap(3);
      while (sample.map().size() == 0 || TypeHandle.planOf(sample.type().commit()).isContiguous()) {
        sample = types.nextWithoutOverlap(3);
      }
      Sample hot = sample;
      int many = Math.clamp(REACH / (Math.abs(hot.map().extent()) + 1), 3, 200);
      int most = hot.map().overlaps(many) ? 3 : many;
      RandomTypesTest.with(hot, () -> {
        for (long moved = 0; moved < MOVED; ) {
          int count = random.nextInt(1, most + 1);
          operation.run(random, hot, count);
          moved += 1_000 + (long) count * hot.map().size();
        }
      });
    });
  }

  @Test
  void packed() {
    untilHot((random, sample, count) -> {
      Plan plan = TypeHandle.planOf(sample.type());
      Workshop.Place place = workshop.place(random, sample.map(), count);
      byte[] stream = place.stream();
      int from = random.nextInt(4) == 0 ? random.nextInt(stream.length + 1) : 0;
      int to = random.nextInt(4) == 0 ? random.nextInt(from, stream.length + 1) : stream.length;
      workshop.checkPack(random, plan, place, stream, from, to);
    });
  }

  @Test
  void unpacked() {
    untilHot((random, sample, count) -> {
      Plan plan = TypeHandle.planOf(sample.type());
      Workshop.Place place = workshop.place(random, sample.map(), count);
      byte[] stream = Workshop.randomBytes(random, sample.map().size() * count);
      int from = random.nextInt(4) == 0 ? random.nextInt(stream.length + 1) : 0;
      int to = random.nextInt(4) == 0 ? random.nextInt(from, stream.length + 1) : stream.length;
      workshop.checkUnpack(random, plan, place, stream, from, to);
    });
  }

  @Test
  void transferredToItsOwnKind() {
    untilHot((random, sample, count) -> {
      Plan plan = TypeHandle.planOf(sample.type());
      int bytes = sample.map().size() * count;
      int from = random.nextInt(4) == 0 ? random.nextInt(bytes + 1) : 0;
      int to = random.nextInt(4) == 0 ? random.nextInt(from, bytes + 1) : bytes;
      workshop.checkTransfer(
          random, plan, sample.map(), count, plan, workshop.place(random, sample.map(), count), from, to);
    });
  }
}
