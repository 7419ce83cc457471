// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ffmpi.trace.model.CallKind;
import org.junit.jupiter.api.Test;

/** The sentences and the text of a trace. */
class FindingsTest {
  private static final long MS = 1_000_000;

  @Test
  void aSlowRankIsNamed() {
    TraceBuilder trace = new TraceBuilder(4);
    for (int rank = 0; rank < 4; rank++) {
      long end = rank == 3 ? 90 * MS : 40 * MS;
      trace.at("Jacobi.java:70").collective(rank, 0, 1000, "barrier", 0, -1, 0);
      trace.at("Jacobi.java:71").collective(rank, end, 100 * MS, "allreduce", 1, -1, 8);
    }
    Findings findings = findings(trace);
    assertEquals("The ranks wait 38 % of their time, most of it in allreduce at Jacobi.java:71 for rank 3; "
        + "they compute 52 % and move data 10 %.", findings.time());
    assertEquals("No rank waits for the sender or the receiver of a message.", findings.late());
    assertEquals("Rank 3 computes 90.0 ms, 2.3 times as long as the others (40.0 ms on average); "
        + "with equal parts each would compute 52.5 ms.", findings.balance());
  }

  @Test
  void aLateSenderIsNamed() {
    TraceBuilder trace = new TraceBuilder(2);
    for (int i = 0; i < 10; i++) {
      long base = i * 10 * MS;
      trace.at("Late.java:12").recv(1, base, base + 4 * MS, 0, 1, 64);
      trace.at("Late.java:30").send(0, base + 4 * MS - 1000, base + 4 * MS, 1, 1, 64, "eager");
      trace.at("Late.java:31").send(0, base + 5 * MS, base + 5 * MS + 1000, 1, 2, 64, "eager");
      trace.at("Late.java:14").recv(1, base + 9 * MS, base + 10 * MS, 0, 2, 64);
    }
    assertEquals("Rank 0 sends late: rank 1 waits 40.0 ms (40 % of its time) in recv at Late.java:12 for a message, "
        + "until it is sent by send at Late.java:30, in 10 calls, 4.00 ms each on average.", findings(trace).late());
  }

  @Test
  void aLateReceiverIsNamed() {
    TraceBuilder trace = new TraceBuilder(2);
    trace.at("Long.java:9").send(0, 0, 8 * MS, 1, 1, 1 << 20, "piped");
    trace.at("Long.java:20").recv(1, 6 * MS, 8 * MS, 0, 1, 1 << 20);
    assertEquals("Rank 1 receives late: rank 0 waits 6.00 ms (75 % of its time) in send at Long.java:9 for a message, "
        + "until it is received by recv at Long.java:20.", findings(trace).late());
  }

  @Test
  void nothingWrongIsSaid() {
    TraceBuilder trace = new TraceBuilder(2);
    for (int rank = 0; rank < 2; rank++) {
      trace.collective(rank, 0, 1000, "barrier", 0, -1, 0);
      trace.collective(rank, 100 * MS - rank * 1000, 100 * MS + 5000, "barrier", 1, -1, 0);
    }
    Findings findings = findings(trace);
    assertEquals("The ranks compute 100 % of their time, wait less than 1 % and move data less than 1 %: "
        + "communication costs almost nothing here.", findings.time());
    assertEquals("No rank waits for the sender or the receiver of a message.", findings.late());
    assertEquals("All ranks compute for about the same time, 100 ms to 100 ms.", findings.balance());
  }

  @Test
  void emptyTracesHaveSentencesToo() {
    Findings findings = findings(new TraceBuilder(0));
    assertEquals("The trace holds no time: no rank made a call after its start.", findings.time());
    findings = findings(new TraceBuilder(3));
    assertEquals("All ranks compute for about the same time, 0 ns to 0 ns.", findings.balance());
  }

  @Test
  void startingCountsForNothing() {
    TraceBuilder trace = new TraceBuilder(2);
    trace.add(0, 0, 10 * MS, CallKind.INIT, "init", -1, -1, -1, 0, null, 0, -1, List.of());
    trace.add(1, 0, 30 * MS, CallKind.INIT, "init", -1, -1, -1, 0, null, 0, -1, List.of());
    trace.collective(0, 20 * MS, 40 * MS, "barrier", 0, -1, 0);
    trace.collective(1, 35 * MS, 40 * MS, "barrier", 0, -1, 0);
    List<RankTimes> times = TraceAnalysis.of(trace.recording()).times();
    assertEquals(new RankTimes(0, 10 * MS, 15 * MS, 5 * MS, 2), times.get(0));
    assertEquals(new RankTimes(1, 5 * MS, 0, 5 * MS, 2), times.get(1));
  }

  @Test
  void theReportHoldsSentencesTablesAndNotes() {
    TraceBuilder trace = new TraceBuilder(2);
    trace.at("A.java:1").send(0, 0, 5 * MS, 1, 1, 1 << 20, "piped");
    trace.at("A.java:2").recv(1, 0, 5 * MS, 0, 1, 1 << 20);
    trace.drop(0, 1234);
    trace.kill(1);
    trace.note("Clocks of two nodes differ by 3 µs.");
    String text = TextReport.of(TraceAnalysis.of(trace.recording()));
    for (String line : List.of(
        "call              count     bytes     mean  longest    total  waited\n",
        "send at A.java:1      1  1.00 MiB  5.00 ms  5.00 ms  5.00 ms     0 %\n",
        "rank  calls     time  computes  waits  moves data\n",
        "1         1  5.00 ms       0 %    0 %       100 %\n",
        "Clocks of two nodes differ by 3 µs.\n",
        "Rank 0 made more calls than its buffer holds: the first 1,234 are missing.\n",
        "Rank 1 did not reach its end: its lane shows what it had recorded.\n")) {
      assertTrue(text.contains(line), () -> line + "is not in\n" + text);
    }
    assertTrue(text.lines().allMatch(line -> line.length() <= 100), text);
  }

  private static Findings findings(TraceBuilder trace) {
    return TraceAnalysis.of(trace.recording()).findings();
  }
}
