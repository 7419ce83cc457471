// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WholeLinesTest {
  private final List<String> writes = new ArrayList<>();

  private final PrintStream below =
      new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8) {
        @Override
        public void write(byte[] bytes, int from, int length) {
          synchronized (writes) {
            writes.add(new String(bytes, from, length, StandardCharsets.UTF_8));
          }
        }
      };

  private final PrintStream out = WholeLines.stream(below);

  private List<String> writes() {
    synchronized (writes) {
      return List.copyOf(writes);
    }
  }

  @Test
  void aLineInPiecesIsOneWrite() {
    out.printf("rank %d of %d: %s%n", 1, 4, "ä");
    out.print("a");
    out.print("b");
    out.println();
    out.print("50 %\r");
    assertEquals(List.of("rank 1 of 4: ä\n", "ab\n", "50 %\r"), writes());
  }

  @Test
  void linesThatComeTogetherAreCutBetweenLines() {
    String line = "x".repeat(1000) + "\n";
    out.print(line.repeat(10));
    assertTrue(writes().stream().allMatch(text -> text.length() <= 4096 && text.endsWith("\n")), writes().toString());
    assertEquals(line.repeat(10), String.join("", writes()));
    writes.clear();
    out.println("y".repeat(10_000));
    assertEquals("y".repeat(10_000) + "\n", String.join("", writes()));
  }

  @Test
  void anUnfinishedLineIsShownWhenFlushedOrAfterAMoment() throws Exception {
    out.print("now: ");
    out.flush();
    assertEquals(List.of("now: "), writes());
    out.print("name: ");
    while (writes().size() < 2) {
      Thread.sleep(5);
    }
    assertEquals("name: ", writes().getLast());
  }
}
