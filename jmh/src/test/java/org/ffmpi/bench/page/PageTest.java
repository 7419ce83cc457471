// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

@Tag("process")
@Timeout(180)
class PageTest {
  private static final List<String> BROWSERS = List.of("chromium", "google-chrome", "chromium-browser");

  /** The project; tests run in a module's folder. */
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  /** A script that a browser runs at the end of the page: what does not fit, and errors. */
  private static final String LOOK = """
      <script>
      var found = [];
      window.onerror = function (message) { found.push(message); };
      window.onload = function () {
        if (document.documentElement.scrollWidth > window.innerWidth) found.push("wider than the window");
        document.querySelectorAll("svg.plot").forEach(function (plot) {
          var box = plot.getBoundingClientRect();
          plot.querySelectorAll("text").forEach(function (text) {
            var r = text.getBoundingClientRect();
            if (r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1
                || r.bottom > box.bottom + 1) found.push(plot.id + ": " + text.textContent + " is outside");
          });
        });
        document.body.setAttribute("data-found", found.join("; "));
      };
      </script>
      """;

  private static Figures fixture() throws Exception {
    return Figures.read(Path.of(PageTest.class.getResource("/bench-report.csv").toURI()));
  }

  private static Document parse(String xml) throws Exception {
    DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    builder.setErrorHandler(null);
    return builder.parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<Element> elements(NodeList nodes, String css) {
    List<Element> found = new ArrayList<>();
    for (int n = 0; n < nodes.getLength(); n++) {
      Element e = (Element) nodes.item(n);
      if (List.of(e.getAttribute("class").split(" ")).contains(css)) {
        found.add(e);
      }
    }
    return found;
  }

  @Test
  void everyMarkHasACellAndEveryPlotHasMarks() throws Exception {
    Document page = parse(Page.of(fixture()));
    Map<String, Integer> marks = new TreeMap<>();
    for (Element plot : elements(page.getElementsByTagName("svg"), "plot")) {
      List<Element> points = elements(plot.getElementsByTagName("*"), "pt");
      assertFalse(points.isEmpty(), plot.getAttribute("id"));
      for (Element point : points) {
        assertEquals(1, point.getElementsByTagName("title").getLength());
      }
      assertEquals(null, marks.put(plot.getAttribute("id"), points.size()), "two plots of a name");
    }
    Map<String, Integer> cells = new TreeMap<>();
    NodeList tables = page.getElementsByTagName("table");
    for (int t = 0; t < tables.getLength(); t++) {
      Element table = (Element) tables.item(t);
      if (table.hasAttribute("data-plot")) {
        cells.put(table.getAttribute("data-plot"), elements(table.getElementsByTagName("td"), "v").size());
      }
    }
    assertEquals(cells, marks);
    for (String plot : List.of("latency", "latency-dirty", "bandwidth", "rate", "matching-posted",
        "matching-unexpected", "coll-short", "coll-allreduce", "ddt-vec1s2", "cold-pingpong-8", "cold-sum", "apps-1000",
        "inside-1000", "startup")) {
      assertTrue(marks.containsKey(plot), plot + " is not on the page: " + marks.keySet());
    }
  }

  @Test
  void everyFigureIsOnThePage() throws Exception {
    Figures figures = fixture();
    int marks = elements(parse(Page.of(figures)).getElementsByTagName("*"), "pt").size();
    // What the machine does without MPI is in the CSV file only.
    long shown = figures.rows().stream().filter(r -> !r.part().equals("limits"))
        .filter(r -> !r.bench().equals("sum") || r.size() == 1000).count();
    // Collectives of 8 bytes are in two plots.
    long twice = figures.of("coll").filter(r -> r.size() == 8 && !r.name().matches(".*\\|(heap|shared)")).count();
    assertEquals(shown + twice, marks);
  }

  @Test
  void nothingIsFetchedAndNothingIsNotANumber() throws Exception {
    String page = Page.of(fixture());
    assertFalse(page.contains("NaN"), "NaN");
    assertFalse(page.contains("Infinity"), "Infinity");
    assertFalse(page.replaceAll("xmlns=\"[^\"]*\"", "").contains("http"), "an address");
    assertFalse(page.contains("<script") || page.contains("url(") || page.contains("src="), "a resource");
  }

  @Test
  void thePlotThatStandsAloneHasItsStyle() throws Exception {
    Document plot = parse(Page.latency(fixture()));
    assertEquals("svg", plot.getDocumentElement().getTagName());
    assertEquals(1, plot.getElementsByTagName("style").getLength());
    assertFalse(elements(plot.getElementsByTagName("*"), "pt").isEmpty());
  }

  @Test
  void aCampaignThatHasOnlyBegunHasAPage() throws Exception {
    Figures all = fixture();
    for (String part : List.of("p2p", "apps", "limits")) {
      parse(Page.of(new Figures(all.facts(), all.rows().stream().filter(r -> r.part().equals(part)).toList())));
    }
    parse(Page.of(new Figures(Map.of(), List.of())));
    parse(Page.latency(new Figures(Map.of(), List.of())));
    // Nobody to compare with.
    parse(Page.of(new Figures(all.facts(), all.rows().stream().filter(r -> r.impl().equals("ffmpi")).toList())));
  }

  @Test
  void figuresAreReadAsTheyWereWritten(@TempDir Path folder) throws Exception {
    Figures figures = fixture();
    figures.write(folder.resolve("report.csv"));
    Figures read = Figures.read(folder.resolve("report.csv"));
    assertEquals(figures.facts(), read.facts());
    assertTrue(figures.asWritten().rows().equals(read.rows()), "rows differ");
  }

  @Test
  void theReadmeIsChangedBetweenItsMarksOnly() throws Exception {
    Figures figures = fixture();
    String readme = "before\n" + WrittenFigures.BEGIN + "\nold\n" + WrittenFigures.END + "\nafter\n";
    String lines = WrittenFigures.forReadme(figures);
    String now = WrittenFigures.into(readme, lines);
    assertEquals(readme.replace("old\n", lines), now);
    assertEquals(5, now.lines().filter(l -> l.matches("\\| .* \\| (warm|cold) \\| .*")).count(), now);
    assertEquals(now, WrittenFigures.into(now, lines));
  }

  @Test
  void theDocumentsAreThoseOfTheirFigures() throws Exception {
    Path folder = ROOT.resolve("docs/benchmarks");
    if (!Files.exists(folder.resolve(Pages.FIGURES))) {
      for (String document : List.of(Pages.README, Pages.BENCHMARKS)) {
        assertTrue(Files.readString(ROOT.resolve(document)).contains(WrittenFigures.BEGIN + "\n" + WrittenFigures.END),
            document + " has figures that nobody has measured");
      }
      return;
    }
    Figures figures = Figures.read(folder.resolve(Pages.FIGURES));
    same(Pages.README, WrittenFigures.forReadme(figures));
    same(Pages.BENCHMARKS, WrittenFigures.forBenchmarks(figures));
    String how = ": scripts/bench report --render makes it anew";
    assertTrue(Page.of(figures).equals(Files.readString(folder.resolve(Pages.PAGE))), Pages.PAGE + how);
    assertTrue(Page.latency(figures).equals(Files.readString(folder.resolve(Pages.PLOT))), Pages.PLOT + how);
  }

  private static void same(String document, String lines) throws IOException {
    String text = Files.readString(ROOT.resolve(document));
    assertEquals(WrittenFigures.into(text, lines), text,
        document + ": scripts/bench report --render --write writes the figures anew");
  }

  @Test
  void aBrowserShowsIt(@TempDir Path folder) throws Exception {
    String browser = BROWSERS.stream().filter(PageTest::onPath).findFirst().orElse(null);
    assumeTrue(browser != null, "no browser on the PATH: " + String.join(", ", BROWSERS));
    String page = Page.of(fixture());
    Path file = folder.resolve("page.html");
    Files.writeString(file, page.replace("</body>", LOOK + "</body>"));
    for (int width : new int[] {1280, 500}) {
      String dom = dump(browser, file, width, folder);
      Matcher found = Pattern.compile("data-found=\"([^\"]*)\"").matcher(dom);
      assertTrue(found.find(), "the page has not been loaded: " + dom);
      assertEquals("", found.group(1), width + " pixels wide");
      assertEquals(count(page, "class=\"pt "), count(dom, "class=\"pt "));
      assertEquals(count(page, "<td class=\"v\""), count(dom, "<td class=\"v\""));
    }
  }

  private static String dump(String browser, Path file, int width, Path folder) throws Exception {
    Path out = folder.resolve("dom");
    Path errors = folder.resolve("errors");
    ProcessBuilder builder = new ProcessBuilder(browser, "--headless", "--no-sandbox", "--disable-gpu",
        "--disable-dev-shm-usage", "--user-data-dir=" + folder.resolve("profile"), "--window-size=" + width + ",900",
        "--enable-logging=stderr", "--virtual-time-budget=3000", "--dump-dom", file.toUri().toString())
        .redirectOutput(out.toFile()).redirectError(errors.toFile());
    builder.environment().put("TMPDIR", folder.toString());
    Process p = builder.start();
    boolean ended = p.waitFor(120, TimeUnit.SECONDS);
    p.descendants().forEach(ProcessHandle::destroyForcibly);
    p.destroyForcibly().waitFor();
    String said = Files.readString(errors);
    assumeTrue(ended && p.exitValue() == 0, browser + " does not work here: " + said);
    assertFalse(said.contains("CONSOLE"), said);
    return Files.readString(out);
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  private static boolean onPath(String tool) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":")) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, tool))) {
        return true;
      }
    }
    return false;
  }
}
