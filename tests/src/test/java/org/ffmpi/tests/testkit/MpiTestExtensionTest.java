// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.opentest4j.AssertionFailedError;

/** The effect of {@code @MpiTest} on test classes, good and bad ones. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("long")
class MpiTestExtensionTest {
  private static final String BREADTH = "ffmpi.test.breadth";

  private final String breadth = System.getProperty(BREADTH, "all");

  @BeforeEach
  void clearLog() {
    Scenarios.LOG.clear();
    System.setProperty(BREADTH, "all");
  }

  @AfterEach
  void restoreBreadth() {
    System.setProperty(BREADTH, breadth);
  }

  @Test
  void theMethodRunsInEveryRankAndTheCallbacksOncePerWorld() {
    Map<String, TestExecutionResult> results = run(Scenarios.Passing.class);
    assertEquals(List.of("everybodyRuns: 1 rank", "everybodyRuns: 3 ranks"), succeeded(results));
    assertEquals(
        List.of("before on JUnit", "rank of 1", "after 1", "before on JUnit", "rank of 3", "rank of 3", "rank of 3",
            "after 3"),
        List.copyOf(Scenarios.LOG));
  }

  @Test
  void parametersComeFromTheRankAndFromJUnit() {
    Map<String, TestExecutionResult> results = run(Scenarios.Parameters.class);
    assertEquals(6, succeeded(results).size(), results::toString);
    List<String> log = List.copyOf(Scenarios.LOG);
    assertEquals(2, log.stream().filter(s -> s.startsWith("rank ")).map(s -> s.substring(7)).distinct().count() + 1);
    assertEquals(
        List.of("none in ffmpi-rank-0", "none in ffmpi-rank-1"),
        log.stream().filter(s -> s.startsWith("none")).sorted().toList());
    assertEquals(
        List.of("of 1", "of 2", "of 3", "of 4"), log.stream().filter(s -> s.startsWith("of")).toList());
  }

  @Test
  void variantsOfTheMethodReplaceThoseOfTheClass() {
    Map<String, TestExecutionResult> results = run(Scenarios.Variants.class);
    assertEquals(5, succeeded(results).size(), results::toString);
    assertEquals(
        List.of("1 rank, fatal", "1 rank, four slots", "1 rank, plain", "2 ranks, four slots", "2 ranks, plain"),
        Scenarios.LOG.stream().sorted().toList());
  }

  @Test
  void eachVariantAndEachNumberOfRanksRunsOnceWhereThatIsAskedFor() {
    System.setProperty(BREADTH, "each");
    assertEquals(3, succeeded(run(Scenarios.Variants.class)).size());
    List<String> log = Scenarios.LOG.stream().sorted().toList();
    assertEquals("1 rank, fatal", log.getFirst());
    assertTrue(
        log.containsAll(List.of("1 rank, four slots", "2 ranks, plain"))
            ^ log.containsAll(List.of("1 rank, plain", "2 ranks, four slots")),
        log::toString);
    assertEquals(4, succeeded(run(Scenarios.Parameters.class)).stream().filter(s -> s.startsWith("usual")).count());

    System.setProperty(BREADTH, "quick");
    Scenarios.LOG.clear();
    run(Scenarios.Variants.class);
    assertEquals(List.of("1 rank, fatal", "2 ranks, plain"), Scenarios.LOG.stream().sorted().toList());

    System.setProperty(BREADTH, "some");
    assertExplained(run(Scenarios.Variants.class), "ofTheMethod", "\"quick\", \"each\" and \"all\"");
  }

  @Test
  void aFailureNamesTheRankItsAssertionAndWhereTheOthersWere() {
    Map<String, TestExecutionResult> results = run(Scenarios.Failing.class);
    AssertionFailedError report = failure(results, "oneRankAsserts: 3 ranks");
    assertTrue(
        report.getMessage().startsWith("rank 1 of 3: the answer ==> expected: <7> but was: <9>"), report::getMessage);
    assertEquals(7, report.getExpected().getValue());
    assertEquals(9, report.getActual().getValue());
    assertNull(report.getCause(), "the stack is told once");
    assertTrue(report.getStackTrace()[0].getClassName().startsWith(Scenarios.class.getName()), report::toString);
    assertTrue(
        Stream.of(report.getStackTrace()).noneMatch(f -> f.getClassName().startsWith("org.ffmpi.testkit.")),
        () -> List.of(report.getStackTrace()).toString());
    assertTrue(report.getMessage().contains("when rank 1 failed:"), report::getMessage);
    assertTrue(report.getMessage().contains("then rank 0: MPI_ERR_PROC_ABORTED"), report::getMessage);
    assertTrue(report.getMessage().contains("then rank 2: MPI_ERR_PROC_ABORTED"), report::getMessage);
    assertEquals(0, report.getSuppressed().length, "consequences are no news");
  }

  @Test
  void anMpiErrorIsAFailureToo() {
    AssertionFailedError report = failure(run(Scenarios.Failing.class), "oneRankErrs: 2 ranks");
    assertTrue(report.getMessage().startsWith("rank 0 of 2: MPI_ERR_RANK: dest = 5"), report::getMessage);
  }

  @Test
  void failuresOfOtherRanksAreSuppressed() {
    AssertionFailedError report = failure(run(Scenarios.Failing.class), "bothThrow: 2 ranks");
    String message = report.getMessage();
    assertTrue(
        message.matches("(?s)rank (0|1) of 2: java.lang.IllegalStateException: rank \\1 is out of order.*"), message);
    assertTrue(message.contains("then rank 0:") ^ message.contains("then rank 1:"), message);
  }

  @Test
  void anAssumptionAbortsTheTest() {
    TestExecutionResult result = run(Scenarios.Failing.class).get("assumption: 2 ranks");
    assertEquals(Status.ABORTED, result.getStatus());
    assertTrue(result.getThrowable().orElseThrow().getMessage().contains("needs 3 ranks"));
  }

  @Test
  void aHangEndsWithTheStacksOfAllRanks() {
    Map<String, TestExecutionResult> results = run(Scenarios.Hanging.class);
    String message = failure(results, "inAReceive: 3 ranks").getMessage();
    assertTrue(message.startsWith("ranks 0, 1, 2 of 3 ranks had not ended after 2 s"), message);
    assertTrue(message.contains("rank 0: ") && message.contains("rank 2: "), message);
    assertTrue(message.contains("Scenarios$Hanging.waitForMessage"), message);

    message = failure(results, "inALatch: 2 ranks").getMessage();
    assertTrue(message.startsWith("rank 1 of 2 ranks had not ended after 2 s\n  rank 0: has finalized"), message);
    assertTrue(message.contains("\nrank 0: has ended\n"), message);
    assertTrue(message.contains("CountDownLatch.await"), message);
    assertFalse(message.contains("ReflectionUtils"), message);

    message = failure(results, "inAThreadOfARank: 2 ranks").getMessage();
    assertTrue(message.contains("thread helper: "), message);

    assertEquals(List.of("afterwards: 2 ranks"), succeeded(results), "the next test is not disturbed");
    assertFalse(
        Thread.getAllStackTraces().keySet().stream().anyMatch(t -> t.getName().startsWith("ffmpi-rank")),
        "no rank is left");
  }

  @Test
  void ranksThatAreProcesses() {
    Map<String, TestExecutionResult> results = run(Scenarios.Processes.class);
    assertEquals(
        List.of("everyRankHasItsProcess: 1 process", "everyRankHasItsProcess: 3 processes",
            "optionsReachTheRanks: 1 process"),
        succeeded(results).stream().sorted().toList(),
        results::toString);

    String message = failure(results, "oneRankAsserts: 2 processes").getMessage();
    assertTrue(message.startsWith("rank 1 of 2: "), message);
    assertTrue(message.contains("the answer ==> expected: <7> but was: <8>"), message);
    assertTrue(message.contains("Scenarios$Processes.oneRankAsserts"), message);

    TestExecutionResult assumption = results.get("assumption: 2 processes");
    assertEquals(Status.ABORTED, assumption.getStatus(), assumption::toString);

    message = failure(results, "hang: 2 processes").getMessage();
    assertTrue(message.startsWith("2 processes had not ended after 10 s"), message);
    assertTrue(message.contains("Scenarios$Processes.hang"), message);

    assertExplained(results, "cannotTravel: 1 process", "TestInfo");
  }

  @Test
  void aFailedTestKeepsItsTraceWhereThatIsAskedFor(@TempDir Path folder) throws Exception {
    System.setProperty("ffmpi.test.trace", folder.toString());
    try {
      AssertionFailedError report = failure(run(Scenarios.Failing.class), "oneRankAsserts: 3 ranks");
      Path page = folder.resolve("Failing.oneRankAsserts-3-ranks.html");
      assertTrue(report.getMessage().endsWith("\nthe calls of its ranks: " + page), report::getMessage);
      assertEquals(7, report.getExpected().getValue());
      assertTrue(Files.exists(page));
      run(Scenarios.Passing.class);
      try (Stream<Path> files = Files.list(folder)) {
        assertTrue(files.noneMatch(file -> file.getFileName().toString().startsWith("Passing")));
      }
    } finally {
      System.clearProperty("ffmpi.test.trace");
    }
  }

  @Test
  void wrongAnnotationsAreExplained() {
    Map<String, TestExecutionResult> results = run(Scenarios.Wrong.class);
    assertExplained(results, "noRanks", "ranks = {}");
    assertExplained(results, "zeroRanks", "ranks = 0");
    assertExplained(results, "noTime", "timeout = 0");
    assertExplained(results, "noValue", "\"ffmpi.spin\"");
    assertExplained(results, "wrongValue: 1 rank", "often");
  }

  private static void assertExplained(Map<String, TestExecutionResult> results, String test, String text) {
    TestExecutionResult result = results.entrySet().stream()
        .filter(e -> e.getKey().startsWith(test))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no result of " + test + " in " + results));
    assertEquals(Status.FAILED, result.getStatus());
    String message = result.getThrowable().orElseThrow().getMessage();
    assertTrue(message.contains(text), message);
  }

  private static AssertionFailedError failure(Map<String, TestExecutionResult> results, String test) {
    TestExecutionResult result = results.get(test);
    assertEquals(Status.FAILED, result == null ? null : result.getStatus(), () -> test + " in " + results);
    return assertInstanceOf(AssertionFailedError.class, result.getThrowable().orElseThrow());
  }

  private static List<String> succeeded(Map<String, TestExecutionResult> results) {
    List<String> names = new ArrayList<>();
    results.forEach((name, result) -> {
      if (result.getStatus() == Status.SUCCESSFUL) {
        names.add(name);
      }
    });
    return names;
  }

  /** Runs a class and returns how each invocation ended, and each method that could not make invocations. */
  private static Map<String, TestExecutionResult> run(Class<?> scenarios) {
    Map<String, TestExecutionResult> results = new LinkedHashMap<>();
    Map<String, String> methods = new LinkedHashMap<>();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(scenarios))
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
                .build(),
            new TestExecutionListener() {
              @Override
              public void executionStarted(TestIdentifier test) {
                methods.put(test.getUniqueId(), test.getDisplayName().replaceAll("\\(.*\\)", ""));
              }

              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                String parent = test.getParentId().map(methods::get).orElse("");
                if (test.isTest()) {
                  results.put(parent + ": " + test.getDisplayName(), result);
                } else if (result.getStatus() == Status.FAILED) {
                  results.put(methods.get(test.getUniqueId()), result);
                }
              }
            });
    return results;
  }
}
