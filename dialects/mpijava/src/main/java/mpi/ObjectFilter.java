// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.ObjectInputFilter;
import java.util.Set;
import org.ffmpi.base.Settings;

/**
 * Which classes are read out of a message: the program's own and the JDK's value types, as deep as a stack allows, and
 * what the setting {@code ffmpi.objects.allow} says. A filter of the whole JVM ({@code jdk.serialFilter}) is asked
 * first.
 */
final class ObjectFilter implements ObjectInputFilter {
  private static final String SETTING = "ffmpi.objects.allow";

  /** Java's serialization itself overflows a stack of a megabyte at two to five times as many levels. */
  private static final long DEEPEST = 1000;

  /** Packages of the JDK whose serializable classes are values. */
  private static final Set<String> PACKAGES =
      Set.of(
          "java.lang", "java.math", "java.time", "java.time.chrono", "java.time.temporal", "java.time.zone",
          "java.util", "java.util.concurrent", "java.util.concurrent.atomic", "java.util.concurrent.locks",
          "sun.util.calendar");

  private static final String PATTERN = pattern();
  private static final ObjectInputFilter ALLOWED = Config.createFilter(PATTERN);

  /** Arrays that are longer than the message cannot be meant; small tables of collections may be. */
  private final long longest;

  private String refused = "";

  /** Makes the filter of a message of so many bytes. */
  ObjectFilter(long bytes) {
    this.longest = PATTERN.contains("maxarray") ? Long.MAX_VALUE : Math.max(bytes, 64);
  }

  private static String pattern() {
    String set = Settings.ofProcess().toPassOn().get(SETTING);
    String inEnvironment = System.getenv("FFMPI_OBJECTS_ALLOW");
    return set != null ? set : inEnvironment != null ? inEnvironment : "";
  }

  /** Returns what has been refused, in words; empty when nothing has. */
  String refused() {
    return refused;
  }

  @Override
  public Status checkInput(FilterInfo info) {
    ObjectInputFilter ofProcess = Config.getSerialFilter();
    Status status = ofProcess == null ? Status.UNDECIDED : ofProcess.checkInput(info);
    if (status == Status.UNDECIDED && ALLOWED != null) {
      status = ALLOWED.checkInput(info);
    }
    if (status == Status.UNDECIDED) {
      status = isAllowed(info) ? Status.ALLOWED : Status.REJECTED;
    }
    if (status == Status.REJECTED) {
      refused = (info.serialClass() == null ? "depth " + info.depth() : info.serialClass().getTypeName())
          + " is not read out of messages; the setting " + SETTING + " allows more";
    }
    return status;
  }

  private boolean isAllowed(FilterInfo info) {
    if (info.arrayLength() > longest || info.depth() > DEEPEST && !PATTERN.contains("maxdepth")) {
      return false;
    }
    Class<?> type = info.serialClass();
    while (type != null && type.isArray()) {
      type = type.getComponentType();
    }
    return type == null || type.isPrimitive() || !isOfJdk(type) || PACKAGES.contains(type.getPackageName());
  }

  /** Returns whether a class comes with the JDK; the loader of applications loads some of its modules, too. */
  private static boolean isOfJdk(Class<?> type) {
    String module = type.getModule().getName();
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader()
        || module != null && (module.startsWith("java.") || module.startsWith("jdk."));
  }
}
