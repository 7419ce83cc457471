// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * The page with the calls of a test's ranks, where the system property {@code ffmpi.test.trace} names a folder for such
 * pages. That of a test that fails is kept, and its report names it. Used by JUnit's thread.
 */
final class KeptTrace {
  private static final String FOLDER = "ffmpi.test.trace";
  private static final String TRACE = "ffmpi.trace";
  private static final String PAGE = ".html";
  private static final String DATA = ".json";

  private final Path folder;
  private final String name;

  private KeptTrace(Path folder, String name) {
    this.folder = folder;
    this.name = name;
  }

  /** Returns the page of a run; null where none is asked for, or the test has settings of its own for it. */
  static KeptTrace of(Class<?> testClass, Method method, WorldShape shape, String variant) {
    String folder = System.getProperty(FOLDER, "");
    if (folder.isEmpty() || shape.settings().containsKey(TRACE)) {
      return null;
    }
    String name = testClass.getSimpleName() + "." + method.getName() + "-" + shape.ranksInWords()
        + (variant.isEmpty() ? "" : "-" + variant);
    return new KeptTrace(Path.of(folder).toAbsolutePath(), name.replaceAll("[^\\w.-]+", "-"));
  }

  /** Returns the world with a recording of its calls. */
  WorldShape traced(WorldShape shape) {
    Map<String, String> settings = new HashMap<>(shape.settings());
    settings.put(TRACE, folder.resolve(name + PAGE).toString());
    return new WorldShape(shape.ranks(), shape.processes(), shape.timeout(), settings, shape.jvmOptions(),
        shape.orders());
  }

  /** Returns a failure that names the page, if the ranks have left one. */
  Throwable kept(Throwable failure) throws IOException {
    Path page = folder.resolve(name + PAGE);
    if (failure instanceof TestAbortedException) {
      discard();
      return failure;
    }
    if (!Files.exists(page)) {
      return failure;
    }
    String where = "\nthe calls of its ranks: " + page;
    if (failure instanceof AssertionFailedError known) {
      AssertionFailedError told = known.isExpectedDefined()
          ? new AssertionFailedError(
              known.getMessage() + where, known.getExpected(), known.getActual(), known.getCause())
          : new AssertionFailedError(known.getMessage() + where, known.getCause());
      told.setStackTrace(known.getStackTrace());
      for (Throwable other : known.getSuppressed()) {
        told.addSuppressed(other);
      }
      return told;
    }
    failure.addSuppressed(new AssertionFailedError(where.strip()));
    return failure;
  }

  /** Deletes the page of a test that has not failed. */
  void discard() throws IOException {
    Files.deleteIfExists(folder.resolve(name + PAGE));
    Files.deleteIfExists(folder.resolve(name + DATA));
  }
}
