// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ffmpi.trace.analysis.TraceAnalysis;
import org.ffmpi.trace.analysis.TraceBuilder;
import org.ffmpi.trace.model.CallKind;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a browser without a window, at two widths: which elements it draws, what keys, wheel and pointer do, what
 * its tables say. One run of the browser shows all pages, each in a frame, and each says what is drawn after each step.
 * Without a browser there is nothing to test.
 */
class TimelineDrawingTest {
  private static final List<String> BROWSERS = List.of(
      "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
  private static final int CALLS = 20_000;

  /** Does the steps in a page, and tells the page around it. */
  private static final String STEPS = """
      <script>
      const said = [];
      const drawn = document.getElementById("drawn");
      const canvas = document.getElementById("timeline");
      const pause = () => new Promise(go => setTimeout(go, 60));
      const say = step => said.push(step + ": "
        + Object.entries(drawn.dataset).map(([name, value]) => name + "=" + value).join(" "));
      const text = (step, id) => said.push(step + ": " + document.getElementById(id).innerText.replace(/\\s+/g, " "));
      async function act(step, action) {
        action();
        await pause();
        say(step);
      }
      const key = (step, name) => act(step, () => canvas.dispatchEvent(
        new KeyboardEvent("keydown", {key: name, cancelable: true})));
      const mouse = (type, x, y, more) => canvas.dispatchEvent(new (type === "wheel" ? WheelEvent : PointerEvent)(
        type, {clientX: canvas.getBoundingClientRect().left + x, clientY: canvas.getBoundingClientRect().top + y,
        pointerId: 1, cancelable: true, ...more}));
      window.addEventListener("error", event => said.push("error: " + event.message));
      window.addEventListener("unhandledrejection", event => said.push("error: " + event.reason));
      canvas.setPointerCapture = () => {};
      window.requestAnimationFrame = action => setTimeout(action, 1); // frames out of sight get none
      (async () => {
        for (let i = 0; i < 200 && !drawn.dataset.lanes; i++) {
          await pause();
        }
        say("first");
        said.push("width: " + (document.documentElement.scrollWidth <= innerWidth ? "fits" : "overflows"));
        text("facts", "facts");
        text("findings", "findings");
        text("calls", "call-table");
        text("ranks", "rank-table");
        text("matrix", "matrix");
        text("legend", "legend");
        await key("zoomed", "+");
        await key("moved", "ArrowRight");
        await key("whole", "0");
        await key("next", "n");
        text("next-text", "chosen");
        await key("below", "ArrowDown");
        await key("longest", "w");
        text("longest-text", "chosen");
        await key("waited-for", "m");
        await key("before", "p");
        await key("near", "Enter");
        await key("nothing", "Escape");
        await key("whole-again", "0");
        await act("wheel", () => mouse("wheel", 200, 60, {deltaY: -100}));
        await key("whole-once-more", "0");
        await act("lines-off", () => document.getElementById("show-lines").click());
        mouse("pointermove", 300, 40, {});
        await pause();
        said.push("tip: " + (document.getElementById("tip").hidden ? "hidden" : "")
          + document.getElementById("tip").innerText.replace(/\\s+/g, " "));
        document.getElementById("in-view").open = true;
        await pause();
        await pause();
        text("in-view", "view-table");
        document.querySelectorAll("#call-table button")[2].click();
        text("by-count", "call-table");
        parent.postMessage([location.hash.slice(1), ...said], "*");
      })();
      </script>
      """;

  private static final String FRAMES = """
      <!doctype html><meta charset="utf-8"><body><pre id="said"></pre>
      <script>
      const said = document.getElementById("said");
      window.addEventListener("message", event => {
        const [page, ...lines] = event.data;
        lines.forEach(line => said.append(page + "/" + line + "\\n"));
      });
      for (const [file, width] of [["small", 1400], ["small", 390], ["large", 1400], ["large", 390],
        ["empty", 1400]]) {
        const frame = document.createElement("iframe");
        frame.style.cssText = "border: 0; height: 1500px; width: " + width + "px";
        frame.src = file + ".html#" + file + "-" + width;
        document.body.append(frame);
      }
      </script>
      """;

  private static final Map<String, String> SAID = new HashMap<>();

  @BeforeAll
  static void show(@TempDir Path folder) throws IOException, InterruptedException {
    Path browser = BROWSERS.stream().map(Path::of).filter(Files::isExecutable).findFirst().orElse(null);
    assumeTrue(browser != null, "no browser");
    write(folder.resolve("small.html"), small());
    write(folder.resolve("large.html"), large());
    write(folder.resolve("empty.html"), new TraceBuilder(2));
    Files.writeString(folder.resolve("frames.html"), FRAMES);
    Path out = folder.resolve("out");
    Process process = new ProcessBuilder(
        browser.toString(), "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1500,900",
        "--user-data-dir=" + folder.resolve("profile"), "--virtual-time-budget=30000", "--dump-dom",
        folder.resolve("frames.html").toUri().toString())
        .redirectOutput(out.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    boolean ended = process.waitFor(2, TimeUnit.MINUTES);
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
    String dom = Files.readString(out, StandardCharsets.UTF_8);
    // A browser that cannot start at all, as in some containers, says nothing of the page.
    assumeTrue(ended && dom.contains("id=\"said\""), "the browser shows no page: " + dom);
    Matcher line = Pattern.compile("(?m)^(?:.*<pre id=\"said\">)?([\\w-]+/[\\w-]+): (.*)$").matcher(dom);
    while (line.find()) {
      SAID.merge(line.group(1), line.group(2).replace("&lt;", "<"), (one, other) -> one + "; " + other);
    }
  }

  private static void write(Path file, TraceBuilder trace) throws IOException {
    String page = TimelinePage.of(TraceAnalysis.of(trace.recording()));
    Files.writeString(file, page.replace("</body>", STEPS + "</body>"));
  }

  /** Three ranks, a late sender, a barrier for which two ranks wait. */
  private static TraceBuilder small() {
    TraceBuilder trace = new TraceBuilder(3).command("java </title><script>throw 1</script> & \"Small\"");
    for (int rank = 0; rank < 3; rank++) {
      trace.at(null).add(rank, 0, 100_000, CallKind.INIT, "init", -1, -1, -1, 0, null, 0, -1, List.of());
    }
    trace.at("Small.java:5").send(0, 1_000_000, 1_100_000, 1, 5, 4096, "eager");
    trace.at("Small.java:8").recv(1, 300_000, 1_200_000, 0, 5, 4096);
    trace.at("Small.java:9").collective(0, 5_000_000, 9_000_000, "barrier", 0, -1, 0);
    trace.collective(1, 6_000_000, 9_000_000, "barrier", 0, -1, 0);
    trace.collective(2, 8_900_000, 9_000_000, "barrier", 0, -1, 0);
    return trace;
  }

  /** Two ranks that send each other more messages than a screen has pixels. */
  private static TraceBuilder large() {
    TraceBuilder trace = new TraceBuilder(2).command("large");
    for (int i = 0; i < CALLS; i++) {
      long base = i * 10_000L;
      trace.send(i % 2, base + 1000, base + 2000, 1 - i % 2, 0, 8, "eager");
      trace.recv(1 - i % 2, base, base + 3000, i % 2, 0, 8);
    }
    return trace;
  }

  @Test
  void nothingFails() {
    assertFalse(SAID.isEmpty(), "no page has said what it shows");
    SAID.forEach((step, text) -> assertFalse(step.endsWith("/error"), step + ": " + text));
    for (String page : List.of("small-1400", "small-390", "large-1400", "large-390", "empty-1400")) {
      assertEquals("fits", SAID.get(page + "/width"), page);
      assertTrue(SAID.containsKey(page + "/by-count"), page + " has not reached its end: " + SAID.keySet());
    }
  }

  @Test
  void callsAreBoxesAndMessagesAreLines() {
    for (String page : List.of("small-1400/", "small-390/")) {
      assertEquals(
          Map.of("lanes", 3L, "boxes", 8L, "bins", 0L, "lines", 1L), counts(page + "first"), page);
      assertEquals(0, number(page + "lines-off", "lines"));
    }
    // three ranks, and the names of the calls that have room: at 390 pixels a barrier of two
    assertTrue(number("small-1400/first", "words") >= 3 + 2, SAID.get("small-1400/first"));
    assertTrue(number("small-390/first", "words") >= 3, SAID.get("small-390/first"));
  }

  @Test
  void manyCallsAreBins() {
    for (String page : List.of("large-1400/", "large-390/")) {
      assertEquals(0, number(page + "first", "boxes"), SAID.get(page + "first"));
      assertTrue(number(page + "first", "bins") > 500, SAID.get(page + "first"));
      long lines = number(page + "first", "lines");
      assertTrue(lines > 60 && lines <= 2500, SAID.get(page + "first"));
      assertTrue(number(page + "near", "boxes") > 0, SAID.get(page + "near"));
      assertEquals(0, number(page + "near", "bins"), SAID.get(page + "near"));
    }
    assertTrue(SAID.get("large-1400/facts").contains("40,000 calls"), SAID.get("large-1400/facts"));
    assertTrue(SAID.get("large-1400/tip").matches(".*rank 0, \\d+ calls in .*"), SAID.get("large-1400/tip"));
  }

  @Test
  void keysAndWheelChangeTheView() {
    String page = "small-1400/";
    long span = number(page + "first", "to") - number(page + "first", "from");
    assertEquals(9_000_000, number(page + "first", "to"));
    long zoomed = number(page + "zoomed", "to") - number(page + "zoomed", "from");
    assertEquals(span / 2.0, zoomed, 2);
    assertTrue(number(page + "moved", "from") > number(page + "zoomed", "from"));
    assertEquals(0, number(page + "whole", "from"));
    assertTrue(number(page + "wheel", "to") - number(page + "wheel", "from") < 9_000_000, SAID.get(page + "wheel"));
    assertEquals("0 0", chosen(page + "next"));
    assertTrue(chosen(page + "below").startsWith("1 "), SAID.get(page + "below"));
    assertEquals("0 2", chosen(page + "longest"));
    assertEquals("2 1", chosen(page + "waited-for"));
    assertEquals("2 0", chosen(page + "before"));
    assertEquals("", chosen(page + "nothing"));
    long near = number(page + "near", "to") - number(page + "near", "from");
    assertEquals(150_000, near, 2, SAID.get(page + "near")); // 100 µs and a quarter on both sides
  }

  @Test
  void callsAreToldInWords() {
    assertEquals("barrier at Small.java:9 · rank 0, 4.00 ms from 5.000 ms · communicator 0 · "
        + "waited 3.90 ms for the last rank, rank 2", SAID.get("small-1400/longest-text"));
    assertEquals("rank from time call details "
        + "0 0 100 µs init "
        + "0 1.000 ms 100 µs send at Small.java:5 to rank 1; tag 5; 4.00 KiB; eager; communicator 0; "
        + "received 200 µs after its start by rank 1 at Small.java:8 "
        + "0 5.000 ms 4.00 ms barrier at Small.java:9 communicator 0; waited 3.90 ms for the last rank, rank 2 "
        + "1 0 100 µs init "
        + "1 300 µs 900 µs recv at Small.java:8 from rank 0; tag 5; room for 4.00 KiB; communicator 0; "
        + "message of 4.00 KiB, tag 5, sent by rank 0 200 µs before the end; waited 700 µs for the sender, rank 0 "
        + "1 6.000 ms 3.00 ms barrier at Small.java:9 communicator 0; waited 2.90 ms for the last rank, rank 2 "
        + "2 0 100 µs init "
        + "2 8.900 ms 100 µs barrier at Small.java:9 communicator 0", SAID.get("small-1400/in-view"));
  }

  @Test
  void tablesAndSentencesAreThere() {
    assertEquals("3 ranks · 9.00 ms · 8 calls · 1 messages", SAID.get("small-1400/facts"));
    assertTrue(SAID.get("small-1400/findings").contains(
        "Where the time went The ranks wait 28 % of their time, most of it in barrier at Small.java:9 for rank 2; "),
        SAID.get("small-1400/findings"));
    assertTrue(SAID.get("small-1400/calls").startsWith("call place count bytes total mean longest waited for rank "
        + "barrier Small.java:9 3 7.10 ms 2.37 ms 4.00 ms 6.80 ms 2 "), SAID.get("small-1400/calls"));
    assertTrue(SAID.get("small-1400/matrix").contains("4.00 KiB"), SAID.get("small-1400/matrix"));
    assertTrue(SAID.get("small-1400/ranks").contains(" 3 "), SAID.get("small-1400/ranks"));
    assertEquals("computing send receive collective other call waiting for a rank", SAID.get("small-1400/legend"));
  }

  private static Map<String, Long> counts(String step) {
    return Map.of("lanes", number(step, "lanes"), "boxes", number(step, "boxes"), "bins", number(step, "bins"),
        "lines", number(step, "lines"));
  }

  private static long number(String step, String name) {
    Matcher found = Pattern.compile("\\b" + name + "=([\\d.]+)").matcher(String.valueOf(SAID.get(step)));
    assertTrue(found.find(), step + " has no " + name + ": " + SAID.get(step));
    return Math.round(Double.parseDouble(found.group(1)));
  }

  private static String chosen(String step) {
    return SAID.get(step).replaceAll(".*chosen=", "").strip();
  }
}
