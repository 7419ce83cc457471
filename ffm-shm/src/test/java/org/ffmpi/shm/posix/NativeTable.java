// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.posix;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ffmpi.shm.posix.LinuxNumbers.InC;

/** The room's {@link InC} as a table, for the test of the headers and for jextract. */
final class NativeTable {
  /** The headers that declare all of it, but for the numbers of one architecture's calls. */
  static final List<String> HEADERS = List.of(
      "errno.h", "linux/futex.h", "sched.h", "stddef.h", "sys/prctl.h", "sys/syscall.h", "sys/types.h", "sys/uio.h",
      "time.h", "unistd.h");

  private static final Pattern OFFSET = Pattern.compile("offsetof \\((.+), (\\w+)\\)");
  private static final Pattern SIZE = Pattern.compile("sizeof \\((.+)\\)");
  private static final Pattern FUNCTION = Pattern.compile("([^()]*\\W)(\\w+) \\((.*)\\)");

  private NativeTable() {}

  /**
   * A number.
   *
   * @param owner the class that has it
   * @param name its name there
   * @param inC the expression of the same value in C
   * @param value its value in Java
   */
  record Number(Class<?> owner, String name, String inC, long value) {
    /** The structure and the member whose offset this is, or null. */
    String[] member() {
      Matcher offset = OFFSET.matcher(inC);
      return offset.matches() ? new String[] {offset.group(1), offset.group(2)} : null;
    }

    /** The type whose size this is, or null. */
    String sized() {
      Matcher size = SIZE.matcher(inC);
      return size.matches() ? size.group(1) : null;
    }

    @Override
    public String toString() {
      return owner.getSimpleName() + "." + name + ", " + inC + " in C, is " + value;
    }
  }

  /**
   * A function of C.
   *
   * @param name its name
   * @param result the type of its result
   * @param arguments the types of its arguments
   */
  record Function(String name, String result, String arguments) {}

  /** Returns the numbers of some classes. */
  static List<Number> numbers(Class<?>... owners) {
    List<Number> numbers = new ArrayList<>();
    for (Class<?> owner : owners) {
      for (Field field : owner.getDeclaredFields()) {
        InC inC = field.getAnnotation(InC.class);
        if (inC != null && isNumber(field)) {
          numbers.add(new Number(owner, field.getName(), inC.value(), value(field)));
        }
      }
    }
    return numbers;
  }

  /** Returns the numbers that are the same on all architectures, and those of this one. */
  static List<Number> numbersHere() {
    return numbers(LinuxNumbers.class, Posix.class);
  }

  /** Returns the static numbers without {@link InC}. */
  static List<String> unexplained(Class<?>... owners) {
    return Stream.of(owners).flatMap(owner -> Stream.of(owner.getDeclaredFields()))
        .filter(field -> Modifier.isStatic(field.getModifiers()) && isNumber(field)
            && field.getAnnotation(InC.class) == null)
        .map(Field::toString).toList();
  }

  /** Returns the functions that {@link Posix} calls, or stands for. */
  static List<Function> functions() {
    List<Function> functions = new ArrayList<>();
    List<AnnotatedElement> members = new ArrayList<>(List.of(Posix.class.getDeclaredFields()));
    members.addAll(List.of(Posix.class.getDeclaredMethods()));
    for (AnnotatedElement member : members) {
      InC inC = member.getAnnotation(InC.class);
      if (inC != null && (member instanceof Method || !isNumber((Field) member))) {
        Matcher function = FUNCTION.matcher(inC.value());
        if (!function.matches()) {
          throw new IllegalStateException(member + " has no declaration of a function: " + inC.value());
        }
        functions.add(new Function(function.group(2), function.group(1).strip(), function.group(3)));
      }
    }
    return functions;
  }

  private static boolean isNumber(Field field) {
    return field.getType() == int.class || field.getType() == long.class;
  }

  private static long value(Field field) {
    try {
      return field.getLong(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field + " cannot be read", e);
    }
  }
}
