// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.shm.segment.JobOptions;
import org.ffmpi.shm.segment.JobSegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The looks of a rank that waits, when another of its threads has left the rank's lock taken. */
@Tag("long")
class LeftLockTest {
  private static final int LOOKS = 1_000_000;
  private static final int STACKS = 100;
  private static final int SHORT_STACK = 200 << 10;
  private static final int STACK_STEP = 4 << 10;

  private final JobSegment segment = JobSegment.create(new JobOptions(1, false, Settings.of(Map.of())));
  private final Wakeups wakeups = new Wakeups(segment, () -> { });
  private final RankLock lock = new RankLock(wakeups, 0, segment.rankBlock(0));
  private final JobAbort end = new JobAbort(segment, 0, lock, wakeups, new Nothing());

  /** A rank whose end ends nothing. */
  private static final class Nothing implements RankRuntime {
    @Override
    public boolean inThreads() {
      return true;
    }

    @Override
    public void bind() {}

    @Override
    public int[] boundTo() {
      return new int[0];
    }

    @Override
    public void onAborted(boolean first, int code, String reason) {}

    @Override
    public void onLeft() {}
  }

  @AfterEach
  void close() {
    wakeups.close();
    segment.close();
  }

  @Test
  void itIsNoticed() throws Exception {
    Thread.ofPlatform().start(lock::lock).join();
    MpiException thrown =
        assertThrows(MpiException.class, () -> {
          for (int i = 0; i < LOOKS; i++) {
            end.check();
          }
        });
    assertEquals(ErrorClass.ERR_INTERN, thrown.errorClass());
  }

  @Test
  void aStackThatIsTooShortEndsTheJobInWholeOrNotAtAll() throws Exception {
    for (int i = 0; i < STACKS; i++) {
      try (JobSegment job = JobSegment.create(new JobOptions(1, false, Settings.of(Map.of())))) {
        Wakeups none = new Wakeups(job, () -> { });
        JobAbort abort = new JobAbort(job, 0, new RankLock(none, 0, job.rankBlock(0)), none, new Nothing());
        Thread deep = new Thread(null, () -> endDeeply(abort), "deep", SHORT_STACK + i * STACK_STEP);
        deep.start();
        deep.join();
        assertTrue(job.isEnded(), "some frame was high enough");
        assertEquals("the reason", job.abortReason());
        none.close();
      }
    }
  }

  private void endDeeply(JobAbort abort) {
    try {
      endDeeply(abort);
    } catch (StackOverflowError e) {
      abort.abort(3, "the reason");
    }
  }
}
