// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ffmpi.ThreadWorld;

/**
 * The main class of a rank that is recorded for a program's start-up cache. The JVM cannot add to a cache, so the
 * record has to hold what the library's cache holds: the calls of the {@link TrainingProgram} come first, in a world of
 * threads that knows nothing of the job, and then the program runs as it does without this class.
 */
final class RecordedMain {
  private static final int RANKS = 2;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** What would be seen of the training: explanations on standard error, and processes that errors end. */
  private static final Map<String, String> UNSEEN =
      Map.of("ffmpi.collectives", "quiet", "ffmpi.errors", "return", "ffmpi.bind", "none");

  private static final String COMMAND_PROPERTY = "sun.java.command";

  private RecordedMain() {}

  /** Returns the program that is started to record another. One that has more than a class path is started as it is. */
  static Program recording(Program program) {
    if (program.kind() != Program.Kind.CLASS) {
      return program;
    }
    List<String> arguments = new ArrayList<>(List.of(program.target()));
    arguments.addAll(program.arguments());
    return new Program(
        program.ranks(), program.javaOptions(), program.classPath(), program.kind(), RecordedMain.class.getName(),
        arguments, program.settings(), program.environment());
  }

  /**
   * Trains, then runs the program.
   *
   * @param arguments the program's main class and its arguments
   * @throws Throwable what the program's main method throws
   */
  public static void main(String[] arguments) throws Throwable {
    callTheLibrary();
    String command = System.getProperty(COMMAND_PROPERTY, "");
    String own = RecordedMain.class.getName() + " ";
    if (command.startsWith(own)) {
      System.setProperty(COMMAND_PROPERTY, command.substring(own.length()));
    }
    runMain(arguments[0], Arrays.copyOfRange(arguments, 1, arguments.length));
  }

  /** A cache that holds less is no reason to keep the program from running. */
  private static void callTheLibrary() {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    try (ThreadWorld world = ThreadWorld.start(RANKS, UNSEEN, mpi -> TrainingProgram.run(mpi, nowhere))) {
      if (!world.await(LIMIT)) {
        System.err.println("mpirun: the start-up cache may hold less than the library's: its calls took too long");
      }
    } catch (RuntimeException | Error e) {
      System.err.println("mpirun: the start-up cache will hold what the program uses, and no more: " + e);
    }
  }

  /**
   * Runs a main method as the java command does.
   *
   * @param className class that has or inherits it
   * @param arguments the program's arguments
   * @throws Throwable what the main method throws
   */
  static void runMain(String className, String[] arguments) throws Throwable {
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
      takeOut(e.getCause(), Collections.newSetFromMap(new IdentityHashMap<>()));
      throw e.getCause();
    } catch (ExceptionInInitializerError e) {
      takeOut(e, Collections.newSetFromMap(new IdentityHashMap<>()));
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

  /** Takes this class out of stack traces, so that they are those the program has without it. */
  private static void takeOut(Throwable thrown, Set<Throwable> seen) {
    if (thrown == null || !seen.add(thrown)) {
      return;
    }
    StackTraceElement[] trace = thrown.getStackTrace();
    int length = 0;
    while (length < trace.length && !isOurs(trace[length].getClassName())) {
      length++;
    }
    if (length < trace.length) {
      while (length > 0 && isReflection(trace[length - 1].getClassName())) {
        length--;
      }
      thrown.setStackTrace(Arrays.copyOf(trace, length));
    }
    takeOut(thrown.getCause(), seen);
    for (Throwable other : thrown.getSuppressed()) {
      takeOut(other, seen);
    }
  }

  private static boolean isOurs(String className) {
    return className.equals(RecordedMain.class.getName()) || className.equals(MpjMain.class.getName());
  }

  private static boolean isReflection(String className) {
    return className.startsWith("java.lang.reflect.") || className.startsWith("jdk.internal.reflect.")
        || className.startsWith("java.lang.invoke.") || className.equals("java.lang.Class");
  }
}
