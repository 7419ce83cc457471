// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.shm.account.WorkDone;
import org.junit.jupiter.api.Test;

/** A line that is written again on a terminal, among the output of ranks, and plain lines elsewhere. */
class WorkDisplayTest {
  private static final String ERASE = "\r\033[K";

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final OutputSink sink = new OutputSink(written);
  private final LineForwarder rank = new LineForwarder(sink, "[0] ", null);
  private final List<WorkDone> reports = new ArrayList<>();

  private void report(long done) {
    reports.clear();
    reports.add(new WorkDone(0, "sweep", done, 10, 0, 0));
  }

  private void print(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    rank.accept(bytes, bytes.length);
  }

  private String written() {
    String text = written.toString(StandardCharsets.UTF_8);
    written.reset();
    return text;
  }

  @Test
  void aTerminalSeesOneLineBelowTheOutput() {
    WorkDisplay display = new WorkDisplay(() -> reports, sink, 80);
    display.show(0);
    assertEquals("", written(), "no rank has said anything");
    report(1);
    display.show(0);
    assertEquals("mpirun: sweep: 1 of 10 (10 %)", written());
    report(2);
    display.show(0);
    assertEquals(ERASE + "mpirun: sweep: 2 of 10 (20 %)", written());
    print("hello\n");
    assertEquals(ERASE + "[0] hello\n", written(), "tagged output takes the place of the line");
    display.show(0);
    assertEquals("mpirun: sweep: 2 of 10 (20 %)", written());
    report(10);
    assertEquals("mpirun: sweep: 10 of 10 (100 %)\n", display.endOf());
    assertEquals(ERASE, written());
  }

  @Test
  void anOpenLineAndALineThatARankWritesAgainStay() {
    WorkDisplay display = new WorkDisplay(() -> reports, sink, 80);
    report(1);
    print("name? ");
    rank.writePartial();
    display.show(0);
    assertEquals("[0] name? ", written());
    print("\n50 %\r");
    display.show(0);
    assertEquals("\n[0] 50 %\r", written());
    print("done\n");
    written();
    display.show(0);
    assertEquals("mpirun: sweep: 1 of 10 (10 %)", written());
  }

  @Test
  void aLineThatIsTooLongIsCut() {
    WorkDisplay display = new WorkDisplay(() -> reports, sink, 21);
    report(1);
    display.show(0);
    assertEquals("mpirun: sweep: 1 ...", written());
  }

  @Test
  void outputThatReachesTheTerminalByAPipeErasesTheLineFirst() {
    ByteArrayOutputStream piped = new ByteArrayOutputStream();
    OutputSink out = new OutputSink(piped);
    out.eraseNoticeOf(sink);
    WorkDisplay display = new WorkDisplay(() -> reports, sink, 80);
    report(1);
    display.show(0);
    written();
    new LineForwarder(out, "", null).accept("x\n".getBytes(StandardCharsets.UTF_8), 2);
    assertEquals(ERASE, written());
    assertEquals("x\n", piped.toString(StandardCharsets.UTF_8));
  }

  @Test
  void aFileGetsALineNowAndThenIfSomethingHasChanged() {
    WorkDisplay display = new WorkDisplay(() -> reports, sink, 0);
    long start = System.nanoTime() + WorkDisplay.LINE_NANOS;
    report(1);
    display.show(start - WorkDisplay.LINE_NANOS / 2);
    assertEquals("", written());
    reports.set(0, new WorkDone(0, "sweep", 1, 10, start, start));
    display.show(start);
    assertEquals("mpirun: sweep: 1 of 10 (10 %)\n", written());
    display.show(start + WorkDisplay.LINE_NANOS / 2);
    assertEquals("", written());
    reports.set(0, new WorkDone(0, "sweep", 5, 10, start, start + WorkDisplay.LINE_NANOS));
    display.show(start + WorkDisplay.LINE_NANOS);
    assertEquals("mpirun: sweep: 5 of 10 (50 %), 24.0/min, 13 s left\n", written());
  }
}
