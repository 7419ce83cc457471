// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.shm.account.WorkDone;
import org.junit.jupiter.api.Test;

/** The line that shows how far a job is: range, rate, time left, and ranks that are apart or stand still. */
class WorkLineTest {
  private static final long SECOND = 1_000_000_000L;
  private final WorkLine line = new WorkLine();

  private static WorkDone work(int rank, String what, long done, long total, double at) {
    return new WorkDone(rank, what, done, total, 0, (long) (at * SECOND));
  }

  /** Reports of ranks that have done so much of a thousand steps by now. */
  private static List<WorkDone> sweeps(double now, long... done) {
    List<WorkDone> all = new ArrayList<>();
    for (int rank = 0; rank < done.length; rank++) {
      all.add(work(rank, "sweep", done[rank], 1000, now));
    }
    return all;
  }

  private String at(double seconds, List<WorkDone> reports) {
    line.update(reports);
    return line.text((long) (seconds * SECOND));
  }

  @Test
  void nothingIsSaidBeforeTheFirstReport() {
    line.update(List.of());
    assertTrue(line.isEmpty());
  }

  @Test
  void rateAndTimeLeftAreThoseOfTheLastRank() {
    assertEquals("sweep: 0 of 1,000 (0 %)", at(0, sweeps(0, 0, 0)));
    assertEquals("sweep: 40 to 42 of 1,000 (4 %)", at(0.4, sweeps(0.4, 42, 40)), "too early for a rate");
    assertEquals("sweep: 100 to 102 of 1,000 (10 %), 100/s, 9.0 s left", at(1, sweeps(1, 102, 100)));
    assertEquals("sweep: 200 of 1,000 (20 %), 100/s, 8.0 s left", at(2, sweeps(2, 200, 200)));
    assertEquals("sweep: 200 of 1,000 (20 %), 100/s, 7.5 s left", at(2.5, sweeps(2, 200, 200)), "time goes on");
    assertEquals("sweep: 1,000 of 1,000 (100 %)", at(10, sweeps(10, 1000, 1000)));
    assertEquals("sweep: 1,000 of 1,000 (100 %) in 10 s", line.result());
  }

  @Test
  void theRateFollowsTheLastTenSeconds() {
    for (int s = 0; s <= 20; s++) {
      at(s, sweeps(s, 10 * s));
    }
    for (int s = 21; s <= 40; s++) {
      at(s, sweeps(s, 200 + 2 * (s - 20)));
    }
    assertEquals("sweep: 240 of 1,000 (24 %), 2.0/s, 6 min 20 s left", at(40, sweeps(40, 240)));
  }

  @Test
  void ratesAndTimesKeepFewDigits() {
    at(0, List.of(work(0, "epoch", 0, 100_000, 0)));
    assertEquals(
        "epoch: 1 of 100,000 (0 %), 30.0/min, 2 d 7 h left", at(2, List.of(work(0, "epoch", 1, 100_000, 2))));
    WorkLine slow = new WorkLine();
    slow.update(List.of(work(0, "epoch", 0, 10, 0)));
    slow.update(List.of(work(0, "epoch", 1, 10, 600)));
    assertEquals("epoch: 1 of 10 (10 %), 6.0/h, 1 h 30 min left", slow.text(600 * SECOND));
  }

  @Test
  void aRankThatIsApartIsNamed() {
    assertEquals("sweep: 480 to 500 of 1,000 (48 %); rank 2 is last", at(0, sweeps(0, 500, 498, 480, 499)));
    assertEquals("sweep: 480 to 600 of 1,000 (48 %); rank 3 is ahead", at(0, sweeps(0, 480, 481, 480, 600)));
    assertEquals("sweep: 480 to 681 of 1,000 (48 %); rank 0 is last", at(0, sweeps(0, 480, 681)));
    assertEquals("sweep: 498 to 500 of 1,000 (49 %)", at(0, sweeps(0, 498, 499, 500)), "they go on together");
  }

  @Test
  void whoStandsStillIsNamedAfterTenSecondsAndFourUsualSteps() {
    at(0, sweeps(0, 0, 0));
    at(5, sweeps(5, 500, 500));
    List<WorkDone> one = List.of(work(0, "sweep", 900, 1000, 14.5), work(1, "sweep", 500, 1000, 5));
    assertTrue(at(14.5, one).endsWith("; rank 1 is last"), () -> line.text((long) 14.5e9));
    assertTrue(at(15, one).endsWith("; rank 1 has stood for 10 s"), () -> line.text(15 * SECOND));
    assertTrue(at(30, one).endsWith("; nothing has moved for 16 s"), () -> line.text(30 * SECOND));
    WorkLine slow = new WorkLine();
    slow.update(List.of(work(0, "epoch", 2, 10, 20)));
    assertEquals("epoch: 2 of 10 (20 %)", slow.text(50 * SECOND), "a step usually takes 10 s");
    assertEquals("epoch: 2 of 10 (20 %); nothing has moved for 45 s", slow.text(65 * SECOND));
  }

  @Test
  void whatMostRanksDoComesFirst() {
    List<WorkDone> some = List.of(
        work(0, "write", 1, 4, 2), work(1, "sweep", 10, 1000, 1), work(2, "sweep", 12, 1000, 1),
        work(3, "sweep", 11, 1000, 1));
    assertEquals("sweep: 10 to 12 of 1,000 (1 %); rank 0 at write", at(2, some));
    WorkLine two = new WorkLine();
    two.update(List.of(
        new WorkDone(0, "write", 1, 4, 5, 6), new WorkDone(1, "sweep", 9, 10, 1, 2),
        new WorkDone(2, "read", 9, 10, 2, 3), new WorkDone(3, "read", 9, 10, 2, 3)));
    assertEquals("read: 9 of 10 (90 %); rank 1 at sweep; rank 0 at write", two.result(), "in the order of beginning");
  }

  @Test
  void totalsMayDifferOrBeUnknown() {
    assertEquals(
        "rows: 50 to 75 %; rank 1 is last", at(0, List.of(work(0, "rows", 75, 100, 0), work(1, "rows", 1, 2, 0))));
    WorkLine open = new WorkLine();
    open.update(List.of(work(0, "search", 0, 0, 0), work(1, "search", 0, 0, 0)));
    open.update(List.of(work(0, "search", 5000, 0, 1), work(1, "search", 4000, 0, 1)));
    assertEquals("search: 4,000 to 5,000, 4,000/s", open.text(SECOND));
  }

  @Test
  void aNameThatBeginsAgainHasANewRate() {
    at(0, sweeps(0, 0));
    at(1, sweeps(1, 900));
    assertEquals("sweep: 10 of 1,000 (1 %)", at(2, sweeps(2, 10)), "of the second sweep nothing is known yet");
  }

  @Test
  void namesCannotLeaveTheLine() {
    assertEquals("a  b: 1 of 2 (50 %)", at(0, List.of(work(0, "a\r\nb", 1, 2, 0))));
  }
}
