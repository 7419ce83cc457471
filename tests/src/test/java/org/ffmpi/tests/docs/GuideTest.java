// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds README and guides against the code: their links lead somewhere, settings are right. Snippets: SnippetsTest. */
class GuideTest {
  private static final Path ROOT = Path.of("..");
  private static final Path GUIDE = ROOT.resolve("docs/guide/settings.md");
  private static final Path HELP = ROOT.resolve("scripts/lib/mpirun-help.txt");
  private static final Path WHOLE_HELP = ROOT.resolve("scripts/lib/mpirun-help-all.txt");
  private static final Pattern LINK = Pattern.compile("\\[[^\\]\n]*]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
  private static final Pattern TABLE =
      Pattern.compile("(<!-- settings[^\n]*\n\\|[^\n]*\n\\|[^\n]*\n)(.*?)(<!-- end of settings -->)", Pattern.DOTALL);
  private static final Pattern SETTING =
      Pattern.compile("^  --\\S+   FFMPI_\\S+   (ffmpi\\.\\S+)\n      (.*)\n      .*; default (.*); (.*)$",
          Pattern.MULTILINE);

  @Test
  void linksLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      Matcher link = LINK.matcher(Files.readString(document));
      while (link.find()) {
        String target = link.group(1);
        if (!target.contains("://") && !leadsSomewhere(document, target)) {
          broken.add(document + ": " + target);
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  private static boolean leadsSomewhere(Path document, String target) throws IOException {
    int hash = target.indexOf('#');
    String file = hash < 0 ? target : target.substring(0, hash);
    Path path = file.isEmpty() ? document : document.resolveSibling(file);
    return Files.exists(path) && (hash < 0 || anchors(path).contains(target.substring(hash + 1)));
  }

  private static Set<String> anchors(Path document) throws IOException {
    Set<String> anchors = new TreeSet<>();
    Matcher heading = HEADING.matcher(Files.readString(document));
    while (heading.find()) {
      anchors.add(heading.group(1).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-'));
    }
    return anchors;
  }

  @Test
  void everyDecisionIsInTheIndex() throws IOException {
    Path decisions = ROOT.resolve("docs/decisions");
    String index = Files.readString(decisions.resolve("0001-decisions.md"));
    try (Stream<Path> pages = Files.list(decisions)) {
      List<String> missing =
          pages.map(page -> page.getFileName().toString())
              .filter(page -> !page.startsWith("0001") && !index.contains("](" + page + ")"))
              .toList();
      assertEquals(List.of(), missing);
    }
  }

  @Test
  void tableOfSettingsIsThatOfTheRegistry() throws Exception {
    String expected = rows(help("all"));
    String guide = Files.readString(GUIDE);
    Matcher table = TABLE.matcher(guide);
    assertTrue(table.find(), "the guide's table of settings is not where the test looks for it");
    if (Boolean.getBoolean("ffmpi.guide.write")) {
      guide = table.replaceFirst(Matcher.quoteReplacement(table.group(1) + expected + table.group(3)));
      Files.writeString(GUIDE, guide);
      table = TABLE.matcher(guide);
      assertTrue(table.find());
    }
    assertEquals(expected, table.group(2), "the table of settings in " + GUIDE + " is out of date");
  }

  @Test
  void helpOfTheScriptIsThatOfTheLauncher() throws Exception {
    checkHelp(HELP, help());
    checkHelp(WHOLE_HELP, help("all"));
  }

  private static void checkHelp(Path file, String expected) throws IOException {
    if (Boolean.getBoolean("ffmpi.guide.write")) {
      Files.writeString(file, expected);
    }
    assertEquals(expected, Files.readString(file), file + " is out of date");
  }

  /** Asks the launcher in a JVM of its own, in which no test has registered settings. */
  private static String help(String... topic) throws Exception {
    List<String> command = new ArrayList<>(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
            System.getProperty("java.class.path"), "org.ffmpi.launcher.MpirunMain", "--help"));
    command.addAll(List.of(topic));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), text);
    return text;
  }

  private static String rows(String help) {
    StringBuilder rows = new StringBuilder();
    Matcher setting = SETTING.matcher(help);
    while (setting.find()) {
      String scope = switch (setting.group(4)) {
        case "one value for the job" -> "job";
        case "may differ between programs" -> "rank";
        case "for the launcher" -> "launcher";
        default -> throw new AssertionError(setting.group());
      };
      rows.append("| `").append(setting.group(1)).append("` | ").append(setting.group(3)).append(" | ");
      rows.append(scope).append(" | ").append(setting.group(2)).append(" |\n");
    }
    assertFalse(rows.isEmpty(), help);
    return rows.toString();
  }

  /** Returns README, changelog and all pages of the documentation. */
  static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>(
        Stream.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md").map(ROOT::resolve).toList());
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
    }
    return documents;
  }
}
