// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.lang.reflect.Method;
import java.security.CodeSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ffmpi.base.Standard;

/**
 * Reads the MPI name of the calling thread's current call from its stack, so that only threads that wait for long, and
 * calls that are refused, pay for it.
 */
public final class CallName {
  /** A class of each module above the ports, which in the library's own build are folders of their own. */
  private static final List<String> ABOVE =
      List.of("org.ffmpi.Mpi", "org.ffmpi.window.WinImpl", "org.ffmpi.file.RankFiles",
          "org.ffmpi.object.ObjectSettings", "org.ffmpi.trace.TraceLayer", "org.ffmpi.check.CheckLayer",
          "org.ffmpi.collectives.ScheduledCollectives", "org.ffmpi.shm.engine.ShmProvider");

  /** A class of each module below the ports. */
  private static final List<String> BELOW = List.of("org.ffmpi.base.MpiException", "org.ffmpi.datatype.Datatype");

  /** Whether classes belong to the library, found once for each. */
  private static final ClassValue<Boolean> OF_LIBRARY = new ClassValue<>() {
    @Override
    protected Boolean computeValue(Class<?> type) {
      return type.getName().startsWith("org.ffmpi.")
          && Library.PLACES.contains(type.getProtectionDomain().getCodeSource());
    }
  };

  private CallName() {}

  /** The places of the library's classes, found once. */
  private static final class Library {
    private static final Set<CodeSource> PLACES = new HashSet<>();

    static {
      PLACES.add(Operation.class.getProtectionDomain().getCodeSource());
      ABOVE.forEach(Library::add);
      BELOW.forEach(Library::add);
    }

    private static void add(String name) {
      try {
        Class<?> type = Class.forName(name, false, CallName.class.getClassLoader());
        PLACES.add(type.getProtectionDomain().getCodeSource());
      } catch (ClassNotFoundException | LinkageError e) {
        // an engine under another API, as in some tests
      }
    }
  }

  /**
   * Returns whether a class belongs to this library.
   *
   * @param type the class
   * @return false for classes of programs, of the JDK and of dialects
   */
  public static boolean isOfLibrary(Class<?> type) {
    return OF_LIBRARY.get(type);
  }

  /** Search for the outermost call among the innermost consecutive frames of the library. */
  private static final class Search {
    private String name = "";

    /** Returns whether the search is over. */
    boolean isOver(StackWalker.StackFrame frame) {
      Class<?> type = frame.getDeclaringClass();
      if (!isOfLibrary(type)) {
        return !name.isEmpty();
      }
      String found = nameOf(type, frame);
      name = found == null ? name : found;
      return false;
    }
  }

  /**
   * Returns the name of the current call.
   *
   * @return a name such as MPI_Send; empty outside the calls of a program, and in calls that the standard does not have
   */
  public static String ofThisThread() {
    Search search = new Search();
    StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(frames -> frames.anyMatch(search::isOver));
    return search.name;
  }

  /** Returns the name in the standard of the method of a frame; null where it has none. */
  static String nameOf(Class<?> type, StackWalker.StackFrame frame) {
    try {
      Method method = type.getDeclaredMethod(frame.getMethodName(), frame.getMethodType().parameterArray());
      Standard standard = method.getAnnotation(Standard.class);
      return standard != null ? standard.value()[0] : inherited(type, method);
    } catch (ReflectiveOperationException | LinkageError e) {
      return null; // a constructor, for example
    }
  }

  private static String inherited(Class<?> type, Method method) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Class<?> i : c.getInterfaces()) {
        String name = declared(i, method);
        if (name != null) {
          return name;
        }
      }
    }
    return null;
  }

  private static String declared(Class<?> type, Method method) {
    try {
      Standard standard =
          type.getMethod(method.getName(), method.getParameterTypes()).getAnnotation(Standard.class);
      return standard == null ? null : standard.value()[0];
    } catch (NoSuchMethodException e) {
      return null;
    }
  }
}
