// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.command;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Finds the class that a user may have meant, one on the class path with the same simple name. */
final class MainClassHint {
  private static final String CLASS = ".class";

  /** Files that are looked at: a class path of a whole disk has no answer worth its time. */
  private static final int MOST_FILES = 50_000;

  private static final int MOST_NAMES = 3;

  private final String wanted;
  private final TreeSet<String> found = new TreeSet<>();
  private int left = MOST_FILES;

  private MainClassHint(String target) {
    String name = target.endsWith(CLASS) ? target.substring(0, target.length() - CLASS.length()) : target;
    this.wanted = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1);
  }

  /**
   * Returns {@code ": did you mean org.example.Main?"}; nothing when no class has that simple name, but for upper case.
   *
   * @param target the class that is not there
   * @param entries folders and jars of the class path
   */
  static String of(String target, Collection<String> entries) {
    MainClassHint hint = new MainClassHint(target);
    for (String entry : entries) {
      File file = new File(entry.isEmpty() ? "." : entry);
      try {
        if (file.isDirectory()) {
          hint.searchFolder(file.toPath());
        } else if (file.isFile()) {
          hint.searchJar(file);
        }
      } catch (IOException e) {
        // What cannot be read gives no hint.
      }
    }
    hint.found.remove(target);
    return hint.found.isEmpty()
        ? ""
        : ": did you mean " + String.join(" or ", hint.found.stream().limit(MOST_NAMES).toList()) + "?";
  }

  private void searchFolder(Path folder) throws IOException {
    Files.walkFileTree(folder, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        add(folder.relativize(file).toString().replace(File.separatorChar, '/'));
        return --left > 0 ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
      }

      @Override
      public FileVisitResult visitFileFailed(Path file, IOException e) {
        return FileVisitResult.CONTINUE;
      }
    });
  }

  private void searchJar(File jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar)) {
      zip.stream().map(ZipEntry::getName).forEach(this::add);
    }
  }

  private void add(String file) {
    if (file.endsWith(CLASS)) {
      String name = file.substring(0, file.length() - CLASS.length());
      if (name.substring(name.lastIndexOf('/') + 1).equalsIgnoreCase(wanted)) {
        found.add(name.replace('/', '.'));
      }
    }
  }
}
