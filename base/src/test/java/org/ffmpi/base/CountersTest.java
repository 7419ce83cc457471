// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CountersTest {
  private final Counters counters = new Counters();

  @Test
  void countAndRaise() {
    Counter sends = counters.register("ffmpi.sends", Counter.Kind.COUNT, Setting.Scope.RANK, "messages sent");
    Counter most = counters.register("ffmpi.most", Counter.Kind.HIGH_WATERMARK, Setting.Scope.RANK, "most bytes kept");
    sends.increment();
    sends.add(41);
    most.raiseTo(7);
    most.raiseTo(3);
    assertEquals(Map.of("ffmpi.most", 7L, "ffmpi.sends", 42L), counters.snapshot());
    assertEquals(List.of(most, sends), counters.all());
    assertEquals("ffmpi.sends = 42", sends.toString());
    assertEquals("messages sent", sends.description());
    assertEquals(Counter.Kind.COUNT, sends.kind());
    assertEquals(Setting.Scope.RANK, sends.scope());
  }

  @Test
  void registeringAgainGivesTheSameCounter() {
    Counter one = counters.register("ffmpi.x", Counter.Kind.LEVEL, Setting.Scope.JOB, "x");
    assertSame(one, counters.register("ffmpi.x", Counter.Kind.LEVEL, Setting.Scope.JOB, "x"));
    assertEquals(Optional.of(one), counters.find("ffmpi.x"));
    assertEquals(Optional.empty(), counters.find("ffmpi.y"));
  }

  @Test
  void snapshotsDoNotChange() {
    Counter one = counters.register("ffmpi.x", Counter.Kind.LEVEL, Setting.Scope.JOB, "x");
    Map<String, Long> before = counters.snapshot();
    one.increment();
    assertEquals(0L, before.get("ffmpi.x"));
  }
}
