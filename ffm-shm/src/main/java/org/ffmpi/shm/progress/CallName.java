// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.lang.reflect.Method;
import java.security.CodeSource;
import java.util.Objects;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Operation;

/**
 * The MPI name of the call that the calling thread is in, read from its stack: calls need not note it, and only threads
 * that wait for long pay for it.
 */
final class CallName {
  private CallName() {}

  /** The outermost call of a stack that is in one piece of the library, from its inner end. */
  private static final class Search {
    private final CodeSource library = Operation.class.getProtectionDomain().getCodeSource();
    private String name = "";

    /** Returns whether the search is over. */
    boolean isOver(StackWalker.StackFrame frame) {
      Class<?> type = frame.getDeclaringClass();
      boolean isLibrary = type.getModule() == Operation.class.getModule()
          && Objects.equals(type.getProtectionDomain().getCodeSource(), library);
      if (!isLibrary) {
        return !name.isEmpty();
      }
      String found = nameOf(type, frame);
      name = found == null ? name : found;
      return false;
    }
  }

  /** Returns the name, such as MPI_Send; empty when the thread is in no call of a program. */
  static String ofThisThread() {
    Search search = new Search();
    StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(frames -> frames.anyMatch(search::isOver));
    return search.name;
  }

  private static String nameOf(Class<?> type, StackWalker.StackFrame frame) {
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
