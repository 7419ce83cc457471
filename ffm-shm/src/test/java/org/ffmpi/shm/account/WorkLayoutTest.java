// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.LayoutChecks;
import org.ffmpi.shm.segment.JobLayout;
import org.junit.jupiter.api.Test;

/** The layout of what a rank reports of its work, and consistent reads of it. */
class WorkLayoutTest {
  @Test
  void offsetsAreThoseOfTheLayout() {
    LayoutChecks.assertAgree(WorkLayout.class, Set.of(), WorkLayout.Shape.LAYOUT);
    assertEquals(WorkLayout.BYTES, WorkLayout.Shape.LAYOUT.byteSize());
    assertEquals(0, WorkLayout.PLACE % JobLayout.LINE_PAIR);
    assertTrue(WorkLayout.PLACE >= AccountBlock.BYTES);
    assertTrue(WorkLayout.PLACE + WorkLayout.BYTES <= JobLayout.PAGE);
  }

  @Test
  void whatIsWrittenIsRead() {
    try (Arena arena = Arena.ofConfined()) {
      long page = Raw.address(arena.allocate(JobLayout.PAGE, 8));
      assertNull(WorkDone.read(3, page), "zeros are a rank that has reported nothing");
      WorkWriter writer = new WorkWriter(page);
      writer.write("größe", 1, 10, 100);
      assertEquals(new WorkDone(3, "größe", 1, 10, 100, 100), WorkDone.read(3, page));
      writer.write("größe", 7, 10, 200);
      assertEquals(new WorkDone(3, "größe", 7, 10, 100, 200), WorkDone.read(3, page));
      writer.write("größe", 2, 10, 300);
      assertEquals(300, WorkDone.read(3, page).since(), "fewer steps begin anew");
      writer.write("größe", 2, 20, 400);
      assertEquals(400, WorkDone.read(3, page).since(), "as does another total");
      writer.write("x".repeat(87) + "é", 2, 20, 500);
      assertEquals(new WorkDone(3, "x".repeat(87), 2, 20, 500, 500), WorkDone.read(3, page), "no half character");
      assertEquals(List.of(WorkDone.read(0, page)), WorkDone.of(new long[] {page}));
    }
  }

  @Test
  void wildContentIsNotTrusted() {
    try (Arena arena = Arena.ofConfined()) {
      long page = Raw.address(arena.allocate(JobLayout.PAGE, 8));
      WorkLayout.setOpaqueNumbers(page + WorkLayout.PLACE, 12, 10, 0, 0);
      WorkLayout.setReleaseVersion(page + WorkLayout.PLACE, 2);
      assertTrue(WorkDone.read(0, page).isComplete());
      WorkLayout.setOpaqueNumbers(page + WorkLayout.PLACE, -1, -1, 0, 0);
      assertEquals(0, WorkDone.read(0, page).part());
      WorkLayout.setReleaseVersion(page + WorkLayout.PLACE, 3);
      assertNull(WorkDone.read(0, page), "a rank has died while it wrote");
    }
  }

  @Test
  void readersSeeWholeReports() throws InterruptedException {
    try (Arena arena = Arena.ofShared()) {
      long page = Raw.address(arena.allocate(JobLayout.PAGE, 8));
      WorkWriter writer = new WorkWriter(page);
      writer.write("step 1", 1, 1, 1);
      AtomicBoolean end = new AtomicBoolean();
      Thread thread = Thread.ofPlatform().start(() -> {
        for (int n = 2; !end.get(); n++) {
          writer.write("step " + n, n, n, n);
        }
      });
      for (int i = 0; i < 20_000; i++) {
        WorkDone read = WorkDone.read(0, page);
        if (read != null) {
          long n = read.done();
          assertEquals(new WorkDone(0, "step " + n, n, n, n, n), read);
        }
      }
      end.set(true);
      thread.join();
    }
  }
}
