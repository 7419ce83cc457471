// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ffmpi.base.Settings;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.segment.JobOptions;
import org.ffmpi.shm.segment.JobSegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Descriptions of types that ranks read of one another. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class TypeRecordsTest {
  /** Irregular blocks of one plan; fifteen such plans are more than the compiler's cache remembers. */
  private static final int BLOCKS = 90_000;

  private final JobSegment segment =
      JobSegment.create(new JobOptions(1, false, Settings.of(Map.of("ffmpi.shm.limit", "40M"))));
  private final TypeRecords own = new TypeRecords(segment);
  private final TypeRecords peers = new TypeRecords(segment);

  @AfterEach
  void close() {
    segment.close();
  }

  private static Datatype<Integer> type(int blocks, int salt) {
    long[] lengths = new long[blocks];
    long[] displacements = new long[blocks];
    for (int i = 0; i < blocks; i++) {
      lengths[i] = 1 + i % 3;
      displacements[i] = 5L * i + i % 2 + (i == blocks - 1 ? salt : 0);
    }
    return Datatype.indexed(lengths, displacements, Datatype.INT).commit();
  }

  private long record(int salt) {
    try (Datatype<Integer> type = type(10, salt)) {
      return own.of(TypeHandle.planOf(type));
    }
  }

  private WeakReference<Object> read(long record) {
    Plan plan = peers.plan(record);
    assertSame(plan, peers.plan(record));
    return new WeakReference<>(plan.core());
  }

  @Test
  void plansOfPeersAreForgottenAndReadAgain() throws InterruptedException {
    long record = record(0);
    assertNotEquals(0, record);
    String before = peers.plan(record).toString();
    WeakReference<Object> core = read(record);
    for (int i = 1; !core.refersTo(null); i++) {
      type(BLOCKS, i).close(); // pushes older plans out of the compiler's cache
      System.gc();
      Thread.sleep(1);
    }
    assertEquals(before, peers.plan(record).toString());
    assertNotEquals(record, record(1));
  }
}
