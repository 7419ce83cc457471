// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.ObjectInputFilter;
import java.util.Set;

/**
 * Which classes are read out of messages: the program's own and the JDK's value types, as deep as a stack allows. A
 * filter of the whole JVM ({@code jdk.serialFilter}) is asked too and may reject or allow more.
 */
final class ObjectFilter implements ObjectInputFilter {
  /** Java's serialization itself overflows a stack of a megabyte at two to five times as many levels. */
  private static final long DEEPEST = 1000;

  /** Packages of the JDK whose serializable classes are values. */
  private static final Set<String> PACKAGES =
      Set.of(
          "java.lang", "java.math", "java.time", "java.time.chrono", "java.time.temporal", "java.time.zone",
          "java.util", "java.util.concurrent", "java.util.concurrent.atomic", "java.util.concurrent.locks",
          "sun.util.calendar");

  /** Arrays that are longer than the message cannot be meant; small tables of collections may be. */
  private final long longest;

  /** Makes the filter of a message of so many bytes. */
  ObjectFilter(long bytes) {
    this.longest = Math.max(bytes, 64);
  }

  @Override
  public Status checkInput(FilterInfo info) {
    ObjectInputFilter ofProcess = Config.getSerialFilter();
    if (ofProcess != null) {
      Status status = ofProcess.checkInput(info);
      if (status != Status.UNDECIDED) {
        return status;
      }
    }
    if (info.depth() > DEEPEST || info.arrayLength() > longest) {
      return Status.REJECTED;
    }
    Class<?> type = info.serialClass();
    return type == null || isAllowed(type) ? Status.ALLOWED : Status.REJECTED;
  }

  private static boolean isAllowed(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    return element.isPrimitive() || isOfProgram(element) || PACKAGES.contains(element.getPackageName());
  }

  private static boolean isOfProgram(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader != null && loader != ClassLoader.getPlatformClassLoader();
  }
}
