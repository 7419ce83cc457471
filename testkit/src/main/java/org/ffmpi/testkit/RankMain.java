// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Mpi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * The program of a rank that is a process. It makes a test instance and runs its {@code @BeforeEach} methods, the test
 * method and its {@code @AfterEach} methods. Arguments: directory for failures, class, method, then for each parameter
 * its type and its value as text.
 */
final class RankMain {
  private RankMain() {}

  public static void main(String[] words) {
    Mpi.run(words, mpi -> {
      try {
        run(mpi, words);
      } catch (Throwable thrown) {
        RankFailure.of(mpi.world().rank(), thrown).write(Path.of(words[0]));
        throw thrown;
      }
    });
  }

  /** Turns a call into arguments of {@link #main}. */
  static List<String> arguments(Path directory, Class<?> testClass, Method method, List<Object> resolved) {
    List<String> words = new ArrayList<>(List.of(directory.toString(), testClass.getName(), method.getName()));
    Class<?>[] types = method.getParameterTypes();
    for (int i = 0; i < types.length; i++) {
      words.add(types[i].getName());
      if (RankArguments.isOfRank(types[i])) {
        words.add(TextArgument.NONE);
      } else {
        int number = i + 1;
        words.add(TextArgument.encode(resolved.get(i)).orElseThrow(() -> new ExtensionConfigurationException(
            "parameter " + number + " of " + method + ": a " + types[number - 1].getSimpleName()
                + " cannot be handed to another process; allowed are Mpi, Comm, strings, paths, files, enum constants"
                + " and primitive values")));
      }
    }
    return words;
  }

  private static void run(Mpi mpi, String[] words) throws ReflectiveOperationException {
    Class<?> testClass = load(words[1]);
    int parameters = (words.length - 3) / 2;
    Class<?>[] types = new Class<?>[parameters];
    Object[] resolved = new Object[parameters];
    for (int i = 0; i < parameters; i++) {
      types[i] = load(words[3 + 2 * i]);
      resolved[i] = TextArgument.decode(types[i], words[4 + 2 * i]);
    }
    Method method = ReflectionSupport.findMethod(testClass, words[2], types).orElseThrow(
        () -> new NoSuchMethodException(words[1] + "." + words[2] + Arrays.toString(types)));
    Object instance = instantiate(testClass);
    around(instance, testClass, mpi, method, resolved);
  }

  private static void around(Object instance, Class<?> testClass, Mpi mpi, Method method, Object[] resolved) {
    Throwable failure = null;
    try {
      for (Method before : AnnotationSupport.findAnnotatedMethods(
          testClass, BeforeEach.class, HierarchyTraversalMode.TOP_DOWN)) {
        invoke(before, instance, mpi);
      }
      ReflectionSupport.invokeMethod(
          method, instance, RankArguments.argumentsOf(mpi, method, Arrays.asList(resolved)));
    } catch (Throwable thrown) {
      failure = thrown;
      throw thrown;
    } finally {
      for (Method after : AnnotationSupport.findAnnotatedMethods(
          testClass, AfterEach.class, HierarchyTraversalMode.BOTTOM_UP)) {
        try {
          invoke(after, instance, mpi);
        } catch (RuntimeException | Error thrown) {
          if (failure == null) {
            throw thrown;
          }
          failure.addSuppressed(thrown);
        }
      }
    }
  }

  private static void invoke(Method callback, Object instance, Mpi mpi) {
    for (Class<?> type : callback.getParameterTypes()) {
      if (!RankArguments.isOfRank(type)) {
        throw new ExtensionConfigurationException(
            callback + " runs in ranks that are processes: its parameters may be Mpi or Comm, not "
                + type.getSimpleName());
      }
    }
    Object[] none = new Object[callback.getParameterCount()];
    ReflectionSupport.invokeMethod(callback, instance, RankArguments.argumentsOf(mpi, callback, Arrays.asList(none)));
  }

  /** Makes an instance, and for an inner class one of each class around it. */
  private static Object instantiate(Class<?> type) {
    boolean inner = type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
    return inner
        ? ReflectionSupport.newInstance(type, instantiate(type.getEnclosingClass()))
        : ReflectionSupport.newInstance(type);
  }

  private static Class<?> load(String name) throws ReflectiveOperationException {
    try {
      return ReflectionSupport.tryToLoadClass(name).get();
    } catch (Exception e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
