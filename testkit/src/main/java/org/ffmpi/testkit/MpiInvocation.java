// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;

/**
 * One run of a test method in one world. It has a name and placeholders for the ranks' own arguments, and runs the
 * ranks.
 */
final class MpiInvocation implements TestTemplateInvocationContext, ParameterResolver, InvocationInterceptor {
  private final WorldShape shape;
  private final String variant;

  MpiInvocation(WorldShape shape, String variant) {
    this.shape = shape;
    this.variant = variant;
  }

  @Override
  public String getDisplayName(int index) {
    return !shape.orders().isEmpty() ? shape.ranksInWords() + ", orders " + shape.orders()
        : variant.isEmpty() ? shape.ranksInWords() : shape.ranksInWords() + ", " + variant;
  }

  @Override
  public List<Extension> getAdditionalExtensions() {
    return List.of(this);
  }

  // ---- parameters: JUnit gets null for those that every rank has its own of

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return RankArguments.isOfRank(parameter.getParameter().getType())
        && parameter.getDeclaringExecutable().equals(context.getRequiredTestMethod());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return null;
  }

  // ---- running

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation, ReflectiveInvocationContext<Method> call, ExtensionContext context)
      throws Throwable {
    invocation.skip(); // the ranks call it
    Method method = call.getExecutable();
    KeptTrace trace =
        shape.orders().isEmpty() ? KeptTrace.of(context.getRequiredTestClass(), method, shape, variant) : null;
    if (trace == null) {
      run(shape, call, context);
      return;
    }
    try {
      run(trace.traced(shape), call, context);
    } catch (Throwable failure) {
      throw trace.kept(failure);
    }
    trace.discard();
  }

  private static void run(WorldShape shape, ReflectiveInvocationContext<Method> call, ExtensionContext context)
      throws Throwable {
    Method method = call.getExecutable();
    if (!shape.orders().isEmpty()) {
      new ExploredRun(shape, context, method, call.getArguments()).run();
    } else if (shape.processes()) {
      new ProcessRun(shape, context.getRequiredTestClass(), method, call.getArguments()).run();
    } else {
      Object instance = call.getTarget().orElseThrow();
      new ThreadRun(shape, context.getRequiredTestClass(), instance, method, call.getArguments()).run();
    }
  }
}
