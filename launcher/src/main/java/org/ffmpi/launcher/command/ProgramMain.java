// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.command;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Runs the main method of a program whose JVM was started with a main class of the launcher. */
public final class ProgramMain {
  private ProgramMain() {}

  /**
   * Runs a main method as the java command does.
   *
   * @param className class that has or inherits it
   * @param arguments the program's arguments
   * @throws Throwable what the main method throws
   */
  public static void run(String className, String[] arguments) throws Throwable {
    Class<?> type = Class.forName(className, false, ClassLoader.getSystemClassLoader());
    Method main = find(type, String[].class);
    if (main == null) {
      main = find(type);
    }
    if (main == null) {
      throw new NoSuchMethodException("no main method in class " + className);
    }
    try {
      Class.forName(className, true, type.getClassLoader()); // here its failure has the fewest callers
      Object receiver = null;
      if (!Modifier.isStatic(main.getModifiers())) {
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        receiver = constructor.newInstance();
      }
      main.setAccessible(true);
      main.invoke(receiver, main.getParameterCount() == 0 ? new Object[0] : new Object[] {arguments});
    } catch (InvocationTargetException e) {
      removeOwnFrames(e.getCause(), Collections.newSetFromMap(new IdentityHashMap<>()));
      throw e.getCause();
    } catch (ExceptionInInitializerError e) {
      removeOwnFrames(e, Collections.newSetFromMap(new IdentityHashMap<>()));
      throw e;
    }
  }

  /** Finds a main method, of the class or inherited; returns null when there is none. */
  private static Method find(Class<?> type, Class<?>... parameters) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      try {
        Method found = c.getDeclaredMethod("main", parameters);
        if (found.getReturnType() == void.class && !Modifier.isPrivate(found.getModifiers())) {
          return found;
        }
      } catch (NoSuchMethodException e) {
        // perhaps in the class above
      }
    }
    try {
      Method inherited = type.getMethod("main", parameters); // of an interface
      return inherited.getReturnType() == void.class ? inherited : null;
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** Cuts stack traces where this class begins, so that they are those the program has without it. */
  private static void removeOwnFrames(Throwable thrown, Set<Throwable> seen) {
    if (thrown == null || !seen.add(thrown)) {
      return;
    }
    StackTraceElement[] trace = thrown.getStackTrace();
    int length = 0;
    while (length < trace.length && !trace[length].getClassName().equals(ProgramMain.class.getName())) {
      length++;
    }
    if (length < trace.length) {
      while (length > 0 && isReflection(trace[length - 1].getClassName())) {
        length--;
      }
      thrown.setStackTrace(Arrays.copyOf(trace, length));
    }
    removeOwnFrames(thrown.getCause(), seen);
    for (Throwable other : thrown.getSuppressed()) {
      removeOwnFrames(other, seen);
    }
  }

  private static boolean isReflection(String className) {
    return className.startsWith("java.lang.reflect.") || className.startsWith("jdk.internal.reflect.")
        || className.startsWith("java.lang.invoke.") || className.equals("java.lang.Class");
  }
}
