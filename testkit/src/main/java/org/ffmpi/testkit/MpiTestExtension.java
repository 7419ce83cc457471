// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Turns one {@link MpiTest} method into an invocation for each variant and each number of ranks. JUnit makes and calls
 * it; tests need only the annotation.
 */
public final class MpiTestExtension implements TestTemplateInvocationContextProvider {
  /** The setting of the error handler; tests need errors to be thrown. */
  private static final String ERRORS = "ffmpi.errors";

  /** Creates the extension; for JUnit. */
  public MpiTestExtension() {}

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getTestMethod(), MpiTest.class);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
    Method method = context.getRequiredTestMethod();
    MpiTest test = AnnotationSupport.findAnnotation(method, MpiTest.class).orElseThrow();
    if (test.ranks().length == 0) {
      throw new ExtensionConfigurationException(
          "ranks = {} of @MpiTest on " + method + ": allowed is one number or more");
    }
    if (test.timeout() <= 0) {
      throw new ExtensionConfigurationException(
          "timeout = " + test.timeout() + " of @MpiTest on " + method + ": allowed are seconds from 1 up");
    }
    if (!test.orders().isEmpty() && test.processes()) {
      throw new ExtensionConfigurationException(
          "orders = \"" + test.orders() + "\" of @MpiTest on " + method + ": allowed with ranks that are threads");
    }
    List<TestTemplateInvocationContext> invocations = new ArrayList<>();
    Breadth breadth = Breadth.chosen();
    if (breadth == Breadth.QUICK && test.processes()) {
      return invocations.stream();
    }
    List<Variant> variants = variants(method, context);
    if (!test.orders().isEmpty()) {
      variants = variants.subList(0, 1);
    }
    for (Breadth.Pair pair : breadth.pairs(variants.size(), test.ranks(), method.getName())) {
      int ranks = pair.ranks();
      if (ranks < 1) {
        throw new ExtensionConfigurationException(
            "ranks = " + ranks + " of @MpiTest on " + method + ": allowed are numbers from 1 up");
      }
      Variant variant = variants.get(pair.variant());
      Map<String, String> settings = new LinkedHashMap<>(Map.of(ERRORS, "return"));
      put(settings, test.settings(), method);
      put(settings, variant.settings(), method);
      WorldShape shape = new WorldShape(
          ranks, test.processes(), Duration.ofSeconds(test.timeout()), settings, List.of(test.jvmOptions()),
          test.orders());
      invocations.add(new MpiInvocation(shape, variant.name()));
    }
    return invocations.stream();
  }

  @Override
  public boolean mayReturnZeroTestTemplateInvocationContexts(ExtensionContext context) {
    return Breadth.chosen() == Breadth.QUICK;
  }

  private record Variant(String name, String[] settings) {}

  /** Returns the variants on the method, or else on its class or an enclosing class, or else the plain one alone. */
  private static List<Variant> variants(Method method, ExtensionContext context) {
    List<MpiVariant> found = AnnotationSupport.findRepeatableAnnotations(method, MpiVariant.class);
    Class<?> type = context.getRequiredTestClass();
    while (found.isEmpty() && type != null) {
      found = AnnotationSupport.findRepeatableAnnotations(type, MpiVariant.class);
      type = type.getEnclosingClass();
    }
    return found.isEmpty()
        ? List.of(new Variant("", new String[0]))
        : found.stream().map(v -> new Variant(v.name(), v.settings())).toList();
  }

  private static void put(Map<String, String> settings, String[] texts, Method method) {
    for (String text : texts) {
      int equals = text.indexOf('=');
      if (equals <= 0) {
        throw new ExtensionConfigurationException(
            "setting \"" + text + "\" of " + method + ": allowed are texts of the form name=value");
      }
      settings.put(text.substring(0, equals).strip(), text.substring(equals + 1).strip());
    }
  }
}
