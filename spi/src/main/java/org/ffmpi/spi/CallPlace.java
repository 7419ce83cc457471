// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The place of a call in a program, with the call's name in the standard, the file and the line. Taking it costs a look
 * at the stack; its text is made when it is asked for. Any thread may read it.
 */
public final class CallPlace {
  /** The place of calls that no program makes, such as those of the library's own threads. */
  public static final CallPlace NOWHERE = new CallPlace(List.of(), null);

  /** The packages of other bindings of MPI for Java, and of what serves them here. */
  private static final Set<String> DIALECTS = Set.of("mpi", "mpjdev", "mpjbuf", "xdev");

  private static final String OWN_DIALECT = "org.ffmpi.dialect";

  private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private final List<StackWalker.StackFrame> library;
  private final StackWalker.StackFrame program;

  private CallPlace(List<StackWalker.StackFrame> library, StackWalker.StackFrame program) {
    this.library = library;
    this.program = program;
  }

  /**
   * Returns the place of the current call of the calling thread.
   *
   * @return its place; {@link #NOWHERE} where no program is on the stack
   */
  public static CallPlace ofThisThread() {
    return WALKER.walk(frames -> {
      List<StackWalker.StackFrame> library = new ArrayList<>();
      var all = frames.iterator();
      while (all.hasNext()) {
        StackWalker.StackFrame frame = all.next();
        if (CallName.isOfLibrary(frame.getDeclaringClass())) {
          library.add(frame);
        } else if (!isBetween(frame.getDeclaringClass())) {
          return new CallPlace(library, frame);
        }
      }
      return NOWHERE;
    });
  }

  /**
   * Returns whether a class belongs to a program.
   *
   * @param type the class
   * @return false for classes of the JDK, of this library and of other bindings of MPI for Java
   */
  public static boolean isOfProgram(Class<?> type) {
    return !CallName.isOfLibrary(type) && !isBetween(type);
  }

  /** Returns whether a class is of the JDK or of the API of other bindings, where no program has its places. */
  private static boolean isBetween(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    String name = type.getPackageName();
    return loader == null || loader == ClassLoader.getPlatformClassLoader() || DIALECTS.contains(name)
        || name.startsWith(OWN_DIALECT);
  }

  /**
   * Returns the name of the call.
   *
   * @return a name such as MPI_Isend; the name of the method where the standard has none
   */
  public String call() {
    String name = "";
    for (StackWalker.StackFrame frame : library) {
      String found = CallName.nameOf(frame.getDeclaringClass(), frame);
      name = found == null ? name : found;
    }
    return name.isEmpty() && !library.isEmpty() ? library.getLast().getMethodName() : name;
  }

  /**
   * Returns whether the program has made the call itself, and no other method of the library that it has called.
   *
   * @return false where a method without a name in the standard makes the call
   */
  public boolean isDirect() {
    return !library.isEmpty() && CallName.nameOf(library.getLast().getDeclaringClass(), library.getLast()) != null;
  }

  /**
   * Returns whether a class of the library is between the call and where its place was taken.
   *
   * @param type simple name of the class
   * @return false where no method of the class was on the stack
   */
  public boolean isWithin(String type) {
    for (StackWalker.StackFrame frame : library) {
      if (frame.getDeclaringClass().getSimpleName().equals(type)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the line of the program.
   *
   * @return a text such as {@code Halo.java:41}; empty for {@link #NOWHERE}
   */
  public String line() {
    if (program == null) {
      return "";
    }
    String file = program.getFileName();
    return (file == null ? program.getClassName() + "." + program.getMethodName() : file)
        + (program.getLineNumber() > 0 ? ":" + program.getLineNumber() : "");
  }

  /** Returns words such as "MPI_Isend at Halo.java:41". */
  @Override
  public String toString() {
    return program == null ? call() : call() + " at " + line();
  }
}
