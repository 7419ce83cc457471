// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The page: well-formed XML that is HTML as well, with everything in it and without a script. */
final class Page {
  private static final List<Look> THREE_AND_PEERS =
      List.of(Look.NATIVE, Look.HEAP, Look.SHARED, Look.OPENMPI, Look.MPICH);

  private static final String HOP = "cache line between the cores, ns";

  private final Figures figures;
  private final Plots plots;
  private final Markup out = new Markup();

  private Page(Figures figures) {
    this.figures = figures;
    this.plots = new Plots(figures);
  }

  /** Returns the page of figures as their file has them. */
  static String of(Figures figures) {
    return new Page(figures.asWritten()).write();
  }

  /** Returns the plot of latencies as a drawing that stands alone. */
  static String latency(Figures figures) {
    Markup out = new Markup();
    new Plots(figures.asWritten()).latency().draw(out, resource("plot.css"));
    return out.toString();
  }

  private static String resource(String name) {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String write() {
    out.raw("<!DOCTYPE html>\n").open("html", "xmlns", "http://www.w3.org/1999/xhtml", "lang", "en").line();
    out.open("head").line().leaf("meta", "charset", "utf-8").line();
    out.leaf("meta", "name", "viewport", "content", "width=device-width, initial-scale=1").line();
    out.leaf("meta", "name", "color-scheme", "content", "light dark").line();
    out.text("title", "ffmpi beside Open MPI and MPICH").line();
    out.open("style").line().raw(resource("plot.css")).raw(resource("page.css")).closeLine();
    out.closeLine().open("body").line();
    head();
    out.open("main").line();
    reading();
    pointToPoint();
    matching();
    collectives();
    derivedTypes();
    cold();
    programs();
    startUp();
    machine();
    out.closeLine();
    out.closeLine().closeLine();
    return out.toString();
  }

  private void head() {
    out.open("header").line().text("h1", "ffmpi beside Open MPI and MPICH").line();
    out.text("p", "MPI in Java, measured against two C libraries on one machine, in one campaign: begun "
        + figures.fact("begun") + ", " + figures.fact("minutes") + " minutes of measuring, revision "
        + figures.fact("revision") + ".", "class", "lede").line();
    out.open("div", "class", "tiles").line();
    for (Headline h : Headline.of(figures)) {
      out.open("div", "class", "tile");
      out.text("span", h.warm() ? "warm" : "cold", "class", h.warm() ? "tag" : "tag cold");
      out.open("strong").text(Text.value(h.ours()) + " ").text("small", h.unit()).close();
      out.text("span", h.what(), "class", "what");
      out.text("span", "better C library: " + Text.value(h.best()) + " " + h.unit(), "class", "peer");
      out.text("span", Text.times(h.ratio()) + " as fast" + (Double.isNaN(h.worst()) ? "" : ", worst job "
          + Text.times(h.worst())), "class", "peer");
      out.closeLine();
    }
    out.closeLine();
    out.open("nav");
    link("p2p", "Messages");
    link("matching", "Matching");
    link("coll", "Collectives");
    link("ddt", "Derived types");
    link("call", "First calls");
    link("apps", "Programs");
    link("startup", "Start-up");
    out.text("a", "Machine and method", "href", "#machine");
    out.closeLine().closeLine();
  }

  private void link(String part, String text) {
    if (has(part)) {
      out.text("a", text, "href", "#" + part);
    }
  }

  private boolean has(String part) {
    return figures.rows().stream().anyMatch(r -> r.part().equals(part) || r.bench().equals(part));
  }

  private void reading() {
    out.open("section", "class", "reading").line().text("h2", "How to read this").line();
    out.open("dl").line();
    term("Warm", "Calls of a job that has been busy with calls of the same kinds for seconds, so that the JVM has"
        + " compiled them. Messages, matching, collectives and derived types are warm. Most calls of a program that"
        + " runs for minutes are.");
    term("Cold", "Nothing has run before: the first calls of a fresh job, whole programs and starts. A short program is"
        + " cold from beginning to end.");
    term("Times as fast", "The better of the two C libraries at that point, against ffmpi: its time divided by ours, or"
        + " our rate divided by its. Above 1 ffmpi is the faster one.");
    term("Worst job", "Each figure comes from several fresh jobs: the value is the median of all their repetitions, and"
        + " beside it stands the median of the job that did worst. In a plot a thin line leads from the one to the"
        + " other.");
    term("Memory", "C programs send from their own memory. In Java a buffer may be native memory, an array, or memory"
        + " of a heap that the ranks share, which is read in place. All three are compared with the same C program.");
    term("Limit", "What the machine does without any library, measured by a C program: for latency one cache line that"
        + " passes between the cores, or a flag and one memcpy by the receiver; for bandwidth memcpy by one core from"
        + " one buffer to another. Where both cores copy at the same time, more than that is possible.");
    out.closeLine();
    out.text("p", "Point at a mark for its figures; the tables below the plots have all of them. ! marks a figure with"
        + " fewer than " + figures.fact("jobs wanted") + " undisturbed jobs behind it, hollow in the plots.").line();
    out.closeLine();
  }

  private void term(String name, String text) {
    out.open("div").text("dt", name).text("dd", text).closeLine();
  }

  private void pointToPoint() {
    if (!has("p2p")) {
      return;
    }
    section("p2p", "Messages between two ranks", true, "Two ranks, each on a core of its own. With send buffers that"
        + " are written only once, data stay in the caches, as in the usual benchmarks; a program that computes between"
        + " messages is nearer to the second plot, in which each message is written just before it is sent and the"
        + " writing is timed too.");
    legend(List.of(Look.NATIVE, Look.HEAP, Look.SHARED, Look.OPENMPI, Look.MPICH));
    grid("wide", List.of(plots.latency(), plots.dirtyLatency(), plots.bandwidth(), plots.rate()));
    out.closeLine();
  }

  private void matching() {
    if (!has("matching")) {
      return;
    }
    section("matching", "Matching", true, "Messages of 8 bytes with tags of their own, received in another order than"
        + " they were sent; time for one message, posting included. The C libraries walk a list, ffmpi looks into a"
        + " hashed queue.");
    legend(List.of(Look.OURS, Look.OPENMPI, Look.MPICH));
    grid("wide", List.of(plots.matching("posted", "Receives posted first"),
        plots.matching("unexpected", "Messages there first")));
    out.closeLine();
  }

  private void collectives() {
    if (!has("coll")) {
      return;
    }
    section("coll", "Collectives on two ranks", true, "A barrier before each call, and the mean over the ranks of the"
        + " time in the call. Bytes are those of one rank's buffer for bcast, reductions and scan, of the whole vector"
        + " for reduce_scatter_block, of the block for one rank for the others. Reductions add doubles.");
    legend(THREE_AND_PEERS);
    grid("wide", List.of(plots.shortCollectives()));
    grid("small", plots.collectives());
    out.closeLine();
  }

  private void derivedTypes() {
    if (!has("ddt")) {
      return;
    }
    section("ddt", "Derived types", true, "Half a round trip with a derived type at both ends; bytes are payload."
        + " vec1s2: every second double. vec8s16: eight doubles, then a gap of eight. indexed: blocks of 1 to 8 doubles"
        + " without a pattern. partstruct: structs of 59 bytes in 64. face_xz and face_yz: faces of a cube. transpose:"
        + " a square matrix by columns. ffmpi runs with the Vector API.");
    legend(THREE_AND_PEERS);
    grid("small", plots.derivedTypes());
    out.closeLine();
  }

  private void cold() {
    if (!has("cold")) {
      return;
    }
    section("call", "The first calls of a job", false, "Nothing is warmed up: the JVM interprets the first calls and"
        + " compiles them while they run, beside ranks that need the cores. The time of call k is the median of the"
        + " last tenth of the first k calls.");
    legend(List.of(Look.OURS, Look.OPENMPI, Look.MPICH));
    grid("small", plots.coldCalls());
    grid("wide", List.of(plots.coldSums()));
    out.closeLine();
  }

  private void programs() {
    if (!has("apps")) {
      return;
    }
    section("apps", "Whole programs", false, "Two ranks; the same algorithm, the same messages and the same checked"
        + " result in C and in Java, from the start of the launcher to its end: Jacobi's method with halos of a column"
        + " type, conjugate gradients, a sample sort, n-body and a two-dimensional Fourier transform. The time of"
        + " kernels is in it, compiled by gcc -O3 and by the JVM.");
    legend(List.of(Look.OURS, Look.OPENMPI, Look.MPICH));
    List<Plot> all = new ArrayList<>(plots.programs());
    all.addAll(plots.insidePrograms());
    grid("wide", all);
    out.closeLine();
  }

  private void startUp() {
    if (!has("startup")) {
      return;
    }
    section("startup", "Start-up", false, "A program that prints a line in each rank, from the start of the launcher to"
        + " its end, as the shell sees it. With more ranks than cores they share them. The source file has been"
        + " compiled by an earlier start.");
    boolean trained = figures.of("startup").anyMatch(f -> f.name().equals("trained"));
    legend(trained ? List.of(Look.OURS, Look.SOURCE, Look.TRAINED, Look.OPENMPI, Look.MPICH)
        : List.of(Look.OURS, Look.SOURCE, Look.OPENMPI, Look.MPICH));
    grid("wide", List.of(plots.startUp()));
    out.closeLine();
  }

  private void section(String id, String title, boolean warm, String text) {
    out.open("section", "id", id).line().open("h2").text(title + " ")
        .text("span", warm ? "warm" : "cold", "class", warm ? "tag" : "tag cold").closeLine();
    out.text("p", text).line();
  }

  private void legend(List<Look> looks) {
    out.open("p", "class", "legend");
    for (Look look : looks) {
      out.open("span", "class", "key");
      out.open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", "0 0 30 12", "width", "30", "height", "12",
          "aria-hidden", "true");
      out.leaf("path", "class", "line " + look.css, "d", "M1 6L29 6");
      look.mark(out, 15, 6, 3.6, "sw " + look.css, look.label);
      out.close().text(look.label).close();
    }
    out.closeLine();
  }

