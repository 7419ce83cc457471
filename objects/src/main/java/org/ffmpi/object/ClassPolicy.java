// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.io.ObjectInputFilter;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The classes that Java's serialization may read, and its limits: by default the program's own classes and value types
 * of the JDK; the setting {@link ObjectSettings#ALLOW} adds or excludes classes. Immutable.
 */
final class ClassPolicy {
  /**
   * Deepest nesting of values. Each level takes some hundred bytes of stack, and collections in collections two
   * thousand until the JVM has compiled their code: they overflow a stack of a megabyte at some 500.
   */
  private static final long DEEPEST = 1000;

  /** Packages of the JDK whose serializable classes are values: reading them checks and copies, no more. */
  private static final Set<String> PACKAGES =
      Set.of(
          "java.lang", "java.math", "java.time", "java.time.chrono", "java.time.temporal", "java.time.zone",
          "java.util", "java.util.concurrent", "java.util.concurrent.atomic", "java.util.concurrent.locks");

  /** The time zone of calendars. */
  private static final Set<String> CLASSES = Set.of("sun.util.calendar.ZoneInfo");

  static final ClassPolicy DEFAULT =
      new ClassPolicy(null, DEEPEST, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, false);

  /** The pattern of the setting; null without one. */
  private final ObjectInputFilter filter;
  private final long depth;
  private final long references;
  private final long arrayLength;
  private final long bytes;

  /** Whether lambdas may be read. A class of the program makes them, and only those that it contains. */
  private final boolean hasLambdas;

  private ClassPolicy(
      ObjectInputFilter filter, long depth, long references, long arrayLength, long bytes, boolean hasLambdas) {
    this.filter = filter;
    this.depth = depth;
    this.references = references;
    this.arrayLength = arrayLength;
    this.bytes = bytes;
    this.hasLambdas = hasLambdas;
  }

  /** Returns this policy with lambdas allowed. */
  ClassPolicy withLambdas() {
    return new ClassPolicy(filter, depth, references, arrayLength, bytes, true);
  }

  /**
   * Returns the policy of a setting.
   *
   * @param pattern as {@link ObjectInputFilter.Config#createFilter} describes it; its limits replace the default ones
   */
  static ClassPolicy of(String pattern) {
    if (pattern.isBlank()) {
      return DEFAULT;
    }
    List<String> classes = new ArrayList<>();
    long[] limits = {DEEPEST, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE};
    List<String> names = List.of("maxdepth", "maxrefs", "maxarray", "maxbytes");
    try {
      for (String part : pattern.split(";")) {
        int equals = part.indexOf('=');
        int limit = equals < 0 ? -1 : names.indexOf(part.substring(0, equals).strip());
        if (limit < 0) {
          classes.add(part.strip());
        } else {
          limits[limit] = Long.parseUnsignedLong(part.substring(equals + 1).strip());
        }
      }
      ObjectInputFilter filter = ObjectInputFilter.Config.createFilter(String.join(";", classes));
      return new ClassPolicy(filter, limits[0], limits[1], limits[2], limits[3], false);
    } catch (IllegalArgumentException e) {
      throw new MpiException(
          ErrorClass.ERR_ARG,
          ObjectSettings.ALLOW.name() + ": is " + pattern + ", allowed are patterns of ObjectInputFilter ("
              + e.getMessage() + ")",
          e);
    }
  }

  /** Returns whether a filter of the job or of the JVM decides on classes, also on those that are values of the JDK. */
  boolean isCustom() {
    return filter != null || ObjectInputFilter.Config.getSerialFilter() != null;
  }

  long depth() {
    return depth;
  }

  long references() {
    return references;
  }

  long arrayLength() {
    return arrayLength;
  }

  long bytes() {
    return bytes;
  }

  /** Returns whether values of a class may be read. */
  boolean allows(Class<?> asked) {
    Class<?> type = asked;
    while (type.isArray()) {
      type = type.getComponentType();
    }
    if (type.isPrimitive() || type == ArrayStandIn.class) {
      return true;
    }
    ObjectInputFilter ofJvm = ObjectInputFilter.Config.getSerialFilter();
    if (ofJvm != null && ofJvm.checkInput(new ClassOnly(type)) == ObjectInputFilter.Status.REJECTED) {
      return false;
    }
    if (filter != null) {
      switch (filter.checkInput(new ClassOnly(type))) {
        case ALLOWED -> {
          return true;
        }
        case REJECTED -> {
          return false;
        }
        default -> { }
      }
    }
    if (Proxy.isProxyClass(type)) {
      return false; // its class does not show its behaviour
    }
    return !isOfJdk(type) || PACKAGES.contains(type.getPackageName()) || CLASSES.contains(type.getName())
        || hasLambdas && type == SerializedLambda.class;
  }

  /** Returns whether a class comes with the JDK; the application class loader loads some of its modules too. */
  private static boolean isOfJdk(Class<?> type) {
    String module = type.getModule().getName();
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader()
        || module != null && (module.startsWith("java.") || module.startsWith("jdk."));
  }

  /** The query of a filter about a class alone. */
  private record ClassOnly(Class<?> serialClass) implements ObjectInputFilter.FilterInfo {
    @Override
    public long arrayLength() {
      return -1;
    }

    @Override
    public long depth() {
      return 1;
    }

    @Override
    public long references() {
      return 1;
    }

    @Override
    public long streamBytes() {
      return 1;
    }
  }
}
