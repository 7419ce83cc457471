// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import org.ffmpi.Mpi;
import org.ffmpi.explore.Exploration;
import org.ffmpi.explore.Explorer;
import org.ffmpi.explore.Results;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * Runs a test method in one order of its messages after the other. Used by JUnit's thread; {@link #rank} runs in the
 * ranks' threads, one at a time.
 */
final class ExploredRun {
  private static final String SOME = "some:";
  private static final int MOST_RUNS = 100_000;
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private final WorldShape shape;
  private final ExtensionContext context;
  private final Class<?> testClass;
  private final Method method;
  private final List<Object> resolved;
  private final List<Method> before;
  private final List<Method> after;
  private Object instance;

  ExploredRun(WorldShape shape, ExtensionContext context, Method method, List<Object> resolved) {
    this.shape = shape;
    this.context = context;
    this.testClass = context.getRequiredTestClass();
    this.method = method;
    this.resolved = resolved;
    this.before =
        AnnotationSupport.findAnnotatedMethods(testClass, BeforeEach.class, HierarchyTraversalMode.TOP_DOWN);
    this.after = AnnotationSupport.findAnnotatedMethods(testClass, AfterEach.class, HierarchyTraversalMode.BOTTOM_UP);
    before.forEach(ExploredRun::checkParameters);
    after.forEach(ExploredRun::checkParameters);
  }

  private static void checkParameters(Method callback) {
    if (callback.getParameterCount() > 0) {
      throw new ExtensionConfigurationException(
          callback + " runs around each run of a test with orders: allowed are methods without parameters");
    }
  }

  /** Runs the orders that the test asks for; throws the failure for JUnit. */
  void run() throws Throwable {
    Duration silence = shape.timeout().compareTo(SILENCE) < 0 ? shape.timeout() : SILENCE;
    Explorer explorer = new Explorer(shape.ranks(), shape.settings(), this::rank, this::begin,
        new Explorer.Limits(MOST_RUNS, shape.timeout(), silence));
    Exploration seen = explore(explorer, shape.orders());
    end();
    context.publishReportEntry("orders", seen.summary());
    if (seen.finding() != null) {
      throw failure(seen);
    }
    if (shape.orders().equals(MpiTest.ALL) && !seen.complete()) {
      throw new AssertionFailedError("orders = ALL: " + seen.summary() + ". Give the test more time (timeout), fewer"
          + " ranks or messages, or run some by chance, orders = \"some:1000\"");
    }
  }

  private static Exploration explore(Explorer explorer, String orders) {
    if (orders.equals(MpiTest.ALL)) {
      return explorer.all();
    }
    if (!orders.startsWith(SOME)) {
      return explorer.one(orders);
    }
    String[] numbers = orders.substring(SOME.length()).split(":", 2);
    try {
      int runs = Integer.parseInt(numbers[0].strip());
      long seed = numbers.length > 1 ? Long.parseLong(numbers[1].strip()) : System.nanoTime();
      if (runs > 0) {
        return explorer.some(runs, seed);
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new ExtensionConfigurationException(
        "orders = \"" + orders + "\" of @MpiTest: allowed are some:1000 and some:1000:42, a number of runs and a seed");
  }

  /** Makes a test instance for the next run. */
  private void begin() {
    end();
    instance = instantiate(testClass);
    before.forEach(callback -> ReflectionSupport.invokeMethod(callback, instance));
  }

  private void end() {
    Object over = instance;
    instance = null;
    if (over != null) {
      after.forEach(callback -> ReflectionSupport.invokeMethod(callback, over));
    }
  }

  private void rank(Mpi mpi, Results results) {
    ReflectionSupport.invokeMethod(method, instance,
        RankArguments.argumentsOf(mpi, method, resolved, Orders.of(results, mpi.world().rank())));
  }

  /** Makes an instance, and for an inner class one of each class around it. */
  private static Object instantiate(Class<?> type) {
    boolean inner = type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
    return inner
        ? ReflectionSupport.newInstance(type, instantiate(type.getEnclosingClass()))
        : ReflectionSupport.newInstance(type);
  }

  private Throwable failure(Exploration seen) {
    Exploration.Finding finding = seen.finding();
    Throwable thrown = finding.thrown();
    if (thrown instanceof TestAbortedException) {
      return thrown;
    }
    String text = finding.text() + seen.summary();
    AssertionFailedError report = thrown instanceof AssertionFailedError a && a.isExpectedDefined()
        ? new AssertionFailedError(text, a.getExpected(), a.getActual(), thrown)
        : new AssertionFailedError(text, thrown);
    if (thrown != null) {
      report.setStackTrace(Stacks.ofTest(thrown.getStackTrace()));
    }
    return report;
  }
}
