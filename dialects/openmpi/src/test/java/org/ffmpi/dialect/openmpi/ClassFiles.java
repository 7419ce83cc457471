// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The compiled classes of a package. */
final class ClassFiles {
  private ClassFiles() {}

  /** Returns the folder of class files, or the jar, that a class has come from. */
  static Path root(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the folder of a class's package. */
  static Path folder(Class<?> type) {
    return root(type).resolve(type.getPackageName().replace('.', '/'));
  }

  /** Returns the names of all classes of a class's package. */
  static List<String> of(Class<?> type) throws IOException {
    try (Stream<Path> files = Files.list(folder(type))) {
      return files.map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".class") && !name.startsWith("package-info"))
          .map(name -> type.getPackageName() + "." + name.substring(0, name.length() - ".class".length()))
          .sorted().toList();
    }
  }
}