  private void grid(String kind, List<? extends Plot> all) {
    out.open("div", "class", "plots " + kind).line();
    for (Plot plot : all) {
      if (!plot.series().isEmpty()) {
        out.open("figure").line();
        if (plot instanceof BarPlot) {
          out.text("figcaption", plot.title()).line();
        }
        plot.draw(out, null);
        FigureTable.write(out, plot);
        out.closeLine();
      }
    }
    out.closeLine();
  }

  private void machine() {
    out.open("section", "id", "machine").line().text("h2", "Machine and method").line();
    out.open("div", "class", "columns").line();
    facts("Machine", Map.of(), "processor", "cores", "caches", "memory", "virtual machine", "kernel", "system",
        HOP);
    facts("Versions", Map.of("openmpi", "Open MPI", "mpich", "MPICH", "revision", "ffmpi"), "revision", "JDK",
        "openmpi",
        "mpich", "gcc");
    out.closeLine();
    out.text("h3", "How it was measured").line();
    out.open("ul").line();
    item("Programs in C and Java take the same arguments and measure in the same way: warm-up, calibration, three timed"
        + " repetitions of 20 ms, each after a barrier, and one exchange whose payload is checked. C is compiled with"
        + " gcc -O3 -march=native.");
    item("All take turns, round after round, so that slow changes of the machine meet all of them. Each turn is a fresh"
        + " job; one JVM measures all rows of a part, arrays, native memory and shared heap alike.");
    item("The C libraries run as an expert would start them, for shared memory only and with each rank bound to a core;"
        + " ffmpi runs with its defaults, thread level MULTIPLE included.");
    out.closeLine();
    out.text("h3", "Noise").line();
    out.text("p", noise()).line();
    List<String> failures = figures.facts().entrySet().stream().filter(e -> e.getKey().startsWith("failure "))
        .map(Map.Entry::getValue).toList();
    if (!failures.isEmpty()) {
      out.text("p", "Runs that failed; their figures are those of the other rounds, or missing:").open("ul").line();
      failures.forEach(this::item);
      out.closeLine();
    }
    out.text("h3", "Commands").line();
    out.text("p", "This page, and the file report.csv beside it with all its figures:").line();
    out.text("pre", figures.fact("command")).line();
    out.open("details").text("summary", "Single parts of it").line();
    figures.facts().entrySet().stream().filter(e -> e.getKey().startsWith("command "))
        .forEach(e -> out.text("pre", e.getValue()).line());
    out.closeLine();
    out.open("details").text("summary", "How a program is started").line();
    figures.facts().entrySet().stream().filter(e -> e.getKey().startsWith("start "))
        .forEach(e -> out.text("pre", e.getValue()).line());
    out.closeLine();
    out.closeLine();
  }

