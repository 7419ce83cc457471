// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ffmpi.bench.page.Figures;
import org.ffmpi.bench.page.Pages;

/**
 * Runs {@code scripts/bench report}, in rounds over all parts of the comparison, as long as there is time. The samples
 * are in the journal; the page is made of them after each round and in the end.
 */
final class WholeReport {
  private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm 'UTC'",
      Locale.ENGLISH);

  private final ReportOptions options;
  private final Path root;
  private final Journal journal;
  private final Map<String, String> machine;
  private final ReportCampaign campaign;

  private WholeReport(ReportOptions options, Path root, Journal journal, Map<String, String> machine,
      List<ReportCampaign.Team> teams) {
    this.options = options;
    this.root = root;
    this.journal = journal;
    this.machine = machine;
    campaign = new ReportCampaign(journal, teams, options.quick ? ReportPlan.QUICK_ROUNDS : ReportPlan.ROUNDS,
        options.minutes * 60);
  }

  /**
   * Runs the command.
   *
   * @param args what follows {@code report}
   * @param root where the project lies
   * @param programs class path of the rank programs
   */
  static void run(List<String> args, Path root, String programs) throws IOException, InterruptedException {
    if (args.contains("--help") || args.contains("-h")) {
      System.out.printf(ReportOptions.HELP, String.join(", ", ReportPlan.NAMES), ReportOptions.LEAST_FULL);
      return;
    }
    ReportOptions o = ReportOptions.parse(args, root);
    if (o.render) {
      publish(Figures.read(o.out.resolve(Pages.FIGURES)), o, root);
      return;
    }
    List<String> peers = new ArrayList<>();
    for (Implementation.CPeer.Kind kind : Implementation.CPeer.Kind.values()) {
      if (kind.missing() == null) {
        peers.add(kind.id);
      } else {
        System.err.println("bench: not compared: " + kind.missing());
      }
    }
    Report.checkWritable(o.out.resolve(Pages.FIGURES + ".new"));
    Files.delete(o.out.resolve(Pages.FIGURES + ".new"));
    Map<String, String> machine = MachineFacts.read(root, peers);
    machine.put("selection", o.quick ? "quick" : "full");
    machine.put("parts", String.join(" ", o.parts));
    if (o.fresh) {
      Files.deleteIfExists(o.journal);
    }
    try (Journal journal = Journal.open(o.journal)) {
      begin(journal, machine, o);
      WholeReport report = new WholeReport(o, root, journal, machine, teams(o, root, peers, programs));
      LastReport last = LastReport.of(report::write);
      try {
        report.campaign.run(() -> last.before(report::write));
      } finally {
        last.make();
      }
    }
  }

  /** Records the machine of a new campaign, or checks that nothing has changed since the old one began. */
  private static void begin(Journal journal, Map<String, String> machine, ReportOptions o) throws IOException {
    Map<String, String> old = journal.facts();
    if (old.isEmpty()) {
      if (o.resume) {
        throw new BenchOptions.UsageException("--resume: there is no campaign in " + o.journal);
      }
      for (Map.Entry<String, String> fact : machine.entrySet()) {
        journal.fact(fact.getKey(), fact.getValue());
      }
      journal.fact("begun", MINUTE.format(ZonedDateTime.now(ZoneOffset.UTC)));
      return;
    }
    String difference = difference(old, machine);
    if (difference != null) {
      throw new BenchOptions.UsageException("the campaign in " + o.journal + " cannot be continued: " + difference
          + "; --fresh begins a new one");
    }
    System.err.printf(Locale.ROOT, "bench: continuing the campaign of %s: %d samples in %.1f minutes so far%n",
        old.get("begun"), journal.samples().size(), journal.seconds() / 60);
  }

  /** Returns what differs between two campaigns, in words; null when nothing does. */
  static String difference(Map<String, String> old, Map<String, String> now) {
    for (Map.Entry<String, String> fact : now.entrySet()) {
      String was = old.get(fact.getKey());
      String is = fact.getValue().replaceAll("\\s+", " ").strip();
      if (!is.equals(was)) {
        return fact.getKey() + " was " + was + " and is now " + is;
      }
    }
    return null;
  }

  private static List<ReportCampaign.Team> teams(ReportOptions o, Path root, List<String> peers, String programs)
      throws IOException, InterruptedException {
    List<ReportCampaign.Team> teams = new ArrayList<>();
    for (String name : o.parts) {
      ReportPlan.Part part = ReportPlan.part(name, o.quick, root);
      List<String> ids = new ArrayList<>();
      if (name.equals("limits")) {
        ids.add(Implementation.PlainC.ID);
      } else {
        ids.add(Implementation.OURS);
        ids.addAll(peers);
      }
      List<Implementation> all = new ArrayList<>();
      for (String id : ids) {
        try {
          Implementation i = part.suite().implementation(id, root, programs);
          i.makeReady(root.resolve("jmh/src/main/c"), part.suite().measurement.cPrograms());
          all.add(i);
        } catch (BenchOptions.UsageException e) {
          System.err.println("bench: left out: " + e.getMessage());
        }
      }
      teams.add(new ReportCampaign.Team(part, all));
    }
    return teams;
  }

  private void write() {
    try {
      Figures figures = new Figures(facts(), campaign.figures());
      figures.write(options.out.resolve(Pages.FIGURES));
      publish(figures, options, root);
    } catch (IOException e) {
      System.err.println("bench: the page cannot be written: " + e);
    }
  }

  private static void publish(Figures figures, ReportOptions o, Path root) throws IOException {
    Pages.write(figures, o.out);
    if (o.write) {
      Pages.writeIntoDocuments(figures, root);
    }
    System.err.println("bench: written: " + o.out.resolve(Pages.PAGE) + " and " + Pages.FIGURES + ", " + Pages.PLOT
        + " beside it" + (o.write ? "; README.md and docs/BENCHMARKS.md" : ""));
  }

  private Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("begun", journal.facts().getOrDefault("begun", ""));
    facts.put("minutes", String.format(Locale.ROOT, "%.0f", journal.seconds() / 60));
    facts.putAll(machine);
    Results.Disturbances d = campaign.results().disturbances();
    facts.put("samples", Integer.toString(d.samples()));
    facts.put("samples with foreign work", Integer.toString(d.foreign()));
    facts.put("samples in another state of the cores", Integer.toString(d.otherState()));
    facts.put("cache line between the cores, ns", Double.isNaN(d.hop()) ? "unknown" : String.format(Locale.ROOT, "%.0f",
        d.hop()));
    facts.put("jobs wanted", Integer.toString(ReportPlan.WANTED));
    facts.put("command", "scripts/bench report" + (options.quick ? " --quick" : ""));
    for (ReportCampaign.Team team : campaign.teams()) {
      ReportPlan.Part part = team.part();
      if (!part.name().equals("limits")) {
        facts.put("command " + part.name(), "scripts/bench " + part.name() + " " + String.join(" ",
            part.arguments().stream().map(a -> a.contains("|") ? "'" + a + "'" : a).toList()));
      }
    }
    Implementation.Program example = new Implementation.Program("p2p", "org.ffmpi.bench.rank.P2p");
    for (Implementation i : campaign.teams().stream().filter(t -> t.part().name().equals("p2p"))
        .flatMap(t -> t.implementations().stream()).toList()) {
      StringBuilder b = new StringBuilder();
      i.environment().forEach((k, v) -> b.append(k).append('=').append(v).append(' '));
      b.append(String.join(" ", i.command(example, 2, List.of(), List.of("latency/native-clean/8"))));
      facts.put("start " + i.id(), b.toString().replace(root + "/", ""));
    }
    List<String> failures = journal.failures();
    for (int f = 0; f < failures.size(); f++) {
      facts.put("failure " + (f + 1), failures.get(f));
    }
    return facts;
  }
}
