// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Pattern;
import org.ffmpi.trace.analysis.TraceAnalysis;
import org.ffmpi.trace.analysis.TraceBuilder;
import org.junit.jupiter.api.Test;

/** The text of the page, without a browser. */
class TimelinePageTest {
  private static final String COMMAND = "mpirun \"</script>\" @SCRIPT@ & <b>";

  private static String page() {
    TraceBuilder trace = new TraceBuilder(2).command(COMMAND);
    trace.at("A.java:1").send(0, 0, 10, 1, 1, 8, "eager");
    trace.at("A.java:2").recv(1, 0, 10, 0, 1, 8);
    trace.note("A note with </script> inside.");
    return TimelinePage.of(TraceAnalysis.of(trace.recording()));
  }

  @Test
  void needsNothingBesideIt() {
    assertFalse(Pattern.compile("(src|href)=\"(?!data:)|@import|url\\(|https?://").matcher(page()).find());
  }

  @Test
  void textsCannotBreakIt() {
    String page = page();
    assertEquals(1, page.split("<title>", -1).length - 1);
    assertTrue(page.contains(
        "<title>mpirun &quot;&lt;/script&gt;&quot; @SCRIPT@ &amp; &lt;b&gt; - timeline</title>"));
    assertFalse(page.contains("note with </script>"));
    assertEquals(page.split("<script").length, page.split("</script").length);
  }
}