  private String noise() {
    int samples = number("samples");
    int foreign = number("samples with foreign work");
    int state = number("samples in another state of the cores");
    long weak = figures.rows().stream().filter(r -> !r.good()).count();
    return String.format(Locale.ROOT, "%,d samples were taken, each the repetitions of one job at one point. %,d of"
        + " them were thrown away because other processes, or the host, used more than 5 %% of a core meanwhile; %,d"
        + " because the cores of this machine were at another distance from each other, which a cache line sent to and"
        + " fro shows. They were measured again where there was time. %,d of %,d figures have too few good samples and"
        + " are marked.", samples, foreign, state, weak, figures.rows().size());
  }

  private int number(String fact) {
    String value = figures.fact(fact);
    return value.isEmpty() ? 0 : Integer.parseInt(value);
  }

  private void item(String text) {
    out.text("li", text).line();
  }

  private void facts(String title, Map<String, String> names, String... keys) {
    out.open("div").text("h3", title).line().open("table", "class", "facts").open("tbody").line();
    for (String key : keys) {
      if (!figures.fact(key).isEmpty()) {
        out.open("tr").text("th", names.getOrDefault(key, key), "scope", "row").text("td",
            figures.fact(key)).closeLine();
      }
    }
    out.close().close().closeLine();
  }
}
