// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.datatype.plan.CompilerThreads;
import org.junit.jupiter.api.Test;

class BackgroundWorkTest {
  @Test
  void whatAnEngineWantsDoneIsDoneFirst() {
    List<String> order = new ArrayList<>();
    CompilerThreads.begin(() -> order.add("first"));
    try {
      new BackgroundWork.Begun(() -> order.add("work")).run();
    } finally {
      CompilerThreads.begin(null);
    }
    new BackgroundWork.Begun(() -> order.add("more work")).run();
    assertEquals(List.of("first", "work", "more work"), order);
  }
}
