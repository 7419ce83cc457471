// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.ffmpi.bench.rank.ShortCall;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The number of methods that a short call enters does not grow. */
@Tag("process")
class CallCountsTest {
  /** What a look more enters, or the wake of a rank that sleeps, where the other rank is late on a busy machine. */
  private static final int LOOK = 30;

  @Test
  void noCallEntersMoreMethodsThanTheTableAllows() throws Exception {
    Map<String, Integer> most = allowed();
    Set<String> titles = CallCounts.counted().stream().map(c -> c.title).collect(Collectors.toSet());
    assertEquals(titles, most.keySet(), "calls in " + CallCounts.TABLE + "; scripts/bench calls --write makes it anew");
    Map<String, CallTree> counts = CallCounter.count(CallCounts.counted(), System.getProperty("java.class.path"));
    List<String> more = new ArrayList<>();
    counts.forEach((title, tree) -> {
      if (tree.entered() > most.get(title) + LOOK) {
        more.add(title + " enters " + tree.entered() + " methods of the library, allowed are " + most.get(title)
            + ": scripts/bench calls --tree " + title + " shows them, scripts/bench calls --write allows them");
      }
    });
    assertEquals(List.of(), more);
  }

  private static Map<String, Integer> allowed() throws IOException {
    try (var text = CallCountsTest.class.getResourceAsStream("/entered-methods.txt")) {
      return CallCounts.read(new String(text.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void aTreeCountsAndPrintsWhatWasEntered() {
    CallTree root = new CallTree();
    CallTree send = root.add("org.ffmpi.message.Messages", "send");
    send.add("org.ffmpi.message.Checks", "check");
    send.add("org.ffmpi.message.Checks", "check");
    CallTree engine = send.add("org.ffmpi.shm.Engine", "send");
    engine.add("org.ffmpi.shm.Ring$$Lambda.0x00007f", "run");
    assertEquals(5, root.entered());
    assertEquals(4, root.different());
    assertEquals(4, root.classes());
    assertEquals(3, root.depth());
    assertEquals("""
        Messages.send
          Checks.check x2
          Engine.send
            Ring$$Lambda.run
        """, root.text());
  }

  @Test
  void everyCallIsForOneOfTheTwoTables() {
    for (ShortCall c : ShortCall.values()) {
      assertEquals(true, c.counted || c.timed, c.title);
    }
  }
}
