// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.race;

import java.io.IOException;
import java.io.InputStream;
import org.ffmpi.race.RaceRewriter;

/** Defines some classes anew, with their loads and stores told. */
final class RewritingLoader extends ClassLoader {
  private final String prefix;

  /** Creates a loader for a class and those inside it. */
  RewritingLoader(Class<?> type) {
    super(type.getClassLoader());
    prefix = type.getName();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(prefix)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known != null ? known : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      byte[] bytes = RaceRewriter.rewritten(in.readAllBytes(), getParent());
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
