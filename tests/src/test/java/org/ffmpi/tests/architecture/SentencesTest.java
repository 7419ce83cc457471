// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The sentences of comments: each rule has a pattern, and may be broken as often as a table of the test resources has
 * it. The numbers of the table only fall.
 */
class SentencesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path TABLE =
      Path.of("src/test/resources/org/ffmpi/tests/architecture/sentences.tsv").toAbsolutePath();
  private static final String WRITE = "ffmpi.sentences.write";

  /** Where the first sentence of a Javadoc ends. */
  private static final Pattern FIRST_SENTENCE =
      Pattern.compile("^.*?(?=\\.(?:\\s|$)|<p>|<pre>|<ul>|\\{@snippet| @\\w|$)");

  private record Rule(Pattern pattern, boolean opensTypes) {}

  private static final Map<String, Rule> RULES = rules();

  private static Map<String, Rule> rules() {
    Map<String, Rule> rules = new LinkedHashMap<>();
    rules.put("type: noun, colon, clause", new Rule(Pattern.compile("^[^:]*[\\w)}]: (?!<)\\S"), true));
    rules.put("type: opens with what, who, which, where, how",
        new Rule(Pattern.compile("^(?:What|Who|Which|Where|How)\\b"), true));
    for (String word : List.of("says", "tells", "nobody", "whoever", "whatever", "goes on")) {
      rules.put(word, new Rule(phrase(word.replace(" ", "\\s+")), false));
    }
    rules.put("is none, are none", new Rule(phrase("(?:is|are)\\s+none"), false));
    rules.put("what has been, what was", new Rule(phrase("what\\s+(?:(?:has|have|had)\\s+been|was|were)"), false));
    return rules;
  }

  private static Pattern phrase(String words) {
    return Pattern.compile("\\b(?:" + words + ")\\b", Pattern.CASE_INSENSITIVE);
  }

  @Test
  void keepTheRulesAsOftenAsBefore() throws IOException {
    Map<String, List<String>> places = places();
    if (Boolean.getBoolean(WRITE)) {
      StringBuilder table = new StringBuilder();
      places.forEach((rule, found) -> table.append(rule).append('\t').append(found.size()).append('\n'));
      Files.writeString(TABLE, table);
    }
    Map<String, Integer> allowed = new LinkedHashMap<>();
    for (String line : Files.readAllLines(TABLE)) {
      String[] cells = line.split("\t");
      allowed.put(cells[0], Integer.valueOf(cells[1]));
    }
    assertEquals(RULES.keySet(), allowed.keySet());
    StringBuilder wrong = new StringBuilder();
    places.forEach((rule, found) -> {
      int limit = allowed.get(rule);
      if (found.size() > limit) {
        wrong.append('"' + rule + "\" is broken " + found.size() + " times, " + limit + " are allowed:\n  "
            + String.join("\n  ", found) + "\n");
      } else if (found.size() < limit) {
        wrong.append('"' + rule + "\" is broken " + found.size() + " times, " + limit + " are allowed: write the lower "
            + "number, by hand or with -D" + WRITE + "=true\n");
      }
    });
    if (!wrong.isEmpty()) {
      fail(wrong + "(table: " + ROOT.relativize(TABLE) + ")");
    }
  }

  @Test
  void eachRuleFindsItsSentence() {
    Map<String, String> examples = Map.of(
        "type: noun, colon, clause", "/** A job: it {@code ends}. */ @Deprecated(since = \"a)\") final class Job {}",
        "type: opens with what, who, which, where, how", "/** How a job\n * ends */\npublic sealed interface End {}",
        "says", "// It\n  // says so.",
        "tells", "int a; /* Tells when. */",
        "nobody", "/** A lock that nobody holds. */ int lock;",
        "whoever", "// whoever comes",
        "whatever", "// whatever comes",
        "goes on", "/**\n * It goes\n * on.\n */\nvoid f() {}",
        "is none, are none", "// null if there is none",
        "what has been, what was", "// frees what has been claimed");
    assertEquals(RULES.keySet(), examples.keySet());
    examples.forEach((rule, source) -> assertEquals(List.of(rule), brokenIn(source), source));
    String right = "/** A job. Note: it ends. */ class A { String s = \"nobody /* says\"; char c = '\"'; }"
        + "/** What a field holds: nothing. */ int field; /** Options:\n * <ul> */ class B {}";
    assertEquals(List.of(), brokenIn(right));
    Comment comment = Comment.of("\n/**\n * It goes\n * on.\n */").getFirst();
    assertEquals(4, comment.lineOf(comment.text().indexOf("on.")));
  }

  private static List<String> brokenIn(String source) {
    List<String> broken = new ArrayList<>();
    for (Comment comment : Comment.of(source)) {
      RULES.forEach((name, rule) -> broken.addAll(linesOf(comment, rule).stream().map(line -> name).toList()));
    }
    return broken;
  }

  /** Returns the places of all main sources that break each rule. */
  private static Map<String, List<String>> places() throws IOException {
    Map<String, List<String>> places = new LinkedHashMap<>();
    RULES.keySet().forEach(rule -> places.put(rule, new ArrayList<>()));
    int comments = 0;
    for (Path source : mainSources()) {
      for (Comment comment : Comment.of(Files.readString(source))) {
        comments++;
        RULES.forEach((name, rule) -> linesOf(comment, rule)
            .forEach(line -> places.get(name).add(ROOT.relativize(source) + ":" + line)));
      }
    }
    assertTrue(comments > 5_000, "found only " + comments + " comments");
    return places;
  }

  private static List<Integer> linesOf(Comment comment, Rule rule) {
    String text = comment.text();
    if (rule.opensTypes()) {
      Matcher first = FIRST_SENTENCE.matcher(text);
      boolean isBroken = comment.ofType() && first.find() && rule.pattern().matcher(first.group()).find();
      return isBroken ? List.of(comment.line()) : List.of();
    }
    return rule.pattern().matcher(text).results().map(found -> comment.lineOf(found.start())).toList();
  }

  private static List<Path> mainSources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> ROOT.relativize(file).toString().matches("(?!(.*/)?target/).*/src/main/java/.*"))
          .sorted()
          .toList();
    }
  }
}
